-- +goose Up
-- What a lead costs is fixed when it is offered. Sums for each hour stand beside the counts, so that caps and balances need not read
-- the offers.
ALTER TABLE offers ADD COLUMN price_cents BIGINT NOT NULL DEFAULT 0;
ALTER TABLE offer_counts ADD COLUMN used_cents BIGINT NOT NULL DEFAULT 0;
ALTER TABLE offer_counts ADD COLUMN charged_cents BIGINT NOT NULL DEFAULT 0;
ALTER TABLE offer_counts ADD COLUMN credited_cents BIGINT NOT NULL DEFAULT 0;
ALTER TABLE buyers ADD COLUMN funds_cents BIGINT NOT NULL DEFAULT 0; -- its payments and corrections: the sum of those rows of ledger

-- What buyers owe and paid. Rows are added and never changed, but for the statement that they come to stand on.
CREATE TABLE ledger (
    seq          INTEGER PRIMARY KEY,
    buyer_id     TEXT NOT NULL,
    at           BIGINT NOT NULL CHECK (at > 0),
    kind         TEXT NOT NULL CHECK (kind IN ('charge', 'return', 'payment', 'correction')),
    amount_cents BIGINT NOT NULL CHECK (amount_cents <> 0), -- what the buyer owes more, or less if negative
    offer_id     TEXT NOT NULL CHECK ((offer_id <> '') = (kind IN ('charge', 'return'))),
    lead_id      TEXT NOT NULL, -- as the buyer knows it
    service_type TEXT NOT NULL,
    note         TEXT NOT NULL CHECK (length(note) <= 200),
    statement_id TEXT NOT NULL DEFAULT '' -- '' until a statement is closed that has it
);
CREATE INDEX ledger_statement ON ledger (buyer_id, statement_id, seq);
CREATE UNIQUE INDEX ledger_offer ON ledger (offer_id, kind) WHERE offer_id <> ''; -- nothing is charged or given back twice

-- Statements that are closed: what a buyer was charged and paid in a month. Their lines are the rows of ledger with their id.
CREATE TABLE statements (
    id                TEXT PRIMARY KEY,
    buyer_id          TEXT NOT NULL,
    buyer_name        TEXT NOT NULL, -- as it was then
    month             TEXT NOT NULL CHECK (length(month) = 7), -- such as 2026-11
    time_zone         TEXT NOT NULL, -- in which the month ended
    ends_at           BIGINT NOT NULL CHECK (ends_at > 0),
    opening_cents     BIGINT NOT NULL, -- what the buyer owed before
    leads             BIGINT NOT NULL,
    charges_cents     BIGINT NOT NULL,
    returned          BIGINT NOT NULL,
    returns_cents     BIGINT NOT NULL,
    corrections_cents BIGINT NOT NULL,
    payments_cents    BIGINT NOT NULL,
    format            BIGINT NOT NULL, -- of the CSV file
    hash              TEXT NOT NULL CHECK (length(hash) = 64), -- SHA-256 of the CSV file
    closed_at         BIGINT NOT NULL CHECK (closed_at > 0),
    closed_by         TEXT NOT NULL,
    UNIQUE (buyer_id, month)
);

-- What became of leads that buyers returned. The reason in the buyer's words is in offers, where it is erased with the person.
CREATE TABLE returns (
    offer_id   TEXT PRIMARY KEY,
    buyer_id   TEXT NOT NULL,
    at         BIGINT NOT NULL CHECK (at > 0),
    code       TEXT NOT NULL,
    state      TEXT NOT NULL CHECK (state IN ('waiting', 'approved', 'denied')),
    decided_at BIGINT NOT NULL DEFAULT 0 CHECK ((decided_at > 0) = (state <> 'waiting')),
    decided_by TEXT NOT NULL DEFAULT '',
    note       TEXT NOT NULL DEFAULT '' CHECK (length(note) <= 200), -- for the buyer
    notify_at    BIGINT NOT NULL DEFAULT 0, -- when the buyer is told next; 0 if there is nothing more to tell
    notified_at    BIGINT NOT NULL DEFAULT 0, -- when the buyer had heard it; 0 if it has not
    attempts   BIGINT NOT NULL DEFAULT 0
);
CREATE INDEX returns_age ON returns (at);
CREATE INDEX returns_waiting ON returns (at) WHERE state = 'waiting';
CREATE INDEX returns_notify ON returns (notify_at) WHERE notify_at > 0;
INSERT INTO returns (offer_id, buyer_id, at, code, state) SELECT id, buyer_id, returned_at, 'other', 'waiting' FROM offers WHERE returned_at > 0;

-- +goose Down
DROP TABLE returns;
DROP TABLE statements;
DROP TABLE ledger;
ALTER TABLE buyers DROP COLUMN funds_cents;
ALTER TABLE offer_counts DROP COLUMN credited_cents;
ALTER TABLE offer_counts DROP COLUMN charged_cents;
ALTER TABLE offer_counts DROP COLUMN used_cents;
ALTER TABLE offers DROP COLUMN price_cents;
