package console

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"foyer/internal/audit"
	"foyer/internal/catalog"
	"foyer/internal/edge"
	"foyer/internal/lead"
	"foyer/internal/operator"
	"foyer/internal/operator/entered"
	"foyer/internal/wire"
)

// operation is one thing that the API can do. The table of operations feeds the routes, the checks, the reading of requests and the
// OpenAPI document.
type operation struct {
	method, path string
	id           string // operationId
	tag          string
	summary      string
	description  string

	write    bool // needs a token that may change things
	personal bool // needs a token with personal data
	sends    bool // sends messages and changes nothing, so that an idempotency key has no use
	created  bool // answers 201

	inPath, query, body []field
	answer              answer
	run                 func(c *call) (any, error)
}

// answer says what an operation answers with.
type answer struct {
	name   string // of its schema
	sample any    // an object with one of everything, from which the schema is made; nil for a file
	list   bool   // a page of them
}

// call is one request for an operation.
type call struct {
	*Console
	ctx    context.Context
	op     *operator.Operator // changes at most once, if the request has an idempotency key
	caller Caller
	in     values
}

// by names who makes a change.
func (c *call) by() audit.Actor { return c.caller.Actor }

// file is an answer that is not JSON. It is written while it is read.
type file struct {
	name  string
	write func(w io.Writer) error
}

const (
	jsonBody = "application/json"
	// answerTime is how long an operation may take. To change a secret or to remove a buyer waits for messages that are being sent.
	answerTime = 90 * time.Second
)

// serve checks what the token may do, reads the request, and carries it out.
func (c *Console) serve(w http.ResponseWriter, r *http.Request, t Caller, o *operation) error {
	if err := t.allow(o.write, o.personal); err != nil {
		return err
	}
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(answerTime)) // a connection without deadlines has none to extend
	body, err := readBody(w, r, o)
	if err != nil {
		return err
	}
	in := reader{values: values{}}
	for _, f := range o.inPath {
		in.values[f.name] = r.PathValue(f.name)
	}
	in.readQuery(o.query, r.URL.RawQuery)
	in.readBody(o.body, body)
	if err := in.err(); err != nil {
		return err
	}
	ctx := r.Context()
	if o.write { // a change goes on if its client leaves: it may have begun, and its answer may be asked for again
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(context.WithoutCancel(ctx), answerTime)
		defer cancel()
	}
	call := &call{Console: c, ctx: ctx, op: c.Operator.From(t.Address), caller: t, in: in.values}
	if !o.keyed() || len(r.Header["Idempotency-Key"]) == 0 {
		result, err := o.run(call)
		if err != nil {
			return o.publicError(err)
		}
		return write(w, o, result)
	}
	return call.once(w, r, o, body)
}

// keyed reports whether an operation can be repeated safely with an idempotency key.
func (o *operation) keyed() bool { return o.write && !o.sends }

// readBody reads the body of an operation that may have one.
func readBody(w http.ResponseWriter, r *http.Request, o *operation) ([]byte, error) {
	if o.method != http.MethodPost {
		return nil, nil
	}
	if media := edge.MediaType(r); media != "" && media != jsonBody {
		w.Header().Set("Accept-Post", jsonBody)
		return nil, catalog.NotJSON
	}
	return edge.ReadBody(w, r)
}

// once carries out a change with an idempotency key, or repeats its answer.
func (c *call) once(w http.ResponseWriter, r *http.Request, o *operation, body []byte) error {
	keys := r.Header["Idempotency-Key"]
	if len(keys) != 1 || !lead.ValidKey(keys[0]) {
		return catalog.BadKey
	}
	key := lead.Idempotency{Key: hash(c.caller.id(), keys[0]), Request: hash(r.Method, r.URL.Path, r.URL.RawQuery, string(body))}
	if used, err := c.keyUse(key.Key); err != nil || used != nil {
		return replay(w, o, used, key, err)
	}
	c.op = c.op.Once(key)
	result, err := o.run(c)
	if errors.Is(err, operator.ErrKeyUsed) { // by another request, a moment ago
		used, err := c.keyUse(key.Key)
		return replay(w, o, used, key, err)
	}
	if err != nil {
		if _, refused := errors.AsType[entered.Refusal](err); refused { // nothing was changed, and the next try may go well
			_ = c.op.ForgetKey(c.ctx)
		}
		return o.publicError(err)
	}
	key.Answer = wire.Marshal(result)
	_ = c.Operator.StoreAnswer(c.ctx, key) // the change is made, whatever becomes of the copy of its answer
	return write(w, o, result)
}

// keyUse returns what a key was used for. While that is going on, it waits a moment for the answer.
func (c *call) keyUse(key string) (used *lead.Idempotency, err error) {
	const patience, pause = 5 * time.Second, 50 * time.Millisecond
	for end := time.Now().Add(patience); ; {
		used, err = c.Operator.KeyUse(c.ctx, key)
		if err != nil || used == nil || len(used.Answer) > 0 || time.Now().After(end) || c.ctx.Err() != nil {
			return used, err
		}
		time.Sleep(pause)
	}
}

// replay answers a key that was used before.
func replay(w http.ResponseWriter, o *operation, used *lead.Idempotency, key lead.Idempotency, err error) error {
	switch {
	case err != nil:
		return o.publicError(err)
	case used != nil && used.Request != key.Request:
		return catalog.KeyReused
	case used == nil || len(used.Answer) == 0:
		return catalog.StillChanging
	}
	w.Header().Set("Idempotent-Replayed", "true")
	edge.WriteJSON(w, o.status(), used.Answer)
	return nil
}

func hash(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(append([]string{"operator"}, parts...), "\x00")))
	return hex.EncodeToString(sum[:])
}

func (o *operation) status() int {
	if o.created {
		return http.StatusCreated
	}
	return http.StatusOK
}

// write writes the result of an operation.
func write(w http.ResponseWriter, o *operation, result any) error {
	f, isFile := result.(file)
	if !isFile {
		edge.WriteJSON(w, o.status(), wire.Marshal(result))
		return nil
	}
	w.Header().Set("Content-Type", "text/csv; charset=utf-8")
	w.Header().Set("Content-Disposition", `attachment; filename="`+f.name+`"`)
	to := &startedWriter{to: w}
	err := f.write(to)
	if err != nil && to.started {
		panic(http.ErrAbortHandler) // half a file must not look like a whole one
	}
	if err != nil {
		w.Header().Del("Content-Disposition")
		return publicError(err)
	}
	return nil
}

// startedWriter knows whether anything was written.
type startedWriter struct {
	to      io.Writer
	started bool
}

func (w *startedWriter) Write(b []byte) (int, error) {
	w.started = true
	return w.to.Write(b)
}

// publicError turns an error of package operator into one for clients. Problems get the names that the fields have here.
func (o *operation) publicError(err error) error {
	problems, found := errors.AsType[entered.Problems](err)
	if !found {
		return publicError(err)
	}
	list := make([]lead.Problem, len(problems))
	for i, p := range problems {
		name := memberName(p.Term)
		if f := slices.IndexFunc(o.body, func(f field) bool { return f.flag != "" && f.flag == p.Term }); f >= 0 {
			name = o.body[f].name
		}
		if name == "" {
			name = "name" // an argument of the command line
		}
		list[i] = lead.Problem{Field: name, Text: name + ": " + o.memberNames(p.Text) + "."}
	}
	return lead.InvalidFields(list)
}

// asMembers writes values of the command line as members have them.
var asMembers = strings.NewReplacer("hvac=45.00", `{"hvac": 4500}`, "with 0.00 for", "with 0 for", "; none for", "; null for")

// memberNames writes the names of members for those of flags.
func (o *operation) memberNames(text string) string {
	for _, f := range o.body {
		if strings.Contains(f.flag, "-") {
			text = strings.ReplaceAll(strings.ReplaceAll(text, "--"+f.flag, f.name), f.flag, f.name)
		}
	}
	return asMembers.Replace(flagNames.ReplaceAllStringFunc(strings.TrimSuffix(text, "."), memberName))
}

func publicError(err error) error {
	if refusal, ok := errors.AsType[entered.Refusal](err); ok {
		return &lead.Error{Kind: lead.Conflict, Message: Sentence(string(refusal))}
	}
	if known, ok := errors.AsType[*lead.Error](err); ok && known.Kind == lead.Unavailable {
		return catalog.NotChanged(err)
	}
	return err
}

// Sentence makes a sentence of a text that the command line prints: with a capital unless it begins with an id, and with the names of
// members for those of flags.
func Sentence(text string) string {
	text = flagNames.ReplaceAllStringFunc(strings.TrimSuffix(text, "."), memberName)
	word, _, _ := strings.Cut(text, " ")
	if first, size := utf8.DecodeRuneInString(text); !strings.ContainsAny(word, `_"`) {
		text = string(unicode.ToUpper(first)) + text[size:]
	}
	return text + "."
}
