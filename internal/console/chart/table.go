package chart

import "html/template"

// openTable starts the table of a chart, up to its first row.
func (m *markup) openTable(title string, headings ...string) {
	m.open("table", "class", "chart-table")
	m.element("caption", cut(title, longText))
	m.open("thead")
	m.open("tr")
	for _, h := range headings {
		m.element("th", cut(h, longText), "scope", "col")
	}
	m.close("tr")
	m.close("thead")
	m.newline()
	m.open("tbody")
	m.newline()
}

// row writes a row with its name first.
func (m *markup) row(name string, cells []string) {
	m.open("tr")
	m.element("th", cut(name, longText), "scope", "row")
	for _, cell := range cells {
		m.element("td", cell)
	}
	m.close("tr")
	m.newline()
}

// closeTable ends the table. Without a row it says so.
func (m *markup) closeTable(rows, columns int) template.HTML {
	if rows == 0 {
		m.open("tr")
		m.element("td", textEmpty, "colspan", integer(columns))
		m.close("tr")
		m.newline()
	}
	m.close("tbody")
	m.close("table")
	return m.html()
}

// seriesTable has a row for each position and a column for each series.
func seriesTable(title string, u Unit, all []Series) template.HTML {
	headings, labels := []string{textWhen}, []string{}
	for _, s := range all {
		name := s.Name
		if name == "" {
			name = textValue
		}
		headings = append(headings, name)
		for i := len(labels); i < len(s.Points); i++ {
			labels = append(labels, s.Points[i].Label)
		}
	}
	var m markup
	m.openTable(title, headings...)
	for i, label := range labels {
		cells := make([]string, len(all))
		for j, s := range all {
			v, ok := s.at(i)
			cells[j] = u.cell(v, ok)
		}
		m.row(label, cells)
	}
	return m.closeTable(len(labels), len(headings))
}

// cell is a value in a table.
func (u Unit) cell(v float64, ok bool) string {
	if !ok {
		return textGap
	}
	return u.text(v)
}
