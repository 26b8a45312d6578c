-- +goose Up
-- On PostgreSQL this index ended with lead_seq. A server that had counted while nothing waited took it for as good a way to
-- one lead as the primary key, and read all of it each time.
DROP INDEX deliveries_due;
CREATE INDEX deliveries_due ON deliveries (lane, due_at);

-- +goose Down
SELECT 1;
