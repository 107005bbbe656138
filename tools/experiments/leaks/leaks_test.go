package main

import (
	"os"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/dataset"
	"github.com/dither-data/dither/study"
)

// TestLeaks: every leak withholds its release by the figure that it is there to move, and no table without a leak is
// withheld. Every sixth is always tried, all are where DITHER_LONG is set.
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
			case !l.leaks() && f.verdict.State == study.Withheld:
				t.Errorf("withheld without a leak: %v", f.verdict.Reasons)
			}
		})
	}
}
