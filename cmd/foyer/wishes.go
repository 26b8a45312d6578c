package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"text/tabwriter"

	"foyer/internal/buyer"
	"foyer/internal/config"
	"foyer/internal/lead"
	"foyer/internal/store"
	"foyer/internal/wire"
)

type privacy struct {
	List   privacyList `cmd:"" help:"List open privacy requests, without phone numbers."`
	Show   privacyShow `cmd:"" help:"Show a privacy request, the leads it concerns, and the commands that fulfill it."`
	Settle privacyDone `cmd:"" aliases:"done" help:"Mark a privacy request as settled and delete its phone number."`
}

type privacyList struct {
	config.Data
	All  bool `help:"Include settled ones."`
	JSON bool `help:"Print one JSON object per line."`
}

// Run lists wishes, the one that has waited longest first.
func (c *privacyList) Run(s env) error {
	reader, err := store.OpenReader(s.ctx, string(c.Database))
	if err != nil {
		return err
	}
	defer reader.Close()
	list, err := reader.PrivacyRequests(s.ctx, c.All)
	if err != nil {
		return err
	}
	table := tabwriter.NewWriter(s.stdout, 0, 0, 2, ' ', 0)
	if !c.JSON {
		fmt.Fprintln(table, "REQUEST\tRECEIVED\tKIND\tLEAD\tSTATE\tCONTACT")
	}
	for _, w := range list {
		told, seen := "-", any(nil)
		if w.LeadID != "" {
			found, err := readContact(s.ctx, reader, w.LeadID)
			if err != nil {
				return err
			}
			told, seen = found.String(), found.object()
		}
		if c.JSON {
			fmt.Fprintf(s.stdout, "%s\n", wire.Marshal(append(wishRow(w), wire.Member{"contact", seen})))
			continue
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%s\n", w.ID, clock(w.At), w.Kind, orDash(w.LeadID), w.State, told)
	}
	return table.Flush()
}

func wishRow(w lead.PrivacyRequest) wire.Object {
	return wire.Object{{"wish_id", w.ID}, {"at", w.At}, {"kind", w.Kind}, {"lead_id", orNull(w.LeadID)}, {"state", w.State}}
}

func orDash(text string) string {
	if text == "" {
		return "-"
	}
	return text
}

type privacyShow struct {
	config.Data
	ID   string `arg:"" name:"request-id" help:"The id of the privacy request."`
	JSON bool   `help:"Print one JSON object."`
}

// Run shows one wish and what it takes to fulfil it.
func (c *privacyShow) Run(s env) error {
	reader, err := store.OpenReader(s.ctx, string(c.Database))
	if err != nil {
		return err
	}
	defer reader.Close()
	x, err := readCase(s.ctx, reader, c.ID)
	if err != nil {
		return err
	}
	if c.JSON {
		_, err := s.stdout.Write(wire.MarshalIndent(x.object(c.Data)))
		return err
	}
	return errors.Join(printSheet(s, append(x.sheet(), x.seen()...)), x.printLeads(s.stdout), x.printCommands(s.stdout, c.Data))
}

// requestCase is a wish with the leads of its phone number, and who has seen the contact of each and of the one it names.
type requestCase struct {
	lead.PrivacyRequest
	leads    []lead.Lead
	contacts map[string]contact
}

func readCase(ctx context.Context, reader *store.Reader, id string) (x requestCase, err error) {
	if x.PrivacyRequest, err = reader.PrivacyRequest(ctx, id); err != nil {
		return x, err
	}
	if x.Phone != "" {
		if x.leads, err = reader.LeadsOf(ctx, x.Phone); err != nil {
			return x, err
		}
	}
	x.contacts = map[string]contact{}
	about := []string{x.LeadID}
	for _, l := range x.leads {
		about = append(about, l.ID)
	}
	for _, id := range about {
		if id == "" {
			continue
		}
		if x.contacts[id], err = readContact(ctx, reader, id); err != nil {
			return x, err
		}
	}
	return x, nil
}

// proven says that whoever sent the wish knew both the number of a request and its reference.
func (x requestCase) proven() bool {
	for _, l := range x.leads {
		if l.ID == x.LeadID {
			return true
		}
	}
	return false
}

func (x requestCase) sheet() wire.Object {
	sheet := append(wishRow(x.PrivacyRequest), wire.Object{{"phone", orNull(x.Phone)}, {"note", orNull(x.Note)}}...)
	if x.State == lead.PrivacyOpen {
		sheet = append(sheet, [2]any{"phone_and_lead_belong_together", x.proven()})
	}
	e := x.Evidence
	return append(sheet, wire.Object{
		{"client", orNull(e.Client)},
		{"user_agent", orNull(e.UserAgent)},
		{"page", orNull(e.Page)},
		{"origin", orNull(e.Origin)},
		{"sec_fetch_site", orNull(e.FetchSite)},
		{"request_id", orNull(e.RequestID)},
	}...)
}

// seen tells who has the contact of the lead that the wish names.
func (x requestCase) seen() wire.Object {
	if c, named := x.contacts[x.LeadID]; named {
		return wire.Object{{"contact", c.String()}}
	}
	return nil
}

func (x requestCase) printLeads(w io.Writer) error {
	if len(x.leads) == 0 {
		return nil
	}
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "\nLEADS WITH THIS NUMBER\tRECEIVED\tSERVICE\tSTATUS\tCONTACT")
	for _, l := range x.leads {
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\n", l.ID, clock(l.CreatedAt), l.Request.Service, l.Status, x.contacts[l.ID])
	}
	return table.Flush()
}

// commands are what fulfils the wish. Erasing does not keep later requests out, and taking consent back erases nothing.
func (x requestCase) commands(d config.Data) []string {
	if x.State != lead.PrivacyOpen {
		return nil
	}
	var all []string
	if x.Kind == lead.Withdraw {
		all = append(all, "foyer suppress add "+x.Phone)
	} else {
		for _, l := range x.leads {
			all = append(all, "foyer leads erase "+l.ID)
		}
	}
	all = append(all, "foyer privacy settle "+x.ID)
	at := "'" + d.Database.String() + "'"
	if !strings.HasPrefix(string(d.Database), "sqlite:") {
		at = `"$FOYER_DATABASE"` // a password is not shown
	}
	for i := range all {
		all[i] += " --database " + at
	}
	return all
}

func (x requestCase) printCommands(w io.Writer, d config.Data) error {
	if x.State != lead.PrivacyOpen {
		return nil
	}
	if !x.proven() {
		fmt.Fprintln(w, "\nThe phone number and the reference do not match, or there is no reference: make sure that the person owns the number.")
	}
	fmt.Fprintln(w, "\nTo fulfill it:")
	for _, line := range x.commands(d) {
		fmt.Fprintln(w, "  "+line)
	}
	for _, l := range x.leads {
		if c := x.contacts[l.ID]; c.seen != buyer.NotSeen {
			fmt.Fprintf(w, "%s: %s. Pass the request on to them; foyer leads show %s says what was sent.\n", l.ID, c, l.ID)
		}
	}
	return nil
}

func (x requestCase) object(d config.Data) wire.Object {
	leads := []wire.Object{}
	for _, l := range x.leads {
		leads = append(leads, wire.Object{{"lead_id", l.ID}, {"status", l.Status}, {"contact", x.contacts[l.ID].object()}})
	}
	var named any
	if c, known := x.contacts[x.LeadID]; known {
		named = c.object()
	}
	return append(x.sheet(), wire.Object{{"contact", named}, {"leads", leads}, {"commands", append([]string{}, x.commands(d)...)}}...)
}

type privacyDone struct {
	config.Data
	ID   string `arg:"" name:"request-id" help:"The id of the privacy request."`
	Note string `placeholder:"TEXT" help:"How it was settled, or why not."`
}

// Run settles a wish.
func (c *privacyDone) Run(s env) error {
	st, err := store.OpenExisting(s.ctx, string(c.Database), slog.New(slog.DiscardHandler))
	if err != nil {
		return err
	}
	err = st.SettlePrivacyRequest(s.ctx, c.ID, c.Note)
	if err == nil {
		fmt.Fprintln(s.stdout, c.ID, "is settled. Its phone number was deleted.")
	}
	return errors.Join(err, st.Close())
}
