package store

import "slices"

// resume goes on where an earlier run stopped: it writes what is missing behind the last row of each table that was begun.
// Whether what was there is still right is looked at afterwards, so that a copy that is stopped again and again has come
// further each time.
func (c *transfer) resume() error {
	if !c.partial {
		return nil
	}
	c.resumed = make(map[string]int64)
	for _, s := range tableSpecs {
		last, err := c.lastRow(s)
		if err != nil {
			return interrupted(c.target, err)
		}
		if last == nil {
			continue
		}
		if err := c.checkSameSource(s, last); err != nil {
			return err
		}
		w := &tableCopy{transfer: c, tableSpec: s, after: last[:s.keys]}
		if err := c.readPool.QueryRowContext(c.ctx, `SELECT count(*) FROM `+s.name).Scan(&w.Rows); err != nil {
			return interrupted(c.target, err)
		}
		if err := w.run(); err != nil {
			return err
		}
		c.resumed[s.name] = w.written
	}
	return nil
}

// lastRow is the last row that the target has of a table, or nil.
func (c *transfer) lastRow(s tableSpec) (record, error) {
	rows, err := readRows(c.ctx, c.readPool, s, s.lastRowQuery())
	if err != nil || len(rows) == 0 {
		return nil, err
	}
	return rows[0], nil
}

// checkSameSource refuses to go on with half a copy of another source, before anything is added to it.
func (c *transfer) checkSameSource(s tableSpec, last record) error {
	if s.name != "leads" {
		return nil
	}
	ids, err := collect(c.ctx, c.snapshot, scanOne[string], `SELECT id FROM leads WHERE seq = $1`, last[0])
	if err != nil {
		return interrupted(c.source, err)
	}
	if !slices.Contains(ids, last[1].(string)) {
		return c.otherDataError(s, nil, last)
	}
	return nil
}

// copyOrder are the tables in the order in which they are walked through: first those of which nothing is there yet.
func (c *transfer) copyOrder() []tableSpec {
	var fresh, begun []tableSpec
	for _, s := range tableSpecs {
		if _, found := c.resumed[s.name]; found {
			begun = append(begun, s)
		} else {
			fresh = append(fresh, s)
		}
	}
	return append(fresh, begun...)
}
