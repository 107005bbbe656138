package tree

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
)

// TestFile: a tree comes back from its file, which is named, and from what was saved before files were; a file of
// another schema is refused.
func TestFile(t *testing.T) {
	named := must.Get(json.Marshal(sample().File()))(t)
	before := must.Get(json.Marshal(sample()))(t)
	if !strings.HasPrefix(string(named), `{"schema":"dither/tree/1","columns":[`) || strings.HasPrefix(string(before), `{"schema":"`) {
		t.Errorf("the file is %.60s, and before it was %.60s", named, before)
	}
	for _, data := range [][]byte{named, before} {
		if back, err := Read(data); err != nil || !sample().Equal(back) {
			t.Errorf("%.60s: another tree comes back, %v", data, err)
		}
	}
	for old, text := range map[string]string{
		`"dither/tree/1"`: `"dither/tree/2"`, `"columns"`: `"fields"`, `"class"`: `"more":1,"class"`, `{"schema":"dither/tree/1"`: `1{"schema":"dither/tree/1"`,
		`"columns":[`: `"columns":[{"name":"c","type":"numeric"},{"name":"c","type":"numeric"},`,
	} {
		if _, err := Read([]byte(strings.Replace(string(named), old, text, 1))); err == nil {
			t.Errorf("a file with %s in place of %s is accepted", text, old)
		}
	}
	if _, err := Read(append(named, '1')); err == nil {
		t.Error("a file with more behind it is accepted")
	}
}
