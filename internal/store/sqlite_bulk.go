package store

import "context"

// sqliteBulkWriter writes copied rows by the one connection that writes.
type sqliteBulkWriter struct{ conn }

func (f *sqliteFile) openBulkWriter(ctx context.Context) (bulkWriter, error) {
	l, err := f.write(ctx, roleAll)
	if err != nil {
		return nil, err
	}
	return sqliteBulkWriter{l}, nil
}

// afterCopy needs nothing: rows are numbered by the last one that is there.
func (f *sqliteFile) afterCopy() []string { return nil }

func (l sqliteBulkWriter) replaceRows(_ context.Context, s tableSpec, out, in []record) error {
	return l.inTx(func() error {
		for _, r := range out {
			if err := l.exec(s.deleteQuery(), r[:s.keys]); err != nil {
				return err
			}
		}
		add := s.insertQuery()
		for _, r := range in {
			if err := l.exec(add, r); err != nil {
				return err
			}
		}
		return nil
	})
}

func (l sqliteBulkWriter) execAll(_ context.Context, statements ...string) error {
	return l.inTx(func() error {
		for _, s := range statements {
			if err := l.exec(s, nil); err != nil {
				return err
			}
		}
		return nil
	})
}

// inTx does work in one transaction.
func (l sqliteBulkWriter) inTx(work func() error) error {
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
