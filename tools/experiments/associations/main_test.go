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

// TestFigures: J is smallest where the confidence is the support of the consequent, falls before and grows behind, and
// J' grows throughout: what Figures 3.1 to 3.3 show.
func TestFigures(t *testing.T) {
	for k := 0; k < len(table31); k += 2 {
		r := &table31[k]
		if got := r.turn(); math.Abs(got-r.a) > 1./confidences {
			t.Errorf("%s: J is smallest at %v, expected %v", r.name, got, r.a)
		}
		x, j := r.curve((*rule).bits)
		_, prime := r.curve((*rule).prime)
		for i := 1; i < len(x); i++ {
			if prime[i] <= prime[i-1] {
				t.Errorf("%s: J' falls at %v", r.name, x[i])
			}
			if falls := j[i] < j[i-1]; x[i] < r.a && !falls || x[i-1] > r.a && falls {
				t.Errorf("%s: J at %v is %v, before it %v", r.name, x[i], j[i], j[i-1])
			}
			// the derivative of J is J' (equation 3.11 to 3.14), by the difference over two steps
			if i+1 < len(x) {
				slope := (j[i+1] - j[i-1]) / (x[i+1] - x[i-1])
				if math.Abs(slope-prime[i]) > 0.05*math.Abs(prime[i])+0.01 {
					t.Errorf("%s at %v: slope %v, J' %v", r.name, x[i], slope, prime[i])
				}
			}
		}
	}
	if picture := plot(table31); strings.Count(picture, "<polyline") != 9 || strings.Contains(picture, "NaN") {
		t.Error(picture)
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
