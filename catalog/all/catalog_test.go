package all_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/catalog"
	_ "github.com/dither-data/dither/catalog/all"
	"github.com/dither-data/dither/generate"
	"github.com/dither-data/dither/generate/as2000"
	"github.com/dither-data/dither/generate/quest"
	"github.com/dither-data/dither/internal/testkit/must"
)

// Names come in order, each once, and the page of the index (docs/where.md) says of each where it is declared.
func TestNamesAreInOrderAndOnTheIndex(t *testing.T) {
	page := must.Get(os.ReadFile("../../docs/where.md"))(t)
	check := func(kind string, names []string) {
		if sorted := slices.Compact(slices.Sorted(slices.Values(names))); !slices.Equal(names, sorted) {
			t.Errorf("the %ss are %q; expected %q", kind, names, sorted)
		}
		for _, name := range names {
			if n := strings.Count(string(page), fmt.Sprintf("\n| %s | %s | [", name, kind)); n != 1 {
				t.Errorf("the index has the %s %s %d times", kind, name, n)
			}
		}
		if n := strings.Count(string(page), fmt.Sprintf(" | %s | [", kind)); n != len(names) {
			t.Errorf("the index has %d %ss, the catalogue %d", n, kind, len(names))
		}
	}
	check("technique", named(catalog.Methods()))
	check("measure", named(catalog.Measures()))
	check("miner", named(catalog.Miners()))
	check("generator", named(catalog.Generators()))
	check("reconstruction", named(catalog.Reconstructions()))
}

func named[E interface{ Named() string }](all []E) []string {
	names := make([]string, len(all))
	for k, e := range all {
		names[k] = e.Named()
	}
	return names
}

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

// TestGrowth: every technique says how its time grows with the records, but for those whose time is that of mining, of
// drawing items, of searching, or of trees of which no bound is given.
func TestGrowth(t *testing.T) {
	other := map[string]float64{"mdav": 2, "vmdav": 2}
	for _, name := range []string{"bba", "cutandpaste", "emask", "exacthiding", "forestframework", "framework", "fuzzify",
		"kmanonymise", "localsuppression", "mask", "maxmin1", "maxmin2", "morph", "selectasize"} {
		other[name] = 0
	}
	for _, m := range catalog.Methods() {
		want, is := other[m.Name]
		if !is {
			want = 1
		}
		if m.Growth != want {
			t.Errorf("the time of %s grows with the power %v of the records; expected %v", m.Name, m.Growth, want)
		}
	}
	for name, want := range map[string]float64{"mdav-within": 2, "framework-within": 0, "round-then-vmdav": 2,
		"round-then-morph": 0} {
		if m, err := catalog.Method(name); err != nil || m.Growth != want {
			t.Errorf("the time of %s grows with the power %v, %v; expected %v", name, m.Growth, err, want)
		}
	}
}

// TestGenerators: each is found by its names, and these are all, which the tests of package generate go through.
func TestGenerators(t *testing.T) {
	all := append(generate.Generators(), as2000.Generator, quest.Generator)
	if len(all) != len(catalog.Generators()) {
		t.Errorf("%d generators, and package generate tests %d", len(catalog.Generators()), len(all))
	}
	for _, g := range all {
		for _, name := range append(slices.Clone(g.Aliases), g.Name, g.Title) {
			if got, err := catalog.Generator(name); err != nil || got.Name != g.Name {
				t.Errorf("%q is %q, %v", name, got.Name, err)
			}
		}
	}
	if _, err := catalog.Generator("nobody"); err == nil {
		t.Error("an unknown generator was found")
	}
}

// TestShort: every technique and every measure has a name that fits a heading, and none the name of another.
func TestShort(t *testing.T) {
	const most = 24
	var all []card.Card
	for _, m := range catalog.Methods() {
		all = append(all, m.Card)
	}
	techniques := len(all)
	for _, m := range catalog.Measures() {
		all = append(all, m.Card)
	}
	seen := map[string]string{}
	for k, c := range all {
		if k == techniques {
			clear(seen)
		}
		name := c.Called()
		if n := utf8.RuneCountInString(name); n > most {
			t.Errorf("%s: %q has %d letters, a heading has room for %d", c.Name, name, n, most)
		}
		if other := seen[name]; other != "" {
			t.Errorf("%s and %s are both called %q", other, c.Name, name)
		}
		seen[name] = c.Name
	}
}
