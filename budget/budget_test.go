package budget

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"math/big"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
)

func amount(t testing.TB, text string) Amount {
	t.Helper()
	return must.Get(Parse(text))(t)
}

var row = Unit{"record", 1}

func created(t testing.TB, epsilon, delta string) *Ledger {
	t.Helper()
	l := must.Get(Create(filepath.Join(t.TempDir(), "people.budget"),
		Limits{Epsilon: amount(t, epsilon), Delta: amount(t, delta), Unit: row}))(t)
	return l
}

func entry(t testing.TB, kind Kind, text string) *Entry {
	return &Entry{Amount: amount(t, text), Kind: kind, Unit: row, Neighbours: AddOrRemove, Mechanism: "test",
		Purpose: "a test", Release: "1", Parameters: map[string]string{"cells": "12"}}
}

func times(t *testing.T, n int, kind Kind, text string) (out []Entry) {
	for range n {
		out = append(out, *entry(t, kind, text))
	}
	return out
}

// The vectors of ledgers: rho, mu and basic composition.
func TestTotals(t *testing.T) {
	for _, c := range []struct {
		what    string
		entries []Entry
		delta   string
		views   map[View]float64
		least   View
	}{
		{"rho .1", times(t, 1, Concentrated, "0.1"), "1e-6", map[View]float64{ZeroConcentrated: 2.141939}, ZeroConcentrated},
		{"rho .02", times(t, 2, Concentrated, "0.01"), "1e-5", map[View]float64{ZeroConcentrated: .794315},
			ZeroConcentrated},
		{"20 Gaussians of sigma 10", times(t, 20, Gaussian, "0.01"), "1e-6",
			map[View]float64{ZeroConcentrated: 2.141939, GaussianView: 1.994527}, GaussianView},
		{"10 Gaussians of sigma 10", times(t, 10, Gaussian, "0.01"), "1e-6",
			map[View]float64{ZeroConcentrated: 1.471595, GaussianView: 1.367571}, GaussianView},
		{"a Gaussian of sigma 1", times(t, 1, Gaussian, "1"), "1e-6",
			map[View]float64{ZeroConcentrated: 5.221534, GaussianView: 4.886554}, GaussianView},
		{"ten pure .1", times(t, 10, Pure, "0.1"), "1e-6", map[View]float64{Basic: 1, ZeroConcentrated: 1.471595}, Basic},
		{"400 pure .1", times(t, 400, Pure, "0.1"), "1e-6", map[View]float64{Basic: 40, ZeroConcentrated: 11.688596},
			ZeroConcentrated},
		{"three kinds", append(append(times(t, 1, Pure, "0.2"), times(t, 3, Selection, "0.4")...),
			times(t, 1, Gaussian, "1/16")...), "1e-6",
			map[View]float64{ZeroConcentrated: 2.270019, Mixed: 2.237880}, Mixed},
		{"no delta", times(t, 3, Selection, "0.4"), "0", map[View]float64{Basic: 1.2}, Basic},
		{"nothing", nil, "1e-6", map[View]float64{Basic: 0, ZeroConcentrated: 0}, Basic},
	} {
		total := Compose(c.entries, amount(t, c.delta))
		if len(total.Views) != len(c.views) || total.View != c.least {
			t.Errorf("%s: views %v, the least %s", c.what, total.Views, total.View)
		}
		for v, want := range c.views {
			if got := total.Views[v]; math.Abs(got-want) > 6e-7*max(1, want) {
				t.Errorf("%s, %s: %v, expected %v", c.what, v, got, want)
			}
		}
	}
	total := Compose(times(t, 1, Concentrated, "0.1"), Amount{})
	if !math.IsInf(total.Epsilon, 1) || total.Exact() != nil {
		t.Errorf("rho without a delta has epsilon %v", total.Epsilon)
	}
}

// A charge may fail with a probability of its own: it takes from the delta that conversions have.
func TestDelta(t *testing.T) {
	e := entry(t, Pure, "0.5")
	e.Delta = amount(t, "1e-7")
	l := created(t, "1", "1e-7")
	must.NoError(t, l.Charge(e))
	if total := l.Spent(); total.Epsilon != 0.5 || total.Delta != 1e-7 || total.View != Basic {
		t.Errorf("spent %+v", total)
	}
	more := entry(t, Pure, "0.1")
	more.Delta = amount(t, "1e-99")
	var beyond *Beyond
	if err := l.Charge(more); !errors.As(err, &beyond) {
		t.Errorf("a delta beyond the limit was charged: %v", err)
	}
	if err := l.Charge(entry(t, Concentrated, "0.0001")); !errors.As(err, &beyond) ||
		!strings.Contains(err.Error(), "without a delta") {
		t.Errorf("rho was charged where no delta is left: %v", err)
	}
}

// Ten times a tenth is one; and then nothing is left, however little.
func TestNoRoundingLoophole(t *testing.T) {
	l := created(t, "1", "0")
	for k := range 10 {
		if left := l.Left(); left.Rat().Cmp(big.NewRat(int64(10-k), 10)) != 0 {
			t.Errorf("after %d tenths %v is left", k, left)
		}
		must.NoError(t, l.Charge(entry(t, Pure, "0.1")))
	}
	if left := l.Left(); left.Sign() != 0 {
		t.Errorf("%v is left of nothing", left)
	}
	var beyond *Beyond
	if err := l.Charge(entry(t, Pure, "1e-30")); !errors.As(err, &beyond) {
		t.Errorf("1e-30 beyond the budget was charged: %v", err)
	}
	for _, text := range []string{"0", "-0.1", "NaN", "inf", "1e999", "0,1", "1 ", ""} {
		e := entry(t, Pure, "0.1")
		var err error
		if e.Amount, err = Parse(text); err == nil && l.Charge(e) == nil {
			t.Errorf("%q was charged", text)
		}
	}
	if n := len(l.Entries()); n != 10 {
		t.Errorf("%d entries after ten charges", n)
	}
	l, err := Open(l.path)
	if err != nil || l.Spent().Epsilon != 1 {
		t.Errorf("read again: %v, %v", l, err)
	}
}

// What one more run costs, and the largest that is allowed: charging it works, and a little more does not.
func TestPlans(t *testing.T) {
	for _, c := range []struct{ kind Kind }{{Pure}, {Selection}, {Concentrated}, {Gaussian}} {
		l := created(t, "3", "1e-6")
		must.NoError(t, l.Charge(entry(t, Pure, "0.25")))
		plan := []Entry{*entry(t, c.kind, "0.01"), *entry(t, c.kind, "0.04")}
		cost, ok := l.Cost(plan...)
		if !ok || cost.Epsilon <= 0.25 || len(l.Entries()) != 1 {
			t.Errorf("%s: a plan costs %v, allowed %v", c.kind, cost, ok)
		}
		factor := l.Affordable(plan...)
		most := Scaled(plan, factor)
		more := Scaled(plan, new(big.Rat).Mul(factor, big.NewRat(1_000_003, 1_000_000)))
		if _, ok := l.Cost(more...); ok {
			t.Errorf("%s: more than the largest plan, %v, is allowed", c.kind, factor)
		}
		if err := l.ChargeAll([]*Entry{&more[0], &more[1]}); err == nil || len(l.Entries()) != 1 {
			t.Errorf("%s: half of a plan was charged: %v", c.kind, err)
		}
		runs := l.Runs(1000, plan...)
		if _, ok := l.Cost(slices.Repeat(plan, runs)...); !ok || runs == 1000 {
			t.Errorf("%s: %d runs of a plan are beyond the budget", c.kind, runs)
		}
		if _, ok := l.Cost(slices.Repeat(plan, runs+1)...); ok {
			t.Errorf("%s: one more than %d runs of a plan is allowed", c.kind, runs)
		}
		if err := l.ChargeAll([]*Entry{&most[0], &most[1]}); err != nil {
			t.Errorf("%s: the largest plan, %v, is refused: %v", c.kind, factor, err)
		}
	}
}

// Another unit or neighbour relation is another promise.
func TestPromisesAreOfOneKind(t *testing.T) {
	l := created(t, "1", "0")
	for _, change := range []func(*Entry){
		func(e *Entry) { e.Unit = Unit{"person", 3} },
		func(e *Entry) { e.Neighbours = "replace one" },
		func(e *Entry) { e.Kind = "sigma" },
		func(e *Entry) { e.Purpose = "line\nfeed" },
	} {
		e := entry(t, Pure, "0.1")
		change(e)
		if err := l.Charge(e); err == nil {
			t.Errorf("charged: %+v", e)
		}
	}
	for _, limits := range []Limits{{Unit: row}, {Epsilon: amount(t, "1")},
		{Epsilon: amount(t, "1"), Delta: amount(t, "1"), Unit: row}} {
		if _, err := Create(filepath.Join(t.TempDir(), "x"), limits); err == nil {
			t.Errorf("a ledger of %+v was made", limits)
		}
	}
	if _, err := Create(l.path, l.Limits()); !errors.Is(err, fs.ErrExist) {
		t.Errorf("a ledger replaced another: %v", err)
	}
}

// Any changed byte, line put elsewhere, or line left out, is found and located.
func TestForgedLines(t *testing.T) {
	l := created(t, "1", "0")
	for range 3 {
		must.NoError(t, l.Charge(entry(t, Pure, "0.1")))
	}
	data := must.Get(os.ReadFile(l.path))(t)
	for k := range data[:len(data)-1] {
		forged := slices.Clone(data)
		forged[k] ^= 1
		if _, _, _, err := read(forged); err == nil || !strings.HasPrefix(err.Error(), "line ") {
			t.Fatalf("byte %d was changed: %v", k, err)
		}
	}
	lines := bytes.SplitAfter(data, []byte("\n"))[:4]
	for _, order := range [][]int{{0, 2, 1, 3}, {0, 1, 3}, {0, 1, 1, 2, 3}, {1, 2, 3}, {0, 2, 3}} {
		var forged []byte
		for _, n := range order {
			forged = append(forged, lines[n]...)
		}
		if _, _, _, err := read(forged); err == nil {
			t.Errorf("lines %v were taken", order)
		}
	}
	other := bytes.Replace(data, []byte(`"amount":"1/10"`), []byte(`"amount":"2/20"`), 1)
	if _, _, _, err := read(other); err == nil {
		t.Error("a fraction that is not in lowest terms was taken")
	}
	// Cutting lines off the end cannot be seen in the file; a ledger that is open, and a release, remember.
	released := l.Head()
	must.NoError(t, os.WriteFile(l.path, bytes.Join(lines[:3], nil), 0o600))
	if err := l.Charge(entry(t, Pure, "0.1")); err == nil || !strings.Contains(err.Error(), "is gone") {
		t.Errorf("a charge that was cut off is not missed: %v", err)
	}
	again, err := Open(l.path)
	if err != nil || again.Has(released) {
		t.Errorf("the release of the charge finds it: %v", err)
	}
}

// A line that was cut off at any byte is one for which nothing was drawn.
func TestCutOff(t *testing.T) {
	l := created(t, "1", "0")
	var sizes []int
	for range 2 {
		must.NoError(t, l.Charge(entry(t, Pure, "0.1")))
		data, _ := os.ReadFile(l.path)
		sizes = append(sizes, len(data))
	}
	data, _ := os.ReadFile(l.path)
	for size := sizes[0]; size < sizes[1]; size++ {
		if _, entries, whole, err := read(data[:size]); err != nil || len(entries) != 1 || whole != sizes[0] {
			t.Fatalf("cut to %d bytes: %d entries, %v", size, len(entries), err)
		}
	}
	must.NoError(t, os.WriteFile(l.path, data[:sizes[1]-9], 0o600))
	l, err := Open(l.path)
	must.NoError(t, err)
	must.NoError(t, l.Charge(entry(t, Pure, "0.3")))
	if l, err = Open(l.path); err != nil || fmt.Sprint(l.Spent().Exact()) != "2/5" {
		t.Errorf("after the line that was cut off: %v, %v", l.Spent(), err)
	}
}
