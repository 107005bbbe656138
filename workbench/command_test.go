package workbench

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/message"
)

// built is where the command is built, once for all tests; TestMain removes it.
var built struct {
	once sync.Once
	dir  string
	err  error
}

// dither is the command itself, built from this tree: what it writes to its standard output.
func dither(t *testing.T, args ...string) []byte {
	t.Helper()
	built.once.Do(func() {
		if built.dir, built.err = os.MkdirTemp("", "dither-"); built.err != nil {
			return
		}
		if out, err := exec.Command("go", "build", "-buildvcs=false", "-o", filepath.Join(built.dir, "dither"),
			"../cmd/dither").CombinedOutput(); err != nil {
			built.err = errors.New(string(out))
		}
	})
	if built.err != nil {
		t.Fatal(built.err)
	}
	c := exec.CommandContext(t.Context(), filepath.Join(built.dir, "dither"), args...)
	out, err := c.Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		t.Fatalf("dither %q: %v\n%s", args, err, exit.Stderr)
	} else if err != nil {
		t.Fatal(err)
	}
	return out
}

// counted is what dither inspect --json counts under the policy as it stands: who is alone by what may be known.
func (s *Server) counted(t *testing.T) string {
	t.Helper()
	var doc struct{ Exposure struct{ Uniques int } }
	must.NoError(t, json.Unmarshal(dither(t, "inspect", s.folder.table, "--policy", s.folder.path(policyName), "--json"),
		&doc))
	return whole(doc.Exposure.Uniques)
}

// evaluated is what dither evaluate --json measures of the release that dither protect writes under the policy and the
// seed as they stand.
type evaluated struct {
	release  []byte
	Measures []struct {
		Name, Intruder string
		Score          float64
		Detail         struct {
			Attack struct{ Share, Lo, Hi float64 }
		}
	}
	Verdict struct{ Sentence message.Spoken }
}

func (s *Server) evaluated(t *testing.T) (e evaluated) {
	t.Helper()
	release := filepath.Join(t.TempDir(), "release.csv")
	under := []string{"--policy", s.folder.path(policyName), "--seed-file", s.folder.path(seedName)}
	dither(t, append([]string{"protect", s.folder.table, "-o", release, "--plan-out", release + ".plan"}, under...)...)
	doc := dither(
		t,
		append([]string{"evaluate", s.folder.table, release, "--plan", release + ".plan", "--json"}, under...)...)
	err := json.Unmarshal(doc, &e)
	if err == nil {
		e.release, err = os.ReadFile(release)
	}
	must.NoError(t, err)
	return e
}
