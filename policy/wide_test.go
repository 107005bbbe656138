package policy

import (
	"strconv"
	"testing"

	"github.com/dither-data/dither/internal/text/spelling"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// TestManyColumnsOfATable: what is looked up of a column does not cost as much as all columns, where its name is not
// misspelt: 5,000 columns take no look for a name like another, and took one for each. A policy of another table,
// which has none of them, is not compared with all of it either. Work is counted in what such a look allocates.
func TestManyColumnsOfATable(t *testing.T) {
	const width = 5_000
	p, other := &Policy{Columns: map[string]Column{}}, &Policy{Columns: map[string]Column{}}
	cols, names := make([]table.Column, width), make([]string, width)
	for j := range cols {
		names[j] = "c" + strconv.Itoa(j)
		cols[j] = table.NumColumn(names[j], 1, []float64{1, 2})
		p.Columns[names[j]] = Column{}
		other.Columns["another "+names[j]] = Column{}
	}
	tab := tabletest.Of(t, cols...)
	look := testing.AllocsPerRun(1, func() { spelling.Hint("another column", names) })
	all := testing.AllocsPerRun(1, func() {
		if err := p.Misspelt(names); err != nil {
			t.Error(err)
		}
		if err := other.Misspelt(names); err != nil {
			t.Error(err)
		}
		p.Clipped(tab)
		if _, err := p.Apply(tab); err != nil {
			t.Error(err)
		}
	})
	if all > 1000*look || look < width {
		t.Errorf("a policy of %d columns allocated as often as %v looks for a name like another, of a table that lacks "+
			"more than %d",
			width, all/look, hints)
	}
}
