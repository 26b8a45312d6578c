// Package store keeps leads, and everything that happens to them, in SQLite or PostgreSQL. It owns the SQL and
// the transactions; its sub-packages have the engines, the tables and the queue of writes. A call that writes returns only after the commit that includes its row.
//
// Writes wait in a queue. A writer takes every request that is waiting and commits them together in one transaction (group
// commit), on a connection of its own. If the group fails because of one row, the writer commits its requests one by one, so a
// function passed to Update may run more than once. SQLite has one writer; PostgreSQL has several, each with a role. Reads go
// to a separate pool of connections that cannot write.
//
// When the database fails, the writer reopens its connection and retries until a write succeeds. Once all writers of a queue
// are down, the queue refuses new requests right away with lead.Unavailable: a lead is never accepted before it is committed.
//
// The package contains no business rules. The packages above decide what a row means; store reads and writes rows. It also
// translates driver errors, so its callers never learn which engine they use.
package store
