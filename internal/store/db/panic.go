package db

import (
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
)

// PanicError is the error of work that panicked.
type PanicError struct {
	What  string
	Stack []byte
}

func (p *PanicError) Error() string { return "a piece of work broke off: " + p.What }

// RecoverPanic calls do, and turns a panic into a PanicError. A panic value may contain personal data, so only the text of a
// runtime.Error is used, and otherwise the value's type.
func RecoverPanic(do func() error) (err error) {
	defer func() {
		switch value := recover().(type) {
		case nil:
		case runtime.Error:
			err = &PanicError{value.Error(), debug.Stack()}
		default:
			err = &PanicError{fmt.Sprintf("%T", value), debug.Stack()}
		}
	}()
	return do()
}

// AsPanic returns the PanicError in err's chain, or nil.
func AsPanic(err error) *PanicError {
	var p *PanicError
	errors.As(err, &p)
	return p
}
