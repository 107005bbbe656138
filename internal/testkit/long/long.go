// Package long divides tests into those that every run of "go test ./..." pays for and those that wait for the variable
// DITHER_LONG: "every" runs what a nightly run does, and any other value what a landing does.
//
// The variable is read while tests run, never before: Go would not know that results depend on it, and would take the
// kept result of a quick run for that of a long one.
package long

import (
	"flag"
	"os"
	"strconv"
	"sync"
	"testing"

	"pgregory.net/rapid"
)

// variable is what asks for long tests.
const variable = "DITHER_LONG"

// checks is the flag of rapid that says how often a property is tried, and quickChecks how often a quick run does.
const (
	checks      = "rapid.checks"
	quickChecks = 20
)

// Enabled reports whether long tests are run.
func Enabled() bool { return os.Getenv(variable) != "" }

// Every reports whether the tests of a nightly run are run, too.
func Every() bool { return os.Getenv(variable) == "every" }

// Only skips the rest of a test in a quick run. What says in a few words what takes long.
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

// Check tries a property on values that it draws, quickChecks times in a quick run. A long one tries it as often as
// rapid does, 100 times, and either as often as the flag -rapid.checks says.
func Check(t *testing.T, property func(*rapid.T)) {
	t.Helper()
	if !Enabled() {
		fewer()
	}
	rapid.Check(t, property)
}

// fewer has rapid try properties less often, unless somebody said how often.
var fewer = sync.OnceFunc(func() {
	said := false
	flag.Visit(func(f *flag.Flag) { said = said || f.Name == checks })
	if !said {
		_ = flag.Set(checks, strconv.Itoa(quickChecks))
	}
})
