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

-- +goose Down
DROP TABLE ledger;
ALTER TABLE buyers DROP COLUMN funds_cents;
ALTER TABLE offer_counts DROP COLUMN credited_cents;
ALTER TABLE offer_counts DROP COLUMN charged_cents;
ALTER TABLE offer_counts DROP COLUMN used_cents;
ALTER TABLE offers DROP COLUMN price_cents;
