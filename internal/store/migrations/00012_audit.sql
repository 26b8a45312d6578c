-- +goose Up
-- Who changed what: one row for each change, written in its transaction. It holds no personal data and no secret.
CREATE TABLE audit (
    seq     INTEGER PRIMARY KEY,
    at      BIGINT NOT NULL CHECK (at > 0),
    actor   TEXT NOT NULL CHECK (length(actor) BETWEEN 1 AND 80),    -- cli:USER, buyer:ID, person, system
    action  TEXT NOT NULL CHECK (length(action) BETWEEN 3 AND 40),   -- such as buyer.pause
    subject TEXT NOT NULL CHECK (length(subject) <= 80),             -- an id, the keyed index of a phone number, or ''
    detail  TEXT NOT NULL CHECK (length(detail) BETWEEN 2 AND 20000) -- JSON
);
CREATE INDEX audit_age ON audit (at);
CREATE INDEX audit_subject ON audit (subject, seq) WHERE subject <> '';

-- +goose Down
DROP TABLE audit;
