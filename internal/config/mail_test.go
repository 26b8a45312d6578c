package config_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestMailServer reads the address of a mail server from a flag, a variable and a file, and never shows its password.
func TestMailServer(t *testing.T) {
	file := filepath.Join(t.TempDir(), "smtp")
	if err := os.WriteFile(file, []byte("smtps://ada:s3cret@mail.example.com\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for given, want := range map[string]string{
		"smtp://mail.example.com":                        "mail.example.com:587",
		"smtp://ada:s3cret%40@mail.example.com:2525":     "mail.example.com:2525",
		"smtps://ada:s3cret@mail.example.com":            "mail.example.com:465",
		"file:" + file:                                   "mail.example.com:465",
		"file:/nowhere":                                  "",
		"https://mail.example.com":                       "",
		"smtp://ada@mail.example.com":                    "",
		"smtp://ada:s3cret@mail.example.com/x":           "",
		"smtp://ada:s3cret@mail.example.com:99999":       "",
		"smtp://ada:s3cret@":                             "",
		"ada:s3cret@mail.example.com":                    "",
		"smtp://ada:s3cret@mail.example.com?tls=no":      "",
		"smtp://ada:s3cret@mail example.com":             "",
		"smtp://ada:s3/cret@mail.example.com/s3cret#abc": "",
	} {
		s, err := parse(t, "--smtp", given, "--mail-from", "Foyer <foyer@example.com>")
		if err != nil && strings.Contains(err.Error(), "s3") {
			t.Errorf("the error shows the password: %v", err)
		}
		if (err == nil) != (want != "") {
			t.Errorf("%s: %v", given, err)
			continue
		}
		if err == nil && (s.Mail.Sender().Server.String() != want || s.Mail.Sender().From != `"Foyer" <foyer@example.com>` || strings.Contains(s.SMTP.String(), "s3")) {
			t.Errorf("%s: %v", given, s.Mail.Sender().Server)
		}
	}
	if _, err := parse(t, "--smtp", "smtp://mail.example.com"); err == nil || !strings.Contains(err.Error(), "--mail-from") {
		t.Errorf("a server and no sender: %v", err)
	}
	if s, err := parse(t); err != nil || s.Mail.Sender() != nil {
		t.Errorf("without settings: %v", err)
	}
}
