package postgres

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
)

// freePort finds a port below those that Linux gives to clients (32768 and up). None of those would be safe while a
// server is down: a client that connects elsewhere may get it, and one that knocks at it may be connected to itself.
func freePort() (int, error) {
	for range 100 {
		port := 15_000 + rand.IntN(17_000)
		if l, err := net.Listen("tcp4", fmt.Sprintf("127.0.0.1:%d", port)); err == nil {
			return port, l.Close()
		}
	}
	return 0, errors.New("there is no free port")
}
