// Command foyer takes in requests for home services, keeps them, and passes them on to contractor networks that cover them.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	_ "time/tzdata" // buyers are open by the clock of their own zone, also on a machine that has no table of zones

	"github.com/alecthomas/kong"

	"foyer/internal/lead"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the program at once
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// commands are what can be typed.
type commands struct {
	Serve     serve     `cmd:"" default:"withargs" help:"Run the service (what foyer does without a command)."`
	Version   version   `cmd:"" help:"Print the version of the interface, and the commit of this build."`
	OpenAPI   openapi   `cmd:"" name:"openapi" help:"Print the OpenAPI document."`
	Discovery discovery `cmd:"" help:"Print or write the files by which programs find out what is here."`
	Leads     leads     `cmd:"" help:"Look at leads; erase, close, release or replay them."`
	Buyers    buyers    `cmd:"" help:"Manage who takes leads."`
	Route     route     `cmd:"" help:"Explain who would be asked about a lead, and why others would not."`
	Suppress  suppress  `cmd:"" help:"Manage the phone numbers whose owners asked not to be contacted."`
	Wishes    wishes    `cmd:"" help:"Settle what people asked for: no more contact, or their data erased."`
	Keys      keys      `cmd:"" help:"Look after the secret keys of a database."`
	Backup    backup    `cmd:"" help:"Copy the database into a new file, and check the copy, while the service runs."`
	DB        database  `cmd:"" name:"db" help:"Look after the database: its tables, its soundness, and moving to another."`
	Sim       simulate  `cmd:"" help:"Try things without a real buyer."`
}

const description = `Foyer takes in requests for home services from browsers and AI assistants, keeps each one safely, and
passes it on to a contractor network that covers it.

Every setting is a flag and a variable of the same name: --base-url is FOYER_BASE_URL. A flag wins over the variable.`

// stage is where a command runs: what it may print to, and what ends it.
type stage struct {
	ctx    context.Context
	stdout io.Writer
	stderr io.Writer
}

// run is the whole program. It returns the exit code: 0, 1 for what went wrong, 2 for what was typed wrong.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	if len(args) > 0 && args[0] == "help" {
		args = append(args[1:], "--help")
	}
	exited := -1
	parser, err := kong.New(&commands{},
		kong.Name("foyer"), kong.Description(description), kong.Writers(stdout, stderr),
		kong.Exit(func(code int) { exited = code }), kong.ConfigureHelp(kong.HelpOptions{Compact: true}),
	)
	if err != nil {
		panic(err) // the struct above is wrong
	}
	command, err := parser.Parse(args)
	if exited >= 0 { // help was printed
		return exited
	}
	if err != nil {
		fmt.Fprintln(stderr, "foyer:", err)
		return 2
	}
	if err := command.Run(stage{ctx, stdout, stderr}); err != nil {
		fmt.Fprintln(stderr, "foyer:", told(err))
		return 1
	}
	return 0
}

// told puts an error into words for the terminal: what a client would be told, or what is behind it.
func told(err error) string {
	var e *lead.Error
	if errors.As(err, &e) && e.Message != "" {
		return e.Message
	}
	return err.Error()
}
