-- +goose Up
-- Counts for reports. A job writes them behind the intake and the forwarder, so that neither waits for it.
-- What each lead was counted as: if it changes, the counts change with it.
CREATE TABLE lead_outcomes (
    lead_seq   INTEGER PRIMARY KEY,
    outcome    TEXT NOT NULL,
    offer_wait BIGINT NOT NULL, -- how long until a buyer was first asked, as a bucket of wait_counts; 0 if none was
    sale_wait  BIGINT NOT NULL  -- how long until a buyer had the contact
);

-- How many leads were received in a period, by where they stand now.
CREATE TABLE lead_counts (
    grain        TEXT NOT NULL, -- day: by day; state, zip: by month and place
    outcome      TEXT NOT NULL,
    period       TEXT NOT NULL, -- such as 2026-11-05 or 2026-11, in the zone of count_zone
    place        TEXT NOT NULL, -- '', a state or a ZIP code
    service_type TEXT NOT NULL,
    leads        BIGINT NOT NULL,
    PRIMARY KEY (grain, outcome, place, period, service_type)
) WITHOUT ROWID;

-- How many leads that were received on a day waited how long.
CREATE TABLE wait_counts (
    kind   TEXT NOT NULL, -- offer or sale
    period TEXT NOT NULL,
    bucket BIGINT NOT NULL,
    leads  BIGINT NOT NULL,
    PRIMARY KEY (kind, period, bucket)
) WITHOUT ROWID;

-- How often a buyer answered what, by the day of the message.
CREATE TABLE answer_counts (
    buyer_id TEXT NOT NULL,
    period   TEXT NOT NULL,
    answer   TEXT NOT NULL,
    messages BIGINT NOT NULL,
    PRIMARY KEY (buyer_id, period, answer)
) WITHOUT ROWID;

-- The time zone of the days and months above: one row.
CREATE TABLE count_zone (
    time_zone TEXT PRIMARY KEY
);

-- +goose Down
DROP TABLE count_zone;
DROP TABLE answer_counts;
DROP TABLE wait_counts;
DROP TABLE lead_counts;
DROP TABLE lead_outcomes;
