package bestorrest

import (
	_ "embed"
	"slices"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

//go:embed testdata/bore_sap.json
var golden []byte

type rows struct {
	Rows     [][]string
	Classes  []string
	PPercent float64 `json:"p_percent"`
}

type counts struct {
	S1 map[string][]int
	S2 map[string]int
}

func (in *rows) table(t testing.TB) *table.Table {
	coded := func(name string, values []string) table.Column {
		labels := slices.Compact(slices.Sorted(slices.Values(values)))
		codes := make([]int32, len(values))
		for i, v := range values {
			codes[i] = int32(slices.Index(labels, v))
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
	return tabletest.Of(t, append(cols, role(coded("class", in.Classes), table.Class))...)
}

// Peters 2011, chapter 3, figures A.3 and A.4: how many cells are suppressed on the weather data. S1 changes only cells
// that hold the class's critical value and keeps the class, S2 changes only the class.
func TestCounts(t *testing.T) {
	for _, c := range protecttest.Cases[rows, counts](t, golden, "sap_counts") {
		t.Run(c.Name, func(t *testing.T) { compare(t, c.Input.table(t), c.Input.PPercent/100, Critical, c.Expected) })
	}
}

// As many as a share of the class, figure A.3: the other reading of the same cases, at 20 and 30 %.
func TestClassSize(t *testing.T) {
	in := protecttest.Cases[rows, counts](t, golden, "sap_counts")[0].Input
	for p, want := range map[float64]counts{
		0.2: {S1: map[string][]int{"no": {1, 1, 1}, "yes": {2, 2, 2}}, S2: map[string]int{"no": 1, "yes": 2}},
		0.3: {S1: map[string][]int{"no": {2, 2, 2}, "yes": {3, 3, 3}}, S2: map[string]int{"no": 2, "yes": 3}},
	} {
		compare(t, in.table(t), p, ClassSize, want)
	}
}

func compare(t *testing.T, tab *table.Table, p float64, count string, want counts) {
	t.Helper()
	for seed := range byte(5) {
		for _, scenario := range []string{S1, S2} {
			q := SAPNew()
			q.Scenario, q.P, q.Count = scenario, p, count
			plan := must.Get(q.Fit(t.Context(), tab, protecttest.Seed(1)))(t)
			out, last := apply(t, plan.(*SAPPlan), tab, seed), tab.Width()-1
			for c, label := range tab.Attr(last).Labels {
				for j := range tab.Width() {
					n := 0
					for i := range tab.Rows() {
						if tab.Cat(last)[i] != int32(c) || !out.MissingAt(i, j) {
							continue
						}
						if n++; scenario == S1 && plan.(*SAPPlan).Rules[j].Critical[c] != tab.Cat(j)[i] {
							t.Errorf("row %d, column %d: suppressed, but not critical", i, j)
						}
					}
					wanted := 0
					switch {
					case scenario == S1 && j < last:
						wanted = want.S1[label][j]
					case scenario == S2 && j == last:
						wanted = want.S2[label]
					}
					if n != wanted {
						t.Errorf("%s, class %s, column %d: %d cells suppressed, expected %d", scenario, label, j, n, wanted)
					}
				}
			}
		}
	}
}
