'use strict';
// The table of leads, with Foyer's columns and the indexes that Foyer keeps for a lead, and two ways to write to it.
const Database = require('better-sqlite3');

const schema = `
CREATE TABLE IF NOT EXISTS leads (
  seq INTEGER PRIMARY KEY, id TEXT NOT NULL, status TEXT NOT NULL, created_at BIGINT NOT NULL, updated_at BIGINT NOT NULL,
  service_type TEXT NOT NULL, zip_code TEXT NOT NULL, marks TEXT NOT NULL, job TEXT NOT NULL, contact BLOB, evidence TEXT NOT NULL
);
CREATE UNIQUE INDEX IF NOT EXISTS leads_id ON leads (id);
CREATE INDEX IF NOT EXISTS leads_held ON leads (seq, service_type, zip_code) WHERE status = 'collected';
CREATE INDEX IF NOT EXISTS leads_failed ON leads (seq) WHERE status = 'error';`;

function open(path) {
  const db = new Database(path);
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = FULL'); // left alone, better-sqlite3 runs NORMAL here: a power cut loses the last commits
  db.pragma('journal_size_limit = 67108864');
  db.pragma('cache_size = -16384');
  db.exec(schema);
  if (synchronous(db) !== 2) throw new Error('the database does not wait for the disk');
  const insert = db.prepare(`INSERT INTO leads (id, status, created_at, updated_at, service_type, zip_code, marks, job, contact, evidence)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
  return { db, insert };
}

// synchronous reads the setting back from the only connection there is, which is the one that writes.
const synchronous = (db) => db.pragma('synchronous', { simple: true });

// each writes a row in a transaction of its own, which a lone statement is.
function each({ insert }) {
  return (row, done) => {
    try {
      insert.run(row);
    } catch (error) {
      return done(error);
    }
    done();
  };
}

// group writes whatever came in one turn of the event loop in one transaction, and answers after its commit. Where a row
// spoils it, the rows are tried one by one.
function group({ db, insert }) {
  const alone = each({ insert });
  const together = db.transaction((waiting) => {
    for (const { row } of waiting) insert.run(row);
  });
  let waiting = [];
  const commit = () => {
    const these = waiting;
    waiting = [];
    try {
      together(these);
    } catch {
      for (const { row, done } of these) alone(row, done);
      return;
    }
    for (const { done } of these) done();
  };
  return (row, done) => {
    if (waiting.push({ row, done }) === 1) setImmediate(commit);
  };
}

module.exports = { open, synchronous, each, group };
