package store

import "context"

// sqliteBulkWriter writes copied rows by the one connection that writes.
type sqliteBulkWriter struct{ conn }

func (f *sqliteFile) fill(ctx context.Context) (bulkWriter, error) {
	l, err := f.write(ctx, roleAll)
	if err != nil {
		return nil, err
	}
	return sqliteBulkWriter{l}, nil
}

// afterCopy needs nothing: rows are numbered by the last one that is there.
func (f *sqliteFile) afterCopy() []string { return nil }

// clearTables needs no WHERE: SQLite then drops whole pages.
func (f *sqliteFile) clearTables() (statements []string) {
	for _, s := range shapes {
		statements = append(statements, `DELETE FROM `+s.name)
	}
	return statements
}

func (l sqliteBulkWriter) put(_ context.Context, s shape, rows []record) error {
	return l.together(func() error {
		add := s.insertion()
		for _, r := range rows {
			if err := l.exec(add, r); err != nil {
				return err
			}
		}
		return nil
	})
}

func (l sqliteBulkWriter) do(_ context.Context, statements ...string) error {
	return l.together(func() error {
		for _, s := range statements {
			if err := l.exec(s, nil); err != nil {
				return err
			}
		}
		return nil
	})
}

// together does work in one transaction.
func (l sqliteBulkWriter) together(work func() error) error {
	err := l.begin()
	if err == nil {
		err = work()
	}
	if err == nil {
		err = l.commit()
	}
	if err != nil {
		l.rollback()
	}
	return err
}
