package measure_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/table"
)

// keep keeps a value of a release, unless there is one, and returns what is kept.
func keep(t *testing.T, r *measure.Release, val string) string {
	t.Helper()
	v := must.Get(measure.PerRelease(r, "key", func(*measure.Release) (string, error) { return val, nil }))(t)
	return v
}

// learn is keep for what is learned from the original.
func learn(t *testing.T, r *measure.Release, val string) string {
	t.Helper()
	v := must.Get(measure.PerOriginal(r, "key", func(*table.Table) (string, error) { return val, nil }))(t)
	return v
}

// TestWorkedOutOnce: of many that ask at once one works it out, and without a workspace each does.
func TestWorkedOutOnce(t *testing.T) {
	for want, r := range map[int32]*measure.Release{1: {Work: measure.NewWorkspace()}, 20: {}} {
		var worked atomic.Int32
		var wg sync.WaitGroup
		for range 20 {
			wg.Go(func() {
				_, err := measure.PerRelease(r, "key", func(*measure.Release) (int32, error) { return worked.Add(1), nil })
				if err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		if got := worked.Load(); got != want {
			t.Errorf("it was worked out %d times, expected %d", got, want)
		}
	}
}

// TestFailureIsNotKept: a failure may be the end of the context of the one who asked first.
func TestFailureIsNotKept(t *testing.T) {
	r := (&measure.Release{}).Working()
	fail := func(*measure.Release) (int, error) { return 0, context.Canceled }
	if _, err := measure.PerRelease(r, "key", fail); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	v, err := measure.PerRelease(r, "key", func(*measure.Release) (int, error) { return 1, nil })
	if v != 1 || err != nil {
		t.Errorf("after a failure: %v, %v", v, err)
	}
}

// TestWhoShares: views against intruders share all, releases of one original what is learned from it, and releases of
// other records, or copies that were given another table, nothing.
func TestWhoShares(t *testing.T) {
	r := (&measure.Release{Original: &table.Table{}, Matched: &table.Table{}}).Working()
	seen := r.Against(&intruder.Intruder{})
	if keep(t, seen, "all") != "all" || learn(t, seen, "all") != "all" {
		t.Fatal("there is something before anybody asked")
	}
	for name, other := range map[string]*measure.Release{"itself": r, "a view": r.Against(nil),
		"a view of a view": seen.Against(nil)} {
		if keep(t, other, "anew") != "all" || learn(t, other, "anew") != "all" {
			t.Errorf("%s works it out anew", name)
		}
	}
	if r.Working() != r {
		t.Error("a release with a workspace gets another")
	}
	next := &measure.Release{Original: r.Original, Work: r.Work.Another()}
	if keep(t, next, "next") != "next" || learn(t, next, "next") != "all" {
		t.Error("another release of the same original shares too much, or too little")
	}
	for name, those := range map[string]*measure.Release{"the release": r.OfThose(), "a view": seen.OfThose()} {
		if keep(t, those, "those") != "those" || learn(t, those, name) != name {
			t.Errorf("the records that %s has take what is known of all", name)
		}
	}
	other := *r
	other.Released = &table.Table{}
	if keep(t, &other, "copy") != "copy" {
		t.Error("a copy with another table takes what is known of this one")
	}
}

// TestKeptDependsOnNobody: what is kept for all readings is worked out from a release that says nothing of the one who
// asks first, and what is kept for a reading from one that says nothing of the intruder.
func TestKeptDependsOnNobody(t *testing.T) {
	r := (&measure.Release{Original: &table.Table{}, Intruder: &intruder.Intruder{},
		Owners: measure.Owners{Person: "who", Persons: map[string]map[table.RecordID]int32{"who": {}}}}).Working()
	check := func(person string) func(*measure.Release) (int, error) {
		return func(r *measure.Release) (int, error) {
			if r.Intruder != nil || r.Person != person {
				t.Errorf("intruder %v, persons by %q", r.Intruder, r.Person)
			}
			return 0, nil
		}
	}
	_, err := measure.PerRelease(r, "a", check(""))
	_, again := measure.PerReading(r, "b", check("who"))
	if err != nil || again != nil {
		t.Error(err, again)
	}
}
