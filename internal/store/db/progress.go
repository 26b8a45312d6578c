package db

// Progress is how far a long operation has come.
type Progress struct {
	What string // what is being done
	Done int64
	Of   int64  // 0 if the total is unknown
	Unit string // what is counted, in the plural; "" if nothing is
}

// ProgressEvery is the number of rows between progress reports.
const ProgressEvery = 500

// Watch receives the progress of an operation. It must return quickly. A nil Watch receives nothing.
type Watch func(Progress)

// Report passes the progress on, if there is a Watch.
func (w Watch) Report(p Progress) {
	if w != nil {
		w(p)
	}
}
