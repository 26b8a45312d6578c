-- +goose Up
-- Leads that nobody has looked at yet. All else that an errand has follows from the lead, so the intake writes one small row
-- behind the last, and no index beside it.
CREATE TABLE fresh (
    lead_seq INTEGER PRIMARY KEY
);

-- +goose Down
INSERT INTO deliveries (lead_seq, due_at, since) SELECT seq, created_at, created_at FROM fresh JOIN leads ON seq = lead_seq WHERE true
    ON CONFLICT (lead_seq) DO NOTHING;
DROP TABLE fresh;
