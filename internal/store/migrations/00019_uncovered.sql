-- +goose Up
-- Where nobody covers the leads: a report of ZIP codes reads these counts first. SQLite finds them in the table, whose rows lie in the order of
-- its key; in PostgreSQL, each of them may lie in another page.
-- PostgreSQL: CREATE INDEX lead_counts_uncovered ON lead_counts (place, period, service_type, leads) WHERE grain = 'zip' AND outcome = 'uncovered';

-- +goose Down
-- PostgreSQL: DROP INDEX lead_counts_uncovered;
