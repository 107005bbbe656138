package formattest

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/long"
)

// Program, in a long run, runs another program that reads or writes files of the format, in a folder, and returns what
// it prints. Where it is not installed, as trying it with --version or, for R, loading a package tells, the test is
// skipped with a word, and with CI=true fails; the package of Debian says where to get it.
func Program(t *testing.T, debian string, try []string, dir string, args ...string) string {
	t.Helper()
	long.Only(t, "another program")
	if err := exec.Command(try[0], try[1:]...).Run(); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatalf("%s is not installed (Debian: %s)", try[0], debian)
		}
		t.Skipf("%s is not installed (Debian: %s)", try[0], debian)
	}
	c := exec.Command(args[0], args[1:]...)
	c.Dir = dir
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}
