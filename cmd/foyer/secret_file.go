package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/term"

	"foyer/internal/webhook"
	"foyer/internal/wire"
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

// flag is where the secret came from.
func (o *ownSecret) flag() string {
	if o.SecretFile != "" {
		return "secret-file"
	}
	return "secret"
}

// check reads the secret and looks at it, if one was brought along.
func (o *ownSecret) check() error {
	err := o.read()
	if err == nil && o.Secret != "" {
		err = webhook.CheckSecret(o.Secret)
	}
	if err != nil {
		return fmt.Errorf("--%s: %w", o.flag(), err)
	}
	return nil
}

// note tells people a secret that was made here, and what comes next. One that was brought along is not repeated: whoever gave it
// has it.
func (o *ownSecret) note(secret, next string) string {
	give := fmt.Sprintf("\n\nIts secret, shown only once:\n  %s\n\nGive it to the buyer's engineer", secret)
	switch {
	case o.Secret != "" && next != "":
		return "\n" + strings.ToUpper(next[:1]) + next[1:]
	case o.Secret != "":
		return ""
	case next != "":
		return give + ", then " + next
	}
	return give + " now: every message is signed with it."
}

// member is the same for programs.
func (o *ownSecret) member(secret string) wire.Member {
	if o.Secret != "" {
		secret = ""
	}
	return wire.Member{"secret", orNull(secret)}
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
