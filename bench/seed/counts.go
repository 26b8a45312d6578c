package seed

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
	"time"

	"foyer/internal/buyer"
	"foyer/internal/lead"
)

const (
	countedDays    = 365
	countedBuyers  = 30
	countedSources = 50
	countedNumbers = 530 // more than any table needs
)

// FillCounts creates a database with the counts of a year, as dense as 5 million leads make them, and no leads: reports read nothing else.
// A day has every outcome of every service, each buyer each answer, and waits of all lengths up to an hour.
func FillCounts(ctx context.Context, database string, now time.Time) error {
	statements := append(countedNames(now), countStatements...)
	if !strings.HasPrefix(database, "sqlite:") {
		statements = append(statements, "ANALYZE")
	}
	return create(ctx, database, now, func(conn *sql.Conn) error {
		for _, statement := range statements {
			if _, err := conn.ExecContext(ctx, statement); err != nil {
				return fmt.Errorf("%s: %w", statement, err)
			}
		}
		return nil
	})
}

// countedNames makes the tables of names that countStatements multiply.
func countedNames(now time.Time) (statements []string) {
	table := func(name, column string, values []string) {
		statements = append(statements, `CREATE TEMP TABLE `+name+` (`+column+` TEXT)`, `INSERT INTO `+name+` VALUES ('`+strings.Join(values, `'), ('`)+`')`)
	}
	numbered := func(format string, n int) (list []string) {
		for i := range n {
			list = append(list, fmt.Sprintf(format, i))
		}
		return list
	}
	var days, months, services, outcomes []string
	for i := range countedDays {
		day := now.AddDate(0, 0, i+1-countedDays)
		if days = append(days, day.Format(time.DateOnly)); len(months) == 0 || months[len(months)-1] != day.Format("2006-01") {
			months = append(months, day.Format("2006-01"))
		}
	}
	for _, s := range lead.Services {
		services = append(services, string(s))
	}
	for _, o := range buyer.Outcomes {
		outcomes = append(outcomes, string(o))
	}
	table("days", "period", days)
	table("months", "period", months)
	table("services", "service", services)
	table("outcomes", "outcome", outcomes)
	table("networks", "id", numbered("buyer_%02d", countedBuyers))
	table("partners", "id", numbered("src_%02d", countedSources))
	table("zips", "zip", numbered("7%04d", 10_000)[5000:])
	table("codes", "code", []string{"bad_contact", "duplicate", "out_of_area", "other"})
	table("states", "state", []string{"waiting", "approved", "denied", "credited"})
	table("answers", "answer", []string{"accept", "reject cap", "reject area", "reject duplicate", "reject other", "retry", "unknown"})
	return append(statements, fmt.Sprintf(`CREATE TEMP TABLE numbers AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %d) SELECT i FROM n`, countedNumbers),
		fmt.Sprintf(`CREATE TEMP TABLE noon AS SELECT CAST(%d AS BIGINT) AS at`, now.UnixMicro()))
}

// countStatements fill the tables of counts in the order of time, as the job does.
var countStatements = []string{
	`INSERT INTO count_zone (time_zone) VALUES ('UTC')`,
	`INSERT INTO buyers (id, state, why, terms, secrets, created_at, updated_at) SELECT id, 'paused', 'seeded', '{"name":"' || id || '"}', '[]', 1, 1 FROM networks`,
	`INSERT INTO place_counts (grain, service_type, place, period, demand, uncovered, sold, declined, capped, cents) SELECT 'day', service, '', period, 1300, 200, 1000, 50, 50, 4500000 FROM days, (SELECT service FROM services UNION ALL SELECT '') AS kinds ORDER BY period`,
	`INSERT INTO place_counts (grain, service_type, place, period, demand, uncovered, sold) SELECT 'hour', '', '', period || ' ' || substr(CAST(100 + i AS TEXT), 2), 500, 100, 400 FROM days, numbers WHERE i <= 23 ORDER BY period`,
	`INSERT INTO day_counts (kind, period, name, counts) SELECT kind, period, '', counts FROM days, (SELECT 'offer wait' AS kind UNION ALL SELECT 'sale wait') AS kinds, (SELECT string_agg((i + 20) || ':100', ',') AS counts FROM numbers WHERE i <= 120) AS c ORDER BY period`,
	`INSERT INTO day_counts (kind, period, name, counts) SELECT 'answer wait', period, id, counts FROM days, networks, (SELECT string_agg((i + 20) || ':10', ',') AS counts FROM numbers WHERE i <= 40) AS c ORDER BY period`,
	`INSERT INTO day_counts (kind, period, name, counts) SELECT 'answers', period, id, counts FROM days, networks, (SELECT string_agg(answer || ':10', ',') AS counts FROM answers) AS c ORDER BY period`,
	`INSERT INTO day_counts (kind, period, name, counts) SELECT 'returns', period, id, counts FROM days, networks, (SELECT string_agg(code || ' ' || state || ':2', ',') AS counts FROM codes, states) AS c ORDER BY period`,
	`INSERT INTO money_counts (kind, period, source, service_type, cents) SELECT kind, period, '', service, 10000 FROM days, services, (SELECT 'cost' AS kind UNION ALL SELECT 'revenue') AS kinds ORDER BY period`,
	`INSERT INTO money_counts (kind, period, source, service_type, cents) SELECT kind, period, id, service, 100 FROM days, services, partners, (SELECT 'source_cost' AS kind UNION ALL SELECT 'source_revenue') AS kinds ORDER BY period`,
	`INSERT INTO money_counts (kind, period, source, service_type, cents) SELECT kind, period, id, service, 3000 FROM months, services, partners, (SELECT 'source_cost_month' AS kind UNION ALL SELECT 'source_revenue_month') AS kinds ORDER BY period`,
	`INSERT INTO source_counts (grain, period, name, outcome, service_type, leads) SELECT grain, period, id, outcome, service, 3 FROM days, partners, outcomes, services, (SELECT 'source' AS grain UNION ALL SELECT 'campaign') AS grains
		WHERE outcome IN ('sold', 'uncovered', 'capped', 'declined', 'withheld') ORDER BY period`,
	`INSERT INTO source_counts (grain, period, name, outcome, service_type, leads) SELECT grain, period, id, outcome, service, 90 FROM months, partners, outcomes, services, (SELECT 'source_month' AS grain UNION ALL SELECT 'campaign_month') AS grains ORDER BY period`,
	`INSERT INTO place_counts (grain, service_type, place, period, demand, uncovered, sold, cents) SELECT 'zip', service, zip, period, 3, 1, 2, 4500 FROM months, zips, (SELECT service FROM services UNION ALL SELECT '') AS kinds ORDER BY period`,
	`INSERT INTO place_counts (grain, service_type, place, period, demand, uncovered, sold, cents) SELECT 'state', service, state, period, 900, 300, 600, 450000 FROM months, (SELECT service FROM services UNION ALL SELECT '') AS kinds,
		(SELECT 'TX' AS state UNION ALL SELECT 'FL' UNION ALL SELECT 'NY' UNION ALL SELECT 'CA') AS states ORDER BY period`,
	`INSERT INTO offer_counts (buyer_id, hour, used, offered, accepted, delivered, charged_cents) SELECT id, at / 3600000000 - i, 9, 10, 9, 9, 40500 FROM networks, noon, (SELECT a.i + 500 * b.i - 500 AS i FROM numbers AS a, numbers AS b WHERE a.i <= 500 AND b.i <= 3) AS hours`, // two months
	`INSERT INTO offer_counts (buyer_id, hour, used, offered, accepted, delivered, charged_cents) SELECT id, at / 3600000000 - 1500 - i * 24, 200, 220, 200, 200, 900000 FROM networks, numbers, noon WHERE i <= 303`,
}
