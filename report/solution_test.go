package report

import (
	"strings"
	"testing"

	"github.com/dither-data/dither/protect"
)

// The page lists the levels that were searched: the chosen combination and those beside it, the others folded; the
// public one has none.
func TestSolutionOnThePage(t *testing.T) {
	o := sample(t, 50, 3, 2, same)
	if solutionOf(o, Options{}) != nil {
		t.Error("a technique that searches nothing has solutions")
	}
	o.Solution = &protect.Solution{Records: 1200, Most: 40,
		Columns: []protect.SolutionColumn{{Name: "age", Height: 6, Weight: 1}, {Name: "sex", Height: 1, Weight: 1}},
		Nodes: []protect.SolutionNode{
			{Levels: []int{2, 0}, Place: protect.ChosenNode, Meets: true, Suppressed: 30, Classes: 78, Smallest: 5,
				Largest: 60, Loss: 0.125},
			{Levels: []int{1, 0}, Place: protect.BelowNode, Suppressed: 1200, Loss: 1},
			{Levels: []int{0, 1}, Place: protect.OtherNode, Meets: true, Classes: 100, Smallest: 5, Largest: 60, Loss: 0.25},
		}}
	tables := tablesOf(solutionOf(o, Options{}).Blocks...)
	if len(tables) != 2 || len(tables[0].Rows) != 2 || len(tables[1].Rows) != 1 {
		t.Fatalf("%+v", tables)
	}
	for k, want := range []string{"chosen|2|0|yes|30|78|5|15.0|60|12.5 %",
		"one level lower|1|0|no|1,200|0|0|0.0|0|100 %"} {
		if got := strings.Join(cellTexts(tables[0].Rows[k]), "|"); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	for public, want := range map[bool]bool{false: true, true: false} {
		page := render(t, o, Options{Public: public})
		if got := strings.Contains(page, "age, of 6") && strings.Contains(page, "At most 40 records of 1,200"); got != want {
			t.Errorf("public %t: the page lists solutions: %t", public, got)
		}
	}
}

// Where levels are by record the page has the rounds, too, and says that the first leaves records to the others.
func TestRoundsOnThePage(t *testing.T) {
	o := sample(t, 50, 3, 2, same)
	o.Solution = &protect.Solution{Records: 1200, Most: 1140,
		Columns: []protect.SolutionColumn{{Name: "age", Height: 6, Weight: 1}, {Name: "sex", Height: 1, Weight: 1}},
		Nodes:   []protect.SolutionNode{{Levels: []int{2, 0}, Place: protect.ChosenNode, Meets: true, Suppressed: 300}},
		Rounds: []protect.SolutionRound{{Levels: []int{2, 0}, Records: 900, Classes: 80},
			{Levels: []int{4, 1}, Records: 300, Classes: 9}}}
	tables := tablesOf(solutionOf(o, Options{}).Blocks...)
	if len(tables) != 2 || strings.Join(cellTexts(tables[1].Rows[1]), "|") != "2|4|1|300|9" {
		t.Fatalf("%+v", tables)
	}
	if page := render(t, o, Options{}); !strings.Contains(page, "the first round may leave 1,140 records of 1,200") {
		t.Error("the page does not say what the first round leaves")
	}
	if strings.Contains(render(t, o, Options{Public: true}), "1,140") {
		t.Error("the public page tells of rounds")
	}
}
