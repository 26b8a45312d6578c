package buyer

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Explain tells the buyer's engineer why an answer to an offer or to a one-step delivery was not understood, or may not mean
// what they intended. It returns "" if there is nothing to explain. Quotes from the answer are short and have no control
// characters.
func Explain(a Answer, plainAccepts bool) string {
	if text := explainStatus(a.Status); text != "" {
		return text
	}
	switch v := Read(a, plainAccepts); {
	case v.Meaning == Declines:
		return explainCode(a)
	case v.Meaning == Accepts && v.Said, v.Meaning == Accepts && plainAccepts:
		return ""
	}
	return explainBody(a.Body) + "; an answer is JSON such as " + exampleAnswers
}

// ExplainDelivery is Explain for an answer to a delivery, where any 2xx is enough.
func ExplainDelivery(a Answer) string {
	if text := explainStatus(a.Status); text != "" {
		return text
	}
	if ReadDelivery(a).Meaning == Declines {
		return fmt.Sprintf("status %d refuses a contact that was accepted before: the lead would be locked until the operator has looked", a.Status)
	}
	return ""
}

const exampleAnswers = `{"decision":"accept"} or {"decision":"reject","code":"cap"}`

// explainStatus explains a status that is a problem by itself, or returns "" if the body decides.
func explainStatus(status int) string {
	switch {
	case status == 0:
		return "there was no answer"
	case status == statusUnauthorized || status == statusForbidden:
		return fmt.Sprintf("status %d refuses our message: compare the secret, and how the signature is checked", status)
	case status == statusNotFound:
		return "status 404: there is nothing at this address; check its path"
	case status == statusGone:
		return "status 410 says that this address is gone for good"
	case status >= 300 && status < 400:
		return fmt.Sprintf("status %d redirects, and redirects are not followed: use the final address", status)
	case status == statusTooManyRequests:
		return "status 429 asks us to send less"
	case status == statusMethodNotAllowed:
		return "status 405: this address does not take POST"
	case status >= 500:
		return fmt.Sprintf("status %d is an error on the buyer's side", status)
	case status >= 200 && status < 300, status == statusBadRequest, status == statusConflict, status == statusUnprocessable:
		return ""
	}
	return fmt.Sprintf("status %d has no meaning here: answer with 200 and a decision", status)
}

// explainCode explains a missing or unknown code.
func explainCode(a Answer) string {
	var said decision
	err := json.Unmarshal(a.Body, &said)
	code, isText := said.Code.(string)
	switch {
	case err != nil || said.Decision != Declines:
		return fmt.Sprintf("status %d without a decision counts as a refusal with the code other", a.Status)
	case said.Code == nil:
		return "there is no code: it counts as other"
	case !isText || !slices.Contains(Codes, Code(code)):
		return fmt.Sprintf("the code %s is not one of %s: it counts as other", quoted(said.Code), codeList())
	}
	return ""
}

func codeList() string {
	codes := make([]string, len(Codes))
	for i, c := range Codes {
		codes[i] = string(c)
	}
	return strings.Join(codes, ", ")
}

// explainBody returns the first reason why a body is not a decision.
func explainBody(body []byte) string {
	body = bytes.TrimSpace(body)
	if len(body) == 0 {
		return "the body is empty"
	}
	var object map[string]any
	var syntax *json.SyntaxError
	var other *json.UnmarshalTypeError
	switch err := json.Unmarshal(body, &object); {
	case errors.As(err, &syntax) && body[0] == '<':
		return "the body is HTML or XML, not JSON"
	case errors.As(err, &syntax):
		return fmt.Sprintf("the body is not JSON: it goes wrong at byte %d", syntax.Offset)
	case errors.As(err, &other):
		return "the body is JSON, but not an object: it is " + other.Value
	case object == nil:
		return "the body is null"
	}
	return explainDecision(object)
}

func explainDecision(object map[string]any) string {
	for key, value := range object {
		if !strings.EqualFold(key, "decision") {
			continue
		}
		if word, isText := value.(string); isText {
			return fmt.Sprintf("the decision is %s: write accept or reject, in lower case", quoted(word))
		}
		return fmt.Sprintf("the decision is %s, which is not a text", quoted(value))
	}
	keys := make([]string, 0, len(object))
	for key := range object {
		keys = append(keys, quoted(key))
	}
	if len(keys) == 0 {
		return "the object is empty"
	}
	slices.Sort(keys)
	return fmt.Sprintf("there is no member \"decision\"; the object has %s", strings.Join(keys[:min(len(keys), 8)], ", "))
}

// quoted returns the start of a value from the answer, quoted.
func quoted(v any) string {
	text, isText := v.(string)
	if !isText {
		raw, _ := json.Marshal(v) // v was decoded from JSON
		text = string(raw)
		if len(text) > 40 {
			text = text[:40] + "…"
		}
		return strings.ToValidUTF8(text, "")
	}
	return fmt.Sprintf("%.40q", text)
}
