package dialect

import (
	"errors"
	"fmt"
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

// LeaveOut notes that a column is not read, and why, which goes on behind a colon.
func (i *Info) LeaveOut(column, why string) {
	i.LeftOut = append(i.LeftOut, column)
	i.Note("column %q is left out: %s", column, why)
}

// NoColumn is the error of a file all of whose columns are left out.
func (i *Info) NoColumn() error {
	if len(i.Notes) == 0 {
		return errors.New("the file has no columns")
	}
	return fmt.Errorf("no column of the file can be read; %s", i.Notes[0])
}
