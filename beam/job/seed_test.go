package job

import (
	"errors"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/dither-data/dither/desk"
	"github.com/dither-data/dither/policy"
)

// TestShortSeed: what a short seed draws here is withheld as on one machine, and so is what a secret seed draws by a
// plan that a short one fitted; where that is accepted, the plan that goes out says so.
func TestShortSeed(t *testing.T) {
	dir, lines := t.TempDir(), invented(240)
	limits, plan := filepath.Join(dir, "l.yaml"), filepath.Join(dir, "plan.json")
	save(t, limits, "name: ours\nlimits:\n  - {measure: text, max: 0}\n")
	save(t, filepath.Join(dir, "seed"), seed)
	shards := cut(t, t.TempDir(), lines, 3)
	by := func(q Job, said policy.Policy, out, planOut string) error {
		q.Shards, q.Class, q.Categorical, q.Said = shards, "class", []string{"ward"}, said
		q.Said.Limits = limits
		_, err := run(t.Context(), &q, filepath.Join(dir, out), planOut, rand.New(rand.NewPCG(1, 1)))
		return err
	}
	fitted, applied := Job{Method: "pram"}, Job{Plan: plan, SeedFile: filepath.Join(dir, "seed")}
	short, accepted := policy.Policy{Seed: "42"}, policy.Policy{Seed: "42", Accept: []string{"seed"}}
	var broken *desk.Broken
	if err := by(fitted, short, "a", ""); !errors.As(err, &broken) || !strings.Contains(err.Error(), "short seed") {
		t.Errorf("a short seed: %v", err)
	}
	if err := by(fitted, accepted, "b", plan); err != nil {
		t.Fatal(err)
	}
	if err := by(applied, policy.Policy{}, "c", ""); !errors.As(err, &broken) || !strings.Contains(err.Error(), "short") {
		t.Errorf("a plan that a short seed fitted: %v", err)
	}
	if err := by(Job{Method: "pram"}, policy.Policy{Seed: "4_2"}, "d", ""); !errors.Is(err, ErrUsage) {
		t.Errorf("no number: %v", err)
	}
}
