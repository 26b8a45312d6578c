package store

// Progress is how far something that takes long has come.
type Progress struct {
	What string // what is being done
	Done int64
	Of   int64  // 0 where nobody knows
	Unit string // what is counted, in the plural; "" where nothing is
}

// Watch is told how far something has come. It must return soon.
type Watch func(Progress)

// progressFunc is the one who was named to watch, or somebody who does not look.
func progressFunc(watch []Watch) Watch {
	if len(watch) > 0 && watch[0] != nil {
		return watch[0]
	}
	return func(Progress) {}
}
