package study

import (
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/limit"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// Exact dates of birth tell, and so do those that noise moves by days only; those of noise of years, of a shuffle, and
// years instead of days do not. Months tell dates finer than a year. The draws are fixed.
func TestDatesThatTell(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 1))
	born, shuffled := make([]float64, 2000), make([]float64, 2000)
	for i := range born {
		born[i] = float64(r.IntN(80*365)) - 50*365
	}
	for k, i := range r.Perm(len(born)) {
		shuffled[k] = born[i]
	}
	noisy := func(days float64) table.Column {
		out := make([]float64, len(born))
		for i, v := range born {
			out[i] = v + float64(int((2*r.Float64()-1)*days))
		}
		return table.DateColumn("born", "dd.mm.yyyy", out)
	}
	as := func(label func(v float64) string) table.Column {
		codes, at, labels := make([]int32, len(born)), map[string]int32{}, []string(nil)
		for i, v := range born {
			l := label(v)
			if _, ok := at[l]; !ok {
				at[l] = int32(len(labels))
				labels = append(labels, l)
			}
			codes[i] = at[l]
		}
		return table.CatColumn("born", labels, codes)
	}
	iso := func(v float64) string { return string(table.DateColumn("", "yyyy-mm-dd", nil).Dates.Append(nil, v)) }
	for _, c := range []struct {
		name        string
		col         table.Column
		birth, date bool
	}{
		{"as they are", table.DateColumn("born", "dd.mm.yyyy", born), true, true},
		{"moved by three days", noisy(3), true, true},
		{"moved by a fortnight", noisy(14), true, true},
		{"moved by half a year", noisy(180), true, true},
		{"moved by ten years", noisy(3650), false, false},
		{"of others", table.DateColumn("born", "dd.mm.yyyy", shuffled), false, false},
		{"months", as(func(v float64) string { return iso(v)[:7] }), false, true},
		{"years", as(func(v float64) string { return iso(v)[:4] }), false, false},
	} {
		rel := &measure.Release{
			Original: tabletest.Of(t, table.DateColumn("born", "dd.mm.yyyy", born)),
			Released: tabletest.Of(t, c.col),
			Paired:   true,
		}
		told := must.Get(FindIdentifying(t.Context(), rel))(t)
		birth, date := false, false
		for _, f := range told {
			birth, date = birth || f.Kind == limit.Birth, date || f.Kind == limit.Date
		}
		if birth != c.birth || date != c.date {
			t.Errorf("%s: dates of birth %v, dates %v, expected %v and %v: %v", c.name, birth, date, c.birth, c.date, told)
		}
	}
}

// Admissions of one fortnight are near each other by chance, and nobody's.
func TestFewDaysAreNearByChance(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 2))
	a, b := make([]float64, 1000), make([]float64, 1000)
	for i := range a {
		a[i], b[i] = 19000+float64(r.IntN(90)), 19000+float64(r.IntN(90))
	}
	if near := nearDates(tabletest.Of(t, table.DateColumn("in", "yyyy-mm-dd", a)),
		tabletest.Of(t, table.DateColumn("in", "yyyy-mm-dd", b)), 0, 0); near > byChance {
		t.Errorf("%.3f are near beyond chance", near)
	}
}

// TestDays: what is counted day by day, and what is sorted, is what somebody counts who looks at every date.
func TestDays(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		part := rapid.SampledFrom([]float64{1, 1, 0.5, 0.1, 1e6}).Draw(t, "part of a day")
		values := rapid.SliceOf(rapid.Map(rapid.IntRange(-40, 40), func(n int) float64 {
			if n == 40 {
				return math.NaN()
			}
			return float64(n) * part
		})).Draw(t, "days")
		known := daysOf(values, func(v float64) float64 { return v })
		lo := rapid.Float64Range(-60, 60).Draw(t, "from")
		if rapid.Bool().Draw(t, "whole") {
			lo = math.Round(lo)
		}
		hi := lo + rapid.SampledFrom([]float64{0, 0.4, 3, 30}).Draw(t, "long")
		n, want := 0, 0
		for _, v := range values {
			if v == v {
				n++
			}
			if lo <= v && v <= hi {
				want++
			}
		}
		if got := known.within(lo, hi); got != want || known.n != n {
			t.Fatalf("%d of %d days from %v to %v, expected %d of %d", got, known.n, lo, hi, want, n)
		}
	})
}
