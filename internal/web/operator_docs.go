package web

import (
	"encoding/json"
	"fmt"
	"html/template"
	"net/http"
	"path"
	"slices"
	"strings"

	"foyer/internal/catalog"
	"foyer/internal/edge"
	"foyer/internal/lead"
)

// OperatorDocs renders the OpenAPI document of the operator's API, for people who hold a token. base is where the API is.
func (s *Site) OperatorDocs(base string, openapi []byte) (*edge.Document, error) {
	var api openAPI
	var schemas struct {
		Components struct{ Schemas ordered[schema] }
	}
	if err := json.Unmarshal(openapi, &api); err != nil {
		return nil, fmt.Errorf("the operator's OpenAPI document: %w", err)
	}
	if err := json.Unmarshal(openapi, &schemas); err != nil {
		return nil, fmt.Errorf("the operator's OpenAPI document: %w", err)
	}
	var out strings.Builder
	out.WriteString(catalog.OperatorDocsText(base, api.Info.Description))
	for _, r := range api.Components.Responses {
		out.WriteString("- " + strings.TrimPrefix(r.name, "Error") + ": " + r.value.Description + "\n")
	}
	for _, tag := range api.Tags {
		out.WriteString("\n## " + strings.ToUpper(tag.Name[:1]) + tag.Name[1:] + "\n\n" + tag.Description + "\n")
		for _, address := range api.Paths {
			for _, method := range address.value {
				if o := &method.value; slices.Contains(o.Tags, tag.Name) {
					out.WriteString("\n### " + strings.ToUpper(method.name) + " " + address.name + "\n" + operatorOperationText(&api, o))
				}
			}
		}
	}
	out.WriteString("\n## Objects\n")
	for _, object := range schemas.Components.Schemas {
		out.WriteString("\n### " + object.name + "\n" + memberTable("Member", object.value))
	}
	body, contents := renderMarkdown(out.String())
	v := s.articleView(s.brand.OperatorDocsPage(), article{Contents: contents, Parts: []template.HTML{body}}).unlisted()
	page, err := s.render(v)
	if err != nil {
		return nil, err
	}
	return s.document(page, "no-store"), nil
}

// operatorOperationText describes an operation, with what its body holds. The errors are the same everywhere, and left out.
func operatorOperationText(api *openAPI, o *operation) string {
	text := "\n" + o.Summary + ".\n"
	if o.Description != "" {
		text += "\n" + o.Description + "\n"
	}
	var parameters [][]string
	for _, p := range o.Parameters {
		if p.Ref != "" {
			p = api.Components.Parameters[path.Base(p.Ref)]
		}
		parameters = append(parameters, []string{p.Name, "in the " + p.In + "; " + describeSchema(&p.Schema), p.Description})
	}
	if len(parameters) > 0 {
		text += table([]string{"Parameter", "What it holds", "Meaning"}, parameters)
	}
	for _, body := range o.RequestBody.Content {
		text += memberTable("Member of the body", body.Schema)
	}
	return text + answerText(o)
}

// answerText names the object that an operation answers with, or of which it answers a page.
func answerText(o *operation) string {
	for _, r := range o.Responses {
		for _, content := range r.value.Content {
			switch s := content.Schema; {
			case s.Ref != "":
				return "\nAnswer: " + r.name + " with " + path.Base(s.Ref) + ".\n"
			case len(s.Properties) > 0 && s.Properties[0].value.Items != nil:
				return "\nAnswer: " + r.name + " with a page of " + path.Base(s.Properties[0].value.Items.Ref) + ".\n"
			}
		}
	}
	return ""
}

// AskToken asks a person for a token. It is the same page whether or not there is anything behind it.
func (s *Site) AskToken(w http.ResponseWriter, _ *http.Request, status int, problem *lead.Error) {
	s.writePage(w, status, s.view(s.brand.AskTokenPage(problem)).unlisted().withPart("token", nil))
}
