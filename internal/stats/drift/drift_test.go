package drift

import (
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// TestIndex: the worked case, and that the index is not negative, 0 for the same shares, and the same both ways.
func TestIndex(t *testing.T) {
	if _, _, _, psi := Index([]float64{.5, .3, .2}, []float64{.4, .3, .3}, Floor); math.Abs(psi-.062861) > 5e-7 {
		t.Errorf("%v, expected .062861", psi)
	}
	long.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 8).Draw(t, "bins")
		draw := func(name string) []float64 {
			return rapid.SliceOfN(rapid.Float64Range(0.5, 100), n, n).Draw(t, name)
		}
		e, a := draw("e"), draw("a")
		_, _, _, there := Index(e, a, Floor)
		_, _, _, back := Index(a, e, Floor)
		if _, _, _, same := Index(e, e, Floor); there < 0 || math.Abs(there-back) > 1e-12 || same != 0 {
			t.Errorf("%v, %v back, %v for the same", there, back, same)
		}
	})
	for psi, want := range map[float64]State{0.0999: Quiet, 0.1: Watch, 0.25: Watch, 0.2501: Stop} {
		if StateOf(psi) != want {
			t.Errorf("%v is %s", psi, StateOf(psi))
		}
	}
}

// TestCompare: a table is not far from itself; new values, values outside and missing ones are counted, and the class
// is told.
func TestCompare(t *testing.T) {
	nan := math.NaN()
	age := table.NumColumn("age", 1, []float64{20, 30, 40, 50, nan})
	ward := table.CatColumn("ward", []string{"er", "icu"}, []int32{0, 0, 1, 1, -1})
	ward.Role = table.Class
	a := tabletest.Of(t, age, ward)
	b := must.Get(Of(a, nil))(t)
	same := must.Get(b.Compare(a))(t)
	for _, s := range same.Columns {
		if s.PSI != 0 || s.State != Quiet || s.Outside != 0 || s.Unknown != 0 || math.Abs(s.Missing-0.2) > 1e-12 {
			t.Errorf("%+v", s)
		}
	}
	other := must.Get(b.Compare(
		tabletest.Of(t, table.NumColumn("age", 1, []float64{19, 20, 51, nan}),
			table.CatColumn("ward", []string{"spa", "icu", "bar", "er"}, []int32{0, 0, 2, 3})),
	))(t)
	x, y := other.Columns[0], other.Columns[1]
	if math.Abs(x.Outside-2.0/3) > 1e-12 || math.Abs(x.Missing-0.25) > 1e-12 || !y.Class || y.Unknown != 2 ||
		y.UnknownShare != 0.75 ||
		y.New[0] != "bar" ||
		y.State != Stop {
		t.Errorf("%+v\n%+v", x, y)
	}
	if _, err := b.Compare(tabletest.Of(t, ward)); err == nil {
		t.Error("a column that is not there was compared")
	}
}

// TestChance: of pairs of samples of one law 5 % exceed what is said of chance: 4,000 pairs, five standard errors
// (0.017) and a hundredth for the approximation.
func TestChance(t *testing.T) {
	long.Only(t, "4,000 pairs of samples")
	r := rand.New(rand.NewPCG(5, 6))
	draw := func(n int) *table.Table {
		v := make([]float64, n)
		for i := range v {
			v[i] = r.Float64()
		}
		return tabletest.Of(t, table.NumColumn("x", 0, v))
	}
	over := 0.0
	for range 4000 {
		b := must.Get(Of(draw(3000), nil))(t)
		rep := must.Get(b.Compare(draw(1000)))(t)
		if f := rep.Columns[0].Figure; f.PSI > f.Chance {
			over++
		}
	}
	if share := over / 4000; math.Abs(share-0.05) > 0.027 {
		t.Errorf("%v of the tables exceed it", share)
	}
}
