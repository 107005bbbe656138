package gadp

import (
	"context"
	"encoding/json"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/table"
)

// correlated returns n records of p columns of which each is a normal of its own plus one that all share, the
// first k of them confidential.
func correlated(n, p, k int) *table.Table {
	r := rand.New(rand.NewPCG(1, 2))
	cols := make([]table.Column, p)
	shared := make([]float64, n)
	for i := range shared {
		shared[i] = r.NormFloat64()
	}
	for j := range cols {
		v := slices.Clone(shared)
		for i := range v {
			v[i] += r.NormFloat64()
		}
		cols[j] = table.NumColumn(string(rune('a'+j)), 0, v)
	}
	return marked(k, cols...)
}

func cgadpFitted(t *testing.T, tab *table.Table) (*CGADPPlan, error) {
	t.Helper()
	p, err := NewCGADP().Fit(context.Background(), tab, protecttest.Seed(1))
	if err != nil {
		return nil, err
	}
	return p.(*CGADPPlan), nil
}

// One column given 13 others takes 2 + 5 * 13 + 2 = 69 records, 13 columns given none 28.
func TestCGADPSmallTablesAreRefused(t *testing.T) {
	for _, c := range []struct{ n, p, k, need int }{{30, 14, 1, 69}, {68, 14, 1, 69}, {69, 14, 1, 0}, {5, 13, 13, 28},
		{28, 13, 13, 0}} {
		_, err := cgadpFitted(t, correlated(c.n, c.p, c.k))
		if (err != nil) != (c.need > 0) || err != nil && !strings.Contains(err.Error(), "use egadp, or fewer columns") {
			t.Errorf("%d records of %d columns, %d confidential: the error is %v", c.n, c.p, c.k, err)
		}
	}
}

// A column that the others determine is released as it is, which is noted by its name, also of a decoded plan; so is
// one without two different values.
func TestCGADPOriginalsAreNoted(t *testing.T) {
	tab := correlated(200, 3, 2)
	same, alike := make([]float64, 200), make([]float64, 200)
	for i, v := range tab.Num(0) {
		same[i] = math.Round(1000 * v)
	}
	tab = marked(3, table.NumColumn("a", 1, same), table.NumColumn("b", 0, tab.Num(1)), table.NumColumn("c", 0, alike),
		table.NumColumn("s", 1, same))
	p := must.Get(cgadpFitted(t, tab))(t)
	data, _ := json.Marshal(p)
	again := &CGADPPlan{}
	if err := json.Unmarshal(data, again); err != nil || again.Check() != nil {
		t.Fatal(err, again.Check())
	}
	out := cgadpRelease(t, tab, nil)
	notes := strings.Join(message.Written(again.Notes()), "\n")
	for j, name := range []string{"a", "b", "c"} {
		if same := slices.Equal(out.Num(j), tab.Num(j)); same != (name != "b") ||
			strings.Contains(notes, `every value of "`+name+`" is the original's`) != same {
			t.Errorf("column %q is released as it is: %v; notes %s", name, same, notes)
		}
	}
	if !strings.Contains(notes, `leaves open: "a" 0.000, "b" 0.`) {
		t.Errorf("notes %s", notes)
	}
	if again.Open = again.Open[1:]; again.Check() == nil {
		t.Error("a plan with too few shares is accepted")
	}
}
