-- +goose Up
-- foyer: exclusive
-- Tables and columns get the names that the program and its documentation use. Only names change: no row is read or written, however
-- many there are. A process of an earlier version would fail afterwards, so none may run meanwhile.
ALTER TABLE fresh RENAME TO new_leads;

ALTER TABLE wishes RENAME TO privacy_requests;

ALTER TABLE prints RENAME TO fingerprints;
ALTER TABLE fingerprints RENAME COLUMN print TO fingerprint;

ALTER TABLE sold RENAME TO sales;
ALTER TABLE sales RENAME COLUMN print TO fingerprint;

ALTER TABLE withheld RENAME COLUMN print TO fingerprint;
ALTER TABLE withheld RENAME COLUMN look_at TO check_at;

ALTER TABLE standings RENAME TO buyer_health;
ALTER TABLE buyer_health RENAME COLUMN trips TO opened;
ALTER TABLE buyer_health RENAME COLUMN shut_until TO open_until;
ALTER TABLE buyer_health RENAME COLUMN walk_until TO scan_until;

-- It counts more than what is used of the caps since migration 9.
ALTER TABLE cap_use RENAME TO offer_counts;

ALTER TABLE deliveries RENAME COLUMN lane TO buyer_queue;
ALTER TABLE deliveries RENAME COLUMN unsure TO may_have_contact;

UPDATE changes SET topic = 'probe' WHERE topic = 'pulse';

-- SQLite cannot rename an index, and building one again reads its table. There only those of privacy_requests are built again, which
-- is small. The others keep their names.
-- PostgreSQL: ALTER INDEX IF EXISTS wishes_id RENAME TO privacy_requests_id;
-- PostgreSQL: ALTER INDEX IF EXISTS wishes_open RENAME TO privacy_requests_open;
-- PostgreSQL: ALTER INDEX IF EXISTS wishes_waiting RENAME TO privacy_requests_waiting;
-- PostgreSQL: ALTER INDEX IF EXISTS wishes_lead RENAME TO privacy_requests_lead;
DROP INDEX IF EXISTS wishes_id;
DROP INDEX IF EXISTS wishes_open;
DROP INDEX IF EXISTS wishes_waiting;
DROP INDEX IF EXISTS wishes_lead;
CREATE UNIQUE INDEX IF NOT EXISTS privacy_requests_id ON privacy_requests (id);
CREATE INDEX IF NOT EXISTS privacy_requests_open ON privacy_requests (phone, lead_id, kind) WHERE state = 'open';
CREATE INDEX IF NOT EXISTS privacy_requests_waiting ON privacy_requests (seq) WHERE state = 'open';
CREATE INDEX IF NOT EXISTS privacy_requests_lead ON privacy_requests (lead_id, at) WHERE lead_id <> '';

-- PostgreSQL: ALTER INDEX IF EXISTS prints_age RENAME TO fingerprints_age;
-- PostgreSQL: ALTER INDEX IF EXISTS sold_age RENAME TO sales_age;
-- PostgreSQL: ALTER INDEX IF EXISTS withheld_print RENAME TO withheld_fingerprint;
-- PostgreSQL: ALTER INDEX IF EXISTS withheld_look RENAME TO withheld_check;
-- PostgreSQL: ALTER INDEX IF EXISTS leads_failed RENAME TO leads_error;
-- PostgreSQL: ALTER INDEX IF EXISTS leads_dialled RENAME TO leads_call_to_connect;
-- PostgreSQL: ALTER INDEX IF EXISTS fresh_pkey RENAME TO new_leads_pkey;
-- PostgreSQL: ALTER INDEX IF EXISTS wishes_pkey RENAME TO privacy_requests_pkey;
-- PostgreSQL: ALTER INDEX IF EXISTS prints_pkey RENAME TO fingerprints_pkey;
-- PostgreSQL: ALTER INDEX IF EXISTS sold_pkey RENAME TO sales_pkey;
-- PostgreSQL: ALTER INDEX IF EXISTS standings_pkey RENAME TO buyer_health_pkey;
-- PostgreSQL: ALTER INDEX IF EXISTS cap_use_pkey RENAME TO offer_counts_pkey;
-- PostgreSQL: ALTER SEQUENCE IF EXISTS wishes_seq_seq RENAME TO privacy_requests_seq_seq;

-- +goose Down
-- PostgreSQL: ALTER SEQUENCE IF EXISTS privacy_requests_seq_seq RENAME TO wishes_seq_seq;
-- PostgreSQL: ALTER INDEX IF EXISTS offer_counts_pkey RENAME TO cap_use_pkey;
-- PostgreSQL: ALTER INDEX IF EXISTS buyer_health_pkey RENAME TO standings_pkey;
-- PostgreSQL: ALTER INDEX IF EXISTS sales_pkey RENAME TO sold_pkey;
-- PostgreSQL: ALTER INDEX IF EXISTS fingerprints_pkey RENAME TO prints_pkey;
-- PostgreSQL: ALTER INDEX IF EXISTS privacy_requests_pkey RENAME TO wishes_pkey;
-- PostgreSQL: ALTER INDEX IF EXISTS new_leads_pkey RENAME TO fresh_pkey;
-- PostgreSQL: ALTER INDEX IF EXISTS leads_call_to_connect RENAME TO leads_dialled;
-- PostgreSQL: ALTER INDEX IF EXISTS leads_error RENAME TO leads_failed;
-- PostgreSQL: ALTER INDEX IF EXISTS withheld_check RENAME TO withheld_look;
-- PostgreSQL: ALTER INDEX IF EXISTS withheld_fingerprint RENAME TO withheld_print;
-- PostgreSQL: ALTER INDEX IF EXISTS sales_age RENAME TO sold_age;
-- PostgreSQL: ALTER INDEX IF EXISTS fingerprints_age RENAME TO prints_age;
-- PostgreSQL: ALTER INDEX IF EXISTS privacy_requests_lead RENAME TO wishes_lead;
-- PostgreSQL: ALTER INDEX IF EXISTS privacy_requests_waiting RENAME TO wishes_waiting;
-- PostgreSQL: ALTER INDEX IF EXISTS privacy_requests_open RENAME TO wishes_open;
-- PostgreSQL: ALTER INDEX IF EXISTS privacy_requests_id RENAME TO wishes_id;
UPDATE changes SET topic = 'pulse' WHERE topic = 'probe';
ALTER TABLE deliveries RENAME COLUMN may_have_contact TO unsure;
ALTER TABLE deliveries RENAME COLUMN buyer_queue TO lane;
ALTER TABLE offer_counts RENAME TO cap_use;
ALTER TABLE buyer_health RENAME COLUMN scan_until TO walk_until;
ALTER TABLE buyer_health RENAME COLUMN open_until TO shut_until;
ALTER TABLE buyer_health RENAME COLUMN opened TO trips;
ALTER TABLE buyer_health RENAME TO standings;
ALTER TABLE withheld RENAME COLUMN check_at TO look_at;
ALTER TABLE withheld RENAME COLUMN fingerprint TO print;
ALTER TABLE sales RENAME COLUMN fingerprint TO print;
ALTER TABLE sales RENAME TO sold;
ALTER TABLE fingerprints RENAME COLUMN fingerprint TO print;
ALTER TABLE fingerprints RENAME TO prints;
ALTER TABLE privacy_requests RENAME TO wishes;
ALTER TABLE new_leads RENAME TO fresh;
DROP INDEX IF EXISTS privacy_requests_lead;
DROP INDEX IF EXISTS privacy_requests_waiting;
DROP INDEX IF EXISTS privacy_requests_open;
DROP INDEX IF EXISTS privacy_requests_id;
CREATE UNIQUE INDEX IF NOT EXISTS wishes_id ON wishes (id);
CREATE INDEX IF NOT EXISTS wishes_open ON wishes (phone, lead_id, kind) WHERE state = 'open';
CREATE INDEX IF NOT EXISTS wishes_waiting ON wishes (seq) WHERE state = 'open';
CREATE INDEX IF NOT EXISTS wishes_lead ON wishes (lead_id, at) WHERE lead_id <> '';
