// Package store keeps leads, in SQLite or in PostgreSQL. It holds the SQL, the migrations, and the writers that commit
// whatever is waiting in one transaction; a call that saves returns after the commit that holds its row.
//
// It knows no rule of the trade: rules live in Go above, rows in SQL here. Driver errors are translated at its border,
// so nobody above learns which engine is below.
package store
