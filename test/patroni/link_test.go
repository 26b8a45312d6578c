package patroni

import (
	"errors"
	"io"
	"net"
	"os"
	"testing"
	"time"
)

// TestLink wants a link that is cut to carry nothing and to end nothing, and to deliver everything afterwards.
func TestLink(t *testing.T) {
	server, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	l, err := newLink(server.Addr().(*net.TCPAddr).Port)
	if err != nil {
		t.Fatal(err)
	}
	defer l.close()
	client, err := net.Dial("tcp4", l.address())
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	accepted, err := server.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer accepted.Close()

	send := func(text string) {
		if _, err := io.WriteString(client, text); err != nil {
			t.Error(err)
		}
	}
	receive := func() (string, error) {
		_ = accepted.SetReadDeadline(time.Now().Add(100 * time.Millisecond))
		buffer := make([]byte, 100)
		n, err := accepted.Read(buffer)
		return string(buffer[:n]), err
	}
	send("before")
	if text, err := receive(); text != "before" {
		t.Errorf("before: %q %v", text, err)
	}
	heal := cutAll([]*link{l})
	send("meanwhile")
	client.Close()
	if text, err := receive(); text != "" || !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("while it is cut: %q %v", text, err)
	}
	heal()
	if text, err := receive(); text != "meanwhile" {
		t.Errorf("afterwards: %q %v", text, err)
	}
	if text, err := receive(); text != "" || !errors.Is(err, io.EOF) {
		t.Errorf("at the end: %q %v", text, err)
	}
}
