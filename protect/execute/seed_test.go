package execute_test

import (
	"errors"
	"testing"

	"github.com/dither-data/dither/generate"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/execute"
	"github.com/dither-data/dither/protect/swapping"
	"github.com/dither-data/dither/rng"
)

// TestNoSeed: neither a plan nor a release is made from a source that was never given a seed, which anybody has.
func TestNoSeed(t *testing.T) {
	people := generate.Patients(60, rng.New([32]byte{1}))
	people = people.Select(people.Find("age"))
	for _, src := range []rng.Source{{}, rng.New(rng.Seed{}), rng.New([32]byte{})} {
		if _, err := protect.Fit(t.Context(), swapping.Rank.New(), people, src); !errors.Is(err, rng.ErrUnseeded) {
			t.Errorf("a plan: %v", err)
		}
	}
	plan := must.Get(protect.Fit(t.Context(), swapping.Rank.New(), people, rng.New([32]byte{2})))(t)
	for _, src := range []rng.Source{{}, rng.New(rng.Seed{}), rng.New([32]byte{})} {
		if _, err := execute.Plan(t.Context(), plan, people, src, execute.Options{}); !errors.Is(err, rng.ErrUnseeded) {
			t.Errorf("a release: %v", err)
		}
	}
	if _, err := execute.Plan(t.Context(), plan, people, rng.New([32]byte{2}), execute.Options{}); err != nil {
		t.Error(err)
	}
}
