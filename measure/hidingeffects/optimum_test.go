package hidingeffects

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

func sets(t *testing.T, text string) *table.Table {
	var rows [][]int32
	for _, word := range strings.Fields(text) {
		var row []int32
		for _, r := range word {
			row = append(row, r-'a')
		}
		rows = append(rows, row)
	}
	return tabletest.Of(t, table.SetColumn("s", []string{"a", "b", "c", "d", "e"}, table.SetsOf(rows, nil)))
}

// TestSeven: of the 11 sets of items that may stay the optimum loses none. A release that deletes a and b wherever they
// are together loses a few, one that changes nothing hides nothing.
func TestSeven(t *testing.T) {
	for _, c := range []struct {
		was, is string
		want    OptimumDetail
	}{
		{"abc abd acd bcd abcd ab ce", "c d acd bcd cd a ce", OptimumDetail{Patterns: 11, Lost: 7, Cells: 3, Proved: true}},
		{"abc abd acd bcd abcd ab ce", "bc bd acd bcd abcd a ce", OptimumDetail{Patterns: 11, Cells: 3, Proved: true}},
		{"abc abd acd bcd abcd ab ce", "abc abd acd bcd abcd ab ce",
			OptimumDetail{Patterns: 11, Cells: 3, Found: 1, Proved: true}},
	} {
		m := Optimum.New().(*OptimumMeter)
		must.NoError(t, m.Params().Apply(map[string]string{"sensitive": "a=>b;b,a", "support": "2"}))
		v := must.Get(m.Measure(context.Background(),
			&measure.Release{Original: sets(t, c.was), Released: sets(t, c.is), Paired: true}, rng.Source{}))(t)
		if got := v.Detail.(OptimumDetail); got != c.want || math.Abs(v.Score-float64(c.want.Lost)/11) > 1e-12 ||
			v.Hi != v.Score {
			t.Errorf("%s: %+v, score %v to %v, want %+v", c.is, got, v.Score, v.Hi, c.want)
		}
	}
}

// TestUnavoidable: what every release loses is not held against one.
func TestUnavoidable(t *testing.T) {
	m := Optimum.New().(*OptimumMeter)
	must.NoError(t, m.Params().Apply(map[string]string{"sensitive": "a,b;c,d", "support": "2"}))
	v := must.Get(m.Measure(context.Background(),
		&measure.Release{Original: sets(t, "abc abcd ab cd cde de"), Released: sets(t, "c d b c e e"), Paired: true},
		rng.Source{}))(t)
	// Of a, b, c, d, e, ac, bc and de c alone and e are left.
	if got := v.Detail.(OptimumDetail); got.Patterns != 8 || got.Lost != 6 || got.Optimum != 1 || got.Least != 1 ||
		math.Abs(v.Score-5./8) > 1e-12 {
		t.Errorf("%+v, score %v", got, v.Score)
	}
}

// TestSentence: what is not proved is not said to be.
func TestSentence(t *testing.T) {
	d := OptimumDetail{Patterns: 1200, Lost: 3, Proved: true}
	if got, want := d.Says().String(), "itemsets that may stay: 1,200; lost by this release: 3; by the optimum: 0, "+
		"which is proved"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	d = OptimumDetail{Patterns: 12, Lost: 3, Optimum: 2, Least: 1, Found: 1}
	if got := d.Says().String(); !strings.Contains(got, "by the best that is known: 2, and by none fewer than 1; but "+
		"this release leaves 1 sensitive itemset") {
		t.Error(got)
	}
}
