package mcp

import (
	"bytes"
	"sync/atomic"

	"github.com/go-json-experiment/json/jsontext"

	"foyer/internal/catalog"
	"foyer/internal/edge"
	"foyer/internal/intake"
	"foyer/internal/lead"
	"foyer/internal/wire"
)

// handlers is where the tools are carried out. What never changes is written once; the catalog, when coverage changes.
type handlers struct {
	brand   catalog.Brand
	intake  *intake.Service
	catalog atomic.Pointer[[]byte]
	number  numberResults
}

// numberResults are the ways to hand out the plumbing number.
type numberResults struct {
	plain   []byte
	dropped []byte // with a word on a ZIP code that is none
	withZIP []byte // with anyZIP in the place of the ZIP code
}

// anyZIP stands for a ZIP code. No text of ours holds it.
const anyZIP = "#####"

func newHandlers(b catalog.Brand, r *intake.Service) *handlers {
	live := b.Live(lead.Plumbing)
	number := func(more ...wire.Member) []byte {
		return toolResult(wire.Marshal(append(wire.Object{
			{"service_type", live.Service},
			{"call_to_connect", live.Call},
			{"call_to_connect_display", live.CallDisplay},
			{"tel_link", live.TelLink},
			{"what_to_tell_the_user", live.WhatToTell},
			{"call_instruction", live.CallInstruction},
			{"coverage_note", live.CoverageNote},
			{"web_page", live.WebPage},
		}, more...)), false)
	}
	d := &handlers{brand: b, intake: r, number: numberResults{
		plain:   number(),
		dropped: number(wire.Member{"zip_code", nil}, wire.Member{"note", catalog.ToolZIPDropped}),
		withZIP: number(wire.Member{"zip_code", anyZIP}),
	}}
	d.tell()
	return d
}

// tell writes the catalog anew. Covered are the services that somebody covers somewhere.
func (d *handlers) tell(covered ...lead.Service) {
	result := toolResult(wire.Marshal(d.brand.Catalog(covered...)), false)
	d.catalog.Store(&result)
}

// plumbingNumber hands the number out. It never fails for want of a good ZIP code.
func (d *handlers) plumbingNumber(_ *call, arguments jsontext.Value) ([]byte, error) {
	zip, given := argument(arguments, "zip_code")
	text, _ := wire.Text(zip)
	switch code, ok := lead.ZIP(text); {
	case ok:
		return bytes.ReplaceAll(d.number.withZIP, []byte(anyZIP), []byte(code)), nil
	case given:
		return d.number.dropped, nil
	}
	return d.number.plain, nil
}

// request submits a request on a slip: both request tools do nothing else.
func (d *handlers) request(slip *lead.InputSpec) func(*call, jsontext.Value) ([]byte, error) {
	return func(c *call, arguments jsontext.Value) ([]byte, error) {
		receipt, err := d.intake.Submit(c.ctx, &intake.Submission{
			Raw: wire.ReadJSON(slip, arguments), Client: c.info.Client, Evidence: c.evidence, Keys: c.keys,
		})
		if err != nil {
			return nil, err
		}
		return toolResult(wire.Receipt(receipt), false), nil
	}
}

// status tells where a request stands.
func (d *handlers) status(c *call, arguments jsontext.Value) ([]byte, error) {
	value, _ := argument(arguments, "lead_id")
	id, isText := wire.Text(value)
	if !isText || id == "" {
		return nil, catalog.NoLeadID()
	}
	standing, err := d.intake.LookUp(c.ctx, c.info.Client, id)
	if err != nil {
		return nil, err
	}
	return toolResult(wire.Marshal(standing), false), nil
}

func (d *handlers) services(*call, jsontext.Value) ([]byte, error) { return *d.catalog.Load(), nil }

// argument finds one argument of a reading tool; the others are ignored, and so is null.
func argument(arguments jsontext.Value, name string) (value jsontext.Value, given bool) {
	_ = wire.Members(arguments, func(n string, v jsontext.Value) {
		if n == name && v.Kind() != 'n' {
			value, given = v, true
		}
	})
	return value, given
}

// clientInfo is the name and version an MCP client gives in the request itself, as newer ones do.
func clientInfo(meta jsontext.Value) string {
	if meta.Kind() != '{' {
		return ""
	}
	info, _ := argument(meta, "io.modelcontextprotocol/clientInfo")
	if info.Kind() != '{' {
		return ""
	}
	name, _ := argument(info, "name")
	version, _ := argument(info, "version")
	text, _ := wire.Text(name)
	number, _ := wire.Text(version)
	if number != "" {
		text += " " + number
	}
	return edge.Short(text)
}
