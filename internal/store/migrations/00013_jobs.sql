-- +goose Up
-- Work that one process does for all of them, such as deleting what is too old: who does it, and until when the others leave it alone.
CREATE TABLE jobs (
    name        TEXT PRIMARY KEY,
    owner       TEXT NOT NULL,
    token       BIGINT NOT NULL, -- one more for each lease: a transaction of an earlier owner is refused
    until       BIGINT NOT NULL, -- when the lease ends; 0 if nobody has one
    finished_at BIGINT NOT NULL  -- when the job was last done; 0 for never
);

-- +goose Down
DROP TABLE jobs;
