package api

import (
	"context"
	"net/http"
	"slices"
	"time"

	"foyer/internal/catalog"
	"foyer/internal/edge"
	"foyer/internal/lead"
	"foyer/internal/wire"
)

// Returns records leads that buyers return. Its errors have only a kind; withMessage adds the text.
type Returns interface {
	Admit(ctx context.Context, offer string, h http.Header, body []byte) error
	Take(ctx context.Context, r lead.Return) (time.Time, error)
}

// returnLead records the return of a lead. The signature is checked before the body is parsed: a client that cannot sign
// learns nothing.
func (a *API) returnLead(w http.ResponseWriter, r *http.Request) error {
	switch edge.MediaType(r) {
	case "", jsonBody:
	default:
		w.Header().Set("Accept-Post", jsonBody)
		return catalog.NotJSON
	}
	body, err := edge.ReadBody(w, r)
	if err != nil {
		return err
	}
	at, err := a.recordReturn(r, r.PathValue("offer_id"), body)
	if err != nil {
		return a.withMessage(err)
	}
	edge.WriteJSON(w, http.StatusOK, wire.Marshal(object{{"offer_id", r.PathValue("offer_id")}, {"returned_at", at}}))
	return nil
}

func (a *API) recordReturn(r *http.Request, offer string, body []byte) (time.Time, error) {
	ctx := r.Context()
	if err := a.Intake.ChargeReturn(ctx, edge.RequestInfoOf(ctx).Client); err != nil {
		return time.Time{}, err
	}
	if err := a.Returns.Admit(ctx, offer, r.Header, body); err != nil {
		return time.Time{}, err
	}
	given, refusal := wire.ReadReturn(offer, body)
	if refusal != nil {
		return time.Time{}, refusal
	}
	given.Message, given.Body = r.Header.Get("webhook-id"), body
	return a.Returns.Take(ctx, given)
}

// withMessage adds the client's message to an error of Returns. Errors from this package already have one.
func (a *API) withMessage(err error) error {
	switch lead.KindOf(err) {
	case lead.Unauthorized:
		return catalog.NotSigned
	case lead.Refused:
		return a.Brand.NotReturnable()
	case lead.KeyReused:
		return catalog.MessageReused
	case lead.Unavailable:
		return catalog.NotNoted(err)
	}
	return err
}

func returnOperation() object {
	return object{
		{"operationId", "returnLead"},
		{"tags", []string{"buyers"}},
		{"summary", "Give a lead back"},
		{"description", "An addition to the interface specification, for the buyer that a lead was delivered to. Within 7 days of the delivery, or as many as were agreed on, it gives the lead back with a reason. The operator approves or denies the return, or what was agreed on for its code does, and the buyer hears it by a lead.return_decided message. " +
			"The status of the lead does not change, and it goes to nobody else. To say it again changes nothing and is answered with the time of the first return. " +
			"The body names the offer of the address: only the body is signed, so a return is good for one offer alone. A webhook-id is remembered for 10 minutes: the same message again gets the same answer, another body with it is refused. " +
			"The message is signed like those that the buyer gets (Standard Webhooks): webhook-signature is v1, a comma and the base64 of the HMAC-SHA256 of webhook-id, webhook-timestamp and the body, joined by full stops; the key is what stands behind whsec_ in the secret, in base64. An offer_id that does not exist is answered like a wrong signature."},
		{"x-addition", true},
		{"security", []object{{{buyerSignature, []string{}}}}},
		{"parameters", []object{
			parameter("path", "offer_id", "The offer_id that the lead was delivered with.", object{{"type", "string"}}),
			parameter("header", "webhook-id", "Names this message: a new name for each message, the same when it is sent again. It is part of what is signed.", object{{"type", "string"}}),
			parameter("header", "webhook-timestamp", "When the message was sent, in seconds since 1970; at most 5 minutes ago.", object{{"type", "integer"}}),
		}},
		{"requestBody", object{{"required", true}, {"content", object{{jsonBody, object{
			{"schema", wire.ReturnSchema()},
			{"example", object{{lead.OfferField.Name, lead.OfferField.Example}, {lead.CodeField.Name, lead.CodeField.Example}, {lead.ReasonField.Name, lead.ReasonField.Example}}},
		}}}}}},
		{"responses", slices.Concat(object{
			{"200", jsonResponse("The return is noted.", closedObject(nil,
				textMember("offer_id", "The offer whose lead was given back."),
				wire.Member{"returned_at", object{{"type", "string"}, {"format", "date-time"}, {"description", "When it was given back first."}}},
			))},
		}, errorResponses(401, 413, 415), object{
			{"422", jsonResponse("The reason, the code or the offer_id is missing or not usable, or the body names another offer than the address (code invalid_request, with what is wrong in fields); the lead was not delivered in the last 7 days, or as many as were agreed on (code rejected); or the webhook-id came with another body before (code idempotency_key_reused). Nothing was noted.", ref("Error"))},
		}, errorResponses(429, 500, 503))},
	}
}

// buyerSignature names the only security scheme.
const buyerSignature = "BuyerSignature"

func securitySchemes() object {
	return object{{buyerSignature, object{
		{"type", "apiKey"},
		{"in", "header"},
		{"name", "webhook-signature"},
		{"description", "A signature of the message, made with the buyer's secret as the Standard Webhooks say. It is a new one for each message, and never the secret itself."},
	}}}
}
