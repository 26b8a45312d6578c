package chart

// key is an entry of a legend: a sample of a color, and what it stands for. That of a line is thin.
type key struct {
	class, name string
	isLine      bool
}

// legend lists what colors stand for. It is HTML, so that it breaks into lines as text does.
func (m *markup) legend(keys []key) {
	m.open("ul", "class", "chart-legend")
	for _, k := range keys {
		m.open("li")
		m.open("svg", "class", "chart-key", "width", "10", "height", "10", "aria-hidden", "true")
		if k.isLine {
			m.empty("rect", "class", k.class, "y", "4", "width", "10", "height", "3", "rx", "1")
		} else {
			m.empty("rect", "class", k.class, "width", "10", "height", "10", "rx", "2")
		}
		m.close("svg")
		m.text(cut(k.name, nameText))
		m.close("li")
	}
	m.close("ul")
	m.newline()
}

// note writes the small text below a chart.
func (m *markup) note(text string) {
	if text != "" {
		m.newline()
		m.element("figcaption", cut(text, longText), "class", "chart-note")
	}
}

// keys are the legend of a plot.
func (p *plot) keys() []key {
	var keys []key
	if p.bars != nil {
		keys = append(keys, key{class: "chart-bar", name: p.bars.Name})
	}
	for i, s := range p.lines {
		keys = append(keys, key{"chart-swatch " + p.lineClass(i), s.Name, true})
	}
	return keys
}
