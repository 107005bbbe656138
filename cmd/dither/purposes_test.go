package main

import (
	"testing"

	"github.com/dither-data/dither/desk"
	"github.com/dither-data/dither/protect"
)

// TestPurposes: techniques are listed by purpose, five are usual, and words filter.
func TestPurposes(t *testing.T) {
	starred, seen := 0, []string{}
	for _, e := range desk.Methods.ByPurpose(nil) {
		if e.Usual != "" {
			starred++
		}
		if len(seen) == 0 || seen[len(seen)-1] != e.Purpose {
			seen = append(seen, e.Purpose)
		}
	}
	if starred != 6 || len(seen) != len(protect.Purposes()) {
		t.Errorf("%d techniques are usual; purposes in the order %q", starred, seen)
	}
	found := desk.Methods.ByPurpose([]string{"SWAP", "numbers"})
	if len(found) == 0 || len(found) >= len(desk.Methods.Entries())/2 {
		t.Errorf("%d techniques swap numbers", len(found))
	}
	if all := desk.Measures.ByPurpose(nil); len(all) != len(desk.Measures.Entries()) || all[0].Purpose == "" {
		t.Error("measures without a side")
	}
}
