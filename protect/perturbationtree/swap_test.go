package perturbationtree

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/table"
)

// Inside a leaf the confidential values change places, those of a record together.
func TestSwapKeepsVectors(t *testing.T) {
	tab := protecttest.Mixed(1000).Select(1, 0, 2) // all confidential
	set := map[string]string{"inside": Swap, "leafMax": "20"}
	group, out := groups(t, tab, set), release(t, tab, set)
	vectors := func(x *table.Table) []string {
		var v []string
		for i := range x.Rows() {
			v = append(v, fmt.Sprint(group[i], x.Num(0)[i], x.Num(1)[i], x.Num(2)[i]+0))
		}
		slices.Sort(v)
		return v
	}
	if !slices.Equal(vectors(tab), vectors(out)) {
		t.Error("a leaf holds other vectors")
	}
	moved := 0
	for i := range tab.Rows() {
		if tab.Num(0)[i] != out.Num(0)[i] {
			moved++
		}
	}
	if moved < 500 {
		t.Errorf("%d values are another's", moved)
	}
}

// With missing values every column keeps its values leaf by leaf, and every permutation of them is as likely: 6 of
// three known values beside a missing one. Pearson's statistic of 5,000 leaves exceeds the limit with probability 1e-9;
// the seed is fixed.
func TestSwapIsUniform(t *testing.T) {
	const leaves = 5000
	v, s := make([]float64, 4*leaves), make([]float64, 4*leaves)
	for i := range v {
		v[i], s[i] = float64(i%4), float64(i/4)
		if i%4 == 3 {
			v[i] = math.NaN()
		}
	}
	tab := marked(1, table.NumColumn("v", 1, v), table.NumColumn("s", 1, s))
	set := map[string]string{"inside": Swap, "by": "others", "leafMax": "7", "leafMin": "3"}
	if l := fit(t, tab, set).Parts[0].Tree.Leaves(); l != leaves {
		t.Fatalf("%d leaves", l)
	}
	y := release(t, tab, set).Num(0)
	seen := map[[3]float64]float64{}
	for i := 0; i < len(y); i += 4 {
		if y[i+3] == y[i+3] {
			t.Fatal("a missing value is filled")
		}
		seen[[3]float64{y[i], y[i+1], y[i+2]}]++
	}
	statistic := 0.0
	for _, n := range seen {
		statistic += (n - leaves/6.0) * (n - leaves/6.0) / (leaves / 6.0)
	}
	if len(seen) != 6 || statistic > (distuv.ChiSquared{K: 5}).Quantile(1-1e-9) {
		t.Errorf("permutations %v", seen)
	}
}

// The seed of the application decides, not that of the fit.
func TestSwapDraws(t *testing.T) {
	tab := protecttest.Mixed(200)
	p := fit(t, tab, map[string]string{"inside": Swap})
	a, _ := p.Apply(tab, protecttest.Seed(1))
	b, _ := p.Apply(tab, protecttest.Seed(2))
	if slices.Equal(a.Num(0), b.Num(0)) {
		t.Error("two seeds give the same permutation")
	}
}
