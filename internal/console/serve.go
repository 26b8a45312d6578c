package console

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"net/http"
	"strings"
	"time"

	"foyer/internal/catalog"
	"foyer/internal/console/operation"
	"foyer/internal/edge"
	"foyer/internal/lead"
	"foyer/internal/operator"
	"foyer/internal/operator/entered"
	"foyer/internal/wire"
)

// answerTime is how long an operation may take. To change a secret or to remove a buyer waits for messages that are being sent.
const answerTime = 90 * time.Second

// serve checks what the token may do, reads the request, and carries it out.
func (c *Console) serve(w http.ResponseWriter, r *http.Request, t operation.Caller, o *operation.Operation) error {
	if err := t.Allow(o.Write, o.Personal); err != nil {
		return err
	}
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(answerTime)) // a connection without deadlines has none to extend
	body, err := readBody(w, r, o)
	if err != nil {
		return err
	}
	in := operation.Reader{Values: operation.Values{}}
	for _, f := range o.InPath {
		in.Values[f.Name] = r.PathValue(f.Name)
	}
	in.ReadQuery(o.Query, r.URL.RawQuery)
	in.ReadBody(o.Body, body)
	if err := in.Err(); err != nil {
		return err
	}
	ctx := r.Context()
	if o.Write { // a change goes on if its client leaves: it may have begun, and its answer may be asked for again
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(context.WithoutCancel(ctx), answerTime)
		defer cancel()
	}
	call := &operation.Call{Zone: c.Zone, SearchKey: c.SearchKey, Ctx: ctx, Op: c.Operator.From(t.Address), Caller: t, In: in.Values}
	if !o.Keyed() || len(r.Header["Idempotency-Key"]) == 0 {
		result, err := o.Run(call)
		if err != nil {
			return o.PublicError(err)
		}
		return write(w, o, result)
	}
	return c.once(call, w, r, o, body)
}

// readBody reads the body of an operation that may have one.
func readBody(w http.ResponseWriter, r *http.Request, o *operation.Operation) ([]byte, error) {
	if o.Method != http.MethodPost {
		return nil, nil
	}
	if media := edge.MediaType(r); media != "" && media != operation.JSONBody {
		w.Header().Set("Accept-Post", operation.JSONBody)
		return nil, catalog.NotJSON
	}
	return edge.ReadBody(w, r)
}

// once carries out a change with an idempotency key, or repeats its answer.
func (c *Console) once(call *operation.Call, w http.ResponseWriter, r *http.Request, o *operation.Operation, body []byte) error {
	keys := r.Header["Idempotency-Key"]
	if len(keys) != 1 || !lead.ValidKey(keys[0]) {
		return catalog.BadKey
	}
	key := lead.Idempotency{Key: hash(call.Caller.ID(), keys[0]), Request: hash(r.Method, r.URL.Path, r.URL.RawQuery, string(body))}
	if used, err := c.keyUse(call.Ctx, key.Key); err != nil || used != nil {
		return replay(w, o, used, key, err)
	}
	call.Op = call.Op.Once(key)
	result, err := o.Run(call)
	if errors.Is(err, operator.ErrKeyUsed) { // by another request, a moment ago
		used, err := c.keyUse(call.Ctx, key.Key)
		return replay(w, o, used, key, err)
	}
	if err != nil {
		if _, refused := errors.AsType[entered.Refusal](err); refused { // nothing was changed, and the next try may go well
			_ = call.Op.ForgetKey(call.Ctx)
		}
		return o.PublicError(err)
	}
	key.Answer = wire.Marshal(o.Answer.Kept(result))
	_ = c.Operator.StoreAnswer(call.Ctx, key) // the change is made, whatever becomes of the copy of its answer
	return write(w, o, result)
}

// keyUse returns what a key was used for. While that is going on, it waits a moment for the answer.
func (c *Console) keyUse(ctx context.Context, key string) (used *lead.Idempotency, err error) {
	const patience, pause = 5 * time.Second, 50 * time.Millisecond
	for end := time.Now().Add(patience); ; {
		used, err = c.Operator.KeyUse(ctx, key)
		if err != nil || used == nil || len(used.Answer) > 0 || time.Now().After(end) || ctx.Err() != nil {
			return used, err
		}
		time.Sleep(pause)
	}
}

// replay answers a key that was used before.
func replay(w http.ResponseWriter, o *operation.Operation, used *lead.Idempotency, key lead.Idempotency, err error) error {
	switch {
	case err != nil:
		return o.PublicError(err)
	case used != nil && used.Request != key.Request:
		return catalog.KeyReused
	case used == nil || len(used.Answer) == 0:
		return catalog.StillChanging
	}
	w.Header().Set("Idempotent-Replayed", "true")
	edge.WriteJSON(w, o.Status(), used.Answer)
	return nil
}

func hash(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(append([]string{"operator"}, parts...), "\x00")))
	return hex.EncodeToString(sum[:])
}

// write writes the result of an operation.
func write(w http.ResponseWriter, o *operation.Operation, result any) error {
	f, isFile := result.(operation.File)
	if !isFile {
		edge.WriteJSON(w, o.Status(), wire.Marshal(result))
		return nil
	}
	return WriteFile(w, f.Name, f.Write)
}

// WriteFile answers with a CSV file. It can be refused until its first line is written.
func WriteFile(w http.ResponseWriter, name string, write func(io.Writer) error) error {
	w.Header().Set("Content-Type", "text/csv; charset=utf-8")
	w.Header().Set("Content-Disposition", `attachment; filename="`+name+`"`)
	to := &startedWriter{to: w}
	err := write(to)
	if err != nil && to.started {
		panic(http.ErrAbortHandler) // half a file must not look like a whole one
	}
	if err != nil {
		w.Header().Del("Content-Disposition")
		return operation.PublicError(err)
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
