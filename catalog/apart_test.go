package catalog_test

import (
	"strings"
	"testing"

	"github.com/dither-data/dither/catalog"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/limit"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/policy"
	"github.com/dither-data/dither/study/judge"
)

// A program that does not import an entry says what it lacks, not that there is no such technique.
func TestApart(t *testing.T) {
	_, err := catalog.Method("Hide2a")
	if want := "the technique Hide2a is not in this program: import catalog/all"; err == nil || err.Error() != want {
		t.Errorf("%v; want %s", err, want)
	}
	_, err = catalog.Measure("hide2a") // a technique
	if want := `unknown measure "hide2a"; "dither measures" lists them`; err == nil || err.Error() != want {
		t.Errorf("%v; want %s", err, want)
	}
}

// A limit on a measure that the program lacks is refused: left out, it would be met by every release.
func TestLimitsAreNotLeftOut(t *testing.T) {
	for _, name := range []string{"default", "ema", limit.Survey} { // the others are of columns alone, or empty
		set := must.Get(limit.Preset(name))(t)
		if _, err := judge.Limits(set, &policy.Policy{}); err == nil ||
			!strings.Contains(err.Error(), "is not in this program: import catalog/all") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// What is added stands by name among what was there.
func TestAdd(t *testing.T) {
	var m measure.Measure
	for _, name := range []string{"second", "third", "first"} {
		m.Name = name
		catalog.Add(catalog.Entries{Measures: []measure.Measure{m}})
	}
	var names string
	for _, m := range catalog.Measures() {
		names += m.Name + " "
	}
	if names != "first second third " {
		t.Errorf("the measures are %s", names)
	}
}
