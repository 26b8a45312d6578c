// Package store keeps leads, in SQLite or in PostgreSQL. It holds the SQL, the migrations, and the writers that commit
// whatever is waiting in one transaction; a call that saves returns after the commit that holds its row.
//
// Some words have a meaning of their own here. A job waits in a queue until a writer takes it, the one that has the queue's
// pen; a trade is what a writer is for. A line is a connection that writes, a hand is what a job holds of it while its
// transaction is open, and a Page is that transaction as others see it. Eyes are connections that read; a still is a
// database as it is at one moment. A writer whose connection failed is sick until it is cured; a queue whose writers are
// all sick is ailing, and refuses.
//
// It knows no rule of the trade: rules live in Go above, rows in SQL here. Driver errors are translated at its border,
// so nobody above learns which engine is below.
package store
