package main

import (
	"math/big"
	"testing"
)

// TestNeeded holds the numbers of changes against those worked out for 200 transactions, 60 with both sides and 80 with
// the beginning.
func TestNeeded(t *testing.T) {
	s, c := big.NewRat(1, 5), big.NewRat(3, 5)
	for _, x := range []struct {
		name   string
		change change
		alone  bool
		want   needed
		least  int
	}{
		{"1.a", addBeginning, false, needed{21, -1}, 21},
		{"1.b", deleteEnd, false, needed{13, 21}, 13},
		{"2.a of the beginning", deleteBeginning, false, needed{31, 21}, 21},
		{"2.b", deleteEnd, true, needed{-1, 21}, 21},
	} {
		if got := neededFor(200, 80, 60, s, c, x.change, x.alone); got != x.want || got.least() != x.least {
			t.Errorf("%s: %+v, least %d, want %+v, %d", x.name, got, got.least(), x.want, x.least)
		}
	}
	// Blocking: 8 may have the beginning, 6 have both for sure.
	s = big.NewRat(3, 10)
	for name, x := range map[string]struct{ got, want int }{
		"GIH": {neededFor(10, 8, 6, s, c, deleteEnd, true).least(), 4},
		"CR":  {neededFor(10, 8, 6, s, c, deleteEnd, false).least(), 2},
		"CR2": {neededFor(11, 8, 6, s, c, addBeginning, false).least(), 3},
	} {
		if x.got != x.want {
			t.Errorf("%s: %d, want %d", name, x.got, x.want)
		}
	}
}
