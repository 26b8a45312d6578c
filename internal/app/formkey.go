package app

import (
	"crypto/rand"
	"sync"
)

// formTokenKey makes the tokens of our own form.
var formTokenKey = sync.OnceValue(func() []byte {
	key := make([]byte, 32)
	_, _ = rand.Read(key) // never fails
	return key
})
