package protecttest

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/protect"
)

// Trials are the options that the suite tries each entry of a family with: by the entry's name, and by names of their
// own. An entry without trials is tried as it comes.
type Trials map[string]map[string]Options

// of returns the trials of an entry, one at least.
func (t Trials) of(m protect.Method) map[string]Options {
	if own := t[m.Name]; len(own) > 0 {
		return own
	}
	return map[string]Options{"defaults": {}}
}

// Family checks all entries of a family. One is picked by its name: -run 'TestConformance/^hide1a$'.
func Family(t *testing.T, methods []protect.Method, trials Trials) {
	t.Helper()
	for name := range trials {
		if !slices.ContainsFunc(methods, func(m protect.Method) bool { return m.Name == name }) {
			t.Errorf("there are trials for %s, which is no entry of the family", name)
		}
	}
	for _, m := range methods {
		t.Run(m.Name, func(t *testing.T) {
			all := trials.of(m)
			for name, opt := range all {
				t.Run(name, func(t *testing.T) { run(t, m, opt, name == first(all)) })
			}
		})
	}
}

// first is the trial of an entry that all is checked with in a quick run, too.
func first(all map[string]Options) string {
	if _, ok := all["defaults"]; ok {
		return "defaults"
	}
	return slices.Min(slices.Collect(maps.Keys(all)))
}

// Declares checks which parameters an entry of a family declares: their names in order, with blanks between them.
func Declares(t *testing.T, methods []protect.Method, name, want string) {
	t.Helper()
	for _, m := range methods {
		if m.Name != name {
			continue
		}
		var got []string
		for _, p := range m.New().Params() {
			got = append(got, p.Name)
		}
		if got := strings.Join(got, " "); got != want {
			t.Errorf("%s declares %q, expected %q", name, got, want)
		}
		return
	}
	t.Errorf("%s is no entry of the family", name)
}

// BenchFamily runs a benchmark for each entry of a family and each number of rows.
func BenchFamily(b *testing.B, methods []protect.Method, bench func(*testing.B, protect.Method, int), rows ...int) {
	for _, m := range methods {
		b.Run(m.Name, func(b *testing.B) {
			for _, n := range rows {
				b.Run(fmt.Sprint(n), func(b *testing.B) { bench(b, m, n) })
			}
		})
	}
}
