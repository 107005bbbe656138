package multiplicativenoise

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/protect/internal/fence"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// Scheme 1 leaves zeros, and integers too small for their noise; the notes count them.
func TestStillValues(t *testing.T) {
	tab := tabletest.Must(table.NumColumn("gain", 1, []float64{0, 0, 0, 1, -2, 100, math.NaN(), 1000, 50, 2}))
	p := fit(t, tab, nil)
	if got, want := p.Counts[0], (Count{Known: 9, Zero: 3, Still: 3}); got != want {
		t.Errorf("the counts are %+v, expected %+v", got, want)
	}
	notes := strings.Join(message.Written(p.Notes()), "\n")
	if !strings.Contains(notes, "33.3 % of the values are zero and stay zero") || strings.Count(notes, "33.3 %") != 2 {
		t.Errorf("the notes are %q", notes)
	}
	for n := range byte(50) {
		out := must.Get(p.Apply(tab, protecttest.Seed(n)))(t)
		for i, x := range tab.Num(0) {
			if math.Abs(x) < 2.5 && out.Num(0)[i] != x {
				t.Errorf("%v becomes %v", x, out.Num(0)[i])
			}
		}
	}
}

// In scheme 2 a zero is like any other value, and whatever is released has a logarithm once it is shifted.
func TestScheme2StaysAboveTheShift(t *testing.T) {
	tab := tabletest.Must(table.NumColumn("a", 1, []float64{1, 1, 1, 2, 9, 40}),
		table.NumColumn("b", 5, []float64{0, 0, 5, 10, 200, 900}))
	p := fit(t, tab, map[string]string{"scheme": "2", "c": "1"})
	if p.Counts[1].Zero != 0 {
		t.Errorf("scheme 2 counts %d zeros as lost", p.Counts[1].Zero)
	}
	for n := range byte(50) {
		out := must.Get(p.Apply(tab, protecttest.Seed(n)))(t)
		for k := range 2 {
			if low := slices.Min(out.Num(k)); low+p.Log.Shift[k] <= 0 {
				t.Errorf("column %d: %v, shifted by %v, has no logarithm", k, low, p.Log.Shift[k])
			}
		}
	}
}

// The shift of scheme 2 is round, from the domain, and lifts everything above 0.
func TestShift(t *testing.T) {
	for _, c := range []struct{ lo, hi, step, want float64 }{
		{1, 10, 1, 0}, {0.5, 10, 0, 0},
		{0, 120, 1, 2}, {0, 50, 1, 1}, {0, 99999, 1, 1000}, {-7, 3, 0.1, 10}, {-1000, 1000, 1, 2000},
		{0, 0, 0, 1}, {0, 0, 1, 1}, {-5, -5, 0, 10}, {-5, -5, 1, 10}, {0, 1e-6, 0, 1e-8}, {-3e-4, 0, 0, 5e-4},
		{-2e10, 3, 0, 5e10},
	} {
		a := &table.Attribute{Domain: table.Interval{Lo: c.lo, Hi: c.hi}, Step: c.step}
		if got := shift(a); got != c.want || got+c.lo <= 0 {
			t.Errorf("[%v, %v] step %v: shift %v, expected %v", c.lo, c.hi, c.step, got, c.want)
		}
	}
}

// Declared domains are kept whatever is asked; observed ones are left with allow only.
func TestOutside(t *testing.T) {
	free := tabletest.Must(table.NumColumn("x", 0, []float64{1, 2, 3, 4, 5, 6, 7, 8}))
	a := *free.Attr(0)
	a.Declared = true
	for _, scheme := range []string{"1", "2"} {
		for _, outside := range []string{fence.OutsideAllow, fence.OutsideSign, fence.OutsideClip, fence.OutsideRedraw} {
			set := map[string]string{"scheme": scheme, "outside": outside, "spread": "0.5", "c": "0.5"}
			for _, tab := range []*table.Table{free, free.WithAttr(0, a)} {
				p := fit(t, tab, set)
				left := false
				for n := range byte(30) {
					out := must.Get(p.Apply(tab, protecttest.Seed(n)))(t)
					left = left || slices.Min(out.Num(0)) < 1 || slices.Max(out.Num(0)) > 8
				}
				if want := fence.Leaves(tab.Attr(0), outside); left != want {
					t.Errorf("scheme %s, outside %s, declared %v: values leave the domain: %v", scheme, outside,
						tab.Attr(0).Declared, left)
				}
				warned := strings.Contains(strings.Join(message.Written(p.Corrections()), "\n"), "left a domain")
				if warned == fence.Leaves(tab.Attr(0), outside) {
					t.Errorf("scheme %s, outside %s: the corrections warn of a biased end: %v", scheme, outside, warned)
				}
			}
		}
	}
}

// With redraw, the values at the ends of a domain are rarer than with clip.
func TestRedrawIsNotClip(t *testing.T) {
	const rows = 10_000
	tab := tabletest.Must(table.NumColumn("x", 1, each(rows, func(i int) float64 { return float64(50 + i%51) })))
	atEnd := func(outside string) (n int) {
		for _, v := range released(t, tab, map[string]string{"spread": "0.5", "outside": outside}).Num(0) {
			if v == 100 {
				n++
			}
		}
		return n
	}
	if c, r := atEnd(fence.OutsideClip), atEnd(fence.OutsideRedraw); c < 2000 || r > 400 {
		t.Errorf("clip leaves %d values at the end, redraw %d", c, r)
	}
}

// A column that does not vary gets no noise in scheme 2, even where missing values make the covariance indefinite.
func TestConstantColumn(t *testing.T) {
	n := math.NaN()
	tab := tabletest.Must(table.NumColumn("five", 0, []float64{5, 5, 5, 5, 5, 5}),
		table.NumColumn("a", 0, []float64{1, 2, 3, n, n, 9}), table.NumColumn("b", 0, []float64{3, 2, 1, 4, 7, n}),
		table.NumColumn("c", 0, []float64{n, 2, 9, 1, 7, 12}))
	out := released(t, tab, map[string]string{"scheme": "2", "c": "1"})
	for i, v := range out.Num(0) {
		if v != 5 {
			t.Errorf("row %d: 5 becomes %v", i, v)
		}
	}
	if slices.Equal(out.Num(1)[:3], tab.Num(1)[:3]) {
		t.Error("the other columns have no noise")
	}
}

// The sentences carry the figures.
func TestCorrections(t *testing.T) {
	tab := lognormals(1000)
	text := strings.Join(message.Written(fit(t, tab, nil).Corrections()), "\n")
	if want := "(variance - 0.00773741 mean²) / 1.00774"; !strings.Contains(text, want) {
		t.Errorf("scheme 1 lacks %q: %s", want, text)
	}
	p := fit(t, tab, map[string]string{"scheme": "2", "c": "0.25"})
	text = strings.Join(message.Written(p.Corrections()), "\n")
	for _, want := range []string{"over all records times 0.2 (", "divided by 1.25,", "means of X need no correction",
		"m(U²) / exp(N(X,X)) -",
		"m(U U') / exp(N(X,X')) -", "a: h = 0"} {
		if !strings.Contains(text, want) {
			t.Errorf("scheme 2 lacks %q: %s", want, text)
		}
	}
	if strings.Contains(text, fmt.Sprintf("%.6g", p.Log.variance(0))) {
		t.Errorf("an exact variance of the original, times c, is published: %s", text)
	}
	p.Log.KeepMean = false
	text = strings.Join(message.Written(p.Corrections()), "\n")
	for _, want := range []string{"m(U) / exp(N(X,X)/2) - h", "m(U²) / exp(2 N(X,X)) -", "/ exp((N(X,X) + N(X',X'))/2 + " +
		"N(X,X')) -"} {
		if !strings.Contains(text, want) {
			t.Errorf("scheme 2 as published lacks %q: %s", want, text)
		}
	}
}

// What users take for the covariance of the noise, 0.2 of that of the release's logarithms, is that of the plan: 20,000
// records give a variance within 5 standard errors, 5 sqrt(2/20000) = 0.05 of it (three: false alarm 2e-6).
func TestNoiseFromTheRelease(t *testing.T) {
	tab, set := lognormals(20_000), map[string]string{"scheme": "2", "c": "0.25"}
	p, out := fit(t, tab, set), released(t, tab, set)
	for k, j := range p.Columns {
		v := slices.Clone(out.Num(j))
		for i := range v {
			v[i] = math.Log(v[i] + p.Log.Shift[k])
		}
		if got, want := 0.2*stat.Variance(v, nil), p.Log.variance(k); math.Abs(got/want-1) > 0.05 {
			t.Errorf("column %d: the release tells %v, the noise has the variance %v", j, got, want)
		}
	}
}

// A column with the role confidential is the only one that changes.
func TestConfidentialOnly(t *testing.T) {
	tab := protecttest.Mixed(50)
	a := *tab.Attr(1)
	a.Role = table.Confidential
	if got := fit(t, tab.WithAttr(1, a), nil).Changes(); !slices.Equal(got, []string{"income"}) {
		t.Errorf("the plan changes %q", got)
	}
}

func TestRefusals(t *testing.T) {
	wide := *ones(3).Attr(0)
	wide.Domain, wide.Declared = table.Interval{Lo: -1.7e308, Hi: 1}, true
	q := New()
	q.Scheme = 2
	if _, err := q.Fit(context.Background(), ones(3).WithAttr(0, wide), protecttest.Seed(1)); err == nil ||
		!strings.Contains(err.Error(), `"x"`) {
		t.Errorf("a shift that cannot be had returns %v", err)
	}
	if _, _, _, err := fit(t, ones(3), nil).Additive(protecttest.Mixed(3)); err == nil {
		t.Error("a release without the column is accepted")
	}
	for what, damage := range map[string]func(p *Plan){
		"no scheme":              func(p *Plan) { p.Log = nil },
		"two schemes":            func(p *Plan) { p.Factor = &Factor{Spread: 0.1} },
		"a spread of 0":          func(p *Plan) { p.Log, p.Factor = nil, &Factor{} },
		"c of 0":                 func(p *Plan) { p.Log.C = 0 },
		"an indefinite noise":    func(p *Plan) { p.Log.Noise[1], p.Log.Noise[len(p.Columns)] = 1e9, 1e9 },
		"an asymmetric noise":    func(p *Plan) { p.Log.Noise[1]++ },
		"noise of another size":  func(p *Plan) { p.Log.Noise = p.Log.Noise[1:] },
		"a shift too small":      func(p *Plan) { p.Log.Shift[0] = -1 },
		"an unknown outside":     func(p *Plan) { p.Outside = "wrap" },
		"counts that contradict": func(p *Plan) { p.Counts[0].Zero = 1 << 40 },
		"counts too few":         func(p *Plan) { p.Counts = nil },
		"a column twice":         func(p *Plan) { p.Columns[1] = p.Columns[0] },
	} {
		p := fit(t, protecttest.Mixed(60), map[string]string{"scheme": "2"})
		p = &Plan{Attrs: p.Attrs, Columns: p.Columns, Outside: p.Outside, Counts: p.Counts,
			Log: &Log{C: p.Log.C, Shift: p.Log.Shift, Low: p.Log.Low, Noise: p.Log.Noise}}
		damage(p)
		if p.Check() == nil {
			t.Errorf("%s is accepted", what)
		}
	}
}
