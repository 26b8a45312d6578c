package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"foyer/internal/buyer"
	"foyer/internal/config"
	"foyer/internal/lead"
	"foyer/internal/operator"
	"foyer/internal/store"
	"foyer/internal/terminal"
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

// Run lists privacy requests, the one that has waited longest first.
func (c *privacyList) Run(e env) error {
	return withReader(e, c.Data, func(reader *store.Reader) error {
		list, err := reader.PrivacyRequests(e.ctx, c.All)
		if err != nil {
			return err
		}
		table := tabwriter.NewWriter(e.stdout, 0, 0, 2, ' ', 0)
		if !c.JSON {
			fmt.Fprintln(table, "REQUEST\tRECEIVED\tKIND\tLEAD\tSTATE\tCONTACT")
		}
		for _, r := range list {
			text, seen := "-", any(nil)
			if r.LeadID != "" {
				found, err := readContact(e.ctx, reader, r.LeadID)
				if err != nil {
					return err
				}
				text, seen = found.String(), found.object()
			}
			if c.JSON {
				fmt.Fprintf(e.stdout, "%s\n", wire.Marshal(append(privacyRow(r), wire.Member{"contact", seen})))
				continue
			}
			fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%s\n", r.ID, terminal.Time(r.At), r.Kind, terminal.OrDash(r.LeadID), r.State, text)
		}
		return table.Flush()
	})
}

func privacyRow(r lead.PrivacyRequest) wire.Object {
	return wire.Object{{"wish_id", r.ID}, {"at", r.At}, {"kind", r.Kind}, {"lead_id", wire.OrNull(r.LeadID)}, {"state", r.State}}
}

type privacyShow struct {
	config.Data
	ID   string `arg:"" name:"request-id" help:"The id of the privacy request."`
	JSON bool   `help:"Print one JSON object."`
}

// Run shows a privacy request and what it takes to fulfill it.
func (c *privacyShow) Run(e env) error {
	return withReader(e, c.Data, func(reader *store.Reader) error {
		rc, err := readCase(e.ctx, reader, c.ID)
		if err != nil {
			return err
		}
		if c.JSON {
			_, err := e.stdout.Write(wire.MarshalIndent(rc.object(c.Data)))
			return err
		}
		return errors.Join(printFields(e, append(rc.fields(), rc.seenFields()...)), rc.printLeads(e.stdout), rc.printCommands(e.stdout, c.Data))
	})
}

// requestCase is a privacy request with the leads of its phone number, and which buyers have seen the contact of each of
// them and of the lead that the request names.
type requestCase struct {
	lead.PrivacyRequest
	leads    []lead.Lead
	contacts map[string]contact
}

func readCase(ctx context.Context, reader *store.Reader, id string) (rc requestCase, err error) {
	if rc.PrivacyRequest, err = reader.PrivacyRequest(ctx, id); err != nil {
		return rc, err
	}
	if rc.Phone != "" {
		if rc.leads, err = reader.LeadsOf(ctx, rc.Phone); err != nil {
			return rc, err
		}
	}
	rc.contacts = map[string]contact{}
	about := []string{rc.LeadID}
	for _, l := range rc.leads {
		about = append(about, l.ID)
	}
	for _, id := range about {
		if id == "" {
			continue
		}
		if rc.contacts[id], err = readContact(ctx, reader, id); err != nil {
			return rc, err
		}
	}
	return rc, nil
}

// ownershipProven reports whether the sender knew both the phone number of a lead and its reference.
func (rc requestCase) ownershipProven() bool {
	for _, l := range rc.leads {
		if l.ID == rc.LeadID {
			return true
		}
	}
	return false
}

func (rc requestCase) fields() wire.Object {
	fields := append(privacyRow(rc.PrivacyRequest), wire.Object{{"phone", wire.OrNull(rc.Phone)}, {"note", wire.OrNull(rc.Note)}}...)
	if rc.State == lead.PrivacyOpen {
		fields = append(fields, [2]any{"phone_and_lead_belong_together", rc.ownershipProven()})
	}
	ev := rc.Evidence
	return append(fields, wire.Object{
		{"client", wire.OrNull(ev.Client)},
		{"user_agent", wire.OrNull(ev.UserAgent)},
		{"page", wire.OrNull(ev.Page)},
		{"origin", wire.OrNull(ev.Origin)},
		{"sec_fetch_site", wire.OrNull(ev.FetchSite)},
		{"request_id", wire.OrNull(ev.RequestID)},
	}...)
}

// seenFields says which buyers have the contact of the lead that the request names.
func (rc requestCase) seenFields() wire.Object {
	if c, named := rc.contacts[rc.LeadID]; named {
		return wire.Object{{"contact", c.String()}}
	}
	return nil
}

func (rc requestCase) printLeads(w io.Writer) error {
	if len(rc.leads) == 0 {
		return nil
	}
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "\nLEADS WITH THIS NUMBER\tRECEIVED\tSERVICE\tSTATUS\tCONTACT")
	for _, l := range rc.leads {
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\n", l.ID, terminal.Time(l.CreatedAt), l.Request.Service, l.Status, rc.contacts[l.ID])
	}
	return table.Flush()
}

// commands returns the commands that fulfill the request. Erasing does not block later requests, and withdrawing consent
// erases nothing.
func (rc requestCase) commands(d config.Data) []string {
	if rc.State != lead.PrivacyOpen {
		return nil
	}
	var all []string
	if rc.Kind == lead.Withdraw {
		all = append(all, "foyer suppress add "+rc.Phone)
	} else {
		for _, l := range rc.leads {
			all = append(all, "foyer leads erase "+l.ID)
		}
	}
	all = append(all, "foyer privacy settle "+rc.ID)
	at := "'" + d.Database.String() + "'"
	if !strings.HasPrefix(string(d.Database), "sqlite:") {
		at = `"$FOYER_DATABASE"` // do not show the password
	}
	for i := range all {
		all[i] += " --database " + at
	}
	return all
}

func (rc requestCase) printCommands(w io.Writer, d config.Data) error {
	if rc.State != lead.PrivacyOpen {
		return nil
	}
	if !rc.ownershipProven() {
		fmt.Fprintln(w, "\nThe phone number and the reference do not match, or there is no reference: make sure that the person owns the number.")
	}
	fmt.Fprintln(w, "\nTo fulfill it:")
	for _, line := range rc.commands(d) {
		fmt.Fprintln(w, "  "+line)
	}
	for _, l := range rc.leads {
		if c := rc.contacts[l.ID]; c.seen != buyer.NotSeen {
			fmt.Fprintf(w, "%s: %s. Pass the request on to them; foyer leads show %s says what was sent.\n", l.ID, c, l.ID)
		}
	}
	return nil
}

func (rc requestCase) object(d config.Data) wire.Object {
	leads := []wire.Object{}
	for _, l := range rc.leads {
		leads = append(leads, wire.Object{{"lead_id", l.ID}, {"status", l.Status}, {"contact", rc.contacts[l.ID].object()}})
	}
	var named any
	if c, known := rc.contacts[rc.LeadID]; known {
		named = c.object()
	}
	return append(rc.fields(), wire.Object{{"contact", named}, {"leads", leads}, {"commands", append([]string{}, rc.commands(d)...)}}...)
}

type privacyDone struct {
	config.Data
	ID   string `arg:"" name:"request-id" help:"The id of the privacy request."`
	Note string `placeholder:"TEXT" help:"How it was settled, or why not."`
}

// Run settles a privacy request.
func (c *privacyDone) Run(e env) error {
	return withoutKeys(e, c.Data, func(op *operator.Operator) error {
		if err := op.SettlePrivacyRequest(e.ctx, e.by, c.ID, c.Note); err != nil {
			return err
		}
		_, err := fmt.Fprintln(e.stdout, c.ID, "is settled. Its phone number was deleted.")
		return err
	})
}
