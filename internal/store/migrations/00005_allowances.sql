-- +goose Up
-- What clients did, where several processes share the counts: when everything that was granted would be spent at the right
-- pace, in nanoseconds since 1970.
CREATE TABLE allowances (
    key      TEXT PRIMARY KEY,
    spent_at BIGINT NOT NULL,
    step     BIGINT NOT NULL,
    burst    BIGINT NOT NULL,
    granted  BIGINT NOT NULL -- of what was asked for last
);

-- +goose Down
DROP TABLE allowances;
