package noisycounts_test

import (
	"math"
	"slices"
	"testing"

	"github.com/dither-data/dither/budget"
	"github.com/dither-data/dither/internal/noise/mechanism"
	"github.com/dither-data/dither/internal/noise/noisycounts"
	"github.com/dither-data/dither/internal/stats/audit"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/rng"
)

func domain(t testing.TB, text string) noisycounts.Domain {
	t.Helper()
	return must.Get(noisycounts.ParseDomain(text))(t)
}

func TestDomains(t *testing.T) {
	age, sex := domain(t, "age=0..100/25"), domain(t, "sex=f|m|1.5")
	for text, want := range map[string]string{"0": "[0, 25)", "24.99": "[0, 25)", "25": "[25, 50)", "100": "[75, 100]",
		"100.01": "(other)", "-1": "(other)", "abc": "(other)", "1e1": "(other)", "0x1": "(other)", " 30 ": "[25, 50)"} {
		if got := age.Label(age.Cell(text, false)); got != want {
			t.Errorf("age %q is in %s, expected %s", text, got, want)
		}
	}
	for text, want := range map[string]string{"f": "f", "m": "m", "F": "(other)", "": "(other)", "1.50": "1.5"} {
		if got := sex.Label(sex.Cell(text, false)); got != want {
			t.Errorf("sex %q is in %s, expected %s", text, got, want)
		}
	}
	if got := sex.Label(sex.Cell("f", true)); got != "(missing)" || sex.Cells() != 5 || age.Cells() != 6 {
		t.Errorf("a missing value is in %s; %d and %d cells", got, sex.Cells(), age.Cells())
	}
	for _, text := range []string{"", "age", "age=", "=a|b", "age=0..100/0", "age=5..5/1", "age=0..10/3", "age=0..1e9/1",
		"age=x..10/1", "sex=a|a", "sex=a|", "age=0..999999999/1"} {
		if d, err := noisycounts.ParseDomain(text); err == nil {
			t.Errorf("%q was read as %+v", text, d)
		}
	}
	half := domain(t, "x=-1..1/0.5")
	if got := half.Label(half.Cell("-0.6", false)); got != "[-1, -0.5)" {
		t.Errorf("-0.6 is in %s", got)
	}
	if _, err := noisycounts.Cells([]noisycounts.Domain{domain(t, "a=0..3000/1"), domain(t, "b=0..3000/1")}); err == nil {
		t.Error("a table of 9 million cells was taken")
	}
}

func promise(t testing.TB, epsilon, delta string, records int, known bool) *noisycounts.Promise {
	t.Helper()
	e, err := mechanism.ParseRatio(epsilon)
	d, err2 := budget.Parse(delta)
	if err != nil || err2 != nil {
		t.Fatal(err, err2)
	}
	return &noisycounts.Promise{Epsilon: e, Delta: d, Records: records, Known: known}
}

// What a promise costs is what its noise keeps: exactly for Laplace noise, and by the tight conversion for Gaussian.
func TestCharges(t *testing.T) {
	for _, c := range []struct {
		epsilon, delta string
		records        int
		known          bool
		name, kind     string
	}{{"0.5", "0", 1, true, "discrete Laplace", "epsilon"}, {"0.5", "0", 3, true, "discrete Laplace", "epsilon"},
		{"1", "1e-6", 1, true, "discrete Laplace", "epsilon"}, {"1", "1e-6", 9, false, "discrete Laplace", "epsilon"},
		{"1", "1e-6", 20, true, "discrete Laplace", "epsilon"}, {"1", "1e-6", -40, true, "discrete Gaussian", "rho"},
		{"1", "1e-6", -5, false, "discrete Laplace", "epsilon"}} {
		p := promise(t, c.epsilon, c.delta, max(c.records, -c.records), c.known)
		p.Distinct = c.records < 0
		n := must.Get(p.Noise())(t)
		e := n.Charge(12, budget.Unit{Of: "person", Records: p.Records})
		if n.Name != c.name || string(e.Kind) != c.kind || (n.Threshold > 0) == c.known {
			t.Errorf("%+v: %s noise, charged as %s, threshold %d", c, n.Name, e.Kind, n.Threshold)
		}
		total := budget.Compose([]budget.Entry{e}, p.Delta)
		if total.Epsilon > p.Epsilon.Float()+1e-9 || total.Epsilon < 0.999*p.Epsilon.Float() {
			t.Errorf("%+v costs epsilon %v", c, total.Epsilon)
		}
	}
	if _, err := promise(t, "1", "0", 1, false).Noise(); err == nil {
		t.Error("a domain that is not declared was taken without a delta")
	}
	if one, err := promise(t, "1", "1e-6", 1, false).Noise(); err != nil || one.Threshold != 15 {
		t.Errorf("the threshold for (1, 1e-6) is %d, %v; expected 15", one.Threshold, err)
	}
}

// The noise of counts is that of its law: of 200,000 cells, false alarms 1e-9 each (6 standard errors).
func TestCounts(t *testing.T) {
	n := must.Get(promise(t, "1/2", "0", 2, true).Noise())(t)
	const cells = 200_000
	of := make([]int32, cells)
	for i := range of {
		of[i] = int32(i)
	}
	of[0] = -1 // one that counts nowhere
	mean, within := 0.0, 0
	for c, k := range n.Count(rng.New([32]byte{5}).Stream().Words(), of, cells) {
		if c == 0 {
			k++
		}
		mean += float64(k-1) / cells
		if k-1 >= -n.Within(0.95) && k-1 <= n.Within(0.95) {
			within++
		}
	}
	if math.Abs(mean) > 6*n.StandardError()/math.Sqrt(cells) || float64(within) < 0.95*cells-6*math.Sqrt(0.05*0.95*cells) {
		t.Errorf("the noise has the mean %v, and is within %d in %d of %d cells", mean, n.Within(0.95), within, cells)
	}
}

// runs of each table.
func runs() int { return long.Of(10_000, 100_000) }

// audited is the bound of an attack on counts of two tables.
func audited(release func(w mechanism.Words, first bool) float64, delta float64) float64 {
	of := func(label string, first bool) func(int) float64 {
		w := rng.New([32]byte{7}).Fork(label).Stream().Words()
		return func(int) float64 { return release(w, first) }
	}
	a := audit.Attack{First: of("first", true), Second: of("second", false), Runs: runs(), Delta: delta, FalseAlarm: 1e-6}
	return a.Epsilon()
}

// An attack on counts stays below the claim: of a person whose records are all in one cell, of a combination that only
// one person has, and where a domain would be taken from the data it is far above.
func TestAudit(t *testing.T) {
	n := must.Get(promise(t, "1", "0", 3, true).Noise())(t)
	tables := map[bool][]int32{true: {0, 0, 1, 1, 1}, false: {0, 0}}
	got := audited(func(w mechanism.Words, first bool) float64 { return float64(n.Count(w, tables[first], 2)[1]) }, 0)
	if got > 1 || got < 0.3 {
		t.Errorf("a person with three records: a bound of %.3f, the claim is 1", got)
	}
	named := must.Get(promise(t, "1", "0.05", 1, false).Noise())(t)
	values := map[bool][][]string{true: {{"a"}, {"a"}, {"b"}}, false: {{"a"}, {"a"}}}
	sees := func(w mechanism.Words, first bool) float64 {
		for _, c := range named.Frequent(w, slices.Clone(values[first])) {
			if c.Labels[0] == "b" {
				return 1
			}
		}
		return 0
	}
	if got := audited(sees, 0.05); got > 1 {
		t.Errorf("a value of one person: a bound of %.3f, the claim is 1", got)
	}
	named.Threshold = 0 // all combinations that occur: a domain read from the data
	if got := audited(sees, 0.05); got <= 1 {
		t.Errorf("a domain read from the data has the bound %.3f, not above the claim of 1", got)
	}
}
