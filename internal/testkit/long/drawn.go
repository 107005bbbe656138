package long

import (
	"flag"
	"strconv"
	"testing"
)

// enough is the least number of checks after which a property must have met all that it is to meet: as many as a long
// run makes.
const enough = 100

// Drawn fails a test of a property whose draws did not bring what they must bring, so that it showed nothing. What says
// what is missing. Fewer checks than a long run makes are no reason to expect it: a quick run, or one with -short.
func Drawn(t testing.TB, brought bool, what string, args ...any) {
	t.Helper()
	n, _ := strconv.Atoi(flag.Lookup(checks).Value.String())
	if testing.Short() {
		n /= 5 // as rapid does
	}
	if !brought && n >= enough {
		t.Errorf(what, args...)
	}
}
