package main

import (
	"strings"
	"testing"

	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
)

// The sentences of the page name the releases that the run shows them of, and no other.
func TestRemarks(t *testing.T) {
	made := func(technique, by string, single, last measure.Value) tried {
		r := &result{technique: technique, single: single, alone: last, best: measure.Attack{By: message.Say(by)}}
		r.steps[2] = last
		return tried{r, "CMC", 736}
	}
	low, high := measure.Value{Lo: 0, Hi: 0.2}, measure.Value{Lo: 0.5, Hi: 0.9}
	all := []tried{
		made("pram", "measure.learned.by.distance", low, high),
		made("framework", segments, high, high),
		made("sap", "measure.learned.by.distance", high, low),
	}
	all[2].alone = high
	var b strings.Builder
	remark(&b, all)
	for _, want := range []string{"the nearest record in 1 of 3 releases (`pram` on CMC).", "the best attack in 1 of 3 " +
		"releases (`framework` on CMC).",
		"33 points on CMC, with 736 people", "in 1 of 3 releases (`sap` on CMC)."} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%q is missing in\n%s", want, b.String())
		}
	}
}
