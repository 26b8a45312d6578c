package main

import (
	"fmt"
	"io"

	"foyer/internal/terminal"
	"foyer/internal/wire"
)

// print prints a result: as one JSON object, or as text.
func (e env) print(asJSON bool, o wire.Object, text func(io.Writer) error) error {
	if !asJSON {
		return text(e.stdout)
	}
	_, err := e.stdout.Write(wire.MarshalIndent(o))
	return err
}

// sentence returns a function that prints a line of text.
func sentence(format string, args ...any) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := fmt.Fprintf(w, format+"\n", args...)
		return err
	}
}

// printLine prints one JSON object on a line of its own.
func (e env) printLine(o wire.Object) error {
	_, err := fmt.Fprintf(e.stdout, "%s\n", wire.Marshal(o))
	return err
}

// printList prints a list: a JSON object per line, or a table.
func printList[T any](e env, asJSON bool, list []T, object func(T) wire.Object, headings string, cells func(T) []any) error {
	if asJSON {
		for _, x := range list {
			if err := e.printLine(object(x)); err != nil {
				return err
			}
		}
		return nil
	}
	rows := make([][]any, len(list))
	for i, x := range list {
		rows[i] = cells(x)
	}
	return terminal.Table(e.stdout, headings, rows)
}
