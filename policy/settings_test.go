package policy

import (
	"slices"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/param"
)

// A parameter that names columns may be a list, as YAML writes lists; names that hold commas stay one each.
func TestSettingsTakeLists(t *testing.T) {
	p, err := Parse("p.yaml", []byte("version: 1\nstages:\n  - {name: pram, set: {except: [age, 'a, b', 3], keep: 0.5}}\n"+
		"  - {name: kanonymise, set: {columns: [sex]}}\n"))
	must.NoError(t, err)
	for name, want := range map[string][]string{
		"1.except": {"age", "a, b", "3"}, "1.keep": {"0.5"}, "2.columns": {"sex"},
	} {
		if got := param.SplitNames(p.Settings()[name]); !slices.Equal(got, want) {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	for _, bad := range []string{"[]", "[[a]]", "{a: b}", "[a, a]", "null"} {
		if _, err := Parse("p.yaml", []byte("version: 1\nmethod: {name: pram, set: {except: "+bad+"}}\n")); err == nil {
			t.Errorf("%s is accepted", bad)
		}
	}
}
