-- +goose Up
-- What people ask for concerning what is kept of them: no more contact, or nothing kept. The operator settles it.
CREATE TABLE wishes (
    seq     INTEGER PRIMARY KEY,
    id      TEXT NOT NULL,
    at      BIGINT NOT NULL,
    kind    TEXT NOT NULL,
    phone   TEXT NOT NULL, -- emptied when the wish is settled
    lead_id TEXT NOT NULL, -- '' where the person did not know
    state   TEXT NOT NULL,
    note    TEXT NOT NULL
);
CREATE UNIQUE INDEX wishes_id ON wishes (id);
-- Few are open at a time. By this a wish that is sent twice is known.
CREATE INDEX wishes_open ON wishes (phone, lead_id, kind) WHERE state = 'open';

-- +goose Down
DROP TABLE wishes;
