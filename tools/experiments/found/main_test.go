package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/dither-data/dither/generate"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/study"
)

// TestHold measures one release by everything.
func TestHold(t *testing.T) {
	s := set{"Patients", study.WithoutIdentifiers(generate.Patients(120, rng.New([32]byte{1})))}
	r, err := hold(t.Context(), s, "rankswap", 2)
	if err != nil || len(r.found) != 3 || len(r.singles) != len(singles) || r.trials != 2 {
		t.Fatalf("%+v, error %v", r, err)
	}
	for k, share := range r.singles {
		if share > r.found[2].Hi || share < 0 {
			t.Errorf("%s finds %v, the upper bound is %v", singles[k], share, r.found[2].Hi)
		}
	}
}

// TestPage shows what is as it should be and what is not.
func TestPage(t *testing.T) {
	before := 0.5
	attack := func(share float64) measure.Attack {
		return measure.Attack{Share: share, Lo: share - 0.05, Hi: share + 0.05, Before: &before}
	}
	results := []result{
		{
			set:       "A",
			technique: "one",
			found:     []measure.Attack{attack(0.1), attack(0.2), attack(0.3)},
			singles:   []float64{0.1, 0.1, -1, 0.1, 0.34},
			held:      3,
			trials:    4,
		},
		{
			set:       "A",
			technique: "two",
			found:     []measure.Attack{attack(0.5), attack(0.2), attack(0.3)},
			singles:   []float64{0.4, 0.1, 0.1, 0.1, 0.1},
			held:      4,
			trials:    4,
		},
		{set: "B", technique: "three", why: "nothing to do"},
	}
	var b bytes.Buffer
	if err := page(&b, results, 4); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"in 7 of 8: 87.5 %", "at least 3 of 4.", "| one | 50.0 % | 10.0 % (5.0 % to 15.0 %) |",
		" – |", "It happened 1 times:\n\n- A by two: distance finds 40.0 %, the upper bound is 35.0 %",
		"- A by two: 20.0 % who knows more, 50.0 % who knows less", "| three | no release: nothing to do |"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if strings.Contains(b.String(), "{{") {
		t.Error("a mark is left")
	}
}
