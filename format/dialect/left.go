package dialect

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/table"
)

// Unheld says why a column of a file cannot be held in a table, where the other columns can be: it is left out.
type Unheld string

// Error is the reason.
func (u Unheld) Error() string { return string(u) }

// What files of several formats hold.
const (
	UnheldBytes    Unheld = "it holds bytes that are not UTF-8, expected text"
	UnheldInfinite Unheld = "it holds an infinite number, expected finite ones"
	UnheldTime     Unheld = "it holds a time that lies outside a day"
)

// Asked is why a column is left out that Options.LeaveOut names.
const Asked Unheld = "it is to be left out"

// Leaves returns Asked for a column that is to be left out, and nil for any other.
func (o *Options) Leaves(column string) error {
	if slices.Contains(o.LeaveOut, column) {
		return Asked
	}
	return nil
}

// Without returns the table without the columns that are to be left out and that its format has read all the same.
func (o *Options) Without(t *table.Table, info *Info) (*table.Table, error) {
	var kept []int
	for j := range t.Width() {
		if name := t.Attr(j).Name; o.Leaves(name) == nil {
			kept = append(kept, j)
		} else {
			info.LeaveOut(name, string(Asked))
		}
	}
	switch len(kept) {
	case t.Width():
		return t, nil
	case 0:
		return nil, info.NoColumn()
	}
	return t.Select(kept...), nil
}

// LeaveOut notes that a column is not read, and why, which goes on behind a colon. Who asked for that needs no note.
func (i *Info) LeaveOut(column, why string) {
	i.LeftOut = append(i.LeftOut, column)
	if why != string(Asked) {
		i.Note(message.Say("read.left").Name("column", column).Text("why", why))
	}
}

// Unread is the error of a column that cannot be read, for a reason that may not leave the others out unasked.
func Unread(column string, err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("column %q: %w", column, err)
	}
	return fmt.Errorf("column %q: %w; the others are read if it is left out (--leave-out)", column, err)
}

// NoColumn is the error of a file all of whose columns are left out.
func (i *Info) NoColumn() error {
	switch {
	case len(i.LeftOut) == 0:
		return errors.New("the file has no columns")
	case len(i.Notes) == 0:
		return errors.New("all columns are to be left out")
	}
	return fmt.Errorf("no column of the file can be read; %s", i.Notes[0])
}
