package report

import (
	"fmt"
	"io"
	"slices"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
)

// mostListed is the width of a column of a listing, in characters.
const mostListed = 56

// Listing writes rows for a terminal as a plain table: no box, the first row underlined, wide columns wrapped. The numbered columns, from 0, are
// right-aligned.
func Listing(w io.Writer, header []string, rows [][]string, numeric ...int) error {
	t := table.NewWriter()
	style := table.StyleLight
	style.Options = table.Options{SeparateHeader: true}
	style.Box.PaddingLeft, style.Box.PaddingRight = "", "  "
	style.Format = table.FormatOptions{Header: text.FormatDefault, Row: text.FormatDefault}
	t.SetStyle(style)
	t.SuppressTrailingSpaces()
	t.AppendHeader(cellsOf(header))
	for _, r := range rows {
		t.AppendRow(cellsOf(r))
	}
	cfg := make([]table.ColumnConfig, len(header))
	for n := range cfg {
		cfg[n] = table.ColumnConfig{Number: n + 1, WidthMax: mostListed, WidthMaxEnforcer: text.WrapSoft}
		if slices.Contains(numeric, n) {
			cfg[n].Align, cfg[n].AlignHeader = text.AlignRight, text.AlignRight
		}
	}
	t.SetColumnConfigs(cfg)
	_, err := fmt.Fprintln(w, t.Render())
	return err
}

func cellsOf(cells []string) table.Row {
	r := make(table.Row, len(cells))
	for i, c := range cells {
		r[i] = Printable(c)
	}
	return r
}
