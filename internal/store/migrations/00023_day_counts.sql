-- +goose Up
-- Counts of a day that are read together, in one row: a report of a year reads 365 rows where it read a hundred thousand.
CREATE TABLE day_counts (
    kind   TEXT NOT NULL, -- offer wait, sale wait, answer wait, answers, returns
    period TEXT NOT NULL, -- a day such as 2026-11-05, in the zone of count_zone
    name   TEXT NOT NULL, -- the id of a buyer; '' for waits of leads
    counts TEXT NOT NULL, -- such as 21:3,22:1 for buckets of waits, accept:9,reject cap:1 or other approved:1,other credited:4500
    PRIMARY KEY (kind, period, name)
) WITHOUT ROWID;

-- place_counts has the counts by day and hour, too: grain day and hour, with no place. lead_counts, wait_counts and answer_counts are no longer
-- written. A process that knows the table counts all leads again.

-- What a return was counted as, so that its decision moves it.
ALTER TABLE returns ADD COLUMN counted_as TEXT NOT NULL DEFAULT '';
CREATE INDEX returns_uncounted ON returns (offer_id) WHERE counted_as <> state;

-- +goose Down
DROP INDEX returns_uncounted;
ALTER TABLE returns DROP COLUMN counted_as;
DELETE FROM place_counts WHERE grain IN ('day', 'hour');
DROP TABLE day_counts;
DELETE FROM follow_progress WHERE name LIKE 'counts sum%';
