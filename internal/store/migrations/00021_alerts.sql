-- +goose Up
-- The rules that an operator changed. All others are as package alert has them.
CREATE TABLE alert_rules (
    rule             TEXT PRIMARY KEY,
    enabled          BIGINT NOT NULL CHECK (enabled IN (0, 1)),
    threshold        BIGINT NOT NULL,
    cooldown_minutes BIGINT NOT NULL CHECK (cooldown_minutes > 0)
);

-- How operators hear of alerts: addresses of mail, and of webhooks.
CREATE TABLE alert_ways (
    id         TEXT PRIMARY KEY,
    kind       TEXT NOT NULL CHECK (kind IN ('mail', 'slack', 'event')),
    address    TEXT NOT NULL CHECK (length(address) BETWEEN 1 AND 2048),
    secret     TEXT NOT NULL DEFAULT '',
    created_at BIGINT NOT NULL CHECK (created_at > 0),
    created_by TEXT NOT NULL
);

-- What fires, and what fired so recently that its cooldown goes on. told is 1 if the last message said that it fires.
CREATE TABLE alert_states (
    rule       TEXT NOT NULL,
    subject    TEXT NOT NULL,
    name       TEXT NOT NULL,
    title      TEXT NOT NULL,
    text       TEXT NOT NULL,
    path       TEXT NOT NULL,
    since      BIGINT NOT NULL CHECK (since > 0),
    cleared_at BIGINT NOT NULL DEFAULT 0,
    told       BIGINT NOT NULL CHECK (told IN (0, 1)),
    sent_at    BIGINT NOT NULL DEFAULT 0,
    PRIMARY KEY (rule, subject)
);

-- What was said, or is to be said, by each way. next_at is 0 once a message is sent or given up.
CREATE TABLE alert_messages (
    id       TEXT PRIMARY KEY,
    way_id   TEXT NOT NULL,
    kind     TEXT NOT NULL CHECK (kind IN ('fired', 'reminder', 'recovered')),
    rule     TEXT NOT NULL,
    subject  TEXT NOT NULL,
    title    TEXT NOT NULL,
    text     TEXT NOT NULL,
    path     TEXT NOT NULL,
    since    BIGINT NOT NULL,
    at       BIGINT NOT NULL CHECK (at > 0),
    attempts BIGINT NOT NULL DEFAULT 0,
    next_at  BIGINT NOT NULL DEFAULT 0,
    sent_at  BIGINT NOT NULL DEFAULT 0,
    failure  TEXT NOT NULL DEFAULT '' -- of the last attempt
);
CREATE INDEX alert_messages_next ON alert_messages (next_at) WHERE next_at > 0;
CREATE INDEX alert_messages_age ON alert_messages (at);

-- What one process knows and the one that looks for alerts does not: requests that failed, free space, backups, the certificate.
CREATE TABLE alert_facts (
    name    TEXT NOT NULL,
    subject TEXT NOT NULL,
    at      BIGINT NOT NULL CHECK (at > 0),
    value   BIGINT NOT NULL,
    PRIMARY KEY (name, subject)
);

-- +goose Down
DROP TABLE alert_facts;
DROP TABLE alert_messages;
DROP TABLE alert_states;
DROP TABLE alert_ways;
DROP TABLE alert_rules;
