package execute_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/execute"
	"github.com/dither-data/dither/protect/framework"
	"github.com/dither-data/dither/protect/gadp"
	"github.com/dither-data/dither/protect/stages"
	"github.com/dither-data/dither/protect/swapping"
	"github.com/dither-data/dither/protect/within"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// standing returns the share of the released numbers of a column that are values which one person of the original has.
func standing(was, is *table.Table, j int) float64 {
	count, n := map[float64]int{}, 0
	for _, v := range was.Num(j) {
		count[v]++
	}
	for _, v := range is.Num(j) {
		if count[v] == 1 {
			n++
		}
	}
	return float64(n) / float64(is.Rows())
}

// Techniques that take numbers from the original release those of single people between their neighbours, inside
// segments and as a stage, too, and say so, on any number of cores and in any chunks; asked for exact ones they release
// these.
func TestExact(t *testing.T) {
	tab := people()
	lab := make([]float64, tab.Rows())
	r := rng.New([32]byte{7}).Rand()
	for i := range lab {
		lab[i] = table.Snap(10+2*r.NormFloat64(), 1e-6)
	}
	column := table.NumColumn("lab", 1e-6, lab)
	column.Role = table.Confidential
	tab = must.Get(tab.WithColumns(append(tab.Columns(), column)))(t)
	j := tab.Find("lab")
	two := stages.Of(swapping.Rank, framework.Methods[0])
	for _, c := range []struct {
		m     protect.Method
		exact string
		set   map[string]string
	}{
		{gadp.Shuffle, "exact", nil}, {gadp.CGADP, "exact", nil}, {swapping.Rank, "exact", nil},
		{within.Of(swapping.Rank), "exact", nil}, {two, stages.Prefix(1) + "exact", map[string]string{
			stages.Prefix(2) + "except": "lab,age,bmi,systolic,glucose,prior_admissions,days"}},
	} {
		for exact, most := range map[string]float64{"false": 0.05, "true": 1} {
			set := map[string]string{c.exact: exact}
			for k, v := range c.set {
				set[k] = v
			}
			p := fitted(t, c.m, tab, set)
			made, err := execute.Plan(t.Context(), p, tab, rng.New([32]byte{1}), execute.Options{KeepOrder: true})
			if err != nil {
				t.Fatalf("%s: %v", c.m.Name, err)
			}
			if got := standing(tab, made.Table, j); got > most || exact == "true" && got < 0.9 {
				t.Errorf("%s, exact %s: %.3f of the released numbers are one person's", c.m.Name, exact, got)
			}
			says := slices.ContainsFunc(made.Notes, func(n string) bool { return strings.Contains(n, "lab") })
			if _, staged := p.(protect.Wrapper); !staged && says != (exact == "false") {
				t.Errorf("%s, exact %s: notes %q", c.m.Name, exact, made.Notes)
			}
			opt := execute.Options{KeepOrder: true, Options: protect.Options{Chunk: 100, Workers: 1}}
			again, err := execute.Plan(t.Context(), p, tab, rng.New([32]byte{1}), opt)
			if err != nil || !slices.Equal(again.Table.Num(j), made.Table.Num(j)) {
				t.Errorf("%s: in other chunks it is another release (%v)", c.m.Name, err)
			}
		}
	}
}

// asItIs releases the numbers of the original, of a column that holds no two alike.
type asItIs struct {
	Attrs []table.Attribute `json:"schema"`
	Set   int               `json:"set"`
}

func (p *asItIs) Schema() []table.Attribute { return p.Attrs }
func (*asItIs) Changes() []string           { return []string{"lab"} }
func (*asItIs) Empirical() []string         { return []string{"lab"} }
func (*asItIs) LeastCommon() int            { return protect.Common }

func (*asItIs) Apply(chunk *table.Table, _ rng.Source) (*table.Table, error) { return chunk, nil }

// What is drawn between neighbours is keyed by plan and table, as the noise is: another setting, or one value that
// differs, and everybody's number is drawn anew. By one draw a second release would show who changed. The seed is
// fixed, so the test never fails by chance.
func TestBetweenIsKeyed(t *testing.T) {
	lab := make([]float64, 1000)
	for i := range lab {
		lab[i] = float64(i*i) + 0.25
	}
	of := func(lab []float64) *table.Table {
		tab := must.Get(table.New(table.NumColumn("lab", 1e-9, lab)))(t)
		return tab
	}
	tab := of(lab)
	moved := slices.Clone(lab)
	moved[500]++ // its place among the others stays
	other := of(moved)
	first := inOrder(t, &asItIs{tab.Attrs(), 1}, tab, 3).Num(0)
	if again := inOrder(t, &asItIs{tab.Attrs(), 1}, tab, 3).Num(0); !slices.Equal(first, again) {
		t.Error("one seed, plan and table give two releases")
	}
	for what, second := range map[string][]float64{
		"another setting":    inOrder(t, &asItIs{tab.Attrs(), 2}, tab, 3).Num(0),
		"a value that moved": inOrder(t, &asItIs{tab.Attrs(), 1}, other, 3).Num(0),
	} {
		for i := range first {
			if first[i] == lab[i] || first[i] == second[i] {
				t.Fatalf("%s: record %d shows %v of %v, and then %v", what, i, first[i], lab[i], second[i])
			}
		}
	}
}
