-- +goose Up
-- The newest leads of each status, without reading through all the others. The intake of a request adds to none of these:
-- they hold what a lead became later, and who dials. What is received is found by its row in deliveries.
CREATE INDEX leads_forwarded ON leads (seq) WHERE status = 'forwarded';
CREATE INDEX leads_rejected ON leads (seq) WHERE status = 'rejected';
CREATE INDEX leads_dialled ON leads (seq) WHERE status = 'call_to_connect';
-- The same for wishes: few are open, and settled ones stay.
CREATE INDEX wishes_waiting ON wishes (seq) WHERE state = 'open';
-- What is too old is forgotten every few minutes, while the intake waits.
CREATE INDEX sold_age ON sold (at);

-- +goose Down
DROP INDEX sold_age;
DROP INDEX wishes_waiting;
DROP INDEX leads_dialled;
DROP INDEX leads_rejected;
DROP INDEX leads_forwarded;
