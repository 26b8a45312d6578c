package place

// Lines is the list as it was unpacked. Unpack does it again, to measure it.
var (
	Lines  = allLines
	Unpack = unpack
)
