// Package catalog holds the nine services, their modes, the rules for clients, and every text that a person or an
// assistant reads.
//
// The texts promise no callback, no arrival time, no company, no price and no booking; a test checks all of them. The
// package knows nothing of HTTP, storage or time.
package catalog

import (
	"slices"

	"foyer/internal/lead"
)

// Version is the version of the interface: catalog, OpenAPI document and MCP server all report it.
const Version = "0.2.0"

// Protocols are the versions of the Model Context Protocol that the server speaks, newest first.
var Protocols = []string{"2025-11-25", "2025-06-18", "2025-03-26"}

// Catalog is the body of GET /v1/services.
type Catalog struct {
	Name           string         `json:"name"`
	About          string         `json:"about"`
	Version        string         `json:"version"`
	Live           []LiveEntry    `json:"live"`
	Collecting     []FormEntry    `json:"collecting"`
	AllServices    []lead.Service `json:"all_service_types"`
	RequiredFields []string       `json:"required_fields_for_requests"`
	Rules          []string       `json:"rules"`
	Coverage       string         `json:"coverage"`
	Endpoints      Endpoints      `json:"endpoints"`
	Contact        string         `json:"contact"`
}

// LiveEntry is a service with a number for the person to dial.
type LiveEntry struct {
	Service         lead.Service `json:"service_type"`
	Label           string       `json:"label"`
	Mode            string       `json:"mode"`
	Call            string       `json:"call_to_connect"`
	CallDisplay     string       `json:"call_to_connect_display"`
	TelLink         string       `json:"tel_link"`
	WhatToTell      string       `json:"what_to_tell_the_user"`
	CallInstruction string       `json:"call_instruction"`
	CoverageNote    string       `json:"coverage_note"`
	WebPage         string       `json:"web_page"`
	How             string       `json:"how"`
}

// FormEntry is a service that collects requests.
type FormEntry struct {
	Service lead.Service `json:"service_type"`
	Label   string       `json:"label"`
	Mode    string       `json:"mode"`
	Status  string       `json:"status"`
	Note    string       `json:"note"`
}

// Endpoints are the addresses of the interfaces.
type Endpoints struct {
	MCP      string `json:"mcp"`
	Intake   string `json:"intake"`
	Services string `json:"services"`
	OpenAPI  string `json:"openapi"`
	Docs     string `json:"docs"`
	LLMs     string `json:"llms"`
}

// The two modes of a service.
const (
	ModeCall = "call_to_connect"
	ModeForm = "request_form"
)

// Catalog says which services are live, which collect requests, and by which rules. sold lists the services that a
// buyer covers anywhere.
func (b Brand) Catalog(sold ...lead.Service) Catalog {
	c := Catalog{
		Name: b.Name, About: About, Version: Version,
		AllServices: lead.Services, RequiredFields: lead.Required(),
		Rules: Rules, Coverage: Coverage, Endpoints: b.Endpoints(), Contact: b.Contact,
	}
	for _, s := range lead.Services {
		if s.Live() {
			c.Live = append(c.Live, b.Live(s))
			continue
		}
		note := NoteHeld
		if slices.Contains(sold, s) {
			note = NotePassed
		}
		c.Collecting = append(c.Collecting, FormEntry{Service: s, Label: Label(s), Mode: ModeForm, Status: "collecting", Note: note})
	}
	return c
}

// Live is the entry of a service with a number to dial.
func (b Brand) Live(s lead.Service) LiveEntry {
	return LiveEntry{
		Service: s, Label: Label(s), Mode: ModeCall,
		Call: b.Number, CallDisplay: b.NumberDisplay(), TelLink: b.TelLink(),
		WhatToTell: b.WhatToTell(), CallInstruction: CallInstruction, CoverageNote: CoverageNote,
		WebPage: b.URL("/plumbing"), How: HowToCall,
	}
}

// Endpoints returns the addresses of the interfaces, under the public address.
func (b Brand) Endpoints() Endpoints {
	return Endpoints{
		MCP: b.URL("/mcp"), Intake: b.URL("/v1/intake"), Services: b.URL("/v1/services"),
		OpenAPI: b.URL("/openapi.json"), Docs: b.URL("/docs"), LLMs: b.URL("/llms.txt"),
	}
}
