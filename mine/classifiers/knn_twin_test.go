package classifiers

import (
	"context"
	"encoding/json"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// knnTwin predicts record i of asked by comparing it with every record of train but the one at position except.
func knnTwin(l *KNNLearner, train, asked *table.Table, i, except int) int32 {
	class := train.Cat(train.Width() - 1)
	type seen struct {
		row int
		d   float64
	}
	var all []seen
	for r, c := range class {
		if c < 0 || r == except {
			continue
		}
		d := 0.0 // first the attributes that the question lacks: sums of floats depend on their order
		for j := range train.Width() - 1 {
			if asked.MissingAt(i, j) {
				d++
			}
		}
		for j := range train.Width() - 1 {
			if !asked.MissingAt(i, j) {
				d += twinPart(l, train, asked, j, r, i)
			}
		}
		all = append(all, seen{r, d})
	}
	slices.SortStableFunc(all, func(a, b seen) int {
		switch {
		case a.d < b.d:
			return -1
		case a.d > b.d:
			return 1
		}
		return 0
	})
	all = all[:min(l.K, len(all))]
	best, most := int32(-1), 0
	for _, a := range all {
		n := 0
		for _, b := range all {
			if class[a.row] == class[b.row] {
				n++
			}
		}
		if n > most {
			best, most = class[a.row], n
		}
	}
	return best
}

// twinPart returns the squared distance in one attribute of a known value from that of a training record.
func twinPart(l *KNNLearner, train, asked *table.Table, j, r, i int) float64 {
	if train.MissingAt(r, j) {
		return 1
	}
	if train.Attr(j).Kind == table.Categorical {
		return unequal(asked.Cat(j)[i] != train.Cat(j)[r])
	}
	var known []float64
	for k, v := range train.Num(j) {
		if train.Cat(train.Width() - 1)[k] >= 0 && v == v {
			known = append(known, v)
		}
	}
	slices.Sort(known)
	a, b := asked.Num(j)[i], train.Num(j)[r]
	if l.Distance == Overlap {
		return unequal(knnTwinBin(known, l.Bins, a) != knnTwinBin(known, l.Bins, b))
	}
	lo := known[0]
	unit := known[len(known)-1] - lo
	if unit == 0 {
		return 0
	}
	e := (a-lo)/unit - (b-lo)/unit
	return float64(e * e)
}

// knnTwinBin numbers the bin of a value: it fills bins one by one from the values that are left. Without bins it is the
// value.
func knnTwinBin(known []float64, bins int, v float64) float64 {
	if bins == 0 {
		return v
	}
	for b := 0; ; b++ {
		if bins-b <= 1 || len(known) == 0 {
			return float64(b)
		}
		share := (len(known) + bins - b - 1) / (bins - b) // rounded up
		last := known[share-1]
		rest := slices.DeleteFunc(slices.Clone(known), func(k float64) bool { return k <= last })
		if v <= last || len(rest) == 0 {
			return float64(b)
		}
		known = rest
	}
}

func unequal(is bool) float64 {
	if is {
		return 1
	}
	return 0
}

// The index, the codes and the vote give what comparing with every record gives, to the last bit, with each record
// among the others and without; so does the model through JSON.
func TestKNNTwin(t *testing.T) {
	long.Check(t, func(r *rapid.T) {
		tab := protecttest.RandomTable(r)
		if rapid.Bool().Draw(r, "numbers") {
			tab = numbers(tab, rapid.IntRange(0, 1).Draw(r, "last missing") == 1)
		}
		cut := rapid.IntRange(1, tab.Rows()).Draw(r, "train")
		train := tab.Slice(0, cut)
		l := &KNNLearner{
			K: rapid.IntRange(1, 9).Draw(r, "k"), Distance: rapid.SampledFrom([]string{Mixed, Overlap}).Draw(r, "distance"),
			Scale: MinMax, Bins: rapid.SampledFrom([]int{0, 1, 2, 3, 10}).Draw(r, "bins"),
		}
		m := must.Get(l.Fit(context.Background(), train, rng.Source{}))(r)
		text := must.Get(json.Marshal(m))(r)
		back := new(KNNModel)
		must.NoError(r, json.Unmarshal(text, back))
		must.NoError(r, back.Check())
		got, again := make([]int32, tab.Rows()), make([]int32, tab.Rows())
		m.(*KNNModel).Predict(tab, got)
		back.Predict(tab, again)
		alone := must.Get(l.LeaveOneOut(context.Background(), train))(r)
		for i := range got {
			if want := knnTwin(l, train, tab, i, -1); got[i] != want || again[i] != want {
				r.Fatalf("record %d is predicted %d, through JSON %d, expected %d", i, got[i], again[i], want)
			}
			if i < cut {
				if want := knnTwin(l, train, tab, i, i); alone[i] != want {
					r.Fatalf("record %d is predicted %d by the others, expected %d", i, alone[i], want)
				}
			}
		}
	})
}

// numbers returns the numeric columns and the class with missing numbers made 0, but perhaps for the last record's.
func numbers(t *table.Table, last bool) *table.Table {
	var cols []int
	for j := range t.Width() {
		if v := slices.Clone(t.Num(j)); v != nil {
			for i := range v[:len(v)-1] {
				if math.IsNaN(v[i]) {
					v[i] = 0
				}
			}
			if !last {
				v[len(v)-1] = 1
			}
			t = t.WithNum(j, v)
			cols = append(cols, j)
		}
	}
	return t.Select(append(cols, t.Width()-1)...)
}

// With the standard deviation as unit, a column of numbers and its multiple predict the same, and the unit is that of
// divisor n-1.
func TestZScore(t *testing.T) {
	v := []float64{1, 2, 4, 7, math.NaN()}
	tab := tabletest.Of(t, table.NumColumn("v", 0, v), knnClassColumn([]int32{0, 1, 0, 1, 1}))
	m := must.Get((&KNNLearner{K: 1, Distance: Mixed, Scale: ZScore}).Fit(context.Background(), tab, rng.Source{}))(t)
	c := m.(*KNNModel).Columns[0]
	protecttest.Near(t, "mean", c.Centre, 3.5, 1e-15)
	protecttest.Near(t, "standard deviation", c.Scale, math.Sqrt(7), 1e-15) // (6.25 + 2.25 + 0.25 + 12.25) / 3
}

func knnClassColumn(codes []int32) table.Column {
	c := table.CatColumn("class", []string{"no", "yes"}, codes)
	c.Role = table.Class
	return c
}
