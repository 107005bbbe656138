package desk

import (
	"strings"
	"testing"
)

// TestPurposes: every technique has one purpose, no purpose names what is not there, five are usual, and words filter.
func TestPurposes(t *testing.T) {
	names := map[string]int{}
	for _, p := range purposes {
		for _, n := range p.names {
			names[n]++
		}
	}
	starred := 0
	for _, e := range Methods.Entries() {
		if within := strings.HasSuffix(e.Name, "within") || strings.HasPrefix(e.Name, "within"); names[e.Name] != 1 && !within {
			t.Errorf("%s has %d purposes", e.Name, names[e.Name])
		}
		delete(names, e.Name)
		if e.Usual != "" {
			starred++
		}
	}
	if len(names) > 0 || starred != 5 {
		t.Errorf("%v are no techniques, %d are usual", names, starred)
	}
	found := Methods.ByPurpose([]string{"SWAP", "numbers"})
	if len(found) == 0 || len(found) >= len(Methods.Entries())/2 {
		t.Errorf("%d techniques swap numbers", len(found))
	}
	if all := Measures.ByPurpose(nil); len(all) != len(Measures.Entries()) || all[0].Purpose == "" {
		t.Error("measures without a side")
	}
}
