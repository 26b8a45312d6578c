// Command foyer receives requests for home services, stores them, and forwards them to contractor networks that cover them.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"os/user"
	"regexp"
	"strings"
	"syscall"
	_ "time/tzdata" // buyers' hours are in their own time zones, also on a machine without a zone database

	"github.com/alecthomas/kong"

	"foyer/cmd/foyer/buyers"
	"foyer/cmd/foyer/cli"
	"foyer/cmd/foyer/database"
	"foyer/cmd/foyer/leads"
	"foyer/cmd/foyer/operators"
	"foyer/internal/app"
	"foyer/internal/audit"
	"foyer/internal/catalog"
	"foyer/internal/terminal"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal kills the program
	code := run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// commands is the command line.
type commands struct {
	Serve      serve               `cmd:"" default:"withargs" help:"Run the service (what foyer does without a command)."`
	Version    version             `cmd:"" help:"Print the interface version and the commit of this build. Same as foyer --version."`
	OpenAPI    openapi             `cmd:"" name:"openapi" help:"Print the OpenAPI document."`
	Discovery  discovery           `cmd:"" help:"Print or write the discovery files that tell programs what this service offers."`
	Leads      leads.Leads         `cmd:"" help:"List and inspect leads; erase, close, release or replay them."`
	Buyers     buyers.Buyers       `cmd:"" help:"Manage the buyers that take leads."`
	Sources    leads.Sources       `cmd:"" help:"Manage where leads come from: partners and campaigns, with keys for links."`
	Returns    buyers.Returns      `cmd:"" help:"Decide about leads that buyers gave back."`
	Statements buyers.Statements   `cmd:"" help:"What each buyer owes for a month."`
	Report     leads.Report        `cmd:"" help:"Count leads, offers and money: by day, service, place, source and buyer."`
	Route      buyers.Route        `cmd:"" help:"Explain which buyers would be asked about a lead, and why the others would not."`
	Audit      operators.Audit     `cmd:"" help:"List who changed what: operators, buyers, people on the privacy page, and the service itself."`
	Suppress   leads.Suppress      `cmd:"" help:"Manage suppressed phone numbers: their owners asked not to be contacted."`
	Privacy    leads.Privacy       `cmd:"" aliases:"wishes" help:"Handle privacy requests: no more contact, or personal data erased."`
	LegalHolds leads.LegalHolds    `cmd:"" name:"legal-holds" aliases:"holds" help:"Manage legal holds: what keeps leads from being erased, because of a claim or an investigation."`
	Tokens     operators.Tokens    `cmd:"" help:"Manage the tokens with which programs use the operator's API."`
	Operators  operators.Operators `cmd:"" help:"Manage who may sign in to the console."`
	Alerts     operators.Alerts    `cmd:"" help:"What needs a person: what fires now, what you hear about, and how."`
	Keys       database.Keys       `cmd:"" help:"Manage the secret keys of a database."`
	Backup     database.Backup     `cmd:"" help:"Copy the database into a new file while the service runs, and verify the copy."`
	DB         database.DB         `cmd:"" name:"db" help:"Maintain the database: migrate, check, or move it."`
	Sim        simulate            `cmd:"" help:"Simulate a buyer, to try things without a real one."`
}

const description = `Foyer takes in requests for home services from browsers and AI assistants, keeps each one safely, and
passes it on to a contractor network that covers it.

Every setting is a flag and a variable of the same name: --base-url is FOYER_BASE_URL. A flag wins over the variable.`

// run is the whole program. It returns the exit code: 0, 1 for a failure, or 2 for a usage error.
func run(ctx context.Context, args []string, stdin *os.File, stdout, stderr io.Writer) int {
	args = normalizeArgs(args)
	safe := &terminal.SafeWriter{To: stdout}
	defer safe.Flush()
	stdout = safe
	exited := -1
	parser, err := kong.New(&commands{},
		kong.Name("foyer"), kong.Description(description), kong.Writers(stdout, stderr),
		kong.Exit(func(code int) { exited = code }), kong.ConfigureHelp(kong.HelpOptions{Compact: true}),
	)
	if err != nil {
		panic(err) // a bug in the commands struct
	}
	leads.ExplainFilters(parser.Model)
	command, err := parser.Parse(args)
	if exited >= 0 { // help was printed
		return exited
	}
	if err != nil {
		fmt.Fprintln(stderr, "foyer:", terminal.Escape(err.Error()))
		return 2
	}
	if err := command.Run(cli.Env{Ctx: ctx, By: audit.CLI(userName()), Stdin: stdin, Stdout: stdout, Stderr: stderr}); err != nil {
		fmt.Fprintln(stderr, "foyer:", terminal.Escape(cli.ErrorText(err)))
		return 1
	}
	return 0
}

// userName is who typed the command: the user who called sudo, or else the user of the process.
func userName() string {
	if name := os.Getenv("SUDO_USER"); name != "" {
		return name
	}
	if u, err := user.Current(); err == nil {
		return u.Username
	}
	return fmt.Sprint("uid-", os.Getuid()) // a container may have no name for its user
}

// normalizeArgs accepts what people type out of habit: help, --version, and a negative number after a flag, which kong
// would take for a flag, so that the error would not be the sentence that refuses the number.
func normalizeArgs(args []string) []string {
	if len(args) > 0 && args[0] == "help" {
		return append(args[1:], "--help")
	}
	if len(args) == 1 && args[0] == "--version" {
		return []string{"version"}
	}
	var all []string
	for i, arg := range args {
		if i > 0 && negative.MatchString(arg) && strings.HasPrefix(args[i-1], "--") && !strings.Contains(args[i-1], "=") {
			all[len(all)-1] += "=" + arg
			continue
		}
		all = append(all, arg)
	}
	return all
}

var negative = regexp.MustCompile(`^-[0-9.]+$`)

type version struct{}

// Run prints the version and, if known, the commit of this build.
func (version) Run(e cli.Env) error {
	line := "foyer " + catalog.Version
	if commit := app.Revision(); commit != "" {
		line += " (" + commit + ")"
	}
	_, err := fmt.Fprintln(e.Stdout, line)
	return err
}
