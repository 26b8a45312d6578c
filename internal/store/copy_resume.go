package store

import "slices"

// resume goes on where an earlier run stopped: it writes what is missing behind the last row of each table that was begun.
// Whether what was there is still right is looked at afterwards, so that a copy that is stopped again and again has come
// further each time.
func (c *transfer) resume() error {
	if !c.half {
		return nil
	}
	c.begun = make(map[string]int64)
	for _, s := range shapes {
		last, err := c.last(s)
		if err != nil {
			return broke(c.target, err)
		}
		if last == nil {
			continue
		}
		if err := c.mustKnow(s, last); err != nil {
			return err
		}
		w := &walk{transfer: c, shape: s, behind: last[:s.keys]}
		if err := c.readPool.QueryRowContext(c.ctx, `SELECT count(*) FROM `+s.name).Scan(&w.Rows); err != nil {
			return broke(c.target, err)
		}
		if err := w.through(); err != nil {
			return err
		}
		c.begun[s.name] = w.written
	}
	return nil
}

// last is the last row that the target has of a table, or nil.
func (c *transfer) last(s shape) (record, error) {
	rows, err := readRows(c.ctx, c.readPool, s, s.lastly())
	if err != nil || len(rows) == 0 {
		return nil, err
	}
	return rows[0], nil
}

// mustKnow refuses to go on with half a copy of another source, before anything is added to it.
func (c *transfer) mustKnow(s shape, last record) error {
	if s.name != "leads" {
		return nil
	}
	ids, err := collect(c.ctx, c.snapshot, scanOne[string], `SELECT id FROM leads WHERE seq = $1`, last[0])
	if err != nil {
		return broke(c.source, err)
	}
	if !slices.Contains(ids, last[1].(string)) {
		return c.other(s, nil, last)
	}
	return nil
}

// inTurn are the tables in the order in which they are walked through: first those of which nothing is there yet.
func (c *transfer) inTurn() []shape {
	var fresh, begun []shape
	for _, s := range shapes {
		if _, found := c.begun[s.name]; found {
			begun = append(begun, s)
		} else {
			fresh = append(fresh, s)
		}
	}
	return append(fresh, begun...)
}
