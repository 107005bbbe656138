// Package long divides tests into those that every run of "go test ./..." pays for and those that wait for the variable
// DITHER_LONG: anything but nothing runs what a landing runs, "every" what a night runs.
//
// A test binary that imports this package tries a property as often as quickChecks says unless the variable or the flag
// -rapid.checks says otherwise. Go's cache of tests does not see that the variable is read for this, before tests
// begin: where a package imports this one for nothing else, -count=1 tries its properties again.
package long

import (
	"flag"
	"os"
	"testing"

	_ "pgregory.net/rapid" // whose flags must be there before they are set
)

// variable is what asks for long tests.
const variable = "DITHER_LONG"

// quickChecks is how often a property is tried in a quick run; a long run tries it as often as rapid does.
const quickChecks = "20"

func init() {
	if !Enabled() {
		_ = flag.Set("rapid.checks", quickChecks)
	}
}

// Enabled reports whether long tests are run.
func Enabled() bool { return os.Getenv(variable) != "" }

// Every reports whether what only a night has time for is run, too.
func Every() bool { return os.Getenv(variable) == "every" }

// Only ends a test here in a quick run. What says in a few words what is long.
func Only(t testing.TB, what string) {
	t.Helper()
	if !Enabled() {
		t.Skipf("%s; %s=1 runs it", what, variable)
	}
}

// Of returns the first in a quick run and the second in a long one.
func Of[T any](quick, whole T) T {
	if Enabled() {
		return whole
	}
	return quick
}
