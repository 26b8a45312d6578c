-- +goose Up
-- What keeps a lead from being destroyed, because of a claim or an investigation: one row for each lead and matter. A hold that was
-- removed stays: it is evidence, too.
CREATE TABLE legal_holds (
    id          TEXT PRIMARY KEY,
    lead_seq    BIGINT NOT NULL,
    created_at  BIGINT NOT NULL CHECK (created_at > 0),
    created_by  TEXT NOT NULL,
    why         TEXT NOT NULL CHECK (length(why) BETWEEN 1 AND 100),
    removed_at  BIGINT NOT NULL DEFAULT 0, -- 0 while it is in force
    removed_by  TEXT NOT NULL DEFAULT '',
    removed_why TEXT NOT NULL DEFAULT ''
);
CREATE INDEX legal_holds_lead ON legal_holds (lead_seq);
-- Alerts and the lists of privacy requests ask for these.
CREATE INDEX legal_holds_in_force ON legal_holds (created_at, id) WHERE removed_at = 0;

-- +goose Down
DROP TABLE legal_holds;
