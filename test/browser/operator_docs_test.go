package browser

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"foyer/internal/app"
	"foyer/internal/audit"
	"foyer/internal/config"
	"foyer/internal/operator/access"
)

// TestOperatorDocs types a token into the page that asks for one, and reads the docs: with and without script, on a screen and a phone.
func TestOperatorDocs(t *testing.T) {
	s := serve(t)
	op, err := app.OpenOperator(t.Context(), config.Data{Database: config.Database(s.Database)}, false, audit.CLI("test"))
	if err != nil {
		t.Fatal(err)
	}
	defer op.Close()
	_, token, err := op.Access().AddToken(t.Context(), audit.CLI("test"), access.NewToken{Name: "reader", Days: 1})
	if err != nil {
		t.Fatal(err)
	}
	for name, mode := range scripts {
		for size, screen := range map[string]option{"laptop": laptop, "phone": phone} {
			t.Run(name+", "+size, func(t *testing.T) {
				b := s.open(t, screen, mode)
				b.visit("/docs/operator", 401)
				if name == "with scripts" { // axe is one
					b.wantNoViolation("light", everyRule)
				}
				b.typeToken("foy_wrong")
				b.until("it is refused", func() bool {
					return strings.Contains(ask[string](b, `document.querySelector('.lede')?.textContent ?? ''`), "can't be used")
				})
				b.typeToken(token)
				b.until("the docs", func() bool {
					return ask[string](b, `document.querySelector('h1')?.textContent ?? ''`) == "API for operators"
				})
				if address := ask[string](b, `location.href`); address != s.origin+"/docs/operator" {
					t.Errorf("the address is %s", address)
				}
				if name == "with scripts" { // axe is one
					b.wantNoViolation("light", everyRule)
				}
				if wide := ask[bool](b, `document.documentElement.scrollWidth > window.innerWidth + 1`); wide {
					t.Error("the page is wider than the screen")
				}
			})
		}
	}
}

// typeToken types a token with the keyboard alone, and sends it.
func (b *tab) typeToken(token string) {
	b.t.Helper()
	b.tabTo("the token", func(n node) bool { return n.isInput("Token") })
	b.selectAll()
	b.press(token)
	b.press(kb.Enter)
}
