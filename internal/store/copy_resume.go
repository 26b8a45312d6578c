package store

import "slices"

// resume continues where an earlier run stopped: it copies the rows after the last one of each table that was begun. Whether the
// existing rows are still right is checked later, so that a copy that is stopped again and again makes progress each time.
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
		t := &tableCopy{transfer: c, tableSpec: s, after: last[:s.keys]}
		if err := c.readPool.QueryRowContext(c.ctx, `SELECT count(*) FROM `+s.name).Scan(&t.Rows); err != nil {
			return interrupted(c.target, err)
		}
		if err := t.run(); err != nil {
			return err
		}
		c.resumed[s.name] = t.written
	}
	return nil
}

// lastRow returns the last row of a table in the target, or nil.
func (c *transfer) lastRow(s tableSpec) (record, error) {
	rows, err := readRows(c.ctx, c.readPool, s, s.lastRowQuery())
	if err != nil || len(rows) == 0 {
		return nil, err
	}
	return rows[0], nil
}

// checkSameSource refuses to continue a partial copy of another source, before anything is added to it.
func (c *transfer) checkSameSource(s tableSpec, last record) error {
	if s.name != "leads" {
		return nil
	}
	ids, err := collect(c.ctx, c.snapshot, single[string], `SELECT id FROM leads WHERE seq = $1`, last[0])
	if err != nil {
		return interrupted(c.source, err)
	}
	if !slices.Contains(ids, last[1].(string)) {
		return c.otherDataError(s, nil, last)
	}
	return nil
}

// copyOrder is the order in which tables are copied: first those that have no rows in the target yet.
func (c *transfer) copyOrder() []tableSpec {
	var untouched, started []tableSpec
	for _, s := range tableSpecs {
		if _, found := c.resumed[s.name]; found {
			started = append(started, s)
		} else {
			untouched = append(untouched, s)
		}
	}
	return append(untouched, started...)
}
