package main_test

import (
	"encoding/json"
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"time"

	"foyer/internal/store/storetest"
	"foyer/test/binary"
)

var linkPattern = regexp.MustCompile(`(\S+)/console/link/(fl_[a-z2-7]{26})`)

// user is a user as the commands print it.
type user struct {
	ID          string `json:"user_id"`
	Link        string
	Name, Role  string
	HasPassword bool `json:"has_password"`
}

// user runs a command that prints a user as JSON.
func (o cli) user(args ...string) (a user) {
	o.t.Helper()
	if err := json.Unmarshal([]byte(o.run(append(append([]string{"operators"}, args...), "--json")...)), &a); err != nil {
		o.t.Fatal(err)
	}
	return a
}

// TestOperators runs every command, beside a service.
func TestOperators(t *testing.T) {
	storetest.Parallel(t)
	p := serve(t, t.TempDir())
	o := cli{t, p.Database}
	if out := o.run("operators", "list"); !strings.Contains(out, "There are no users: nobody can sign in.") {
		t.Errorf("at first: %q", out)
	}
	first := o.run("operators", "link")
	if link := linkPattern.FindStringSubmatch(first); link == nil || link[1] != "http://localhost:8080" || !strings.Contains(first, "makes the first user, an owner") ||
		!strings.Contains(first, "Open it within 30 minutes; it works once") {
		t.Errorf("the first link: %q", first)
	}
	added := o.run("operators", "add", "Ada@Example.com", "--role", "owner", "--base-url", "https://foyer.example.com/leads/")
	if link := linkPattern.FindStringSubmatch(added); link == nil || link[1] != "https://foyer.example.com/leads" || !strings.Contains(added, "(ada@example.com) is added as owner") {
		t.Errorf("added: %q", added)
	}
	bob := o.user("add", "bob", "--console-addr", ":8081")
	if !strings.HasPrefix(bob.ID, "usr_") || len(bob.ID) != 14 || bob.Name != "bob" || bob.Role != "operator" || bob.HasPassword || !strings.HasPrefix(bob.Link, "http://localhost:8081/console/link/fl_") {
		t.Errorf("added: %+v", bob)
	}
	if again := o.user("link", "bob"); again.ID != bob.ID || again.Link == bob.Link || again.Link == "" {
		t.Errorf("another link: %+v", again)
	}
	if again := o.user("link", "bob", "--console-addr", ":8081", "--console-url", "https://console.example.com/"); !strings.HasPrefix(again.Link, "https://console.example.com/console/link/fl_") {
		t.Errorf("a link to a console with a URL of its own: %+v", again)
	}
	if out := o.run("operators", "reset", "BOB"); !strings.Contains(out, "bob has no password any more and is signed out everywhere") || !linkPattern.MatchString(out) {
		t.Errorf("reset: %q", out)
	}
	if out := o.run("operators", "edit", "bob", "--role", "viewer"); out != "The role of bob is viewer now.\n" {
		t.Errorf("edit: %q", out)
	}
	list := o.run("operators", "list")
	for _, want := range []string{"ACCOUNT", bob.ID, "ada@example.com", "owner", "bob", "viewer", "not chosen yet", "never"} {
		if !strings.Contains(list, want) {
			t.Errorf("the list has no %s:\n%s", want, list)
		}
	}
	if lines := o.run("operators", "list", "--json"); strings.Count(lines, "\n") != 2 || strings.Contains(lines, "argon2") || strings.Contains(lines, "fl_") {
		t.Errorf("the list as JSON:\n%s", lines)
	}
	if removed := o.user("remove", "bob"); removed.ID != bob.ID || removed.Link != "" {
		t.Errorf("removed: %+v", removed)
	}
	o.refusesOperators()
	trail := o.run("audit", "--subject", bob.ID)
	for _, action := range []string{"user.add", "user.link", "user.reset", "user.role", "user.remove"} {
		if !strings.Contains(trail, action) {
			t.Errorf("the audit trail has no %s:\n%s", action, trail)
		}
	}
	if check := o.run("db", "check"); !strings.Contains(check, "is sound") {
		t.Errorf("after all that:\n%s", check)
	}
	if strings.Contains(p.Logs(), "fl_") {
		t.Error("the log holds a link")
	}
}

// refusesOperators tries what is refused while ada@example.com is the only user.
func (o cli) refusesOperators() {
	o.t.Helper()
	for args, want := range map[string]string{
		"add ada@example.com":              `foyer: "ada@example.com" is the name of a user already`,
		"add a:b":                          "foyer: the name cannot be used: write 1 to 64 letters",
		"add carl --role boss":             `foyer: --role: "boss" is no role: write viewer, operator or owner`,
		"link":                             "foyer: there are users already: write the name of one of them: ada@example.com",
		"link bob":                         "foyer: There is no user with this name",
		"reset bob":                        "foyer: There is no user with this name",
		"remove ada@example.com":           "foyer: ada@example.com is the only owner",
		"edit ada@example.com --role boss": `foyer: --role: "boss" is no role`,
	} {
		if line := o.runFailing(1, append([]string{"operators"}, strings.Fields(args)...)...); !strings.HasPrefix(line, want) {
			o.t.Errorf("%s: %q", args, line)
		}
	}
	o.runFailing(2, "operators", "edit", "ada@example.com")
}

// TestOperatorsLinkByEnvironment gives the commands the variables that the service has.
func TestOperatorsLinkByEnvironment(t *testing.T) {
	storetest.Parallel(t)
	o := newCLI(t)
	for _, c := range []struct{ variables, want string }{
		{"FOYER_BASE_URL=https://foyer.example.com", "https://foyer.example.com"},
		{"FOYER_BASE_URL=https://foyer.example.com/leads FOYER_CONSOLE_ADDR=10.0.0.5:8081", "http://10.0.0.5:8081/leads"},
		{"FOYER_CONSOLE_ADDR=:8081", "http://localhost:8081"},
	} {
		cmd := exec.Command(binary.Program, "operators", "link", "--database", o.database)
		cmd.Env = binary.Environment(strings.Fields(c.variables)...)
		out, err := cmd.Output()
		if link := linkPattern.FindStringSubmatch(string(out)); err != nil || link == nil || link[1] != c.want {
			t.Errorf("%s: %q, %v", c.variables, out, err)
		}
	}
}

// TestServeLogsNoLink wants a hint in a log that is no terminal, without the link, and none once there is a user.
func TestServeLogsNoLink(t *testing.T) {
	storetest.Parallel(t)
	folder := t.TempDir()
	const hint = "no operator yet: run foyer operators link"
	p := serve(t, folder)
	for end := time.Now().Add(binary.Patience); !strings.Contains(p.Logs(), hint); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("no hint:\n%s", p.Logs())
		}
	}
	if strings.Contains(p.Logs(), "/console/link") || strings.Contains(p.Logs(), "fl_") {
		t.Errorf("the log holds a link:\n%s", p.Logs())
	}
	cli{t, p.Database}.run("operators", "add", "ada", "--role", "owner")
	p.Stop()
	p = serve(t, folder)
	p.Submit()
	if p.Stop(); strings.Contains(p.Logs(), hint) {
		t.Errorf("there is a user:\n%s", p.Logs())
	}
}
