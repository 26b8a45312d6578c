package store

import "context"

// sqliteFiller writes copied rows by the one connection that writes.
type sqliteFiller struct{ line }

func (f *sqliteFile) fill(ctx context.Context) (filler, error) {
	l, err := f.write(ctx, everything)
	if err != nil {
		return nil, err
	}
	return sqliteFiller{l}, nil
}

// aftermath needs nothing: rows are numbered by the last one that is there.
func (f *sqliteFile) aftermath() []string { return nil }

func (l sqliteFiller) put(_ context.Context, s shape, out, in []record) error {
	return l.together(func() error {
		for _, r := range out {
			if err := l.exec(s.deletion(), r[:s.keys]); err != nil {
				return err
			}
		}
		add := s.insertion()
		for _, r := range in {
			if err := l.exec(add, r); err != nil {
				return err
			}
		}
		return nil
	})
}

func (l sqliteFiller) do(_ context.Context, statements ...string) error {
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
func (l sqliteFiller) together(work func() error) error {
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
