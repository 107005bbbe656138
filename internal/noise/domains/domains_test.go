package domains_test

import (
	"math"
	"slices"
	"testing"

	"github.com/dither-data/dither/internal/noise/domains"
	"github.com/dither-data/dither/internal/noise/mechanism"
	"github.com/dither-data/dither/internal/stats/audit"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

func laplace(t testing.TB, num, den uint64) mechanism.Laplace {
	t.Helper()
	return must.Get(mechanism.NewLaplace(mechanism.Ratio{Num: num, Den: den}, 1))(t)
}

func words(label string) mechanism.Words { return rng.New([32]byte{3}).Fork(label).Stream().Words() }

// An interval holds what many values have, has public ends, and leaves out what a few have; whatever the noise, but for
// a chance of falsely.
func TestNumbers(t *testing.T) {
	ages := make([]float64, 5000)
	for i := range ages {
		ages[i] = 18 + math.Floor(60*float64(i)/5000)
	}
	for _, c := range []struct {
		values []float64
		want   table.Interval
	}{
		{ages, table.Interval{Lo: 10, Hi: 100}},
		{append([]float64{-1e300, 1e300, math.Inf(1), math.NaN(), 4e9}, ages...), table.Interval{Lo: 10, Hi: 100}},
		{slices.Repeat([]float64{0}, 900), table.Interval{Lo: 0, Hi: 0.001}},
		{slices.Repeat([]float64{-3, 7e20}, 900), table.Interval{Lo: -5, Hi: 5e12}},
	} {
		for seed := range 20 {
			if got := domains.Numbers(words(string(rune('a'+seed))), c.values, laplace(t, 1, 4)); !near(got, c.want) {
				t.Errorf("the domain of %d values is bought as %v, expected %v", len(c.values), got, c.want)
			}
		}
	}
	if got := domains.Numbers(words("none"), nil, laplace(t, 1, 4)); !(got.Lo < got.Hi) {
		t.Errorf("of no values %v is bought", got)
	}
}

func near(a, b table.Interval) bool {
	off := func(x, y float64) bool { return math.Abs(x-y) > 1e-9*max(math.Abs(y), 1) }
	return !off(a.Lo, b.Lo) && !off(a.Hi, b.Hi)
}

// audited is the bound of an attack on what is bought, of tables that differ by one record.
func audited(see func(w mechanism.Words, more int) float64, delta float64) float64 {
	of := func(label string, more int) func(int) float64 {
		w := words(label)
		return func(int) float64 { return see(w, more) }
	}
	a := audit.Attack{First: of("with", 1), Second: of("without", 0), Runs: 4000, Delta: delta, FalseAlarm: 1e-6}
	return a.Epsilon()
}

// An attack that tells by an extreme value, or by a category that one person has, stays below the claim; of ends and
// categories that are read from the data it is far above.
func TestAudit(t *testing.T) {
	long.Only(t, "an audit of differential privacy")
	noise := laplace(t, 1, 1)
	end := func(w mechanism.Words, more int) float64 {
		return domains.Numbers(w, slices.Repeat([]float64{4e9}, 6+more), noise).Hi
	}
	if got := audited(end, 0); got > 1 {
		t.Errorf("an end: epsilon is at least %.3f, the claim is 1", got)
	}
	const delta = 0.02
	category := func(w mechanism.Words, more int) float64 {
		codes := append(make([]int32, 300), slices.Repeat([]int32{1}, 4*more)...)
		return float64(len(domains.Categories(w, codes, []string{"a", "b"}, laplace(t, 1, 4), delta, 4)))
	}
	if got := audited(category, delta); got > 1 {
		t.Errorf("a category of one person: epsilon is at least %.3f, the claim is 1", got)
	}
	read := func(_ mechanism.Words, more int) float64 { return slices.Max(append([]float64{3}, float64(4*more))) }
	if got := audited(read, 0); got <= 1 {
		t.Errorf("an end that is read: a bound of %.3f, not above the claim of 1", got)
	}
	spared := func(w mechanism.Words, more int) float64 { // the threshold of one record for a person with four
		codes := append(make([]int32, 300), slices.Repeat([]int32{1}, 4*more)...)
		return float64(len(domains.Categories(w, codes, []string{"a", "b"}, noise, delta, 1)))
	}
	if got := audited(spared, delta); got <= 1 {
		t.Errorf("four records with the noise for one: a bound of %.3f, not above the claim of 1", got)
	}
}
