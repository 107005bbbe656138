package catalog_test

import (
	"testing"

	"github.com/dither-data/dither/catalog"
)

// A technique inside segments is found in any letter case, and not inside segments of segments.
func TestInsideSegments(t *testing.T) {
	for _, name := range []string{"gadp-within", "GADP-Within", "Gadp-WITHIN"} {
		if m, err := catalog.Method(name); err != nil || m.Name != "gadp-within" {
			t.Errorf("%s is %q, %v", name, m.Name, err)
		}
	}
	for _, name := range []string{"-within", "gadp-within-Within", "gadp-Within-within", "nosuch-within"} {
		if m, err := catalog.Method(name); err == nil {
			t.Errorf("%s is %q", name, m.Name)
		}
	}
}
