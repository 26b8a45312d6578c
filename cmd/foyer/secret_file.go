package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/term"
)

// ownSecret is a secret that was brought along. In a file or on the standard input it is not in the list of processes, nor in
// the history of the shell.
type ownSecret struct {
	Secret     string `xor:"secret" placeholder:"SECRET" help:"The buyer's own secret, whsec_ and base64. Other users of this machine can see it while the command runs: prefer --secret-file. Default: a new one."`
	SecretFile string `name:"secret-file" xor:"secret" placeholder:"FILE" help:"File that holds the buyer's own secret, or - for standard input."`
}

// mostSecret is more than any secret has.
const mostSecret = 1 << 10

// read reads the secret from its file, if one is named.
func (o *ownSecret) read() error {
	if o.SecretFile == "" {
		return nil
	}
	text, err := o.text()
	if err != nil {
		return err
	}
	if o.Secret = strings.TrimSpace(string(text)); o.Secret == "" {
		return errors.New("it is empty")
	}
	if len(text) > mostSecret || strings.ContainsAny(o.Secret, "\r\n") {
		o.Secret = ""
		return errors.New("it holds more than one line: write the secret and nothing else")
	}
	return nil
}

func (o *ownSecret) text() ([]byte, error) {
	if o.SecretFile != "-" {
		file, err := os.Open(o.SecretFile)
		if err != nil {
			return nil, err
		}
		defer file.Close()
		return io.ReadAll(io.LimitReader(file, mostSecret+1))
	}
	if !isTerminal(os.Stdin) {
		return io.ReadAll(io.LimitReader(os.Stdin, mostSecret+1))
	}
	fmt.Fprint(os.Stderr, "Secret (not shown): ")
	defer fmt.Fprintln(os.Stderr)
	return term.ReadPassword(int(os.Stdin.Fd()))
}
