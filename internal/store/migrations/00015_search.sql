-- +goose Up
-- What finds leads by phone number, e-mail address, ZIP code and buyer. A job writes it behind the intake and the forwarder. A hash is
-- keyed and negative where it stands for a person.
CREATE TABLE search_index (
    hash     BIGINT NOT NULL,
    lead_seq BIGINT NOT NULL,
    PRIMARY KEY (hash, lead_seq)
) WITHOUT ROWID;

-- Up to which row of each table the index goes. Without rows, the job empties the index and begins again.
CREATE TABLE search_progress (
    source TEXT PRIMARY KEY, -- leads or attempts
    seq    BIGINT NOT NULL
);

-- +goose Down
DROP TABLE search_progress;
DROP TABLE search_index;
