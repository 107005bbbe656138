package chart

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

var circle = regexp.MustCompile(`<circle cx="([0-9.]+)" cy="([0-9.]+)" r="[0-9.]+" class="([a-z]+)"`)

// TestRuleMap: every rule stands where its support and confidence are, kept and new ones those of the release, lost
// ones those of the original.
func TestRuleMap(t *testing.T) {
	m := RuleMap{Title: "Rules", Width: 600, Support: 0.05, Confidence: 0.5, Points: []RulePoint{
		{Fate: RuleLost, Before: Strength{0.1, 0.6}, After: Strength{0.01, 0.1}},
		{Fate: RuleKept, Before: Strength{0.2, 0.7}, After: Strength{0.4, 0.8}},
		{Fate: RuleNew, Before: Strength{}, After: Strength{0.8, 1}},
		{Fate: RuleHidden, Before: Strength{0.2, 0.9}, After: Strength{0.01, 0.1}, Tip: "a=>b"},
		{Fate: RuleLost, Before: Strength{math.NaN(), 0.6}},
		{Fate: RuleNew, After: Strength{0, 0.6}},
	}}
	svg := string(m.Draw("m"))
	at := map[string][2]float64{}
	for _, g := range circle.FindAllStringSubmatch(svg, -1) {
		x, _ := strconv.ParseFloat(g[1], 64)
		y, _ := strconv.ParseFloat(g[2], 64)
		at[g[3]] = [2]float64{x, y}
	}
	lost, kept, fresh := at["worse"], at["bar"], at["close"]
	if len(at) != 3 || strings.Count(svg, "<circle") != 3 || strings.Count(svg, `class="neg"`) != 1 {
		t.Fatalf("drawn are %v", at)
	}
	// Support doubles twice from the lost to the kept one and once from there to the new one; confidence rises by 0.2
	// each.
	if math.Abs((kept[0]-lost[0])-2*(fresh[0]-kept[0])) > 0.4 || fresh[0] <= kept[0] {
		t.Errorf("supports 0.1, 0.4 and 0.8 are at %v, %v and %v", lost[0], kept[0], fresh[0])
	}
	if math.Abs((lost[1]-kept[1])-(kept[1]-fresh[1])) > 0.4 || lost[1] <= kept[1] {
		t.Errorf("confidences 0.6, 0.8 and 1 are at %v, %v and %v", lost[1], kept[1], fresh[1])
	}
	for _, want := range []string{">5 %<", ">50 %<", "a=&gt;b", "1 in both tables, 1 of the original alone, 1 of the " +
		"release alone, 1 hidden", "support 5 % and confidence 50 %"} {
		if !strings.Contains(svg, want) {
			t.Errorf("the map lacks %q", want)
		}
	}
	if svg := string(RuleMap{Title: "Rules", Support: 0.1, Confidence: 0.5}.Draw("m")); !strings.Contains(svg,
		"no values to draw") {
		t.Error("a map without rules is drawn")
	}
	// A single rule, at the threshold and at everything.
	for _, s := range []Strength{{0.05, 0.5}, {1, 1}} {
		one := RuleMap{Support: 0.05, Confidence: 0.5, Points: []RulePoint{{Fate: RuleNew, After: s}}}
		if svg := string(one.Draw("m")); strings.Count(svg, "<circle") != 1 || strings.Contains(svg, "NaN") {
			t.Error(svg)
		}
	}
}
