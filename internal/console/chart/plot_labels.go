package chart

// What a label takes of the width. A character of 12 pixels is about 7 wide.
const (
	characterWidth = 7
	labelGap       = 9
	maxLabels      = 8
	axisWidth      = 60  // beside the plot
	narrowPlot     = 262 // the plot on a phone
)

// drawLabels names positions on the x axis, as many as fit. Where there is less room than on a wide page, others are shown: CSS
// chooses between both.
func (p *plot) drawLabels(m *markup) {
	longest := 1
	for _, label := range p.labels {
		longest = max(longest, len([]rune(cut(label, axisText))))
	}
	width := longest * characterWidth
	wide, narrow := labelStep(p.positions, (p.width-axisWidth)/(width+labelGap)), labelStep(p.positions, narrowPlot/(width+labelGap))
	for i, label := range p.labels {
		class := "chart-label"
		switch {
		case i%wide != 0 && i%narrow != 0:
			continue
		case i%narrow != 0:
			class = "chart-wide"
		case i%wide != 0:
			class = "chart-narrow"
		}
		x, anchor := p.middle(i), "middle"
		if (1-x)*narrowPlot+labelGap < float64(width)/2 {
			x, anchor = 1, "end"
		}
		m.element("text", cut(label, axisText), "class", class, "x", percent(x), "y", integer(p.height-6), "text-anchor", anchor)
	}
	m.newline()
}

// labelSteps are the distances of labels that fall on full hours, days and weeks.
var labelSteps = []int{1, 2, 3, 4, 6, 7, 12, 14, 21, 28}

// labelStep is the distance of labels, for so many of which there is room.
func labelStep(positions, room int) int {
	room = max(1, min(room, maxLabels))
	step := max((positions+room-1)/room, 1)
	for _, s := range labelSteps {
		if s >= step {
			return s
		}
	}
	return step
}
