package store

import (
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
)

// panicError is the error of a request whose work panicked. Other requests in its group are not affected.
type panicError struct {
	what  string
	stack []byte
}

func (p *panicError) Error() string { return "a piece of work broke off: " + p.what }

// recoverPanic calls do, and turns a panic into an error. A panic value may contain personal data, so only the text of a
// runtime.Error is used, and otherwise the value's type.
func recoverPanic(do func() error) (err error) {
	defer func() {
		switch value := recover().(type) {
		case nil:
		case runtime.Error:
			err = &panicError{value.Error(), debug.Stack()}
		default:
			err = &panicError{fmt.Sprintf("%T", value), debug.Stack()}
		}
	}()
	return do()
}

// asPanic returns the panicError in err's chain, or nil.
func asPanic(err error) *panicError {
	var p *panicError
	errors.As(err, &p)
	return p
}

// logPanic logs the stack of a panic. It is called only once it is known which request of a group panicked.
func (s *Store) logPanic(err error) {
	if p := asPanic(err); p != nil {
		s.log.Error("panic in a transaction; it was rolled back", "panic", p.what, "stack", string(p.stack))
	}
}
