package main

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/dataset"
	"github.com/dither-data/dither/study"
)

// besides are the limits that releases without a planted leak break, by table, as the page says: the release keeps what
// one person alone has, or the order of the records. Releases of the other tables break none.
var besides = map[string][]string{"abalone": {"membership"}, "adult": {"membership"}, "crx": {"membership", "roworder"}}

// TestLeaks: every leak withholds its release by the figure that it is there to move, and a table without a leak is
// withheld by nothing but what is told of it. Every sixth is always tried, all are where DITHER_LONG is set.
func TestLeaks(t *testing.T) {
	if testing.Short() {
		return // what judges a release is raced by the tests of study
	}
	for k, l := range leaks() {
		if k%6 != 0 && os.Getenv("DITHER_LONG") == "" {
			continue
		}
		t.Run(l.table+" "+l.what, func(t *testing.T) {
			if l.table != "hospital" {
				dataset.File(t, l.table+"/"+l.table+".csv") // skips where the tables are missing
			}
			f, err := judge(t.Context(), &l, 0)
			if err != nil {
				t.Fatal(err)
			}
			var broken []string
			for _, d := range f.broken {
				broken = append(broken, d.Measure)
			}
			_, noticed := f.noticed()
			switch {
			case l.leaks() && (!noticed || f.verdict.State != study.Withheld):
				t.Errorf("%s; broken: %s; reasons %v", f.verdict.State, strings.Join(broken, ", "), f.verdict.Reasons)
			case !l.leaks() && !slices.Equal(slices.Compact(slices.Sorted(slices.Values(broken))), besides[l.table]),
				!l.leaks() && (f.verdict.State == study.Withheld) != (besides[l.table] != nil):
				t.Errorf("%s without a leak by %v: %v", f.verdict.State, broken, f.verdict.Reasons)
			}
		})
	}
}
