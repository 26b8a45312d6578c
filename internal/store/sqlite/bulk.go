package sqlite

import (
	"context"

	"foyer/internal/store/db"
)

// bulkWriter writes copied rows on the single write connection.
type bulkWriter struct{ db.Conn }

// BulkWriter opens the write connection.
func (f *File) BulkWriter(ctx context.Context) (db.BulkWriter, error) {
	c, err := f.Write(ctx, db.RoleAll)
	if err != nil {
		return nil, err
	}
	return bulkWriter{c}, nil
}

// AfterCopy returns nothing: SQLite numbers a new row after the last existing one.
func (f *File) AfterCopy([]db.Table) []string { return nil }

// ClearTables needs no WHERE: SQLite then drops whole pages.
func (f *File) ClearTables(tables []db.Table) (statements []string) {
	for _, t := range tables {
		statements = append(statements, `DELETE FROM `+t.Name)
	}
	return statements
}

func (w bulkWriter) Put(_ context.Context, t db.Table, rows [][]any) error {
	return db.InTx(w.Conn, func() error {
		insert := `INSERT INTO ` + t.Name + ` (` + t.ColumnList() + `) VALUES (` + db.Placeholders(1, len(t.Columns)) + `)`
		for _, r := range rows {
			if err := w.Exec(insert, r); err != nil {
				return err
			}
		}
		return nil
	})
}

func (w bulkWriter) ExecAll(_ context.Context, statements ...string) error {
	return db.InTx(w.Conn, func() error {
		for _, s := range statements {
			if err := w.Exec(s, nil); err != nil {
				return err
			}
		}
		return nil
	})
}
