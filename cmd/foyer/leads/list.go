package leads

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/alecthomas/kong"

	"foyer/cmd/foyer/cli"
	"foyer/internal/app"
	"foyer/internal/config"
	"foyer/internal/operator"
	"foyer/internal/operator/query"
	"foyer/internal/report"
	"foyer/internal/source"
	"foyer/internal/store"
	"foyer/internal/terminal"
)

type leadsList struct {
	config.Data
	cli.CalendarFlag
	leadFilter `embed:"" group:"Which leads"`
	Limit      int    `default:"50" placeholder:"N" help:"How many to list (default: ${default})."`
	All        bool   `help:"List all of them, however many."`
	Cursor     string `placeholder:"CURSOR" help:"Go on where another list ended."`
	Contact    bool   `help:"Write names, phone numbers, addresses and notes, too. Only with --csv or --json. The audit trail tells of it."`
	CSV        bool   `name:"csv" help:"Write CSV."`
	JSON       bool   `help:"Print one JSON object per line."`

	query query.Filter
	from  int64
}

// leadFilter has a flag for each of operator.FilterWords, which explain them.
type leadFilter struct {
	ID       []string `sep:"none"`
	Phone    []string `sep:"none"`
	Email    []string `sep:"none"`
	Name     []string `sep:"none"`
	Status   []string `sep:"none"`
	Service  []string `sep:"none"`
	ZIP      []string `sep:"none" name:"zip"`
	State    []string `sep:"none"`
	Mark     []string `sep:"none"`
	Source   []string `sep:"none"`
	Buyer    []string `sep:"none"`
	Offered  []string `sep:"none"`
	Outcome  []string `sep:"none"`
	Received []string `sep:"none"`
	Sold     []string `sep:"none"`
}

// ExplainFilters sets the help texts of the flags of leadFilter. Variables in their tags would do the same, but kong copies all variables
// for each of all flags: some ten megabytes at every start.
func ExplainFilters(app *kong.Application) {
	for _, command := range app.Leaves(false) {
		if !strings.HasSuffix(command.Path(), "leads list") {
			continue
		}
		for _, flag := range command.Flags {
			for _, w := range query.FilterWords {
				if flag.Name == w.Name {
					flag.Help, flag.PlaceHolder = w.Help, w.Value
				}
			}
		}
	}
}

// words are the filters that were given.
func (f leadFilter) words() map[string][]string {
	given := map[string][]string{
		"id": f.ID, "phone": f.Phone, "email": f.Email, "name": f.Name, "status": f.Status, "service": f.Service, "zip": f.ZIP, "state": f.State, "source": f.Source,
		"mark": f.Mark, "buyer": f.Buyer, "offered": f.Offered, "outcome": f.Outcome, "received": f.Received, "sold": f.Sold,
	}
	maps.DeleteFunc(given, func(_ string, values []string) bool { return values == nil })
	return given
}

// Help explains how filters go together.
func (*leadsList) Help() string {
	return "A lead has to match every filter. Where a filter has several values, separated by commas, one of them has to match. Days begin at midnight in --time-zone. " +
		"The list holds no personal details, unless --contact asks for them."
}

// AfterApply reads the filter before anything is opened.
func (c *leadsList) AfterApply() (err error) {
	switch {
	case c.CSV && c.JSON:
		return errors.New("--csv and --json cannot be used together: choose one")
	case c.Contact && !c.CSV && !c.JSON:
		return errors.New("--contact: add --csv or --json. foyer leads show prints one lead with personal details")
	}
	if err := cli.CheckLimit(c.Limit, "leads"); err != nil {
		return err
	}
	if c.Cursor != "" {
		if c.from, err = strconv.ParseInt(c.Cursor, 10, 64); err != nil || c.from < 1 {
			return errors.New("--cursor: got something that is no cursor: write what a list printed at its end")
		}
	}
	return c.parse()
}

// parse reads the filter. Its days may not be known yet.
func (c *leadsList) parse() (err error) {
	if c.query, err = query.ParseFilter(c.words(), time.Now(), cmp.Or(c.TimeZone.Location, time.UTC)); err != nil {
		return errors.New("--" + cli.ErrorText(err))
	}
	return nil
}

// Run lists leads.
func (c *leadsList) Run(e cli.Env) error {
	if c.Contact { // before the first line: who stops the command in the middle has read some of them
		if err := e.WithOperator(c.Data, func(op *operator.Operator) error { return op.RecordExport(e.Ctx, e.By, c.words()) }); err != nil {
			return err
		}
	}
	out := c.output(e)
	var end store.FoundLeads
	if err := e.WithReader(c.Data, func(tx *store.Tx) error {
		key, err := app.SearchKey(c.Data, tx)
		if err != nil {
			return err
		}
		if c.TimeZone.Location, err = query.Zone(tx, c.TimeZone.Location); err != nil {
			return err
		}
		if err := c.parse(); err != nil {
			return err
		}
		end, err = c.search(e, tx, key, out)
		return err
	}); err != nil {
		return err
	}
	if err := out.end(); err != nil {
		return err
	}
	return printRest(e.Stderr, end) // not among the leads, which another program may read
}

// exportPage is how many leads are read at once, if all are wanted.
const exportPage = 500

// search prints a page of leads, or page by page all of them.
func (c *leadsList) search(e cli.Env, tx *store.Tx, key []byte, out leadOutput) (found store.FoundLeads, err error) {
	began := time.Now()
	page := store.LeadPage{Before: c.from, Limit: c.Limit, Ended: func() bool { return time.Since(began) > query.SearchTime }}
	if c.All {
		page.Limit, page.Ended = exportPage, nil
	}
	p := terminal.NewProgress(e.Stderr)
	defer p.End()
	for done := int64(0); ; {
		if found, err = c.query.Find(tx, key, page); err != nil {
			return found, err
		}
		p.Clear()
		for _, l := range found.Leads {
			if err := out.write(l); err != nil {
				return found, err
			}
		}
		done += int64(len(found.Leads))
		p.Set(terminal.Step{What: "listing leads", Done: done, Unit: "leads"})
		if page.Before = found.Next; !c.All || found.Next == 0 {
			return found, nil
		}
	}
}

// leadOutput is how leads are written.
type leadOutput struct {
	write func(store.FoundLead) error
	end   func() error
}

func (c *leadsList) output(e cli.Env) leadOutput {
	object := report.FoundLead
	if c.Contact {
		object = report.FoundLeadWithContact
	}
	switch {
	case c.JSON:
		return leadOutput{func(l store.FoundLead) error { return e.PrintLine(object(l)) }, func() error { return nil }}
	case c.CSV:
		file := report.NewCSV(e.Stdout, object(store.FoundLead{}))
		return leadOutput{func(l store.FoundLead) error { return file.Write(object(l)) }, file.Flush}
	}
	var rows [][]any
	sources := false
	return leadOutput{func(l store.FoundLead) error {
		sources = sources || l.Source != ""
		rows = append(rows, []any{l.ID, c.time(l.CreatedAt), l.Request.Service, l.Request.ZIP, l.Status, l.Evidence.Channel, cmp.Or(l.Source, source.Direct), report.Marks(l.Marks)})
		return nil
	}, func() error {
		if len(rows) == 0 {
			return cli.Sentence("No lead was found.")(e.Stdout)
		}
		headings := "LEAD\tRECEIVED\tSERVICE\tZIP\tSTATUS\tVIA\tSOURCE\tMARKS"
		if !sources { // most operators have none
			headings = strings.Replace(headings, "\tSOURCE", "", 1)
			for i := range rows {
				rows[i] = slices.Delete(rows[i], sourceColumn, sourceColumn+1)
			}
		}
		return terminal.Table(e.Stdout, headings, rows)
	}}
}

// sourceColumn is where the table has the source.
const sourceColumn = 6

// time formats a time in the zone of the filters.
func (c *leadsList) time(t time.Time) string {
	if c.TimeZone.String() == "UTC" {
		return terminal.Time(t)
	}
	return t.In(c.TimeZone.Location).Format("2006-01-02 15:04:05 MST")
}

// printRest says how to go on, if there may be more.
func printRest(w io.Writer, end store.FoundLeads) (err error) {
	switch {
	case end.Next == 0:
	case end.SearchedTo.IsZero():
		_, err = fmt.Fprintf(w, "There are more. Go on with --cursor %d, or list --all.\n", end.Next)
	default:
		_, err = fmt.Fprintf(w, "Searched back to %s. Go on with --cursor %d, or list --all.\n", terminal.Time(end.SearchedTo), end.Next)
		if err == nil && end.Filling {
			_, err = fmt.Fprintln(w, "The search index is still being filled: foyer db status says how much is missing.")
		}
	}
	return err
}
