package api

import (
	"foyer/internal/catalog"
	"foyer/internal/lead"
	"foyer/internal/wire"
)

// schemas returns the four components of the document. The request schema comes from the field table.
func schemas() object {
	return object{
		{"ServiceRequest", serviceRequest()},
		{"LeadResponse", leadResponse()},
		{"Error", wire.ErrorSchema()},
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

// leadResponse marks as required what the published interface requires. In practice all nine members are always present.
func leadResponse() object {
	return closedObject([]string{"lead_id", "status", "message", "next_steps"},
		textMember("lead_id", "Identifier of the lead. A dry run's begins with dry_ and is not kept."),
		wire.Member{"status", object{{"type", "string"}, {"enum", lead.Statuses}, {"description", "Where the lead stands."}}},
		textMember("message", "Text to relay to the person."),
		wire.Member{"next_steps", textList("What can be done next.")},
		nullableTextMember("estimated_payout_hint", "Set only where the operator made one public."),
		nullableTextMember("call_to_connect", "The number to dial, in E.164; set for plumbing."),
		nullableTextMember("call_to_connect_display", "The number as people write it."),
		nullableTextMember("call_instruction", "What to do with the number."),
		wire.Member{"dry_run", object{{"type", "boolean"}, {"default", false}, {"description", "True when the request was only checked."}}},
	)
}

func statusAnswer() object {
	return closedObject(nil,
		textMember("lead_id", "Identifier of the lead."),
		wire.Member{"status", object{{"type", "string"}, {"enum", lead.Statuses}}},
		wire.Member{"service_type", object{{"type", "string"}, {"enum", lead.Services}}},
		textMember("zip_code", "Where the work happens."),
		wire.Member{"created_at", object{{"type", "string"}, {"format", "date-time"}}},
		wire.Member{"updated_at", object{{"type", "string"}, {"format", "date-time"}}},
		textMember("message", "Text to relay to the person."),
		wire.Member{"next_steps", textList("What can be done next.")},
	)
}

func catalogObject() object {
	service := object{{"type", "string"}, {"enum", lead.Services}}
	return closedObject(nil,
		textMember("name", "The operator's name."),
		textMember("about", "What the service does and does not do."),
		textMember("version", "Version of the interface."),
		wire.Member{"live", list(liveEntry(service))},
		wire.Member{"collecting", list(closedObject(nil,
			wire.Member{"service_type", service}, textMember("label", "Name for people."),
			wire.Member{"mode", object{{"const", catalog.ModeForm}}}, wire.Member{"status", object{{"const", "collecting"}}},
			textMember("note", "What to expect."),
		))},
		wire.Member{"all_service_types", list(service)},
		wire.Member{"required_fields_for_requests", textList("The fields every request carries.")},
		wire.Member{"rules", textList("The rules every client keeps to.")},
		textMember("coverage", "Where the service works."),
		wire.Member{"endpoints", closedObject(nil,
			urlMember("mcp"), urlMember("intake"), urlMember("services"), urlMember("openapi"), urlMember("docs"), urlMember("llms"),
		)},
		textMember("contact", "How to reach the operator."),
	)
}

func liveEntry(service object) object {
	return closedObject(nil,
		wire.Member{"service_type", service}, textMember("label", "Name for people."),
		wire.Member{"mode", object{{"const", catalog.ModeCall}}},
		textMember("call_to_connect", "The number to dial, in E.164."),
		textMember("call_to_connect_display", "The number as people write it."),
		textMember("tel_link", "The number as a tel: address."),
		textMember("what_to_tell_the_user", "Text to read to the person."),
		textMember("call_instruction", "What to do with the number."),
		textMember("coverage_note", "What availability depends on."),
		urlMember("web_page"),
		textMember("how", "How the live mode works."),
	)
}

// closedObject is the schema of an object with these members and no others. All of them are required, unless required names
// some.
func closedObject(required []string, members ...wire.Member) object {
	if required == nil {
		for _, m := range members {
			required = append(required, m[0].(string))
		}
	}
	return object{{"type", "object"}, {"properties", object(members)}, {"required", required}, {"additionalProperties", false}}
}

func textMember(name, description string) wire.Member {
	return wire.Member{name, object{{"type", "string"}, {"description", description}}}
}

func nullableTextMember(name, description string) wire.Member {
	return wire.Member{name, object{{"anyOf", []object{{{"type", "string"}}, {{"type", "null"}}}}, {"default", nil}, {"description", description}}}
}

func urlMember(name string) wire.Member {
	return wire.Member{name, object{{"type", "string"}, {"format", "uri"}}}
}

func textList(description string) object {
	return object{{"type", "array"}, {"items", object{{"type", "string"}}}, {"description", description}}
}

func list(items object) object { return object{{"type", "array"}, {"items", items}} }
