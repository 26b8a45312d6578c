-- +goose Up
-- What leads brought in, by the place they came from. A process that knows the table counts all leads again.
CREATE TABLE place_revenue (
    grain        TEXT NOT NULL, -- state or zip
    place        TEXT NOT NULL,
    period       TEXT NOT NULL, -- the month in which the lead was received, such as 2026-11, in the zone of count_zone
    service_type TEXT NOT NULL,
    cents        BIGINT NOT NULL, -- what buyers were charged, less what they got back
    PRIMARY KEY (grain, place, period, service_type)
) WITHOUT ROWID;

-- +goose Down
DROP TABLE place_revenue;
DELETE FROM follow_progress WHERE name = 'counts hours';
