package report

import (
	"io"

	"github.com/jedib0t/go-pretty/v6/table"
)

// mostListed is the width of a column of a listing, in characters.
const mostListed = 56

// listing writes rows for a terminal as a plain table: no box, the first row underlined, wide columns wrapped. The
// numbered columns, from 1, are right-aligned.
func listing(w io.Writer, header []string, rows [][]string, numeric ...int) error {
	t := narrow(mostListed, cellsOf(header), numeric...)
	for _, r := range rows {
		t.AppendRow(cellsOf(r))
	}
	_, err := io.WriteString(w, t.Render()+"\n")
	return err
}

func cellsOf(cells []string) table.Row {
	r := make(table.Row, len(cells))
	for i, c := range cells {
		r[i] = Printable(c)
	}
	return r
}
