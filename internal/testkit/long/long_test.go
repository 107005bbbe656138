package long

import (
	"flag"
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/must"
)

func TestQuick(t *testing.T) {
	for _, c := range []struct {
		value          string
		enabled, every bool
		of             int
	}{{"", false, false, 3}, {"1", true, false, 100}, {"every", true, true, 100}} {
		t.Setenv(variable, c.value)
		ran := false
		t.Run("test", func(t *testing.T) { Only(t, "a test"); ran = true })
		if Enabled() != c.enabled || Every() != c.every || Of(3, 100) != c.of || ran != c.enabled {
			t.Errorf("%q: enabled %v, every %v, %d, ran %v", c.value, Enabled(), Every(), Of(3, 100), ran)
		}
	}
}

// TestCheck: a quick run tries a property 20 times, a long one 100 times, and both as often as the flag says; rapid
// tries a fifth of that with -short.
func TestCheck(t *testing.T) {
	want := Of(quickChecks, 100)
	flag.Visit(func(f *flag.Flag) {
		if f.Name == checks {
			want, _ = strconv.Atoi(f.Value.String())
		}
	})
	if testing.Short() {
		want /= 5
	}
	tried := 0
	Check(t, func(*rapid.T) { tried++ })
	if tried != want {
		t.Errorf("a property is tried %d times, want %d", tried, want)
	}
}

// TestDrawn: what a property did not meet is a fault after the checks of a long run, and after fewer none.
func TestDrawn(t *testing.T) {
	was := flag.Lookup(checks).Value.String()
	t.Cleanup(func() { must.NoError(t, flag.Set(checks, was)) })
	for _, c := range []struct {
		checks  string
		brought bool
		fault   bool
	}{{"100", false, !testing.Short()}, {"500", false, true}, {"99", false, false}, {"500", true, false}} {
		must.NoError(t, flag.Set(checks, c.checks))
		r := &reported{TB: t}
		if Drawn(r, c.brought, "nothing"); r.fault != c.fault {
			t.Errorf("%s checks, brought %v: a fault is %v", c.checks, c.brought, r.fault)
		}
	}
}

// reported keeps whether a test failed.
type reported struct {
	testing.TB
	fault bool
}

func (r *reported) Helper() {}

func (r *reported) Errorf(string, ...any) { r.fault = true }
