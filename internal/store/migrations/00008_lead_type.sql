-- +goose Up
-- A lead as it is handed in. On PostgreSQL a group of them is one value; SQLite has no such types, and reads past this. Processes
-- that run count on its columns: it is never altered. A lead of another shape gets a type of another name.
-- PostgreSQL: CREATE TYPE new_lead AS (id TEXT, status TEXT, created_at BIGINT, updated_at BIGINT, service_type TEXT, zip_code TEXT, marks TEXT, job TEXT, contact BYTEA, evidence TEXT);

-- +goose Down
-- PostgreSQL: DROP TYPE new_lead;
