package main

import (
	"strings"
	"testing"

	"github.com/dither-data/dither/measure/distributions"
	"github.com/dither-data/dither/measure/prediction"
	"github.com/dither-data/dither/measure/rulepreservation"
)

// TestFill writes figures of runs that are known into a text, wraps it, and refuses a figure that no run has.
func TestFill(t *testing.T) {
	g := figures{}
	g.keep("wbc", runs{kind{name: framework, note: "slow"}, []*result{
		{
			sim: &rulepreservation.TreeSimilarityDetail{Weights: [4]float64{95, 5, 0, 0}},
			acc: &prediction.AccuracyDetail{OriginalOriginal: 98, ReleasedReleased: 97, ReleasedOriginal: 90},
			bias: &distributions.Detail{
				Names:        []string{"a", "b"},
				MeanReleased: []float64{1200, 2},
				CorrOriginal: [][]float64{{1, 0.5}, {0.5, 1}},
				CorrReleased: [][]float64{{1, 0.1}, {0.1, 1}},
			},
		},
		{
			sim: &rulepreservation.TreeSimilarityDetail{Weights: [4]float64{80, 10, 0, 10}},
			acc: &prediction.AccuracyDetail{OriginalOriginal: 98, ReleasedReleased: 99, ReleasedOriginal: 80},
			bias: &distributions.Detail{
				Names:        []string{"a", "b"},
				MeanReleased: []float64{1300, 2},
				CorrOriginal: [][]float64{{1, 0.5}, {0.5, 1}},
				CorrReleased: [][]float64{{1, 0.3}, {0.3, 1}},
			},
		},
	}})
	for text, want := range map[string]string{
		`A {{f "wbc/Framework, slow: A" 1}}, over 90 in {{f "wbc/Framework, slow: A > 90" 0}} %`: "A 87.5, over 90 in 50 %",
		`{{f "wbc/Framework, slow: A+B" 0}} and {{f "wbc/Framework, slow: D" 0}}`:                "95 and 5",
		`gap {{f "wbc/Framework, slow: gap" 2}}`:                                                 "gap 1.00",
		`{{f "wbc/Framework, slow: original" 0}} from {{f "wbc/Framework, slow: least" 0}}`:      "85 from 80",
		`{{between "wbc/Framework, slow: own" "wbc/Framework, slow: A" 1}}`:                      "87.5 to 98.0",
		`{{f "wbc/Framework, slow: mean a" 0}}, {{f "wbc/Framework, slow: a and b" 2}}`:          "1,250, 0.20",
		`{{f "wbc/Framework, slow: change" 2}}`:                                                  "0.30",
		"# a title\n\n- " + strings.Repeat("word ",
			21) + "\n- next\n": "# a title\n\n- " + strings.Repeat("word ", 18) + "word\n  word word\n- next\n",
	} {
		got, err := g.fill(text)
		if err != nil || got != want {
			t.Errorf("%q gives %q, expected %q, error %v", text, got, want, err)
		}
	}
	for _, text := range []string{`{{f "wbc/Framework: A" 1}}`, `{{between "x" "wbc/Framework, slow: A" 1}}`, "{{f"} {
		if _, err := g.fill(text); err == nil {
			t.Errorf("%q is no error", text)
		}
	}
}

func TestNumber(t *testing.T) {
	for v, want := range map[float64]string{-0.08: "-0.08", 999: "999.00", 1234567.891: "1,234,567.89", -1234: "-1,234.00",
		-123: "-123.00"} {
		if got := number(v, 2); got != want {
			t.Errorf("%v is written %q, expected %q", v, got, want)
		}
	}
}
