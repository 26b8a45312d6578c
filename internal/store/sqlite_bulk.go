package store

import "context"

// sqliteBulkWriter writes copied rows on the single write connection.
type sqliteBulkWriter struct{ conn }

func (f *sqliteFile) openBulkWriter(ctx context.Context) (bulkWriter, error) {
	w, err := f.write(ctx, roleAll)
	if err != nil {
		return nil, err
	}
	return sqliteBulkWriter{w}, nil
}

// afterCopy returns nothing: SQLite numbers a new row after the last existing one.
func (f *sqliteFile) afterCopy() []string { return nil }

// clearTables needs no WHERE: SQLite then drops whole pages.
func (f *sqliteFile) clearTables() (statements []string) {
	for _, s := range tableSpecs {
		statements = append(statements, `DELETE FROM `+s.name)
	}
	return statements
}

func (w sqliteBulkWriter) put(_ context.Context, s tableSpec, rows []record) error {
	return w.inTx(func() error {
		add := s.insertQuery()
		for _, r := range rows {
			if err := w.exec(add, r); err != nil {
				return err
			}
		}
		return nil
	})
}

func (w sqliteBulkWriter) execAll(_ context.Context, statements ...string) error {
	return w.inTx(func() error {
		for _, s := range statements {
			if err := w.exec(s, nil); err != nil {
				return err
			}
		}
		return nil
	})
}

// inTx runs work in one transaction.
func (w sqliteBulkWriter) inTx(work func() error) error {
	err := w.begin()
	if err == nil {
		err = work()
	}
	if err == nil {
		err = w.commit()
	}
	if err != nil {
		w.rollback()
	}
	return err
}
