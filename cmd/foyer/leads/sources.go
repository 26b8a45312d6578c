package leads

import (
	"errors"
	"fmt"
	"io"
	"os"

	"foyer/cmd/foyer/cli"
	"foyer/internal/config"
	"foyer/internal/operator"
	"foyer/internal/operator/entered"
	"foyer/internal/operator/sources"
	"foyer/internal/report"
)

// Sources are the commands about where leads come from.
type Sources struct {
	Add     sourcesAdd     `cmd:"" help:"Add a source and print its key."`
	List    sourcesList    `cmd:"" help:"List the sources and what they sent this month."`
	Show    sourcesShow    `cmd:"" help:"Show everything about a source."`
	Edit    sourcesEdit    `cmd:"" help:"Change a source. What you leave out stays as it is."`
	Block   sourcesBlock   `cmd:"" help:"Make its key count for nothing. Requests that name it are kept all the same."`
	Unblock sourcesUnblock `cmd:"" help:"Make its key count again."`
}

// sourceFlags are the arguments and flags of every command about one source.
type sourceFlags struct {
	cli.OperatorFlags
	Source string `arg:"" help:"The source's name or key."`
}

// wordingFlags let the wording come from a file: it is long.
type wordingFlags struct {
	ConsentFile string `name:"consent-file" placeholder:"FILE" help:"A file with the wording for --consent."`
}

// load reads the file into the input.
func (f wordingFlags) load(in *entered.SourceTerms) error {
	switch {
	case f.ConsentFile == "":
		return nil
	case in.Consent != nil:
		return errors.New("--consent and --consent-file: give one of them")
	}
	text, err := os.ReadFile(f.ConsentFile)
	if err != nil {
		return fmt.Errorf("--consent-file: %w", err)
	}
	in.Consent = new(string(text))
	return nil
}

type sourcesAdd struct {
	cli.OperatorFlags
	Name string `arg:"" help:"What you call it. Never shown to the public."`
	entered.SourceTerms
	wordingFlags
}

// Help explains what comes next.
func (*sourcesAdd) Help() string {
	return "A link to the form with ?source=KEY, or the header Foyer-Source: KEY of a program, makes a lead count for the source. Without a key, or with an unknown or blocked one, the lead is taken as well and counts as direct. " +
		"utm_source, utm_medium, utm_campaign, utm_term, utm_content, gclid and fbclid in the same link are kept with the lead. A service that runs knows the source after a second."
}

// AfterApply reports everything wrong with the flags before anything is opened.
func (c *sourcesAdd) AfterApply() error {
	if err := c.load(&c.SourceTerms); err != nil {
		return err
	}
	return c.SourceTerms.Check()
}

// Run adds a source. Like a buyer, it can be added before the first lead arrives.
func (c *sourcesAdd) Run(e cli.Env) error {
	return e.WithNewOperator(c.Data, config.Network{}, func(op *operator.Operator) error { return c.add(e, op) })
}

func (c *sourcesAdd) add(e cli.Env, op *operator.Operator) error {
	s, err := op.Sources().Add(e.Ctx, e.By, c.Name, c.SourceTerms)
	if err != nil {
		return err
	}
	return e.Print(c.JSON, report.Source(sources.Summary{Source: s}), cli.Sentence("%s (%s) was added. Its leads are those that come by the link /?source=%s to your form, or from programs that send the header Foyer-Source: %s.",
		s.Key, s.Terms.Name, s.Key, s.Key))
}

type sourcesList struct{ cli.ListFlags }

// Run lists sources.
func (c *sourcesList) Run(e cli.Env) error {
	list := func(op *operator.Operator) ([]sources.Summary, error) { return op.Sources().List(e.Ctx) }
	return cli.List(e, c.ListFlags, list, "There are no sources: all leads are direct. foyer sources add makes one.",
		report.Source, report.SourceHeadings, report.SourceRow)
}

type sourcesShow struct{ sourceFlags }

// Run shows one source.
func (c *sourcesShow) Run(e cli.Env) error {
	return e.WithOperator(c.Data, func(op *operator.Operator) error { return c.show(e, op, c.Source) })
}

func (c sourceFlags) show(e cli.Env, op *operator.Operator, word string) error {
	s, err := op.Sources().Find(e.Ctx, word)
	if err != nil {
		return err
	}
	return e.Print(c.JSON, report.Source(s), func(w io.Writer) error { return report.PrintFields(w, report.SourceFields(s, "")) })
}

type sourcesEdit struct {
	sourceFlags
	Name *string `placeholder:"TEXT" help:"What you call it."`
	entered.SourceTerms
	wordingFlags
}

// AfterApply validates each value by itself.
func (c *sourcesEdit) AfterApply() error {
	if err := c.load(&c.SourceTerms); err != nil {
		return err
	}
	if c.Name == nil && c.SourceTerms == (entered.SourceTerms{}) {
		return errors.New("nothing to change: name at least one term, as in --cost 12.50")
	}
	return c.SourceTerms.Check()
}

// Run changes a source and prints the result.
func (c *sourcesEdit) Run(e cli.Env) error {
	return e.WithOperator(c.Data, func(op *operator.Operator) error {
		s, err := op.Sources().Edit(e.Ctx, e.By, c.Source, c.Name, c.SourceTerms)
		if err != nil {
			return err
		}
		return c.show(e, op, s.Key)
	})
}

type sourcesBlock struct {
	sourceFlags
	Hold bool `help:"Hold requests that name it until you release them."`
}

// Run blocks a source.
func (c *sourcesBlock) Run(e cli.Env) error {
	return e.WithOperator(c.Data, func(op *operator.Operator) error {
		s, err := op.Sources().Block(e.Ctx, e.By, c.Source, c.Hold)
		if err != nil {
			return err
		}
		then := "are taken as direct, cost nothing, and get the mark source_blocked"
		if c.Hold {
			then = "are held, with the mark source_held, until you release them with foyer leads release"
		}
		return e.Print(c.JSON, report.Source(sources.Summary{Source: s}), cli.Sentence("%s (%s) is blocked: a second from now, requests that name it %s.", s.Key, s.Terms.Name, then))
	})
}

type sourcesUnblock struct{ sourceFlags }

// Run unblocks a source.
func (c *sourcesUnblock) Run(e cli.Env) error {
	return e.WithOperator(c.Data, func(op *operator.Operator) error {
		s, err := op.Sources().Unblock(e.Ctx, e.By, c.Source)
		if err != nil {
			return err
		}
		return e.Print(c.JSON, report.Source(sources.Summary{Source: s}), cli.Sentence("%s (%s) is active: its key counts again a second from now. Leads that were held meanwhile stay held.", s.Key, s.Terms.Name))
	})
}
