package cli

import (
	"fmt"
	"io"

	"foyer/internal/operator"
	"foyer/internal/terminal"
	"foyer/internal/wire"
)

// Print prints a result: as one JSON object, or as text.
func (e Env) Print(asJSON bool, o wire.Object, text func(io.Writer) error) error {
	if !asJSON {
		return text(e.Stdout)
	}
	_, err := e.Stdout.Write(wire.MarshalIndent(o))
	return err
}

// Sentence returns a function that prints a line of text.
func Sentence(format string, args ...any) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := fmt.Fprintf(w, format+"\n", args...)
		return err
	}
}

// PrintLine prints one JSON object on a line of its own.
func (e Env) PrintLine(o wire.Object) error {
	_, err := fmt.Fprintf(e.Stdout, "%s\n", wire.Marshal(o))
	return err
}

// PrintList prints a list: a JSON object per line, or a table.
func PrintList[T any](e Env, asJSON bool, list []T, object func(T) wire.Object, headings string, cells func(T) []any) error {
	if asJSON {
		for _, x := range list {
			if err := e.PrintLine(object(x)); err != nil {
				return err
			}
		}
		return nil
	}
	rows := make([][]any, len(list))
	for i, x := range list {
		rows[i] = cells(x)
	}
	return terminal.Table(e.Stdout, headings, rows)
}

// List lists all there is of something. Instead of a table without rows it prints a sentence, if there is one.
func List[T any](e Env, f ListFlags, read func(*operator.Operator) ([]T, error), nothing string, object func(T) wire.Object, headings string, cells func(T) []any) error {
	return e.WithOperator(f.Data, func(op *operator.Operator) error {
		list, err := read(op)
		if err != nil {
			return err
		}
		if len(list) == 0 && !f.JSON && nothing != "" {
			return Sentence("%s", nothing)(e.Stdout)
		}
		return PrintList(e, f.JSON, list, object, headings, cells)
	})
}
