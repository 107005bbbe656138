package policy

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// TestSet: one key changes, comments stay, and what would be no policy is refused with its place.
func TestSet(t *testing.T) {
	const file = "version: 1\n# ours\ncolumns:\n  age: {role: other} # in years\n"
	got, err := Set("p.yaml", []byte(file), []string{"columns", "age", "role"}, "quasi-identifier")
	if want := strings.Replace(file, "other", "quasi-identifier", 1); err != nil || string(got) != want {
		t.Errorf("%v: %s", err, got)
	}
	got, err = Set("p.yaml", []byte(file), []string{"thresholds", Last},
		[]Pair{{Key: "measure", Value: "found"}, {Key: "max", Value: 0.05}})
	if want := file + "thresholds:\n  - {measure: found, max: 0.05}\n"; err != nil || string(got) != want {
		t.Errorf("%v: %s", err, got)
	}
	var at *Error
	if _, err = Set("p.yaml", []byte(file), []string{"columns", "age", "role"}, "boss"); !errors.As(err, &at) ||
		at.Line != 4 {
		t.Errorf("a role that there is not: %v", err)
	}
	if got, err = Set("p.yaml", []byte(file), []string{"class"}, nil); err != nil || string(got) != file {
		t.Errorf("a key that is not there: %v: %s", err, got)
	}
	if _, err = Set("p.yaml", []byte(file), []string{"version", "x"}, "y"); !errors.Is(err, ErrByHand) {
		t.Errorf("a key inside a number: %v", err)
	}
	many := "version: 1\ncolumns:\n"
	for k := range 1500 {
		many += fmt.Sprintf("  c%d: {role: other}\n", k)
	}
	if got, err := Set("p.yaml", []byte(many+"  last: {role: other}\n"), []string{"columns", "last", "role"},
		"confidential"); err != nil ||
		!strings.HasSuffix(string(got), "  last: {role: confidential}\n") {
		t.Errorf("many columns: %v", err)
	}
}
