-- +goose Up
-- What finds leads by phone number, e-mail address, ZIP code and buyer. A job writes it behind the intake and the forwarder. A hash is
-- keyed and negative where it stands for a person.
CREATE TABLE search_index (
    hash     BIGINT NOT NULL,
    lead_seq BIGINT NOT NULL,
    PRIMARY KEY (hash, lead_seq)
) WITHOUT ROWID;

-- Up to which row those have come who follow a table: what they derive from it has no later row yet. Without its row, a follower begins
-- again.
CREATE TABLE follow_progress (
    name TEXT PRIMARY KEY,
    seq  BIGINT NOT NULL
);

-- +goose Down
DROP TABLE follow_progress;
DROP TABLE search_index;
