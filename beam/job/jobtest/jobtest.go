// Package jobtest is for tests that compare what a job came to with what one machine does.
package jobtest

import (
	"encoding/json"
	"testing"
)

// Told is what two judges of one release must agree in, of the document of either: the verdict with all its reasons and
// figures, what was measured, and what was done to the columns.
func Told(t *testing.T, document []byte) map[string]any {
	t.Helper()
	var d map[string]any
	if err := json.Unmarshal(document, &d); err != nil {
		t.Fatal(err)
	}
	out := map[string]any{}
	for _, key := range []string{"verdict", "measures", "columns", "notProtected", "written"} {
		if d[key] == nil {
			t.Fatalf("there is no %q in %s", key, document)
		}
		out[key] = d[key]
	}
	return out
}
