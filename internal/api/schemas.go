package api

import (
	"foyer/internal/catalog"
	"foyer/internal/lead"
	"foyer/internal/wire"
)

// schemas are the four components of the document. The request's comes from the field table.
func schemas() object {
	return object{
		{"ServiceRequest", serviceRequest()},
		{"LeadResponse", leadResponse()},
		{"Error", errorObject()},
		{"Catalog", catalogObject()},
	}
}

func serviceRequest() object {
	properties := object{}
	for _, f := range lead.IntakeInput.Fields() {
		if f.Name != lead.DryRun {
			properties = append(properties, wire.Member{f.Name, wire.FieldSchema(lead.IntakeInput, f)})
		}
	}
	return object{{"type", "object"}, {"properties", properties}, {"required", lead.Required()}}
}

// leadResponse requires what the published interface requires; in fact all nine members are always there.
func leadResponse() object {
	return closed([]string{"lead_id", "status", "message", "next_steps"},
		text("lead_id", "Identifier of the lead. A dry run's begins with dry_ and is not kept."),
		wire.Member{"status", object{{"type", "string"}, {"enum", lead.Statuses}, {"description", "Where the lead stands."}}},
		text("message", "Text to relay to the person."),
		wire.Member{"next_steps", texts("What can be done next.")},
		maybeText("estimated_payout_hint", "Set only where the operator made one public."),
		maybeText("call_to_connect", "The number to dial, in E.164; set for plumbing."),
		maybeText("call_to_connect_display", "The number as people write it."),
		maybeText("call_instruction", "What to do with the number."),
		wire.Member{"dry_run", object{{"type", "boolean"}, {"default", false}, {"description", "True when the request was only checked."}}},
	)
}

func standing() object {
	return closed(nil,
		text("lead_id", "Identifier of the lead."),
		wire.Member{"status", object{{"type", "string"}, {"enum", lead.Statuses}}},
		wire.Member{"service_type", object{{"type", "string"}, {"enum", lead.Services}}},
		text("zip_code", "Where the work happens."),
		wire.Member{"created_at", object{{"type", "string"}, {"format", "date-time"}}},
		wire.Member{"updated_at", object{{"type", "string"}, {"format", "date-time"}}},
		text("message", "Text to relay to the person."),
		wire.Member{"next_steps", texts("What can be done next.")},
	)
}

func errorObject() object {
	return object{
		{"type", "object"},
		{"properties", object{
			text("error", "Short machine code."),
			text("message", "Readable message; for an invalid request, the texts of all its fields."),
			{"fields", object{{"type", "object"}, {"additionalProperties", object{{"type", "string"}}}, {"description", "What is wrong with each field, and what to send instead."}}},
		}},
		{"required", []string{"error", "message"}},
		{"additionalProperties", false},
	}
}

func catalogObject() object {
	service := object{{"type", "string"}, {"enum", lead.Services}}
	return closed(nil,
		text("name", "The operator's name."),
		text("about", "What the service does and does not do."),
		text("version", "Version of the interface."),
		wire.Member{"live", list(liveEntry(service))},
		wire.Member{"collecting", list(closed(nil,
			wire.Member{"service_type", service}, text("label", "Name for people."),
			wire.Member{"mode", object{{"const", catalog.ModeForm}}}, wire.Member{"status", object{{"const", "collecting"}}},
			text("note", "What to expect."),
		))},
		wire.Member{"all_service_types", list(service)},
		wire.Member{"required_fields_for_requests", texts("The fields every request carries.")},
		wire.Member{"rules", texts("The rules every client keeps to.")},
		text("coverage", "Where the service works."),
		wire.Member{"endpoints", closed(nil,
			address("mcp"), address("intake"), address("services"), address("openapi"), address("docs"), address("llms"),
		)},
		text("contact", "How to reach the operator."),
	)
}

func liveEntry(service object) object {
	return closed(nil,
		wire.Member{"service_type", service}, text("label", "Name for people."),
		wire.Member{"mode", object{{"const", catalog.ModeCall}}},
		text("call_to_connect", "The number to dial, in E.164."),
		text("call_to_connect_display", "The number as people write it."),
		text("tel_link", "The number as a tel: address."),
		text("what_to_tell_the_user", "Text to read to the person."),
		text("call_instruction", "What to do with the number."),
		text("coverage_note", "What availability depends on."),
		address("web_page"),
		text("how", "How the live mode works."),
	)
}

// closed is an object with these members and no others. All of them are required, unless some are named.
func closed(required []string, members ...wire.Member) object {
	if required == nil {
		for _, m := range members {
			required = append(required, m[0].(string))
		}
	}
	return object{{"type", "object"}, {"properties", object(members)}, {"required", required}, {"additionalProperties", false}}
}

func text(name, description string) wire.Member {
	return wire.Member{name, object{{"type", "string"}, {"description", description}}}
}

func maybeText(name, description string) wire.Member {
	return wire.Member{name, object{{"anyOf", []object{{{"type", "string"}}, {{"type", "null"}}}}, {"default", nil}, {"description", description}}}
}

func address(name string) wire.Member {
	return wire.Member{name, object{{"type", "string"}, {"format", "uri"}}}
}

func texts(description string) object {
	return object{{"type", "array"}, {"items", object{{"type", "string"}}}, {"description", description}}
}

func list(items object) object { return object{{"type", "array"}, {"items", items}} }
