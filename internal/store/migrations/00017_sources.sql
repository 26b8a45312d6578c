-- +goose Up
-- Where leads come from: partners and campaigns. The id is the public key that stands in addresses.
CREATE TABLE sources (
    id         TEXT PRIMARY KEY,
    terms      TEXT NOT NULL CHECK (length(terms) <= 8000), -- JSON
    state      TEXT NOT NULL CHECK (state IN ('active', 'blocked')),
    created_at BIGINT NOT NULL CHECK (created_at > 0),
    updated_at BIGINT NOT NULL CHECK (updated_at > 0)
);

-- What leads of a source cost, and since when: a lead costs what was agreed on when it came.
CREATE TABLE source_prices (
    source_id  TEXT NOT NULL,
    since      BIGINT NOT NULL CHECK (since > 0),
    cost_cents BIGINT NOT NULL CHECK (cost_cents >= 0),
    cap_day    BIGINT NOT NULL CHECK (cap_day >= 0), -- leads of a day that are paid for; 0 means all
    cap_month  BIGINT NOT NULL CHECK (cap_month >= 0),
    PRIMARY KEY (source_id, since)
) WITHOUT ROWID;
INSERT INTO changes (topic, version) VALUES ('sources', 1);

ALTER TABLE leads ADD COLUMN source TEXT NOT NULL DEFAULT ''; -- the id of a source, or '' for none

-- What leads cost and brought in, by the day on which they were received. Leads are counted again, because this was not counted before.
ALTER TABLE lead_outcomes ADD COLUMN cost_cents BIGINT NOT NULL DEFAULT 0; -- what its source is paid for the lead
ALTER TABLE lead_outcomes ADD COLUMN campaign TEXT NOT NULL DEFAULT ''; -- '' for none, and once the person is erased
CREATE TABLE money_counts (
    kind         TEXT NOT NULL, -- cost, revenue: of all leads by day; source_cost, source_revenue: by source and day, and with _month by month
    period       TEXT NOT NULL,
    source       TEXT NOT NULL, -- the id of a source, or '' for all leads
    service_type TEXT NOT NULL,
    cents        BIGINT NOT NULL,
    PRIMARY KEY (kind, period, source, service_type)
) WITHOUT ROWID;

-- How many leads came from a source or a campaign. Months are there so that a report of years reads little.
CREATE TABLE source_counts (
    grain        TEXT NOT NULL, -- source, campaign, paid: by day, and with _month by month
    period       TEXT NOT NULL,
    name         TEXT NOT NULL, -- the id of a source, or a campaign
    outcome      TEXT NOT NULL, -- '' for paid
    service_type TEXT NOT NULL, -- '' for paid
    leads        BIGINT NOT NULL,
    PRIMARY KEY (grain, period, name, outcome, service_type)
) WITHOUT ROWID;
DELETE FROM follow_progress WHERE name LIKE 'counts %';

-- +goose Down
DELETE FROM follow_progress WHERE name LIKE 'counts %';
DROP TABLE source_counts;
DROP TABLE money_counts;
ALTER TABLE lead_outcomes DROP COLUMN campaign;
ALTER TABLE lead_outcomes DROP COLUMN cost_cents;
ALTER TABLE leads DROP COLUMN source;
DELETE FROM changes WHERE topic = 'sources';
DROP TABLE source_prices;
DROP TABLE sources;
