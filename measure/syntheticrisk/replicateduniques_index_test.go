package syntheticrisk

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// TestEqual: what is marked in a column are the records that do not differ, one by one: of numbers that are many, few,
// close together, infinite or missing, within a reach and exactly; and of codes.
func TestEqual(t *testing.T) {
	long.Check(t, func(r *rapid.T) {
		n := rapid.SampledFrom([]int{1, 63, 64, 65, 200, 3000}).Draw(r, "records")
		steps := rapid.SampledFrom([]int{1, 3, 40, 5000}).Draw(r, "values")
		odd := rapid.Bool().Draw(r, "missing and infinite")
		number := rapid.Custom(func(r *rapid.T) float64 {
			if odd {
				switch rapid.IntRange(0, 9).Draw(r, "odd") {
				case 0:
					return math.NaN()
				case 1:
					return math.Inf(1 - 2*rapid.IntRange(0, 1).Draw(r, "sign"))
				}
			}
			return float64(rapid.IntRange(0, steps).Draw(r, "value")) / 10
		})
		numbers := func(name string) table.Column {
			few := rapid.SliceOfN(number, 1, 40).Draw(r, name)
			v := make([]float64, n)
			for i := range v {
				v[i] = few[i*7919%len(few)] + float64(i*steps/n)
			}
			if lo, _ := table.Range(v); lo-lo == 0 { // no number that was drawn to divide the others is as small
				v[n-1] = lo - 0.1
			}
			return table.NumColumn("x", 0.1, v)
		}
		labels := []string{"a", "b", "c"}
		codes := func(name string) table.Column {
			few := rapid.SliceOfN(rapid.Int32Range(-1, 2), 1, 40).Draw(r, name)
			v := make([]int32, n)
			for i := range v {
				v[i] = few[i*7919%len(few)]
			}
			return table.CatColumn("y", labels, v)
		}
		release := &measure.Release{Original: tabletest.Of(t, numbers("x"), codes("y")),
			Released: tabletest.Of(t, numbers("other x"), codes("other y"))}
		reach := rapid.SampledFrom([]float64{0, 0.1, 0.3, 7}).Draw(r, "reach")
		to := setOf(n)
		for j := range 2 {
			v := must.Get(valuesOf(release, j))(r)
			c := &replicatedColumn{values: v, reach: reach}
			for range 20 {
				person, in := rapid.IntRange(0, n-1).Draw(r, "person"), rapid.IntRange(0, 1).Draw(r, "table")
				exact := rapid.Bool().Draw(r, "exact")
				c.equal(to, in, person, exact)
				for i := range n {
					if got := to[i/64]>>(i%64)&1 == 1; got == c.differs(person, in, i, exact) {
						r.Fatalf("column %d, record %d of table %d: equal to %d is %v", j, i, in, person, got)
					}
				}
			}
		}
	})
}

// TestSums: numbers kept bit by bit are those that were added, and records that were left out do not count.
func TestSums(t *testing.T) {
	long.Check(t, func(r *rapid.T) {
		n, columns := rapid.IntRange(1, 200).Draw(r, "records"), rapid.IntRange(1, 20).Draw(r, "columns")
		s, plain, out := sumsOf(n, 2*columns), make([]int, n), make([]bool, n)
		for range columns {
			equal, shift := setOf(n), rapid.IntRange(0, 1).Draw(r, "shift")
			for i, same := range rapid.SliceOfN(rapid.Bool(), n, n).Draw(r, "equal") {
				if same {
					equal.add(i)
				} else {
					plain[i] += 1 << shift
				}
			}
			s.add(equal, shift)
		}
		for _, i := range rapid.SliceOf(rapid.IntRange(0, n-1)).Draw(r, "out") {
			out[i] = true
			s.among.drop(i)
		}
		for most := range slices.Max(plain) + 1 {
			count := 0
			for i, v := range plain {
				in := !out[i] && v <= most
				if in {
					count++
				}
				if in != (s.upTo(i/64, most)>>(i%64)&1 == 1) {
					r.Fatalf("record %d with %d, out %v: up to %d is %v", i, v, out[i], most, !in)
				}
			}
			if s.count(most) != count {
				r.Fatalf("%d records have up to %d, not %d", count, most, s.count(most))
			}
		}
	})
}
