package main

import (
	"fmt"
	"os"
	"strings"
)

// The dimensions of the chart, in pixels.
const (
	rowHeight, labelWidth, barWidth, margin = 30, 220, 420, 16
)

// chart draws each configuration's throughput relative to the server that does nothing: a bar for the median, a line for
// the spread.
func (s *suite) chart(path string, runs map[string][]measured) error {
	var rows strings.Builder
	y := margin + 24
	for _, c := range s.configurations {
		mine, base := runs[c.name], runs[c.against]
		if mine == nil || base == nil {
			continue
		}
		s := ratios(mine, base, throughput)
		x := func(ratio float64) float64 { return labelWidth + min(ratio, 1.1)/1.1*barWidth }
		fmt.Fprintf(&rows, `<text x="%d" y="%d" text-anchor="end">%s</text>`+"\n", labelWidth-10, y+15, c.name)
		fmt.Fprintf(&rows, `<rect x="%d" y="%d" width="%.1f" height="16" rx="3" class="bar"/>`+"\n", labelWidth, y+3, x(s.median)-labelWidth)
		fmt.Fprintf(&rows, `<line x1="%.1f" y1="%d" x2="%.1f" y2="%d" class="spread"/>`+"\n", x(s.low), y+11, x(s.high), y+11)
		fmt.Fprintf(&rows, `<text x="%.1f" y="%d">%.2f</text>`+"\n", x(s.high)+8, y+15, s.median)
		y += rowHeight
	}
	one := labelWidth + barWidth/1.1
	text := fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" role="img" aria-label="Throughput as a share of a server that does nothing">
<style>
text { font: 13px system-ui, sans-serif; fill: #1c2321 }
.bar { fill: #0b5d56 } .spread { stroke: #e0a458; stroke-width: 3 } .one { stroke: #8a9490; stroke-dasharray: 4 3 }
@media (prefers-color-scheme: dark) { text { fill: #e6ebe9 } .bar { fill: #3aa197 } }
</style>
<text x="%d" y="%d">throughput / a server that does nothing (1.00); bar: median, line: spread of the rounds</text>
<line x1="%.1f" y1="%d" x2="%.1f" y2="%d" class="one"/>
%s</svg>
`, labelWidth+barWidth+90, y+margin, margin, margin+8, one, margin+20, one, y, rows.String())
	return os.WriteFile(path, []byte(text), 0o644)
}
