package browser

import (
	"encoding/json"
	"os"
	"strings"
	"sync"

	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// axeCore is the script of axe-core, an npm package of tools/.
var axeCore = sync.OnceValues(func() ([]byte, error) { return os.ReadFile("../../tools/node_modules/axe-core/axe.min.js") })

// violation is a rule that a page breaks.
type violation struct {
	ID    string
	Help  string
	Nodes []struct {
		Target         []any
		FailureSummary string
	}
}

// everyRule makes axe check everything it knows, including the size of targets. Its preloading would fetch the style
// sheets, which the policy of the pages forbids.
const everyRule = `{preload: false, resultTypes: ['violations'], rules: {'target-size': {enabled: true}}}`

// colorRules makes axe check what depends on the color scheme.
const colorRules = `{preload: false, resultTypes: ['violations'], runOnly: ['color-contrast', 'link-in-text-block']}`

// axe checks the page as it is on the screen.
func (b *tab) axe(options string) []violation {
	b.t.Helper()
	if !ask[bool](b, `!!window.axe`) {
		script, err := axeCore()
		if err != nil {
			b.t.Fatalf("tools/install-npm has not installed it: %v", err)
		}
		ask[any](b, string(script)+"; null")
	}
	b.settle()
	text := ""
	b.run(chromedp.Evaluate(`axe.run(document, `+options+`).then(r => JSON.stringify(r.violations))`, &text, func(p *runtime.EvaluateParams) *runtime.EvaluateParams {
		return p.WithAwaitPromise(true)
	}))
	var found []violation
	if err := json.Unmarshal([]byte(text), &found); err != nil {
		b.t.Fatal(err)
	}
	return found
}

// wantNoViolation reports what axe finds, where, and what it advises.
func (b *tab) wantNoViolation(scheme, rules string) {
	b.t.Helper()
	for _, v := range b.axe(rules) {
		for _, n := range v.Nodes {
			advice := strings.Join(strings.Fields(n.FailureSummary), " ")
			b.t.Errorf("%s, %d px: axe: %s (%s) at %v: %s", scheme, ask[int](b, `innerWidth`), v.ID, v.Help, n.Target, advice)
		}
	}
}
