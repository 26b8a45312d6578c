package config

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"foyer/internal/lead"
)

// Overrides are the operator's own texts and styles, from a folder. They are read once, at startup.
type Overrides struct {
	Consent string // the text beside the consent checkbox, on one line
	Footer  string // lines in the footer of every page
	Style   string // CSS that is loaded last
}

const (
	overridesAccepted = "a folder that holds nothing but consent.txt, footer.txt (or footer.md) and custom.css"
	consentAccepted   = "a text of 40 to 2000 characters"
	footerAccepted    = "plain text of 1 to 12 lines with at most 300 characters each"
	styleAccepted     = "CSS of at most 16 KiB, without @import, \\ and addresses of other sites"
)

// overrideFiles maps each file name to its setter. Names that begin with a dot are ignored.
var overrideFiles = map[string]func(*Overrides, string) string{
	"consent.txt": (*Overrides).setConsent,
	"footer.txt":  (*Overrides).setFooter,
	"footer.md":   (*Overrides).setFooter,
	"custom.css":  (*Overrides).setStyle,
}

// UnmarshalText reads and validates every file in the folder at a path.
func (o *Overrides) UnmarshalText(text []byte) error {
	folder := string(text)
	if folder == "" { // an empty variable means unset
		return nil
	}
	entries, err := os.ReadDir(folder)
	if err != nil {
		return fmt.Errorf("got %q: %w, want %s", folder, pathErrorCause(err), overridesAccepted)
	}
	var loaded Overrides
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), ".") {
			continue
		}
		if err := loaded.loadFile(filepath.Join(folder, e.Name()), overrideFiles[e.Name()]); err != nil {
			return err
		}
	}
	*o = loaded
	return nil
}

// loadFile reads one file of the folder.
func (o *Overrides) loadFile(path string, set func(*Overrides, string) string) error {
	if set == nil {
		return invalidValue(path, overridesAccepted)
	}
	body, err := readLimited(path, 16<<10)
	if err != nil {
		return fmt.Errorf("%w, want %s", err, overridesAccepted)
	}
	text := strings.TrimSpace(strings.ReplaceAll(strings.TrimPrefix(string(body), "\ufeff"), "\r\n", "\n"))
	if !utf8.ValidString(text) || strings.ContainsFunc(text, func(c rune) bool { return unicode.IsControl(c) && c != '\n' && c != '\t' }) {
		return invalidValue(path, "plain text in UTF-8")
	}
	if accepted := set(o, text); accepted != "" {
		return invalidValue(path, accepted)
	}
	return nil
}

// setConsent sets the text beside the consent checkbox.
func (o *Overrides) setConsent(text string) (accepted string) {
	clean, ok := lead.CleanConsentText(text)
	if o.Consent = clean; !ok {
		return consentAccepted
	}
	return ""
}

func (o *Overrides) setFooter(text string) (accepted string) {
	if o.Footer != "" {
		return "footer.txt or footer.md, not both"
	}
	var lines []string
	for line := range strings.Lines(text) {
		if line = strings.Join(strings.Fields(line), " "); line != "" {
			lines = append(lines, line)
		}
		if utf8.RuneCountInString(line) > 300 {
			return footerAccepted
		}
	}
	if len(lines) == 0 || len(lines) > 12 {
		return footerAccepted
	}
	o.Footer = strings.Join(lines, "\n")
	return ""
}

// externalReference matches CSS that would make a browser contact another site, or that would hide it.
var externalReference = regexp.MustCompile(`(?i)@import|\\|(url|image-set|image|src)\s*\(\s*["']?\s*([a-z][a-z0-9+.-]*:|//)`)

func (o *Overrides) setStyle(text string) (accepted string) {
	if text == "" || externalReference.MatchString(text) {
		return styleAccepted
	}
	o.Style = text
	return ""
}
