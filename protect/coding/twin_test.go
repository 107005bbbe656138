package coding_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/protect/coding"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
	"pgregory.net/rapid"
)

// people counts those who have a value that is asked for.
func people(v []float64, whose []int32, asked func(x float64) bool) int {
	who := map[int32]bool{}
	for i, x := range v {
		if asked(x) {
			who[whose[i]] = true
		}
	}
	return len(who)
}

// limit is the definition: the largest value that at least k people reach and that leaves at most the share of the
// weight above it; for a mean, none or k people at least. Where no value does, it is the smallest.
func limit(v, w []float64, whose []int32, share float64, k int, mean bool) float64 {
	all := 0.0
	for i := range v {
		if v[i] == v[i] {
			all += w[i]
		}
	}
	values := slices.DeleteFunc(slices.Clone(v), math.IsNaN)
	slices.Sort(values)
	values = slices.Compact(values)
	slices.Reverse(values)
	most := len(values) - 1
	for c, x := range values { // the first limit that leaves more than the share at it or above
		at := 0.0
		for i := range v {
			if v[i] >= x {
				at += w[i]
			}
		}
		if at > share*all {
			most = c
			break
		}
	}
	for _, x := range values[most:] {
		at, above := people(
			v,
			whose,
			func(y float64) bool { return y >= x },
		), people(v, whose, func(y float64) bool { return y > x })
		if at >= k && !(mean && above > 0 && above < k) {
			return x
		}
	}
	return values[len(values)-1]
}

// flat is the definition of what is left alone: some values lie above the limit, and it is the least value, or that of
// most records.
func flat(v []float64, whose []int32, x, share float64, k int, mean bool) bool {
	above, at, known := 0, 0, 0
	for _, y := range v {
		switch {
		case y > x:
			above++
		case y == x:
			at++
		}
		if y == y {
			known++
		}
	}
	averaged := mean && people(v, whose, func(y float64) bool { return y > x }) >= k
	return above > 0 && !averaged && (above+at == known || float64(at) > max(0.5, 1-2*share)*float64(known))
}

// negated returns the negative values, which code the other end.
func negated(v []float64) []float64 {
	out := slices.Clone(v)
	for i := range out {
		out[i] = -out[i]
	}
	return out
}

// TestEqualsTwin compares releases with the definition, for shares that no sum of the weights, which are halves, comes
// near. The twin codes the highest values; the lowest are the highest of the negative ones.
func TestEqualsTwin(t *testing.T) {
	long.Check(t, func(r *rapid.T) {
		n := rapid.IntRange(3, 30).Draw(r, "rows")
		whose, several := make([]int32, n), rapid.Bool().Draw(r, "several records")
		for i := range whose {
			if whose[i] = int32(i); i >= 3 && several {
				whose[i] = int32(rapid.IntRange(0, 6).Draw(r, "whose"))
			}
		}
		k := rapid.IntRange(2, 3).Draw(r, "k")
		v, w := make([]float64, n), make([]float64, n)
		for i := range v {
			v[i], w[i] = float64(rapid.IntRange(-6, 6).Draw(r, "value")), float64(rapid.IntRange(1, 4).Draw(r, "weight"))/2
			if i >= 3 && v[i] == -6 {
				v[i] = math.NaN()
			}
		}
		bottom, x := rapid.Bool().Draw(r, "bottom"), v
		if bottom {
			x = negated(v)
		}
		c, weight := table.NumColumn("x", 1, x), table.NumColumn("w", 0.5, w)
		if weighted := rapid.Bool().Draw(r, "weighted"); weighted {
			weight.Role = table.Weight
		} else {
			w = slices.Repeat([]float64{1}, n)
		}
		mean := rapid.Bool().Draw(r, "mean")
		share := rapid.SampledFrom([]float64{0, 4.7, 9.7, 33.1, 99.9}).Draw(r, "share")
		as := map[bool]string{false: coding.AsLimit, true: coding.AsMean}[mean]
		tab := tabletest.Of(r, c, weight).Owned(whose)
		p := plan(r, bottom, tab, map[string]string{"columns": "x", "share": fmt.Sprint(share), "as": as, "k": fmt.Sprint(k)})
		out := apply(r, p, tab)
		at := limit(v, w, whose, share/100, k, mean)
		if flat(v, whose, at, share/100, k, mean) {
			if len(p.Columns) != 0 || !slices.Equal(p.Left, []int{0}) {
				r.Fatalf("%v is coded: %+v", x, p.Columns)
			}
			return
		}
		want, value, beyond := release(v, w, whose, at, k, mean)
		lo, hi := c.Domain.Lo, value
		if bottom {
			want, at, value = negated(want), -at, -value
			lo, hi = value, c.Domain.Hi
		}
		if !same(out.Num(0), want) {
			r.Fatalf("%v becomes %v, expected %v (limit %v, %d beyond)", x, out.Num(0), want, at, beyond)
		}
		if a := out.Attr(0); a.Domain.Hi != hi || a.Domain.Lo != lo || a.Step != 1 {
			r.Fatalf("released as %+v", *a)
		}
		if c := p.Columns[0]; c.Records != beyond || c.Limit != at || c.Value != value ||
			c.Shown != shown(want, value, bottom) {
			r.Fatalf("%+v, expected limit %v with %d beyond", c, at, beyond)
		}
		extreme := func(y float64) bool { return !bottom && y >= value || bottom && y <= value }
		if of, _ := tab.People(); of == nil && p.Columns[0].People != 0 ||
			of != nil && p.Columns[0].People != people(want, whose, extreme) {
			r.Fatalf("%+v, expected %d people", p.Columns[0], people(want, whose, extreme))
		}
	})
}

// release returns what becomes of the values when those above a limit become the limit, or the mean of k or more of
// them; and what they become.
func release(v, w []float64, whose []int32, limit float64, k int, mean bool) (out []float64, value float64, above int) {
	sum, total := 0.0, 0.0
	for i, y := range v {
		if y > limit {
			above, sum, total = above+1, sum+w[i]*y, total+w[i]
		}
	}
	if value = limit; mean && people(v, whose, func(y float64) bool { return y > limit }) >= k {
		value = math.RoundToEven(sum / total)
	}
	out = slices.Clone(v)
	for i, y := range v {
		if y > limit {
			out[i] = value
		}
	}
	return out, value, above
}

// shown counts the records that have the released extreme.
func shown(out []float64, value float64, bottom bool) int {
	n := 0
	for _, y := range out {
		if y == value || !bottom && y > value || bottom && y < value {
			n++
		}
	}
	return n
}
