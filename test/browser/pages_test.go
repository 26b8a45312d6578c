package browser

import (
	"context"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// TestEveryPage loads each page once, and checks it in every mode.
func TestEveryPage(t *testing.T) {
	s := serve(t)
	for _, v := range s.visits() {
		t.Run(v.name, func(t *testing.T) {
			b := s.open(t, phone, prefers("light"))
			b.visit(v.address, v.status)
			b.wantNoShift()
			v.prepare(b)
			b.unfold()
			b.wantColors("light", everyRule)
			b.wantColors("dark", colorRules)
			b.run(laptop)
			b.wantNoViolation("dark", everyRule)
			b.run(prefers("light"))
			b.wantNoViolation("light", colorRules)
			b.wantReflow()
			b.wantPrint()
		})
	}
}

// TestPageInPieces loads pages whose head and header arrive link by link, as they do on a slow network or a busy phone.
func TestPageInPieces(t *testing.T) {
	direct := serve(t)
	slowly := *direct
	slowly.origin = direct.inPieces(t)
	for _, address := range []string{"/", "/plumbing", "/docs"} {
		t.Run(address, func(t *testing.T) {
			b := slowly.open(t, phone)
			b.visit(address, 200)
			b.wantNoShift()
		})
	}
}

// inPieces returns the origin of a proxy that pauses after each link of a page's header, so that the browser could paint
// the page without the others.
func (s *service) inPieces(t *testing.T) (origin string) {
	t.Helper()
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		res, err := http.Get(s.URL + r.URL.RequestURI())
		if err != nil {
			t.Error(err)
			return
		}
		defer res.Body.Close()
		body, err := io.ReadAll(res.Body)
		if err != nil {
			t.Error(err)
			return
		}
		maps.Copy(w.Header(), res.Header)
		w.Header().Del("Content-Length")
		own := strings.ReplaceAll(string(body), s.origin, "http://"+r.Host)
		header, rest, found := strings.Cut(own, "</header>")
		if !found {
			io.WriteString(w, own)
			return
		}
		for piece := range strings.SplitAfterSeq(header, "</a>") {
			io.WriteString(w, piece)
			http.NewResponseController(w).Flush()
			time.Sleep(150 * time.Millisecond)
		}
		io.WriteString(w, "</header>"+rest)
	}))
	t.Cleanup(proxy.Close)
	return strings.Replace(proxy.URL, "127.0.0.1", "localhost", 1)
}

// unfold opens everything that is collapsed, so that it is checked, too.
func (b *tab) unfold() {
	b.t.Helper()
	ask[int](b, `[...document.querySelectorAll('details')].map(d => d.open = true).length`)
}

// wantNoShift wants no layout shift while the page loads.
func (b *tab) wantNoShift() {
	b.t.Helper()
	if shift := ask[float64](b, `(() => {
		const observer = new PerformanceObserver(() => {})
		observer.observe({type: 'layout-shift', buffered: true})
		return observer.takeRecords().reduce((sum, entry) => sum + entry.value, 0)
	})()`); shift > 0 {
		b.t.Errorf("the page jumps while it loads: %v", shift)
	}
}

// wantColors wants the page to be as light or dark as the person prefers, and to be readable.
func (b *tab) wantColors(scheme, rules string) {
	b.t.Helper()
	b.run(phone, prefers(scheme))
	if got := b.brightness(); scheme == "light" && got < 0.7 || scheme == "dark" && got > 0.4 {
		b.t.Errorf("%s: the brightness is %.2f", scheme, got)
	}
	b.wantNoViolation(scheme, rules)
}

// wantReflow wants no page to be wider than its window: on the narrowest phone, and at 200 % on a laptop.
func (b *tab) wantReflow() {
	b.t.Helper()
	for name, size := range map[string]option{
		"320 px": chromedp.EmulateViewport(320, 640),
		"200 %":  chromedp.EmulateViewport(640, 400, chromedp.EmulateScale(2)),
	} {
		b.run(size)
		if over := ask[float64](b, `document.scrollingElement.scrollWidth - window.innerWidth`); over > 0 {
			b.t.Errorf("%s: the page is %v px too wide: %s", name, over, ask[string](b, widest))
		}
	}
}

// widest returns the elements that extend beyond the window, for the error message.
const widest = `[...document.querySelectorAll('body *')].filter(e => e.getBoundingClientRect().right > innerWidth + 1)
	.map(e => e.tagName + (e.id ? '#' + e.id : '') + ' ' + Math.round(e.getBoundingClientRect().right)).slice(0, 5).join(', ')`

// wantPrint wants paper to be dark on light, and to hold the content of the page. Browsers print in light colors, whatever
// the screen prefers.
func (b *tab) wantPrint() {
	b.t.Helper()
	b.run(phone, emulation.SetEmulatedMedia().WithMedia("print"))
	if got := b.brightness(); got < 0.7 {
		b.t.Errorf("on paper the brightness is %.2f", got)
	}
	if !ask[bool](b, `document.querySelector('h1').checkVisibility()`) {
		b.t.Error("the heading is not printed")
	}
	var paper []byte
	b.run(chromedp.ActionFunc(func(ctx context.Context) (err error) {
		paper, _, err = page.PrintToPDF().Do(ctx)
		return err
	}))
	if len(paper) < 1000 {
		b.t.Errorf("the paper has %d bytes", len(paper))
	}
}
