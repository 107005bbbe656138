package numeric_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/measure/internal/numeric"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// Named columns come in the order of their names, each once; without names all numeric ones but identifiers and
// weights.
func TestColumns(t *testing.T) {
	cols := []table.Column{
		table.NumColumn("a", 1, []float64{1}),
		table.CatColumn("b", []string{"x"}, []int32{0}),
		table.NumColumn("c", 1, []float64{1}),
		table.NumColumn("w", 1, []float64{1}),
		table.NumColumn("id", 1, []float64{1}),
	}
	cols[3].Role, cols[4].Role = table.Weight, table.Identifier
	tab := tabletest.Of(t, cols...)
	for _, c := range []struct {
		names []string
		want  []int
		err   string
	}{
		{nil, []int{0, 2}, ""}, {[]string{"c", "a", "c"}, []int{2, 0}, ""}, {[]string{"w"}, []int{3}, ""},
		{[]string{"a", "d"}, nil, `no column "d"`}, {[]string{"b"}, nil, `column "b" is categorical, expected numeric`},
	} {
		got, err := numeric.Columns(tab, c.names)
		if !slices.Equal(got, c.want) || (err != nil) != (c.err != "") ||
			err != nil && !strings.Contains(err.Error(), c.err) {
			t.Errorf("%v: %v, error %v", c.names, got, err)
		}
	}
}
