package console

import (
	"context"
	"errors"
	"net/url"
	"slices"
	"strings"
	"time"

	"foyer/internal/console/operation"
	"foyer/internal/console/operations"
	"foyer/internal/lead"
	"foyer/internal/operator"
	"foyer/internal/operator/entered"
	"foyer/internal/wire"
)

// Input is a field of an operation as a form shows it.
type Input struct {
	Name, Label, Help string
	Kind              string // text, number, boolean, list, cents or prices
	Required          bool
	Choices           []string
	Min, Max          int // of a number, if Max is not 0
	Flag              string
}

// Inputs describes the fields of an operation. A form shows what the API reads, so that neither can do what the other cannot.
func Inputs(id string) (inputs []Input) {
	for _, f := range operations.Named(id).Body {
		label, help := f.Name, f.Help
		if f.Flag != "" {
			label, help = f.Flag, f.Typed
		}
		if f.Ticked() {
			help = tickHelp[f.Name]
		}
		inputs = append(inputs, Input{f.Name, LabelOf(label), help, string(f.Kind), f.Required, f.Choices, f.Min, f.Max, f.Flag})
	}
	return inputs
}

// labelWords are names that a label writes in another way.
var labelWords = map[string]string{
	"url": "Address", "zips": "ZIP codes", "exclude-zips": "ZIP codes it does not cover", "one-step": "One step", "zip": "ZIP code", "amount_cents": "Amount in dollars", "why": "Why", "held": "Held leads",
	"cap-hour": "Leads per hour", "cap-day": "Leads per day", "cap-month": "Leads per month", "cap-total": "Leads in total", "money-cap-day": "Money per day", "money-cap-month": "Money per month", "max-in-flight": "Messages at once",
}

// tickHelp explains boxes to tick, where nothing is typed.
var tickHelp = map[string]string{"services": "What it buys.", "approve_returns": "Returns for these reasons are approved without a look.", "deny_returns": "Returns for these reasons are denied without a look. All others wait for you."}

// LabelOf writes the name of a field for people.
func LabelOf(name string) string {
	if word, known := labelWords[name]; known {
		return word
	}
	text := strings.NewReplacer("-", " ", "_", " ", ".", " ", "zips", "ZIPs").Replace(name)
	return strings.ToUpper(text[:1]) + text[1:]
}

// Do carries out an operation for a person who is signed in. An operation that only looks may answer and have problems. once names the form that was sent: sent twice, it changes things once.
func (c *Console) Do(ctx context.Context, by operation.Caller, id string, inPath map[string]string, form url.Values, once string) (wire.Object, error) {
	o := operations.Named(id)
	if err := by.Allow(o.Write, o.Personal); err != nil {
		return nil, err
	}
	in := operation.Reader{Values: operation.Values{}, Clock: entered.Clock{Now: time.Now(), Zone: c.Zone}}
	for name, value := range inPath {
		in.Values[name] = value
	}
	in.ReadForm(slices.Concat(o.Query, o.Body), form)
	if err := in.Err(); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), answerTime)
	defer cancel()
	call := &operation.Call{Zone: c.Zone, SearchKey: c.SearchKey, Ctx: ctx, Op: c.Operator.From(by.Address), Caller: by, In: in.Values}
	key := lead.Idempotency{Key: hash(by.ID(), once), Request: hash(id, form.Encode())}
	if o.Keyed() && once != "" {
		call.Op = call.Op.Undoable(key)
	}
	result, err := o.Run(call)
	if errors.Is(err, operator.ErrKeyUsed) {
		return nil, c.sentBefore(ctx, key)
	}
	answer, _ := result.(wire.Object)
	if err != nil {
		return answer, formError(o, err, form)
	}
	return answer, nil
}

// sentBefore answers a form whose number was used: a second click does nothing and is no error. But a page that a browser kept has the same
// number, and what is typed into it now was not done.
func (c *Console) sentBefore(ctx context.Context, key lead.Idempotency) error {
	used, err := c.Operator.KeyUse(ctx, key.Key)
	if err == nil && used != nil && used.Request != key.Request {
		err = errFormSent
	}
	return err
}

var errFormSent = &lead.Error{Kind: lead.Conflict, Message: "This form was sent before with something else in it, and only that was done. Open the page again, and send this from there."}

// CanUndo reports whether what a person did with a form can be undone now. once names the form.
func (c *Console) CanUndo(ctx context.Context, by operation.Caller, once string) (bool, error) {
	return c.Operator.CanUndo(ctx, hash(by.ID(), once))
}

// Undo takes back what a person did with a form, for the person who did it. It is a change of its own, with a form of its own.
func (c *Console) Undo(ctx context.Context, by operation.Caller, of, once string) error {
	if err := by.Allow(true, false); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), answerTime)
	defer cancel()
	op := c.Operator.From(by.Address)
	key := lead.Idempotency{Key: hash(by.ID(), once), Request: hash("undo", of)}
	if once != "" {
		op = op.Undoable(key)
	}
	err := op.Undo(ctx, by.Actor, hash(by.ID(), of))
	if errors.Is(err, operator.ErrKeyUsed) {
		err = c.sentBefore(ctx, key)
	}
	return operation.PublicError(err)
}

// TermsTyped reads the terms that a form has, as Do reads them for editBuyer.
func TermsTyped(form url.Values) (entered.Terms, error) {
	in := operation.Reader{Values: operation.Values{}}
	in.ReadForm(operations.TermFields, form)
	return operation.Fill[entered.Terms](operations.TermFields, in.Values), in.Err()
}

// TermsProblems names problems with terms as the form of editBuyer names its fields.
func TermsProblems(err error) error { return formError(operations.Named("editBuyer"), err, nil) }

// formError names problems as the form names its fields. form is what was sent, if that is known.
func formError(o *operation.Operation, err error, form url.Values) error {
	problems, found := errors.AsType[entered.Problems](err)
	if !found {
		return operation.PublicError(err)
	}
	list := make([]lead.Problem, len(problems))
	for i, p := range problems {
		list[i] = lead.Problem{Field: "name", Text: operation.Sentence(p.Text)}
		if f := slices.IndexFunc(o.Body, func(f operation.Field) bool { return p.Term != "" && (f.Flag == p.Term || f.Name == p.Term) }); f >= 0 {
			list[i].Field = o.Body[f].Name
			if o.Body[f].Ticked() && form != nil && strings.TrimSpace(form.Get(list[i].Field)) == "" {
				list[i].Text = "Tick at least one."
			}
		}
	}
	return lead.InvalidFields(list)
}

// JoinTicked joins several values of one name with commas, as one text has them: boxes that are ticked are sent like that.
func JoinTicked(form url.Values) url.Values {
	joined := url.Values{}
	for name, values := range form {
		joined.Set(name, strings.Join(values, ", "))
	}
	return joined
}
