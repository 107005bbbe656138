package round

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/noisemodel"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

var (
	_ protect.Noted     = (*Plan)(nil)
	_ protect.Corrected = (*Plan)(nil)
	_ protect.Described = (*Plan)(nil)
)

func fit(t testing.TB, tab *table.Table, set map[string]string) *Plan {
	t.Helper()
	q := New()
	must.NoError(t, q.Params().Apply(set))
	p := must.Get(q.Fit(context.Background(), tab, protecttest.Seed(1)))(t)
	return p.(*Plan)
}

func release(t testing.TB, tab *table.Table, set map[string]string) *table.Table {
	t.Helper()
	out := must.Get(fit(t, tab, set).Apply(tab, protecttest.Seed(7)))(t)
	return out
}

func column(step float64, v ...float64) table.Column { return table.NumColumn("x", step, v) }

// TestEqualsTwin rounds whole numbers of steps with whole numbers: the nearest multiple, of two the even one, inside a
// declared domain; and the law says what comes out at random.
func TestEqualsTwin(t *testing.T) {
	floor := func(a, b int) int { return int(math.Floor(float64(a) / float64(b))) }
	long.Check(t, func(r *rapid.T) {
		step := rapid.SampledFrom([]float64{1, 0.01, 0.1, 0.3, 5}).Draw(r, "step")
		m := rapid.IntRange(2, 12).Draw(r, "base in steps")
		base := table.Snap(float64(m)*step, step)
		k := rapid.SliceOfN(rapid.IntRange(-100, 100), 1, 20).Draw(r, "values")
		v := make([]float64, len(k))
		for i := range k {
			v[i] = table.Snap(float64(k[i])*step, step)
		}
		c := column(step, v...)
		first, last := floor(slices.Min(k), m), -floor(-slices.Max(k), m)
		if c.Declared = rapid.Bool().Draw(r, "declared"); c.Declared {
			c.Domain = table.Interval{Lo: table.Snap(-103*step, step), Hi: table.Snap(105*step, step)}
			first, last = -floor(103, m), floor(105, m)
		}
		tab := tabletest.Of(t, c)
		text := fmt.Sprintf("x=%v", base)
		near := release(t, tab, map[string]string{"bases": text})
		p := fit(t, tab, map[string]string{"bases": text, "how": Random})
		kernel, _ := noisemodel.At(p, 0, nil, nil, 0)
		some := must.Get(p.Apply(tab, protecttest.Seed(7)))(r)
		value := func(q int) float64 { return table.Snap(float64(min(max(q, first), last))*base, base) + 0 }
		for i := range k {
			q := floor(k[i], m)
			rest := k[i] - q*m
			below, above := value(q), value(q+1)
			want := below
			if 2*rest > m || 2*rest == m && q%2 != 0 {
				want = above
			}
			if got := near.Num(0)[i]; got != want {
				r.Fatalf("%d steps of %v to %d: %v, expected %v", k[i], step, m, got, want)
			}
			up := float64(rest) / float64(m)
			if above == below {
				up = 0
			}
			if got := kernel.P(v[i], above); rest > 0 && above != below && math.Abs(got-up) > 1e-12 {
				r.Fatalf("%d of %d steps go up with %v", rest, m, got)
			}
			if got := kernel.P(v[i], below); math.Abs(got-(1-up)) > 1e-12 {
				r.Fatalf("%d of %d steps go down with %v", rest, m, got)
			}
			if got := some.Num(0)[i]; kernel.P(v[i], got) == 0 {
				r.Fatalf("%v becomes %v", v[i], got)
			}
		}
		want := table.Interval{Lo: value(first), Hi: value(last)}
		if c.Declared {
			want = c.Domain
		}
		if a := near.Attr(0); a.Step != base || a.Domain != want {
			r.Fatalf("released as %+v", *a)
		}
	})
}

// Rounding at random adds nothing on average, on a grid and off it. A right program is more than five standard errors
// off once in 1.7 million.
func TestRandomIsUnbiased(t *testing.T) {
	const runs = 200_000
	for _, c := range []struct{ step, x, base, up float64 }{{1, 13, 10, 0.3}, {0.01, -0.01, 0.25, 0.96},
		{0, math.Pi, 2, math.Pi/2 - 1}} {
		v := make([]float64, runs+1)
		for i := range v {
			v[i] = c.x
		}
		v[runs] = c.x + 3*c.base
		out := release(t, tabletest.Of(t, column(c.step, v...)),
			map[string]string{"base": fmt.Sprint(c.base), "how": Random}).Num(0)[:runs]
		n := 0.0
		for _, y := range out {
			if y > c.x {
				n++
			}
		}
		if z := (n - runs*c.up) / math.Sqrt(runs*c.up*(1-c.up)); math.Abs(z) > 5 {
			t.Errorf("%v goes up to a multiple of %v %v times in %d (z = %.1f)", c.x, c.base, n, runs, z)
		}
	}
}

// Corrections give what rounding adds to the variance of normal numbers, to five standard errors, estimated from the
// records; the seeds are fixed.
func TestCorrections(t *testing.T) {
	const n = 200_000
	r := rand.New(rand.NewPCG(1, 2))
	for _, c := range []struct {
		step, base float64
		how        string
	}{{1, 10, Nearest}, {1, 15, Nearest}, {0, 12, Nearest}, {1, 2, Random}, {1, 10, Random}, {0, 12, Random}} {
		v := make([]float64, n)
		for i := range v {
			v[i] = table.Snap(20*r.NormFloat64(), c.step)
		}
		tab := tabletest.Of(t, column(c.step, v...))
		p := fit(t, tab, map[string]string{"base": fmt.Sprint(c.base), "how": c.how})
		out := must.Get(p.Apply(tab, protecttest.Seed(7)))(t)
		sum, squares := 0.0, 0.0
		for i, y := range out.Num(0) {
			d := y*y - v[i]*v[i] // the means are 0 but for their own error, which is squared and small
			sum += d
			squares += d * d
		}
		added := sum / n
		se := math.Sqrt((squares/n - added*added) / n)
		if z := (added - p.added(p.Columns[0])) / se; math.Abs(z) > 5 {
			t.Errorf("%+v adds %v, expected %v (z = %.1f)", c, added, p.added(p.Columns[0]), z)
		}
	}
}

func TestChoosesBases(t *testing.T) {
	v := make([]float64, 1000)
	for i := range v {
		v[i] = float64(i) // a standard deviation of 289
	}
	p := fit(t, tabletest.Of(t, column(1, v...)), nil)
	if len(p.Columns) != 1 || p.Columns[0].Base != 100 {
		t.Errorf("%+v", p.Columns)
	}
	v = []float64{0, 1, 1, 0}
	p = fit(t, tabletest.Of(t, column(1, v...)), nil)
	if len(p.Columns) != 0 || len(p.Left) != 1 || len(p.Notes()) != 1 {
		t.Errorf("two values: %+v, %q", p, p.Notes())
	}
	p = fit(t, tabletest.Of(t, column(0, 7, 7)), nil)
	if len(p.Columns) != 0 {
		t.Errorf("a constant: %+v", p)
	}
}

func TestRefuses(t *testing.T) {
	declared := column(1, 13, 17)
	declared.Domain, declared.Declared = table.Interval{Lo: 12, Hi: 18}, true
	class := column(1, 1, 2)
	class.Name, class.Role = "class", table.Class
	tab := tabletest.Of(t, declared, class)
	for _, c := range []struct{ name, value, want string }{
		{"bases", "x=20", "no multiple"},
		{"bases", "x=1.5", "not a multiple of its step"},
		{"bases", "x=0", "not a valid base"},
		{"bases", "x=NaN", "not a valid base"},
		{"bases", "y=1", `no column "y"`},
		{"bases", "class=10", "it is the class"},
		{"bases", "x=2,x=3", "named twice"},
		{"columns", "class", "it is the class"},
	} {
		q := New()
		must.NoError(t, q.Params().Apply(map[string]string{c.name: c.value}))
		if _, err := q.Fit(context.Background(), tab, protecttest.Seed(1)); err == nil ||
			!strings.Contains(err.Error(), c.want) {
			t.Errorf("%s=%s: %v", c.name, c.value, err)
		}
	}
}
