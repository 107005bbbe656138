package main

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"github.com/dither-data/dither/generate"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/study"
)

// TestTable31 compares J with the table as printed, half a digit about.
func TestTable31(t *testing.T) {
	levels := []float64{-.19089, -.33402, -.51677}
	for k := 0; k < len(table31); k += 2 {
		if got := table31[k+1].prime() - table31[k].prime(); math.Abs(got-levels[k/2]) > 6e-6 {
			t.Errorf("%s: level of privacy %v, want %v", table31[k].name, got, levels[k/2])
		}
	}
	var b bytes.Buffer
	if err := page(&b, table31, nil, nil, 1); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"| 45 → 8 | 0.000644 | 0.000644 | 0.000191 | 0.000191 | 0.03315 |",
		"| 43 → 12 | -0.014530 | -0.33402 | 0.33402 |"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("the page lacks %q", want)
		}
	}
}

// TestSurvive measures releases of a small table, and says where there is none.
func TestSurvive(t *testing.T) {
	sets := []set{{title: "Patients", Table: study.WithoutIdentifiers(generate.Patients(300, rng.New([32]byte{1})))}}
	var rows []row
	for _, name := range []string{"pram", "alpt"} {
		r, err := survive(t.Context(), sets, name, 2)
		if err != nil {
			t.Fatal(err)
		}
		rows = append(rows, r)
	}
	c := rows[0].cells[0]
	if len(c.jaccard) != 2 || c.jaccard[0] == c.jaccard[1] || c.kept <= 0 || c.kept >= 1 || c.found.Share <= 0 ||
		sets[0].rules == 0 {
		t.Errorf("%+v of %d rules", c, sets[0].rules)
	}
	var b bytes.Buffer
	if err := page(&b, table31, sets, rows, 2); err != nil || !strings.Contains(b.String(), "| pram | ") ||
		strings.Contains(b.String(), "{{") {
		t.Errorf("%v: %s", err, b.String())
	}
}
