package policy

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/dither-data/dither/internal/testkit/must"
)

// A text never panics: it is refused with an error of one line, or accepted, and then the policy written as JSON, which
// is YAML too, is accepted as the same policy.
func FuzzParse(f *testing.F) {
	for _, s := range []string{whole, withIntruders, "", "version: 1", "version: 1\nclass: 'a b'",
		"version: 1\ncolumns:\n- a\n- b", "version: 1\nclass: |\n  text\n",
		"version: 1\nclass: &a [*a]", "{version: 1, columns: {a: {values: [1e5, \"\\u00e9\", 0.10]}}}", "? version\n: 1",
		"version: 1\n...\n---\n",
		"version: 1\nmethod: {name: x, set: {<<: 1}}", "%YAML 1.2\n---\nversion: 1", "version: 1\ncolumns: {~: {}, true: " +
			"{}, 1.0: {}}",
		"a:\n - b:\n  - c: {d: [e, f: g]}\n", "version: 1 # \xf0\x9f\x98\x80\nclass: \"\xf0\x9f\x98\x80\""} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, err := Parse("p.yaml", []byte(text))
		if err != nil {
			var e *Error
			if !errors.As(err, &e) || e.Message == "" || strings.ContainsRune(e.Error(), '\n') {
				t.Fatalf("error %q", err)
			}
			return
		}
		p.Kinds()
		p.Roles()
		again := must.Get(json.Marshal(p))(t)
		q, err := Parse("p.yaml", again)
		if err != nil {
			t.Fatalf("%s\nis refused: %v", again, err)
		}
		if d := cmp.Diff(p, q, cmpopts.IgnoreUnexported(Policy{}), cmpopts.EquateEmpty()); d != "" {
			t.Fatal(d)
		}
	})
}
