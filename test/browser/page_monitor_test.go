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

// pageMonitor records what no page may do: send requests to other hosts, set a cookie, write to the console, or violate its
// own Content-Security-Policy.
type pageMonitor struct {
	mu       sync.Mutex
	seen     []string
	expected []string // refusals that are part of the test, in Chromium's words
	cookies  []string // the beginnings of the cookies that the page may set: public pages set none
}

func watch(ctx context.Context, origin string) *pageMonitor {
	m := new(pageMonitor)
	chromedp.ListenTarget(ctx, func(event any) {
		switch e := event.(type) {
		case *network.EventRequestWillBeSent:
			if url := e.Request.URL; !strings.HasPrefix(url, origin+"/") && !strings.HasPrefix(url, "data:") {
				m.record("asks for %s", url)
			}
		case *network.EventResponseReceivedExtraInfo:
			for name, value := range e.Headers {
				if strings.EqualFold(name, "Set-Cookie") && !m.mayHave(fmt.Sprint(value)) {
					m.record("sets a cookie")
				}
			}
		case *runtime.EventExceptionThrown:
			m.record("throws %s", e.ExceptionDetails.Error())
		case *runtime.EventConsoleAPICalled:
			if e.Type == runtime.APITypeError || e.Type == runtime.APITypeWarning || e.Type == runtime.APITypeAssert {
				m.record("calls console.%s", e.Type)
			}
		case *log.EventEntryAdded:
			m.recordConsole(e.Entry)
		}
	})
	return m
}

// recordConsole records a console line that Chromium wrote itself, for example for a page that answers 404 or 422.
func (m *pageMonitor) recordConsole(e *log.Entry) {
	if strings.Contains(e.Text, "icon from the Manifest") {
		return // Chromium fetches it at any time, and complains if the page is left meanwhile; test/crawl checks the icons
	}
	address, _, _ := strings.Cut(e.URL, "?")
	m.mu.Lock()
	expected := slices.Contains(m.expected, address+" "+e.Text)
	m.mu.Unlock()
	if !expected && (e.Level == log.LevelError || e.Level == log.LevelWarning) {
		m.record("the console says: %s (%s)", e.Text, e.URL)
	}
}

// mayHave reports whether the page may have a cookie.
func (m *pageMonitor) mayHave(cookie string) bool {
	return slices.ContainsFunc(m.cookies, func(begin string) bool { return strings.HasPrefix(cookie, begin) })
}

// expect makes a refusal part of the test.
func (m *pageMonitor) expect(url string, status int) {
	m.expectText(url, fmt.Sprintf("Failed to load resource: the server responded with a status of %d (%s)", status, http.StatusText(status)))
}

func (m *pageMonitor) expectText(url, text string) {
	address, _, _ := strings.Cut(url, "?")
	m.mu.Lock()
	defer m.mu.Unlock()
	m.expected = append(m.expected, address+" "+text)
}

func (m *pageMonitor) record(format string, args ...any) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.seen = append(m.seen, fmt.Sprintf(format, args...))
}

// drain returns what was recorded since the last call.
func (m *pageMonitor) drain() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	defer func() { m.seen = nil }()
	return m.seen
}

// wantNoViolations checks what the page monitor recorded, and looks for cookies set in other ways.
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
		if b.mayHave(c.Name) {
			continue
		}
		b.t.Errorf("there is a cookie %s", c.Name)
	}
}
