-- +goose Up

-- What is known at intake sits in the lead's own row: a second row written for each lead would cost as much as the first.
CREATE TABLE leads (
    seq          INTEGER PRIMARY KEY, -- time-ordered, so that inserts stay cheap
    id           TEXT NOT NULL,
    status       TEXT NOT NULL,
    created_at   BIGINT NOT NULL, -- microseconds since 1970, UTC, like every time here
    updated_at   BIGINT NOT NULL,
    service_type TEXT NOT NULL,
    zip_code     TEXT NOT NULL,
    marks        TEXT NOT NULL,
    job          TEXT NOT NULL, -- what is asked for, as JSON: a new field needs no new column
    contact      BYTEA,         -- name, phone, e-mail, street and notes as one piece, to be sealed and erased as one
    evidence     TEXT NOT NULL  -- how the request came, and the hash of the words that were agreed to, as JSON
);
CREATE UNIQUE INDEX leads_id ON leads (id);

-- What became of a lead after it was taken in: one row for each change. It begins with the first one.
CREATE TABLE history (
    seq      INTEGER PRIMARY KEY,
    lead_seq BIGINT NOT NULL,
    at       BIGINT NOT NULL,
    status   TEXT NOT NULL,
    actor    TEXT NOT NULL,
    reason   TEXT NOT NULL
);
CREATE INDEX history_lead ON history (lead_seq);

-- How far a piece of work that walks through all leads has come.
CREATE TABLE progress (
    work     TEXT PRIMARY KEY,
    lead_seq BIGINT NOT NULL
);
INSERT INTO progress (work, lead_seq) VALUES ('holding', 0);

-- The exact words people agreed to, readable for ever by their hash.
CREATE TABLE consent_texts (
    hash       TEXT PRIMARY KEY,
    version    TEXT NOT NULL,
    text       TEXT NOT NULL,
    first_used BIGINT NOT NULL
);

CREATE TABLE idempotency_keys (
    key_hash     TEXT PRIMARY KEY,
    request_hash TEXT NOT NULL,
    answer       BYTEA NOT NULL,
    created_at   BIGINT NOT NULL
);
CREATE INDEX idempotency_keys_age ON idempotency_keys (created_at);

-- Numbers whose owners asked not to be contacted.
CREATE TABLE suppressions (
    phone      TEXT PRIMARY KEY,
    reason     TEXT NOT NULL,
    created_at BIGINT NOT NULL
);

-- One row for each thing that processes keep in memory; a new version tells them to read it again.
CREATE TABLE changes (
    topic   TEXT PRIMARY KEY,
    version BIGINT NOT NULL
);
INSERT INTO changes (topic, version) VALUES ('suppressions', 1), ('pulse', 1);

-- +goose Down
DROP TABLE changes;
DROP TABLE suppressions;
DROP TABLE idempotency_keys;
DROP TABLE consent_texts;
DROP TABLE progress;
DROP TABLE history;
DROP TABLE leads;
