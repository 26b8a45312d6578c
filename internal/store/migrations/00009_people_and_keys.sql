-- +goose Up
-- The ids of the keys that this database was used with. A process with other keys would find nobody again.
CREATE TABLE keys (
    id         TEXT PRIMARY KEY,
    created_at BIGINT NOT NULL
);

-- Held leads that are kept off the market: a repeat of another one, or one too many of a person. The operator, or the end of
-- the other one, puts them on it.
CREATE TABLE withheld (
    lead_seq INTEGER PRIMARY KEY,
    reason   TEXT NOT NULL, -- the mark that it was held for
    print    TEXT NOT NULL,
    at       BIGINT NOT NULL,          -- when the lead was taken in
    look_at  BIGINT NOT NULL DEFAULT 0 -- when to look whether it can go on the market; 0 for never
);
CREATE INDEX withheld_print ON withheld (print);
CREATE INDEX withheld_look ON withheld (look_at) WHERE look_at > 0;

-- Messages that buyers have signed, for as long as their signatures are good: none of them counts twice.
CREATE TABLE webhook_ids (
    id TEXT PRIMARY KEY,
    at BIGINT NOT NULL
);
CREATE INDEX webhook_ids_age ON webhook_ids (at);

-- What is being sent: since when, and where to. If the process dies, this is all that is known.
ALTER TABLE deliveries ADD COLUMN sent_at BIGINT NOT NULL DEFAULT 0;
ALTER TABLE deliveries ADD COLUMN url TEXT NOT NULL DEFAULT '';
ALTER TABLE attempts ADD COLUMN url TEXT NOT NULL DEFAULT '';

-- Each buyer knows a lead by an id of its own; '' where it was told the lead's. Who was passed over, and why, is JSON.
ALTER TABLE offers ADD COLUMN buyer_lead_id TEXT NOT NULL DEFAULT '';
ALTER TABLE offers ADD COLUMN passed_over TEXT NOT NULL DEFAULT '';
ALTER TABLE history ADD COLUMN passed_over TEXT NOT NULL DEFAULT '';

-- Until when a process looks through what is held for a buyer, apart from when to look next; and until when the buyer asked
-- not to be sent anything.
ALTER TABLE standings ADD COLUMN walk_until BIGINT NOT NULL DEFAULT 0;
ALTER TABLE standings ADD COLUMN quiet_until BIGINT NOT NULL DEFAULT 0;

-- What became of the offers of an hour, beside how many count towards the caps.
ALTER TABLE cap_use ADD COLUMN offered BIGINT NOT NULL DEFAULT 0;
ALTER TABLE cap_use ADD COLUMN accepted BIGINT NOT NULL DEFAULT 0;
ALTER TABLE cap_use ADD COLUMN delivered BIGINT NOT NULL DEFAULT 0;
ALTER TABLE cap_use ADD COLUMN returned BIGINT NOT NULL DEFAULT 0;

-- How a privacy request came, as JSON.
ALTER TABLE wishes ADD COLUMN evidence TEXT NOT NULL DEFAULT '';
CREATE INDEX wishes_lead ON wishes (lead_id, at) WHERE lead_id <> '';

-- +goose Down
DROP INDEX wishes_lead;
ALTER TABLE wishes DROP COLUMN evidence;
ALTER TABLE cap_use DROP COLUMN returned;
ALTER TABLE cap_use DROP COLUMN delivered;
ALTER TABLE cap_use DROP COLUMN accepted;
ALTER TABLE cap_use DROP COLUMN offered;
ALTER TABLE standings DROP COLUMN quiet_until;
ALTER TABLE standings DROP COLUMN walk_until;
ALTER TABLE history DROP COLUMN passed_over;
ALTER TABLE offers DROP COLUMN passed_over;
ALTER TABLE offers DROP COLUMN buyer_lead_id;
ALTER TABLE attempts DROP COLUMN url;
ALTER TABLE deliveries DROP COLUMN url;
ALTER TABLE deliveries DROP COLUMN sent_at;
DROP TABLE webhook_ids;
DROP TABLE withheld;
DROP TABLE keys;
