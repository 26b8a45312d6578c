package browser

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"foyer/test/crawl"
)

// slow is a phone at the edge of its network: 400 ms round trip, 50 KB per second.
var slow = chromedp.ActionFunc(func(ctx context.Context) error {
	_, err := network.EmulateNetworkConditionsByRule([]*network.Conditions{{Latency: 400, DownloadThroughput: 50_000, UploadThroughput: 50_000}}).Do(ctx)
	return err
})

// TestSlowNetwork sends a request over a slow network.
func TestSlowNetwork(t *testing.T) {
	b := serve(t).open(t, phone, slow)
	b.visit("/", 200)
	b.fillIn(aPhone)
	b.send()
	b.wantThanks()
	b.wantLead()
}

// TestDoubleSubmit presses the button twice, because nothing seems to happen.
func TestDoubleSubmit(t *testing.T) {
	crawl.Await(t, crawl.IdempotencyKey)
	b := serve(t).open(t, phone, slow)
	b.visit("/", 200)
	b.fillIn(aPhone)
	b.tabTo("the button", isSend)
	b.press(kb.Enter + kb.Enter)
	b.wantThanks()
	b.wantLead()
}

// TestLostAnswer loses the answer to a request that was stored. Sending it again must not create a second one.
func TestLostAnswer(t *testing.T) {
	crawl.Await(t, crawl.IdempotencyKey)
	crawl.Await(t, crawl.SendInPlace)
	b := serve(t).open(t, phone)
	b.visit("/", 200)
	b.fillIn(aPhone)
	lost := b.loseFirstAnswer()
	b.send()
	b.until("the answer to be lost", lost)
	thanks := b.brand.ThanksPage().Heading
	told := func() bool {
		said, err := try[string](b, `[...document.querySelectorAll('[role=alert]')].map(e => e.innerText).join('')`)
		return err == nil && said != ""
	}
	b.until("word of it", func() bool { return b.shows(thanks) || told() })
	if !b.shows(thanks) { // the page may retry by itself
		for field, typed := range map[string]string{"zip_code": aZIP, "customer_name": aName, "notes": aNote} {
			if got := b.inputOf(field).Value.String(); got != typed {
				t.Errorf("%s holds %q, want %q as it was typed", field, got, typed)
			}
		}
		b.send()
	}
	b.wantThanks()
	b.wantLead()
}

// loseFirstAnswer cuts the connection after the first request was answered, before the page gets the answer.
func (b *tab) loseFirstAnswer() (lost func() bool) {
	b.t.Helper()
	var answers atomic.Int64
	b.expectText(b.origin+intake, "Failed to load resource: net::ERR_CONNECTION_RESET")
	chromedp.ListenTarget(b.ctx, func(event any) {
		e, is := event.(*fetch.EventRequestPaused)
		if !is {
			return
		}
		go func() { // a listener must not wait for the browser
			ctx := cdp.WithExecutor(b.ctx, chromedp.FromContext(b.ctx).Target)
			if strings.HasPrefix(e.Request.URL, b.origin+intake) && e.Request.Method == "POST" && answers.Add(1) == 1 {
				_ = fetch.FailRequest(e.RequestID, network.ErrorReasonConnectionReset).Do(ctx)
				return
			}
			_ = fetch.ContinueResponse(e.RequestID).Do(ctx)
		}()
	})
	b.run(fetch.Enable().WithPatterns([]*fetch.RequestPattern{{URLPattern: b.origin + intake + "*", RequestStage: fetch.RequestStageResponse}}))
	return func() bool { return answers.Load() > 0 }
}
