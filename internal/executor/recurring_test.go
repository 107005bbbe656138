package executor_test

import (
	"math"
	"strconv"
	"testing"

	"github.com/dither-data/dither/internal/executor"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/rnat"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// Of 20,000 people in two tables of other order half changed a number by 1. A value that stayed is released alike
// whatever became of the person's other number. The noise of one that changed, of two people of one value, and of two
// columns of one value is independent: their differences, of numbers drawn evenly from 0..999, have the correlation 0,
// within 5 standard errors (a false alarm in 2 million for each of three). With one draw for both the first correlation
// is 1.
func TestRecurringNoise(t *testing.T) {
	const n, domain = 20_000, 1000
	labels, who, a, b := make([]string, n), make([]int32, n), make([]float64, n), make([]float64, n)
	for i := range n {
		labels[i], who[i], a[i], b[i] = "p"+strconv.Itoa(i), int32(i), 500, 500
	}
	of := func(a, b []float64) *table.Table {
		x, y := table.NumColumn("a", 1, a), table.NumColumn("b", 1, b)
		x.Domain, y.Domain = table.Interval{Lo: 0, Hi: domain - 1}, table.Interval{Lo: 0, Hi: domain - 1}
		return tabletest.Of(t, x, y)
	}
	first := of(a, b)
	plan := must.Get(protect.Fit(t.Context(), rnat.New(), first, rng.New(rng.SeedOf([32]byte{1}))))(t)
	later, whose := make([]float64, n), make([]int32, n)
	for k := range n {
		i := n - 1 - k
		whose[k], later[k] = int32(i), a[i]
		if i%2 == 0 {
			later[k]++
		}
	}
	release := func(tab *table.Table, who []int32, table_ byte) *table.Table {
		r := executor.Recur{Person: table.CatColumn("person", labels, who), Seed: rng.New([32]byte{1})}
		out, _, err := executor.Recurring(t.Context(), plan, tab, r, rng.New([32]byte{table_}), protect.Options{Chunk: 777})
		must.NoError(t, err)
		return out
	}
	x, y := release(first, who, 7), release(of(later, b), whose, 8)
	var before, after, same, next []float64
	for k := range n {
		i := n - 1 - k
		if y.Num(1)[k] != x.Num(1)[i] || i%2 == 1 && y.Num(0)[k] != x.Num(0)[i] {
			t.Fatalf("a value that stayed is released as another, person %d", i)
		}
		if i%2 == 0 {
			before, after = append(before, x.Num(0)[i]), append(after, y.Num(0)[k])
			same, next = append(same, x.Num(1)[i]), append(next, x.Num(0)[i+1])
		}
	}
	for what, other := range map[string][]float64{"a changed value": after, "another column": same,
		"another person": next} {
		if r := correlated(before, other); math.Abs(r) > 5/math.Sqrt(float64(len(before))) {
			t.Errorf("the noise of %s has the correlation %v", what, r)
		}
	}
}

func correlated(x, y []float64) float64 {
	var n, sx, sy, xx, yy, xy float64
	for i := range x {
		n, sx, sy, xx, yy, xy = n+1, sx+x[i], sy+y[i], xx+x[i]*x[i], yy+y[i]*y[i], xy+x[i]*y[i]
	}
	return (xy - sx*sy/n) / math.Sqrt((xx-sx*sx/n)*(yy-sy*sy/n))
}
