package fence_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/internal/testkit/yardstick"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/internal/fence"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
	"github.com/dither-data/dither/wrap"
)

// standard writes its normals, times 40, over the values that are not missing.
func standard(t *table.Table) func(rows []int, y, z [][]float64) error {
	return func(rows []int, y, z [][]float64) error {
		for k := range y {
			for r := range y[k] {
				i := r
				if rows != nil {
					i = rows[r]
				}
				y[k][r] = 40*z[k][r] + 0*t.Num(k)[i] // NaN stays
			}
		}
		return nil
	}
}

// zeros is a table of two integer columns with domains -8..8, with a gap in the second.
func zeros(t testing.TB, n int) *table.Table {
	t.Helper()
	a, b := table.NumColumn("a", 1, make([]float64, n)), table.NumColumn("b", 1, make([]float64, n))
	a.Domain, b.Domain = table.Interval{Lo: -8, Hi: 8}, table.Interval{Lo: -8, Hi: 8}
	if n > 3 {
		b.Num[3] = math.NaN()
	}
	return tabletest.Of(t, a, b)
}

func around(tab *table.Table, outside string) *fence.Fence {
	return &fence.Fence{Outside: outside, Whole: fence.Domains(tab.Attrs(), []int{0, 1}, outside)}
}

// Draw is compared with its definition, value by value: allow and clip round the first draw, redraw takes the first of
// the 33 draws of which both values lie inside.
func TestFenceIsItsDefinition(t *testing.T) {
	const n = 400
	tab, names := zeros(t, n), []string{"a", "b"}
	first := map[string][]float64{}
	for _, name := range names {
		z := make([]float64, n)
		rng.Normals[uint64](protecttest.Seed(1).Fork(name).Stream(), z, nil, 0)
		first[name] = z
	}
	for outside, limit := range map[string]float64{fence.OutsideAllow: 8 + 16*16, fence.OutsideClip: 8} {
		y := must.Get(around(tab, outside).Draw(tab, protecttest.Seed(1), names, standard(tab)))(t)
		for k, name := range names {
			for i, v := range y[k] {
				want := max(min(math.RoundToEven(40*first[name][i]), limit), -limit)
				if math.IsNaN(tab.Num(k)[i]) {
					want = math.NaN()
				}
				if v != want && !(math.IsNaN(v) && math.IsNaN(want)) {
					t.Fatalf("%s, %s, row %d: %v, expected %v", outside, name, i, v, want)
				}
			}
		}
	}
	y := must.Get(around(tab, fence.OutsideRedraw).Draw(tab, protecttest.Seed(1), names, standard(tab)))(t)
	for i := range n {
		a, b := redrawn(tab, i)
		if y[0][i] != a || y[1][i] != b && !(math.IsNaN(b) && math.IsNaN(y[1][i])) {
			t.Fatalf("redraw, row %d: %v and %v, expected %v and %v", i, y[0][i], y[1][i], a, b)
		}
	}
}

// redrawn draws one record until it lies inside.
func redrawn(tab *table.Table, i int) (a, b float64) {
	sa, sb := protecttest.Seed(1).Fork("a"), protecttest.Seed(1).Fork("b")
	for range 33 {
		var za, zb [1]float64
		rng.Normals[uint64](sa.Stream(), za[:], nil, uint64(i))
		rng.Normals[uint64](sb.Stream(), zb[:], nil, uint64(i))
		a, b = math.RoundToEven(40*za[0]), math.RoundToEven(40*zb[0])
		if math.IsNaN(tab.Num(1)[i]) {
			b = math.NaN()
		}
		if math.Abs(a) <= 8 && !(math.Abs(b) > 8) {
			return a, b
		}
		sa, sb = sa.Fork("again"), sb.Fork("again")
	}
	return max(min(a, 8), -8), max(min(b, 8), -8)
}

// A law that never comes inside is clipped in the end; one that fails hands its error on, at the first draw and at a
// later one.
func TestFenceEnds(t *testing.T) {
	tab := zeros(t, 5)
	far := func(_ []int, y, _ [][]float64) error {
		for k := range y {
			for i := range y[k] {
				y[k][i] = 1000
			}
		}
		return nil
	}
	y, err := around(tab, fence.OutsideRedraw).Draw(tab, protecttest.Seed(1), []string{"a", "b"}, far)
	if err != nil || y[0][0] != 8 || y[1][4] != 8 {
		t.Errorf("%v, %v", y, err)
	}
	for _, last := range []int{0, 3} {
		calls := 0
		_, err := around(tab, fence.OutsideRedraw).Draw(
			tab,
			protecttest.Seed(1),
			[]string{"a", "b"},
			func(rows []int, y, z [][]float64) error {
				if calls++; calls > last {
					return fmt.Errorf("call %d", calls)
				}
				return far(rows, y, z)
			},
		)
		if err == nil || err.Error() != fmt.Sprintf("call %d", last+1) {
			t.Errorf("a law that fails after %d calls: %v", last, err)
		}
	}
}

// Domains by row and by column are the same thing; the zero Domain leaves everything as it is.
func TestFenceByRow(t *testing.T) {
	tab, names := zeros(t, 300), []string{"a", "b"}
	for _, outside := range []string{fence.OutsideAllow, fence.OutsideClip, fence.OutsideRedraw} {
		whole := around(tab, outside)
		byRow := &fence.Fence{Outside: outside, Domain: func(k, i int) *wrap.Domain { return &whole.Whole[k] }}
		a := must.Get(whole.Draw(tab, protecttest.Seed(2), names, standard(tab)))(t)
		b := must.Get(byRow.Draw(tab, protecttest.Seed(2), names, standard(tab)))(t)
		for k := range a {
			if !slices.EqualFunc(a[k], b[k], func(v, w float64) bool { return v == w || v != v && w != w }) {
				t.Errorf("%s: column %d differs", outside, k)
			}
		}
	}
	free := &fence.Fence{Outside: fence.OutsideRedraw, Whole: make([]wrap.Domain, 2)}
	y, err := free.Draw(tab, protecttest.Seed(2), names, standard(tab))
	if err != nil || y[0][0] == math.RoundToEven(y[0][0]) {
		t.Errorf("without a domain a value is rounded: %v, %v", y[0][0], err)
	}
}

// A rounded -0.3 is released as 0: "-0" would tell its sign.
func TestNoNegativeZero(t *testing.T) {
	tab := zeros(t, 2000)
	for _, outside := range []string{fence.OutsideAllow, fence.OutsideClip, fence.OutsideRedraw} {
		y := must.Get(around(tab, outside).Draw(tab, protecttest.Seed(3), []string{"a", "b"}, standard(tab)))(t)
		none := 0
		for _, v := range y[0] {
			if v == 0 {
				none++
				if math.Signbit(v) {
					t.Fatal("a negative zero")
				}
			}
		}
		if none < 5 {
			t.Errorf("%d zeros", none)
		}
	}
}

func TestWidened(t *testing.T) {
	a := table.Attribute{Name: "a", Domain: table.Interval{Lo: 2, Hi: 4}, Step: 1}
	declared := a
	declared.Declared = true
	constant := table.Attribute{Domain: table.Interval{Lo: 3, Hi: 3}, Step: 5}
	endless := table.Attribute{Domain: table.Interval{Lo: -8e307, Hi: 8e307}}
	for _, c := range []struct {
		a       table.Attribute
		outside string
		want    table.Interval
	}{
		{a, fence.OutsideAllow, table.Interval{Lo: -30, Hi: 36}}, {a, fence.OutsideClip, a.Domain},
		{a, fence.OutsideRedraw, a.Domain}, {a, fence.OutsideSign, table.Interval{Lo: 0, Hi: 36}},
		{declared, fence.OutsideAllow, a.Domain}, {constant, fence.OutsideAllow, table.Interval{Lo: -77, Hi: 83}},
		{endless, fence.OutsideAllow, endless.Domain},
		{table.Attribute{Kind: table.Categorical}, fence.OutsideAllow, table.Interval{}},
	} {
		if got := fence.Widened(c.a, c.outside).Domain; got != c.want {
			t.Errorf("%v, %s: %v, expected %v", c.a, c.outside, got, c.want)
		}
	}
}

func TestConfidential(t *testing.T) {
	tab := protecttest.Mixed(20) // age, income, temperature, ratio, city, score, hours, sex, weight, size, risk
	role := func(tab *table.Table, name string, r table.Role) *table.Table {
		a := *tab.Attr(tab.Find(name))
		a.Role |= r
		return tab.WithAttr(tab.Find(name), a)
	}
	for _, c := range []struct {
		t      *table.Table
		except []string
		x, s   string
	}{
		{tab, nil, "[0 1 2 3 5 6]", "[]"},
		{tab, []string{"age", "city"}, "[1 2 3 5 6]", "[0]"},
		{role(role(tab, "income", table.Confidential), "hours", table.Confidential), []string{"hours"}, "[1]", "[0 2 3 5 6]"},
		{role(tab, "income", table.Confidential), []string{"income"}, "[]", "[0 1 2 3 5 6]"}, // not all the others
		{role(tab, "hours", table.Class), nil, "[0 1 2 3 5]", "[]"},
	} {
		x, s, err := protect.Confidential(c.t, c.except)
		if fmt.Sprint(x) != c.x || fmt.Sprint(s) != c.s || err != nil {
			t.Errorf("except %v: %v and %v, %v; expected %s and %s", c.except, x, s, err, c.x, c.s)
		}
	}
	if _, _, err := protect.Confidential(tab, []string{"none"}); err == nil || !strings.Contains(err.Error(), `"none"`) {
		t.Errorf("a column that does not exist: %v", err)
	}
	if _, _, err := protect.Confidential(role(tab, "age", table.Identifier), nil); err == nil {
		t.Error("an identifier is accepted")
	}
}

// One column of 1,000,000 values takes 0.17 of slices.Sort on as many random float64, by row or not; redraw, of which
// none is needed here, 0.20.
func BenchmarkFence(b *testing.B) {
	tab := zeros(b, 1_000_000)
	for _, c := range []struct {
		name, outside string
		byRow         bool
	}{{"clip", fence.OutsideClip, false}, {"clip by row", fence.OutsideClip, true},
		{"redraw", fence.OutsideRedraw, false}} {
		b.Run(c.name, func(b *testing.B) {
			f := around(tab, c.outside)
			if c.byRow {
				whole := f.Whole
				f.Domain = func(k, i int) *wrap.Domain { return &whole[k] }
			}
			for b.Loop() {
				law := func(_ []int, y, z [][]float64) error { copy(y[0], z[0]); return nil }
				must.Get(f.Draw(tab, protecttest.Seed(1), []string{"a"}, law))(b)
			}
			yardstick.Report(b)
		})
	}
}
