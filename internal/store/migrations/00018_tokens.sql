-- +goose Up
-- Tokens with which programs use the operator's API. Of a token only the hash is kept.
CREATE TABLE tokens (
    id            TEXT PRIMARY KEY,
    name          TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 100),
    hash          TEXT NOT NULL UNIQUE CHECK (length(hash) = 64), -- SHA-256, in hex
    scope         TEXT NOT NULL CHECK (scope IN ('read', 'write')),
    personal_data BIGINT NOT NULL CHECK (personal_data IN (0, 1)), -- whether it may see who sent a lead
    created_at    BIGINT NOT NULL CHECK (created_at > 0),
    created_by    TEXT NOT NULL,
    expires_at    BIGINT NOT NULL CHECK (expires_at > 0),
    revoked_at    BIGINT NOT NULL DEFAULT 0,
    used_at       BIGINT NOT NULL DEFAULT 0 -- to the minute
);

-- +goose Down
DROP TABLE tokens;
