package lead

// Idempotency is what an idempotency key stands for: the request it came with and the answer that request got.
type Idempotency struct {
	Key     string // hash of the key
	Request string // hash of the parsed request
	Answer  []byte
}
