package policy

import (
	"strconv"
	"testing"
	"time"

	"github.com/dither-data/dither/internal/spelling"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// TestManyColumnsOfATable: what is looked up of a column does not cost as much as all columns, where its name is not misspelt: 30,000 columns take
// no look for a name like another, and took one for each. A policy of another table, which has none of them, is not compared with all of it either. Time is counted in such looks.
func TestManyColumnsOfATable(t *testing.T) {
	const width = 30_000
	p, other := &Policy{Columns: map[string]Column{}}, &Policy{Columns: map[string]Column{}}
	cols, names := make([]table.Column, width), make([]string, width)
	for j := range cols {
		names[j] = "c" + strconv.Itoa(j)
		cols[j] = table.NumColumn(names[j], 1, []float64{1, 2})
		p.Columns[names[j]] = Column{}
		other.Columns["another "+names[j]] = Column{}
	}
	tab, start := tabletest.Of(t, cols...), time.Now()
	for range 10 {
		spelling.Hint("another column", names)
	}
	hint := time.Since(start) / 10
	start = time.Now()
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
	if took := time.Since(start); took > 1000*hint {
		t.Errorf("a policy of %d columns took as long as %d looks for a name like another, of a table that lacks more than %d", width, took/hint, hints)
	}
}
