package store

// Progress is how far a long operation has come.
type Progress struct {
	What string // what is being done
	Done int64
	Of   int64  // 0 if the total is unknown
	Unit string // what is counted, in the plural; "" if nothing is
}

// Watch receives the progress of an operation. It must return quickly.
type Watch func(Progress)

// progressFunc returns the first watch, or a function that does nothing.
func progressFunc(watch []Watch) Watch {
	if len(watch) > 0 && watch[0] != nil {
		return watch[0]
	}
	return func(Progress) {}
}
