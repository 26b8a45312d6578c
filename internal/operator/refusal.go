package operator

import "fmt"

// Refusal says why something cannot be done as things stand, and what can be done instead. It is no failure: nothing was changed.
type Refusal string

func (r Refusal) Error() string { return string(r) }

func refuse(format string, args ...any) error { return Refusal(fmt.Sprintf(format, args...)) }
