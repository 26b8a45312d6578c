package buyer

// Counts are what became of the offers that a buyer got in a period. Used is how many of them count towards its caps: those
// that are open, and those that it took.
type Counts struct {
	Used      int
	Offered   int
	Accepted  int
	Delivered int
	Returned  int
}
