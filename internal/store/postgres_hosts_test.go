package store_test

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"foyer/internal/dbadmin"
	"foyer/internal/lead"
	"foyer/internal/store"
	"foyer/internal/store/db"
	"foyer/internal/store/storetest"
	"foyer/test/postgres"
	"foyer/test/stopwatch"
)

// withFirstHost adds a host before the host of an address.
func withFirstHost(first, database string) string {
	return strings.Replace(database, "@", "@"+first+",", 1)
}

// impatient makes a database on the shared server wait for a silent host only as long as the service does.
func impatient(database string) string {
	separator := "?"
	if strings.Contains(database, separator) {
		separator = "&"
	}
	return database + separator + "connect_timeout=2"
}

// listen accepts connections and leaves them to the caller.
func listen(t *testing.T) net.Listener {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l
}

// wantUsable opens a database in every way there is.
func wantUsable(t *testing.T, database string) {
	t.Helper()
	storetest.Save(t, storetest.Open(t, database), storetest.Lead("lead_1"))
	if list, err := storetest.OpenReader(t, database).Newest(t.Context(), 10); err != nil || len(list) != 1 {
		t.Errorf("a reader finds %d leads: %v", len(list), err)
	}
	if c, err := dbadmin.Inspect(t.Context(), database); err != nil || c.Pending() != 0 {
		t.Errorf("its condition: %+v, %v", c, err)
	}
	if n, err := dbadmin.Check(t.Context(), database, nil, func(db.Finding) {}); err != nil || n != 1 {
		t.Errorf("a check finds %d leads: %v", n, err)
	}
}

func TestPostgreSQLOnSeveralHosts(t *testing.T) {
	for _, want := range []string{"", "?target_session_attrs=read-write", "?target_session_attrs=primary"} {
		t.Run("refuses"+want, func(t *testing.T) {
			t.Parallel()
			wantUsable(t, withFirstHost("127.0.0.1:1", storetest.PostgreSQL(t))+want)
		})
		t.Run("says nothing"+want, func(t *testing.T) {
			t.Parallel()
			silent := startProxy(t, "")
			silent.hangs.Store(true)
			wantUsable(t, impatient(withFirstHost(silent.Addr().String(), storetest.PostgreSQL(t))+want))
			if asked, opened := silent.accepted(), 4; asked != opened { // and the rest goes to the host that answered
				t.Errorf("the silent host was asked %d times by what opened the database %d times", asked, opened)
			}
		})
	}
}

// A standby receives no leads, whether or not the address asks for a primary.
func TestPostgreSQLSkipsReadOnlyHost(t *testing.T) {
	t.Parallel()
	server, follower := postgres.Shared(t), postgres.Start(t, postgres.Options{Fast: true})
	database := server.Database(t)
	name := database[strings.LastIndex(database, "/")+1:]
	if _, err := follower.Exec("postgres", "CREATE DATABASE "+name+"; ALTER DATABASE "+name+" SET default_transaction_read_only = on"); err != nil {
		t.Fatal(err)
	}
	host := strings.TrimPrefix(follower.URL(""), "postgres://postgres@")
	wantUsable(t, withFirstHost(strings.TrimSuffix(host, "/"), database))
}

// proxy forwards connections to a server until it hangs.
type proxy struct {
	net.Listener
	server  string
	hangs   atomic.Bool
	mu      sync.Mutex
	servers []net.Conn // to the server
	clients []net.Conn // from the clients
}

func startProxy(t *testing.T, server string) *proxy {
	p := &proxy{Listener: listen(t), server: server}
	var all sync.WaitGroup
	all.Go(func() {
		for {
			client, err := p.Accept()
			if err != nil {
				return
			}
			all.Go(func() { p.forward(client) })
		}
	})
	t.Cleanup(func() {
		p.Close()
		p.hang()
		p.closeAll(&p.clients)
		all.Wait()
	})
	return p
}

func (p *proxy) forward(client net.Conn) {
	defer client.Close()
	p.track(&p.clients, client)
	if !p.hangs.Load() {
		if server, err := net.Dial("tcp", p.server); err == nil {
			p.track(&p.servers, server)
			go func() { _, _ = io.Copy(server, client); server.Close() }()
			_, _ = io.Copy(client, server)
		}
	}
	if p.hangs.Load() {
		_, _ = io.Copy(io.Discard, client)
	}
}

// hang closes the connections to the server and stops responding to clients.
func (p *proxy) hang() {
	p.hangs.Store(true)
	p.closeAll(&p.servers)
}

// accepted is how many clients connected.
func (p *proxy) accepted() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.clients)
}

func (p *proxy) track(all *[]net.Conn, c net.Conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	*all = append(*all, c)
}

func (p *proxy) closeAll(all *[]net.Conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, c := range *all {
		c.Close()
	}
}

// When the first host hangs, every connection moves to the second, including that of the instance lock, and no caller waits
// longer than three seconds.
func TestPostgreSQLFailsOverToNextHost(t *testing.T) {
	t.Parallel()
	database := storetest.PostgreSQL(t)
	_, host, _ := strings.Cut(database, "@")
	host, _, _ = strings.Cut(host, "/")
	p := startProxy(t, host)
	s := storetest.Open(t, impatient(withFirstHost(p.Addr().String(), database)))
	if !storetest.AcquireInstance(t, s) {
		t.Fatal("it is not alone")
	}
	storetest.Save(t, s, storetest.Lead("lead_before"))
	p.hang()
	for i := range 3 {
		for what, try := range map[string]func() error{
			"save": func() error {
				_, err := s.SaveLead(t.Context(), new(storetest.Lead(fmt.Sprint("lead_meanwhile_", i))), nil, storetest.Noon)
				return err
			},
			"look": func() error { _, err := s.LeadSummary(t.Context(), "lead_before"); return err },
		} {
			watch := stopwatch.Start()
			if err := try(); err != nil && storetest.KindOf(err) != lead.Unavailable {
				t.Errorf("%s: got %v, want nothing or kind %s", what, err, lead.Unavailable)
			}
			if took := watch.Stop(); took > 3*time.Second {
				t.Errorf("%s took %v", what, took)
			}
		}
	}
	waitForRecovery(t, s)
	if err := s.Refresh(t.Context()); err != nil {
		t.Error(err)
	}
	if other := storetest.Open(t, database); storetest.AcquireInstance(t, other) {
		t.Error("another is alone beside one that went to the next host")
	}
}

// A server that accepts no new connections but serves the open ones is not unreachable: a request that needs a new connection is
// refused, others are not, and everything works again afterwards.
func TestPostgreSQLAcceptsNoNewConnections(t *testing.T) {
	t.Parallel()
	database := storetest.PostgreSQL(t)
	_, host, _ := strings.Cut(database, "@")
	host, _, _ = strings.Cut(host, "/")
	p := startProxy(t, host)
	s := storetest.Open(t, impatient(strings.Replace(database, host, p.Addr().String(), 1)))
	storetest.Save(t, s, storetest.Lead("lead_1"))
	p.hangs.Store(true)
	var all sync.WaitGroup
	var refused atomic.Int32
	for range 64 {
		all.Go(func() {
			if _, err := s.LeadSummary(t.Context(), "lead_1"); err != nil {
				refused.Add(1)
			}
		})
	}
	all.Wait()
	if refused.Load() == 0 {
		t.Error("nobody wanted a new connection: this test proves nothing")
	}
	if !storetest.HasLead(t, s, "lead_1") {
		t.Error("the lead is not found meanwhile")
	}
	p.hangs.Store(false)
	if err := s.Ping(t.Context()); err != nil {
		t.Errorf("a ping afterwards: %v", err)
	}
}

// An error while connecting is never blamed on a lead.
func TestPostgreSQLRefusesAllConnections(t *testing.T) {
	t.Parallel()
	server := postgres.Shared(t)
	database := server.Database(t)
	name := database[strings.LastIndex(database, "/")+1:]
	s := storetest.Open(t, database)
	if _, err := server.Exec("postgres", "ALTER DATABASE "+name+" ALLOW_CONNECTIONS false; SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '"+name+"'"); err != nil {
		t.Fatal(err)
	}
	time.Sleep(100 * time.Millisecond)
	wantUnavailable(t, s, 3*time.Second)
	if _, err := server.Exec("postgres", "ALTER DATABASE "+name+" ALLOW_CONNECTIONS true"); err != nil {
		t.Fatal(err)
	}
	waitForRecovery(t, s)
}

// newOwner gives a database to a new role without superuser rights and returns the address for that role.
func newOwner(t *testing.T, server *postgres.Server, database, role string) string {
	t.Helper()
	name := database[strings.LastIndex(database, "/")+1:]
	if _, err := server.Exec("postgres", "CREATE ROLE "+role+" LOGIN; ALTER DATABASE "+name+" OWNER TO "+role); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if _, err := server.Exec(name, "REASSIGN OWNED BY "+role+" TO postgres; DROP ROLE "+role); err != nil {
			t.Error(err)
		}
	})
	return strings.Replace(database, "postgres@", role+"@", 1)
}

// A writer that can no longer connect does not affect reads.
func TestPostgreSQLWriterOverConnectionLimit(t *testing.T) {
	t.Parallel()
	server := postgres.Shared(t)
	database := server.Database(t)
	name := database[strings.LastIndex(database, "/")+1:]
	s := storetest.Open(t, newOwner(t, server, database, "narrow"))
	storetest.Save(t, s, storetest.Lead("lead_1"))
	count := func() error {
		return s.CountOne(t.Context(), storetest.OneCharge(time.Minute, 9), storetest.Noon)
	}
	if err := count(); err != nil {
		t.Fatal(err)
	}
	if n, err := server.Exec(name, "ALTER ROLE narrow CONNECTION LIMIT 1; SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE usename = 'narrow' AND query LIKE '%INTO allowances%'"); err != nil || n != "1" {
		t.Fatalf("%s writers were cut: %v", n, err)
	}
	time.Sleep(100 * time.Millisecond)
	if err := count(); storetest.KindOf(err) != lead.Unavailable {
		t.Errorf("a count: got %v, want kind %s", err, lead.Unavailable)
	}
	for range 5 {
		if err := s.Ping(t.Context()); err != nil {
			t.Errorf("a ping: %v", err)
		}
		if !storetest.HasLead(t, s, "lead_1") {
			t.Error("the lead is not found")
		}
	}
}

// If the server allows only a few readers, reads wait for each other. No other test runs beside this one: on a busy machine thirty of
// them would wait for longer than a read may take.
func TestPostgreSQLFewReadersAllowed(t *testing.T) {
	server := postgres.Shared(t)
	s := storetest.Open(t, newOwner(t, server, server.Database(t), "frugal"))
	storetest.Save(t, s, storetest.Lead("lead_1"))
	if _, err := server.Exec("postgres", "ALTER ROLE frugal CONNECTION LIMIT 8"); err != nil { // six writers and two readers
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for range 32 {
		all.Go(func() {
			for range 20 {
				if _, err := s.LeadSummary(t.Context(), "lead_1"); err != nil {
					t.Errorf("a look: %v", err)
				}
			}
		})
	}
	all.Wait()
}

// A check reports a connection limit that is too low for one process, with its name and the number needed.
func TestCheckFindsLowConnectionLimit(t *testing.T) {
	t.Parallel()
	server := postgres.Shared(t)
	database := server.Database(t)
	owned := newOwner(t, server, database, "thrifty")
	storetest.Open(t, owned)
	for limit, want := range map[int]int{14: 1, 15: 0, -1: 0} {
		if _, err := server.Exec("postgres", fmt.Sprint("ALTER ROLE thrifty CONNECTION LIMIT ", limit)); err != nil {
			t.Fatal(err)
		}
		var found []string
		if _, err := dbadmin.Check(t.Context(), owned, nil, func(f db.Finding) {
			if strings.Contains(f.What, "connections") {
				found = append(found, f.What)
			}
		}); err != nil {
			t.Error(err)
		}
		if len(found) != want || want > 0 && !strings.Contains(found[0], "role thrifty leaves room for 14 connections; each process of the service needs 15") {
			t.Errorf("with a limit of %d it tells %q", limit, found)
		}
	}
}

// logLines receives the lines of a log.
type logLines chan string

func (l logLines) Write(p []byte) (int, error) {
	l <- string(p)
	return len(p), nil
}

// A process that starts while another one migrates waits, logs that after a second, and says so when it is stopped.
func TestPostgreSQLStoppedWaitingForMigration(t *testing.T) {
	t.Parallel()
	database := postgres.Shared(t).Database(t)
	conn, err := openRaw(t, database).Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if _, err := conn.ExecContext(t.Context(), "SELECT pg_advisory_lock($1)", 0x666f796572_02); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(1300*time.Millisecond, cancel)
	logged := make(logLines, 10)
	s, err := store.Open(ctx, database, slog.New(slog.NewTextHandler(logged, nil)))
	if err == nil {
		s.Close()
		t.Fatal("it was opened")
	}
	wantOneLine(t, err, "waited for another process that changes the tables")
	select {
	case line := <-logged:
		if !strings.Contains(line, "migrating the database") {
			t.Errorf("the log says %q", line)
		}
	default:
		t.Error("the log says nothing")
	}
}
