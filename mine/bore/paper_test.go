package bore_test

import (
	_ "embed"
	"slices"
	"testing"

	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

//go:embed testdata/bore_sap.json
var golden []byte

type rows struct {
	Rows    [][]string
	Classes []string
	Best    string
}

// table returns the records with labels in the order of their first occurrence, which must not matter.
func (in *rows) table(t testing.TB) *table.Table {
	coded := func(name string, values []string) table.Column {
		var labels []string
		codes := make([]int32, len(values))
		for i, v := range values {
			if codes[i] = int32(slices.Index(labels, v)); codes[i] < 0 {
				codes[i], labels = int32(len(labels)), append(labels, v)
			}
		}
		return table.CatColumn(name, labels, codes)
	}
	var cols []table.Column
	for j := range in.Rows[0] {
		values := make([]string, len(in.Rows))
		for i, row := range in.Rows {
			values[i] = row[j]
		}
		cols = append(cols, coded(string(rune('a'+j)), values))
	}
	target := coded("class", in.Classes)
	target.Role = table.Class
	return tabletest.Of(t, append(cols, target)...)
}

// Peters 2011, section 3.1, equation 3.2 and figure 3.1: the ranks of the values of the weather data.
func TestEquation32(t *testing.T) {
	type ranks struct {
		Ranks []struct {
			Column int
			Value  string
			Rank   float64
		}
	}
	for _, c := range protecttest.Cases[rows, ranks](t, golden, "bore") {
		m := fit(t, c.Input.table(t), 10)
		best := int(m.Attrs[m.Class].Code(c.Input.Best))
		for _, want := range c.Expected.Ranks {
			v := int(m.Attrs[m.Columns[want.Column].Attribute].Code(want.Value))
			protecttest.Near(t, c.Name+" "+want.Value, m.Ranks(want.Column, best)[v], want.Rank, c.Tolerance.Abs)
		}
	}
}

// Peters 2011, section 3.1: the rule of a class is the value of the highest rank in every attribute.
func TestRules(t *testing.T) {
	for _, c := range protecttest.Cases[rows, map[string][]string](t, golden, "critical_values") {
		m := fit(t, c.Input.table(t), 10)
		for label, rule := range c.Expected {
			for k, want := range rule {
				v := m.Critical(k, int(m.Attrs[m.Class].Code(label)))
				if got := m.Attrs[m.Columns[k].Attribute].Labels[v]; got != want {
					t.Errorf("%s, class %s: critical value %q of attribute %d, expected %q", c.Name, label, got, k, want)
				}
			}
		}
	}
}

// The text has the rule of every class.
func TestText(t *testing.T) {
	m := fit(t, protecttest.Cases[rows, map[string][]string](t, golden, "critical_values")[0].Input.table(t), 10)
	const want = `class = no (5 records):
  c = high                                                     rank 0.1633
  a = sunny                                                    rank 0.1286
  b = hot                                                      rank 0.0714
class = yes (9 records):
  c = norm                                                     rank 0.3673
  a = over                                                     rank 0.2857
  b = mild                                                     rank 0.1905
`
	if got := m.Text(); got != want {
		t.Errorf("text\n%s", got)
	}
}
