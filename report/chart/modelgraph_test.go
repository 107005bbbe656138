package chart

import (
	"strings"
	"testing"
)

// TestModelGraph: every node and count is there, no label stands on another, and an edge leads from each attribute to
// its constraints and from these to what joins them.
func TestModelGraph(t *testing.T) {
	m := ModelGraph{
		Title: "diagnosis",
		Attributes: []ModelNode{
			{"age", "25 % lost", ""},
			{"ward", "unchanged", ""},
			{"dose", "50 % changed", "weights 0.5 and 0.3"},
		},
		Simple: []SimpleNode{
			{"dose_max", "dose <= 10", 2, -1, 1, 2},
			{"", "age >= 18", 0, 0, 0, 1},
			{"", "dose <= 5", 2, 0, 1234, 5678},
			{"", strings.Repeat("age >= 18 or ", 9) + "age > 3", 0, 1, 0, 1},
		},
		Complex: []ModelNode{{"adult_or_low", "any; broken in 1 record", ""}, {"another with a name that is much too long " +
			"for its box", "all; kept", ""}},
	}
	svg := m.Draw("g")
	inspect(t, "graph", svg)
	for _, want := range []string{"dose_max", "of 5,678", ">1,234<", "adult_or_low", "age &gt;= 18",
		"3 attributes lead to 4 constraints, 2 of which are broken, and 2 of them are joined."} {
		if !strings.Contains(string(svg), want) {
			t.Errorf("the graph lacks %q", want)
		}
	}
	if n := strings.Count(string(svg), `class="twig"`); n != 4+3 {
		t.Errorf("%d edges, expected 7", n)
	}
	if n := strings.Count(string(svg), `class="g neg halo"`); n != 2 {
		t.Errorf("%d counts stand out, expected 2", n)
	}
	alone := ModelGraph{Attributes: []ModelNode{{"age", "unchanged", ""}}}.Draw("g")
	inspect(t, "alone", alone)
	if strings.Contains(string(alone), "Joined") {
		t.Error("there is a head for what is not there")
	}
}
