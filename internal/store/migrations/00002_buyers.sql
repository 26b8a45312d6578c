-- +goose Up
-- Who takes leads. Terms are JSON: a new one needs no new column.
CREATE TABLE buyers (
    id         TEXT PRIMARY KEY,
    terms      TEXT NOT NULL,
    secrets    TEXT NOT NULL, -- JSON list, newest first
    state      TEXT NOT NULL,
    why        TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL
);
INSERT INTO changes (topic, version) VALUES ('buyers', 1);

-- How things go with a buyer. Apart from its terms, because it changes with every lead.
CREATE TABLE standings (
    buyer_id   TEXT PRIMARY KEY,
    asked_at   BIGINT NOT NULL,
    failures   BIGINT NOT NULL,
    trips      BIGINT NOT NULL,
    shut_until BIGINT NOT NULL, -- the breaker keeps leads away until then
    wake_at    BIGINT NOT NULL  -- when to look again at what is held for it; 0 for never
);

-- How many leads count towards a buyer's caps, by the hour since 1970 in which they were offered.
CREATE TABLE cap_use (
    buyer_id TEXT NOT NULL,
    hour     BIGINT NOT NULL,
    used     BIGINT NOT NULL,
    PRIMARY KEY (buyer_id, hour)
);

-- Leads on their way: one row for each that is received, written in the transaction that makes it so.
CREATE TABLE deliveries (
    lead_seq INTEGER PRIMARY KEY,
    lane     TEXT NOT NULL DEFAULT '', -- the buyer it stands before, or '' while it looks for one
    step     TEXT NOT NULL DEFAULT 'ask',
    due_at   BIGINT NOT NULL, -- when it may be taken; while somebody has it, when their lease ends
    token    BIGINT NOT NULL DEFAULT 0,
    owner    TEXT NOT NULL DEFAULT '',
    since    BIGINT NOT NULL,
    offer_id TEXT NOT NULL DEFAULT '',
    attempts BIGINT NOT NULL DEFAULT 0,
    unsure   BIGINT NOT NULL DEFAULT 0
);
CREATE INDEX deliveries_due ON deliveries (lane, due_at);

-- What is held, in its order, with what decides who covers it: nothing else is read when coverage changes.
CREATE INDEX leads_held ON leads (seq, service_type, zip_code) WHERE status = 'collected';
CREATE INDEX leads_failed ON leads (seq) WHERE status = 'error';
DROP TABLE progress; -- how far the walk through all leads had come that this index makes needless

CREATE TABLE offers (
    id              TEXT PRIMARY KEY,
    lead_seq        BIGINT NOT NULL,
    buyer_id        TEXT NOT NULL,
    at              BIGINT NOT NULL,
    one_step        BIGINT NOT NULL,
    state           TEXT NOT NULL,
    code            TEXT NOT NULL DEFAULT '',
    buyer_ref       TEXT NOT NULL DEFAULT '',
    returned_at     BIGINT NOT NULL DEFAULT 0,
    returned_reason TEXT NOT NULL DEFAULT ''
);
CREATE INDEX offers_lead ON offers (lead_seq);

CREATE TABLE attempts (
    seq      INTEGER PRIMARY KEY,
    lead_seq BIGINT NOT NULL,
    offer_id TEXT NOT NULL,
    kind     TEXT NOT NULL,
    at       BIGINT NOT NULL,
    took     BIGINT NOT NULL, -- microseconds
    status   BIGINT NOT NULL,
    failure  TEXT NOT NULL,
    answer   TEXT NOT NULL,
    decision TEXT NOT NULL
);
CREATE INDEX attempts_lead ON attempts (lead_seq);

-- By which a second request of the same person for the same work is known. Written by the forwarder: an index on
-- something random has no place in the intake's way.
CREATE TABLE prints (
    print    TEXT NOT NULL,
    lead_seq BIGINT NOT NULL,
    at       BIGINT NOT NULL,
    PRIMARY KEY (print, lead_seq)
);
CREATE INDEX prints_age ON prints (at);

-- Who accepted a lead with a print: a later one is never offered to them.
CREATE TABLE sold (
    print    TEXT NOT NULL,
    buyer_id TEXT NOT NULL,
    at       BIGINT NOT NULL,
    PRIMARY KEY (print, buyer_id)
);

-- +goose Down
DROP TABLE sold;
DROP TABLE prints;
DROP TABLE attempts;
DROP TABLE offers;
CREATE TABLE progress (
    work     TEXT PRIMARY KEY,
    lead_seq BIGINT NOT NULL
);
INSERT INTO progress (work, lead_seq) VALUES ('holding', 0);
DROP INDEX leads_failed;
DROP INDEX leads_held;
DROP TABLE deliveries;
DROP TABLE cap_use;
DROP TABLE standings;
DELETE FROM changes WHERE topic = 'buyers';
DROP TABLE buyers;
