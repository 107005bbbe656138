package long

import (
	"flag"
	"testing"
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

func TestChecks(t *testing.T) {
	f := flag.Lookup("rapid.checks")
	if want := Of(quickChecks, f.DefValue); f.Value.String() != want {
		t.Errorf("a property is tried %s times, want %s", f.Value, want)
	}
}
