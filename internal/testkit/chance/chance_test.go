package chance

import (
	"os"
	"os/exec"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/rng"
)

func TestMain(m *testing.M) {
	Fix("these tests")
	if os.Getenv(variable) != "" {
		os.Stdout.WriteString(rng.Fresh().Reveal())
		return
	}
	os.Exit(m.Run())
}

// A process draws what another drew that was begun likewise; what a test begins later, and this binary, draw otherwise.
func TestDrawsAreFixed(t *testing.T) {
	seen := map[string]bool{}
	for range 2 {
		Begin(t)
		seen[rng.Fresh().Reveal()] = true
		env, before := []string{Env(t)}, ""
		for range 2 {
			p := exec.Command(os.Args[0])
			p.Env = env
			out := must.Get(p.Output())(t)
			if text := string(out); before != "" && text != before {
				t.Errorf("a seed is %s and then %s", before, text)
			}
			before = string(out)
		}
		seen[before] = true
	}
	if len(seen) != 4 {
		t.Errorf("the seeds are %v", seen)
	}
	Fix("these tests")
	first := rng.Fresh()
	if Fix("these tests"); !rng.Fresh().Equal(first) {
		t.Error("the same words give another seed")
	}
}
