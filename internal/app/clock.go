package app

import "time"

// clockOffset makes the clock of the service wrong. No setting changes it. It is a variable only so that the linker can build binaries
// whose clocks are ahead or behind, which must lose nothing when test/torture runs them beside others.
var clockOffset = "0s"

var clockShift, _ = time.ParseDuration(clockOffset)

// clock returns the time of everything that is stored or signed, or compared with what another process stored or signed. Durations
// and deadlines within this process are measured with time.Now.
func clock() time.Time { return time.Now().Add(clockShift) }
