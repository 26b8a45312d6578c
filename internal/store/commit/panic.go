package commit

import (
	"fmt"
	"runtime"
	"runtime/debug"
)

// panicError is the error of work that panicked.
type panicError struct {
	What  string
	Stack []byte
}

func (p *panicError) Error() string { return "a piece of work broke off: " + p.What }

// recoverPanic calls do, and turns a panic into a panicError. A panic value may contain personal data, so only the text of a
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
