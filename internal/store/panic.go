package store

import (
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
)

// panicError is what is left of a piece of work that broke off in the middle: the fault is ours, and concerns nobody else.
type panicError struct {
	what  string
	stack []byte
}

func (p *panicError) Error() string { return "a piece of work broke off: " + p.what }

// recoverPanic does something, and makes an error of a panic. What was thrown may hold anything, so only what the language itself says of
// a fault is told.
func recoverPanic(do func() error) (err error) {
	defer func() {
		switch thrown := recover().(type) {
		case nil:
		case runtime.Error:
			err = &panicError{thrown.Error(), debug.Stack()}
		default:
			err = &panicError{fmt.Sprintf("%T", thrown), debug.Stack()}
		}
	}()
	return do()
}

// asPanic is the panic behind an error, or nil.
func asPanic(err error) *panicError {
	var p *panicError
	errors.As(err, &p)
	return p
}

// logPanic writes down where a piece of work broke off. It is called when it is known which one it was.
func (s *Store) logPanic(err error) {
	if p := asPanic(err); p != nil {
		s.log.Error("a piece of work broke off in its transaction, of which nothing was kept", "panic", p.what, "stack", string(p.stack))
	}
}
