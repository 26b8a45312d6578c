package browser

import (
	"testing"

	"foyer/test/crawl"
)

// spot is where a link can be clicked.
type spot struct {
	Top, Bottom, Width, Height float64
	Free                       bool // nothing covers it
}

// TestPlumbingIsOneTapAway wants the number within reach of a thumb, without scrolling.
func TestPlumbingIsOneTapAway(t *testing.T) {
	b := serve(t).open(t, phone)
	for _, address := range []string{"/", "/plumbing", "/thanks", crawl.Nowhere} {
		status := map[string]int{crawl.Nowhere: 404}[address]
		b.visit(address, max(status, 200))
		first := ask[spot](b, `(() => {
			const links = [...document.querySelectorAll('a[href^="tel:"]')].map(a => {
				const r = a.getBoundingClientRect()
				const top = document.elementFromPoint(r.x + r.width / 2, r.y + r.height / 2)
				return {Top: r.top, Bottom: r.bottom, Width: r.width, Height: r.height, Free: a.contains(top)}
			})
			return links[0] || {}
		})()`)
		if first.Top < 0 || first.Bottom > 844 || !first.Free {
			t.Errorf("%s: the number is not within the first screen: %+v", address, first)
		}
		if (first.Height < 44 || first.Width < 44) && !crawl.Lacks(crawl.BigNumber) {
			t.Errorf("%s: a thumb needs 44 px, the number has %v x %v", address, first.Width, first.Height)
		}
		t.Logf("%s: %.0f x %.0f px at %.0f", address, first.Width, first.Height, first.Top)
	}
}
