-- +goose Up
-- How many leads were received in a place, by where they stand now, and what they brought in. A lead counts for its service and for all of them: a
-- report of a large state reads one row for each ZIP code and month. The counts by place in lead_counts are no longer written.
-- A process that knows the table counts all leads again.
CREATE TABLE place_counts (
    grain           TEXT NOT NULL, -- state or zip
    service_type    TEXT NOT NULL, -- '' for all services
    place           TEXT NOT NULL,
    period          TEXT NOT NULL, -- the month in which the lead was received, such as 2026-11, in the zone of count_zone
    demand          BIGINT NOT NULL DEFAULT 0, -- how many could be sold: places are ordered by this, by uncovered, or by cents
    cents           BIGINT NOT NULL DEFAULT 0, -- what buyers were charged, less what they got back
    uncovered       BIGINT NOT NULL DEFAULT 0, -- this and the following are the outcomes: each lead has one
    sold            BIGINT NOT NULL DEFAULT 0,
    call_to_connect BIGINT NOT NULL DEFAULT 0,
    waiting         BIGINT NOT NULL DEFAULT 0,
    no_money        BIGINT NOT NULL DEFAULT 0,
    capped          BIGINT NOT NULL DEFAULT 0,
    after_hours     BIGINT NOT NULL DEFAULT 0,
    unanswered      BIGINT NOT NULL DEFAULT 0,
    paused          BIGINT NOT NULL DEFAULT 0,
    declined        BIGINT NOT NULL DEFAULT 0,
    unwanted        BIGINT NOT NULL DEFAULT 0,
    withheld        BIGINT NOT NULL DEFAULT 0,
    error           BIGINT NOT NULL DEFAULT 0,
    closed          BIGINT NOT NULL DEFAULT 0,
    PRIMARY KEY (grain, service_type, place, period)
) WITHOUT ROWID;

-- What places are ordered by is in the key, too: PostgreSQL would look each row up in another page.
-- PostgreSQL: ALTER TABLE place_counts DROP CONSTRAINT place_counts_pkey;
-- PostgreSQL: ALTER TABLE place_counts ADD PRIMARY KEY (grain, service_type, place, period) INCLUDE (demand, uncovered, cents);

-- +goose Down
DROP TABLE place_counts;
DELETE FROM follow_progress WHERE name = 'counts sum';
