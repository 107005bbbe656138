package uniqueness

import (
	"context"
	"testing"

	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/measuretest"
	"github.com/dither-data/dither/rng"
)

// TestPeople: people are counted, not records. Whoever has several equal ones counts once, and who is alone with all of theirs is alone.
func TestPeople(t *testing.T) {
	score := func(r *measure.Release, i *intruder.Intruder, missing string) float64 {
		m := Measure.New()
		if err := m.Params().Apply(map[string]string{"missing": missing}); err != nil {
			t.Fatal(err)
		}
		v, err := m.Measure(context.Background(), r.Against(i), rng.Source{})
		if err != nil {
			t.Fatal(err)
		}
		return v.Score
	}
	for seed := range uint64(50) {
		r := measuretest.Few(30, seed)
		for _, missing := range []string{"value", "any", "suppressed"} {
			i := &intruder.Intruder{Name: "x", Knows: []string{"a", "b", "c"}, Secret: []string{}}
			if a, b := score(r, i, missing), score(measuretest.Repeated(r, 3), i, missing); a != b {
				t.Errorf("seed %d, missing=%s: %v, and %v where everybody has three records", seed, missing, a, b)
			}
		}
	}
	i := &intruder.Intruder{Name: "x", Knows: []string{"a"}, Secret: []string{}}
	if got := score(measuretest.One(12), i, "value"); got != 1 {
		t.Errorf("12 records of one person: %v, want 1", got)
	}
}
