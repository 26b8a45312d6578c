package sqlite

import (
	"database/sql/driver"
	"errors"
)

const (
	// maxStatements is how many compiled statements a connection keeps, none with a text of more than maxText bytes: such a text lists
	// leads, does not come again, and takes much memory, which Go's limit does not count.
	maxStatements = 250
	maxText       = 2000
)

// statement is what the driver prepares.
type statement interface {
	driver.Stmt
	driver.StmtExecContext
	driver.StmtQueryContext
}

// statements are the compiled statements of a connection that are not in use, by their text. Compiling one takes longer than running most.
type statements map[string]statement

// take takes a statement, or compiles it. A query may run inside the rows of the same one: that gets a statement of its own.
func (kept statements) take(query string, c driver.Conn) (statement, error) {
	if s, ok := kept[query]; ok {
		delete(kept, query)
		return s, nil
	}
	made, err := c.Prepare(query)
	if err != nil {
		return nil, err
	}
	return made.(statement), nil
}

// giveBack keeps a statement for the next use of its text, in place of any other if there are too many.
func (kept statements) giveBack(query string, s statement) error {
	if kept == nil || len(query) > maxText || kept[query] != nil { // the connection is closed, or this query ran inside itself
		return s.Close()
	}
	var err error
	for text, other := range kept {
		if len(kept) < maxStatements {
			break
		}
		delete(kept, text)
		err = errors.Join(err, other.Close())
	}
	kept[query] = s
	return err
}

func (kept statements) close() error {
	var errs []error
	for _, s := range kept {
		errs = append(errs, s.Close())
	}
	return errors.Join(errs...)
}
