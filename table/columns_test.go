package table

import (
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
)

func TestWithColumnsKeepsIdentities(t *testing.T) {
	tab := must.Get(New(NumColumn("a", 1, []float64{1, 2, 3, 4}), CatColumn("b", []string{"x"}, []int32{0, -1, 0, 0})))(t)
	for name, part := range map[string]*Table{"slice": tab.Slice(1, 3), "gathered": tab.Gather([]int{3, 0})} {
		cols := part.Columns()
		cols[0].Name = "c"
		out := must.Get(part.WithColumns(cols))(t)
		if part.Attr(0).Name != "a" || out.Attr(0).Name != "c" || out.Rows() != 2 {
			t.Errorf("%s: names %q and %q, %d records", name, part.Attr(0).Name, out.Attr(0).Name, out.Rows())
		}
		for i := range 2 {
			if out.ID(i) != part.ID(i) {
				t.Errorf("%s: record %d became %d", name, part.ID(i), out.ID(i))
			}
		}
		if _, err := part.WithColumns(tab.Columns()); err == nil {
			t.Errorf("%s: columns of another length were taken", name)
		}
	}
}
