-- +goose Up
-- Where the leads of the last days were received, so that the effect of a buyer's terms is known while they are typed. One row has all ZIP codes
-- that begin with the same three digits: a row for each ZIP code would be as many as leads.
-- A process that knows the table counts all leads again.
CREATE TABLE recent_leads (
    period TEXT NOT NULL, -- a day such as 2026-11-05, in the zone of count_zone
    area   TEXT NOT NULL, -- the first three digits
    leads  BIGINT NOT NULL,
    counts TEXT NOT NULL, -- for each service the other two digits, and how many if it is more than one: hvac:05,39x2;handyman:39
    PRIMARY KEY (period, area)
) WITHOUT ROWID;

-- +goose Down
DROP TABLE recent_leads;
DELETE FROM follow_progress WHERE name = 'counts sum';
