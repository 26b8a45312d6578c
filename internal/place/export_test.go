package place

// Lines is the decompressed list. Unpack decompresses it again, for measurements.
var (
	Lines  = allLines
	Unpack = unpack
)
