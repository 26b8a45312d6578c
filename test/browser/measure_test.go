package browser

import "strconv"

// quoted is a text as a script has it.
func quoted(text string) string { return strconv.Quote(text) }

// far is how far a text stands from an input or from its label, in pixels. It is -1 where one of them is missing or hidden.
func (b *tab) far(selector, text string) float64 {
	b.t.Helper()
	return ask[float64](b, `(() => {
		const plain = text => text.replace(/\s+/g, ' ').trim()
		const holds = e => e.checkVisibility({visibilityProperty: true, opacityProperty: true}) && plain(e.textContent).includes(plain(`+quoted(text)+`))
		const said = [...document.querySelectorAll('main *')].filter(holds).pop() // the last and innermost: a summary comes first
		const input = document.querySelector(`+quoted(selector)+`)
		if (!input || !said) return -1
		const s = said.getBoundingClientRect()
		return Math.min(...[input, ...input.labels].map(e => e.getBoundingClientRect()).map(r =>
			Math.hypot(Math.max(0, s.left - r.right, r.left - s.right), Math.max(0, s.top - r.bottom, r.top - s.bottom))))
	})()`)
}
