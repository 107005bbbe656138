package main

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/dataset"
)

// TestPage prints the page of two subsets: LINNAPT and LINFAPT leave nobody's leaf, RNAT does.
func TestPage(t *testing.T) {
	t.Setenv("DITHER_DATA", filepath.Dir(filepath.Dir(dataset.File(t, "wbc/wbc.csv"))))
	r, err := study(t.Context(), 2)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range techniques {
		for _, f := range r.released[m.title] {
			kept := m.title != "RNAT"
			if kept && (f.inside < 100-1e-9 || f.linfa != 0) || !kept && f.inside > 60 {
				t.Errorf(
					"%s: %v %% of the records are in their leaf, %v %% of the values outside the range",
					m.title,
					f.inside,
					f.linfa,
				)
			}
			if f.changed == 0 {
				t.Errorf("%s changes nothing", m.title)
			}
		}
	}
	var page bytes.Buffer
	print(&page, r, 2)
	for _, want := range []string{"- **Rules** of Types A and B cover ", "| LINNAPT | ", "| RNAT | ", "- the root tests ",
		" leaves on average\n"} {
		if !strings.Contains(page.String(), want) {
			t.Errorf("the page lacks %q", want)
		}
	}
}
