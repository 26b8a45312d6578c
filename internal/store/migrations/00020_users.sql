-- +goose Up
-- Who may sign in to the console. The password is an argon2id hash, or '' while none is chosen.
CREATE TABLE users (
    id           TEXT PRIMARY KEY,
    name         TEXT NOT NULL UNIQUE CHECK (length(name) BETWEEN 1 AND 64),
    role         TEXT NOT NULL CHECK (role IN ('viewer', 'operator', 'owner')),
    password     TEXT NOT NULL DEFAULT '' CHECK (length(password) <= 300),
    created_at   BIGINT NOT NULL CHECK (created_at > 0),
    created_by   TEXT NOT NULL,
    signed_in_at BIGINT NOT NULL DEFAULT 0
);

-- Links that work once: they set a password. Of a link only the hash is kept. One without a user makes the first owner.
CREATE TABLE user_links (
    hash       TEXT PRIMARY KEY CHECK (length(hash) = 64), -- SHA-256, in hex
    user_id TEXT NOT NULL,
    created_at BIGINT NOT NULL CHECK (created_at > 0),
    expires_at BIGINT NOT NULL CHECK (expires_at > 0)
);
CREATE INDEX user_links_user ON user_links (user_id);
CREATE INDEX user_links_age ON user_links (expires_at);

-- Browsers that are signed in. Of a session only the hash is kept.
CREATE TABLE sessions (
    id         TEXT PRIMARY KEY,
    hash       TEXT NOT NULL UNIQUE CHECK (length(hash) = 64), -- SHA-256, in hex
    user_id TEXT NOT NULL,
    device     TEXT NOT NULL CHECK (length(device) <= 200),
    created_at BIGINT NOT NULL CHECK (created_at > 0),
    seen_at    BIGINT NOT NULL CHECK (seen_at > 0), -- to the minute
    expires_at BIGINT NOT NULL CHECK (expires_at > 0)
);
CREATE INDEX sessions_user ON sessions (user_id);
CREATE INDEX sessions_age ON sessions (seen_at);

CREATE TABLE passkeys (
    id            TEXT PRIMARY KEY,
    user_id    TEXT NOT NULL,
    credential_id TEXT NOT NULL UNIQUE,
    credential    TEXT NOT NULL, -- JSON
    name          TEXT NOT NULL CHECK (length(name) <= 100),
    created_at    BIGINT NOT NULL CHECK (created_at > 0),
    used_at       BIGINT NOT NULL DEFAULT 0
);
CREATE INDEX passkeys_user ON passkeys (user_id);

-- +goose Down
DROP TABLE passkeys;
DROP TABLE sessions;
DROP TABLE user_links;
DROP TABLE users;
