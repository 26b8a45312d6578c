package store

import (
	"math"

	"foyer/internal/buyer"
)

// Counts is what became of the offers that a buyer got in a period. Its ends are rounded as those of Used are.
func (p *Tx) Counts(id string, period buyer.Period) (c buyer.Counts, err error) {
	from, to := int64(0), int64(math.MaxInt64)
	if !period.Begin.IsZero() {
		from, to = hourOf(period.Begin), hourOf(period.End)
	}
	_, err = p.db.queryRow(`SELECT CAST(COALESCE(SUM(used), 0) AS BIGINT), CAST(COALESCE(SUM(offered), 0) AS BIGINT), CAST(COALESCE(SUM(accepted), 0) AS BIGINT),
		CAST(COALESCE(SUM(delivered), 0) AS BIGINT), CAST(COALESCE(SUM(returned), 0) AS BIGINT) FROM cap_use WHERE buyer_id = $1 AND hour >= $2 AND hour < $3`,
		[]any{id, from, to}, func(r row) {
			c = buyer.Counts{Used: int(r.number(0)), Offered: int(r.number(1)), Accepted: int(r.number(2)), Delivered: int(r.number(3)), Returned: int(r.number(4))}
		})
	return c, err
}
