package buyers

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/term"

	"foyer/cmd/foyer/cli"
	"foyer/internal/terminal"
	"foyer/internal/webhook"
	"foyer/internal/wire"
)

// secretFlags take a buyer's own secret. A secret in a file or on standard input shows up neither in the process list nor
// in the shell history.
type secretFlags struct {
	Secret     string `xor:"secret" placeholder:"SECRET" help:"The buyer's own secret, whsec_ and base64. Other users of this machine can see it while the command runs: prefer --secret-file. Default: a new one."`
	SecretFile string `name:"secret-file" xor:"secret" placeholder:"FILE" help:"File that holds the buyer's own secret, or - for standard input."`
}

// maxSecretSize is longer than any secret.
const maxSecretSize = 1 << 10

// load reads the secret from its file, if one is given.
func (o *secretFlags) load() error {
	if o.SecretFile == "" {
		return nil
	}
	text, err := o.readText()
	if err != nil {
		return err
	}
	if o.Secret = strings.TrimSpace(string(text)); o.Secret == "" {
		return errors.New("it is empty")
	}
	if len(text) > maxSecretSize || strings.ContainsAny(o.Secret, "\r\n") {
		o.Secret = ""
		return errors.New("it holds more than one line: write the secret and nothing else")
	}
	return nil
}

// flag returns the flag that the secret came from.
func (o *secretFlags) flag() string {
	if o.SecretFile != "" {
		return "secret-file"
	}
	return "secret"
}

// check loads and validates the secret, if one is given.
func (o *secretFlags) check() error {
	err := o.load()
	if err == nil && o.Secret != "" {
		err = webhook.CheckSecret(o.Secret)
	}
	if err != nil {
		return fmt.Errorf("--%s: %w", o.flag(), err)
	}
	return nil
}

// nextSteps prints a generated secret and what to do next. It does not repeat a secret that the operator gave.
func (o *secretFlags) nextSteps(secret, next string) string {
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

// jsonMember is the generated secret as JSON.
func (o *secretFlags) jsonMember(secret string) wire.Member {
	if o.Secret != "" {
		secret = ""
	}
	return wire.Member{"secret", wire.OrNull(secret)}
}

func (o *secretFlags) readText() ([]byte, error) {
	file, _, err := cli.OpenInput(o.SecretFile)
	if err != nil {
		return nil, err
	}
	if terminal.Is(file) {
		return typeSecret(file)
	}
	defer file.Close()
	return io.ReadAll(io.LimitReader(file, maxSecretSize+1))
}

// typeSecret asks for a secret. The terminal stops showing what is typed before it asks, not after: a paste may be quick.
func typeSecret(file *os.File) ([]byte, error) {
	before, err := term.MakeRaw(int(file.Fd()))
	if err != nil {
		return nil, err
	}
	defer func() { _ = term.Restore(int(file.Fd()), before) }()
	secret, err := term.NewTerminal(struct {
		io.Reader
		io.Writer
	}{file, os.Stderr}, "").ReadPassword("Secret (not shown): ")
	if errors.Is(err, io.EOF) { // Ctrl-C or Ctrl-D
		err = terminal.ErrUnanswered
	}
	return []byte(secret), err
}
