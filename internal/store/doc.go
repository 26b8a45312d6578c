// Package store keeps leads, and everything that happens to them, in SQLite or PostgreSQL. It owns the SQL and the transactions;
// its sub-packages have the engines, the tables, the rows and the queue of writes. How to read and how to write:
//
//	View             operators and background jobs   one snapshot from the read pool; never waits for the writer; no timeout
//	read             every other read of a service   the read pool, each query as of now; never waits; the engine's timeout
//	Reader.View      commands beside a service       one snapshot from a pool of its own; never waits for the writer
//	Engine.Snapshot  dbadmin: check, backup, copy    the whole database at one point in time; may lock tables
//	Update           operators, jobs, forwarder      one transaction, alone; waits for the writer; a group commit includes it
//	Claim, Settle    forwarder                       the same, but on PostgreSQL beside those of other processes: forwarding.go
//	UpdateUrgent     a client that waits             one transaction; commits before the others of its group, or soon fails
//	SaveLead         intake                          one lead, in one commit with all that wait; refused if that takes too long
//
// A call that writes returns only after the commit that includes its row. Writes wait in a queue. A writer takes every request that
// is waiting and commits them together (group commit) on a connection of its own; SQLite appends them to its WAL. If the group fails
// because of one row, the writer commits its requests one by one, so a function passed to Update may run more than once. SQLite has
// one writer; PostgreSQL has several, each with a role. Connections of the read pool cannot write.
//
// When the database fails, the writer retries until a write succeeds. It reopens its connection first, unless the disk is full: that
// leaves a connection intact. Once all writers of a queue are down, the queue refuses new requests right away with lead.Unavailable:
// a lead is never accepted before it is committed.
//
// The package contains no business rules. The packages above decide what a row means; store reads and writes rows. It also
// translates driver errors, so its callers never learn which engine they use.
package store
