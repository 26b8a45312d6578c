package browser

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/storage"
	"github.com/chromedp/chromedp"
)

// pageMonitor writes down what no page may do: ask anything of anybody else, set a cookie, complain on the console, or break its
// own Content-Security-Policy.
type pageMonitor struct {
	mu       sync.Mutex
	seen     []string
	expected []string // refusals that belong to the test, as Chromium puts them
}

func watch(ctx context.Context, origin string) *pageMonitor {
	w := new(pageMonitor)
	chromedp.ListenTarget(ctx, func(event any) {
		switch e := event.(type) {
		case *network.EventRequestWillBeSent:
			if url := e.Request.URL; !strings.HasPrefix(url, origin+"/") && !strings.HasPrefix(url, "data:") {
				w.record("asks for %s", url)
			}
		case *network.EventResponseReceivedExtraInfo:
			for name := range e.Headers {
				if strings.EqualFold(name, "Set-Cookie") {
					w.record("sets a cookie")
				}
			}
		case *runtime.EventExceptionThrown:
			w.record("throws %s", e.ExceptionDetails.Error())
		case *runtime.EventConsoleAPICalled:
			if e.Type == runtime.APITypeError || e.Type == runtime.APITypeWarning || e.Type == runtime.APITypeAssert {
				w.record("calls console.%s", e.Type)
			}
		case *log.EventEntryAdded:
			w.recordConsole(e.Entry)
		}
	})
	return w
}

// recordConsole notes a line of the console that Chromium wrote itself. That a page answers 404 or 422 is one, too.
func (w *pageMonitor) recordConsole(e *log.Entry) {
	if strings.Contains(e.Text, "icon from the Manifest") {
		return // Chromium fetches it when it likes, and complains when the page is left meanwhile; test/crawl looks at the icons
	}
	address, _, _ := strings.Cut(e.URL, "?")
	w.mu.Lock()
	expected := slices.Contains(w.expected, address+" "+e.Text)
	w.mu.Unlock()
	if !expected && (e.Level == log.LevelError || e.Level == log.LevelWarning) {
		w.record("the console says: %s (%s)", e.Text, e.URL)
	}
}

// expect makes a refusal a part of the test.
func (w *pageMonitor) expect(url string, status int) {
	w.expectText(url, fmt.Sprintf("Failed to load resource: the server responded with a status of %d (%s)", status, http.StatusText(status)))
}

func (w *pageMonitor) expectText(url, text string) {
	address, _, _ := strings.Cut(url, "?")
	w.mu.Lock()
	defer w.mu.Unlock()
	w.expected = append(w.expected, address+" "+text)
}

func (w *pageMonitor) record(format string, args ...any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.seen = append(w.seen, fmt.Sprintf(format, args...))
}

// drain are what was seen since the last time.
func (w *pageMonitor) drain() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	defer func() { w.seen = nil }()
	return w.seen
}

// wantNoViolations asks the witness, and looks for cookies that came by another way.
func (b *tab) wantNoViolations() {
	b.t.Helper()
	for _, sighting := range b.drain() {
		b.t.Errorf("the page %s", sighting)
	}
	var cookies []*network.Cookie
	b.run(chromedp.ActionFunc(func(ctx context.Context) (err error) {
		cookies, err = storage.GetCookies().Do(ctx)
		return err
	}))
	for _, c := range cookies {
		b.t.Errorf("there is a cookie %s", c.Name)
	}
}
