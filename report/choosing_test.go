package report

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/study/search"
)

// chosen is a choice among nine techniques of long names.
func chosen() *Choosing {
	c := &Choosing{
		Choice: &search.Choice{
			Aspects: []search.WeightedLoss{{Name: "accuracy", Weight: 3}, {Name: "correlations", Weight: 1}},
			Trials:  120,
		},
		Purpose:    "everything",
		Limits:     message.Name("default"),
		Unmeasured: []string{"spreads"},
		Defaults: message.Texts(
			[]string{
				"no purpose was given, so everything counts",
				"no limits were given, so the default limits hold (" + strings.Repeat("a long source, ", 12) + ")",
			},
		),
		Records: 1000,
		Tried:   1000,
		Operating: []search.Operating{
			{
				Setting:       search.Setting{Candidate: 0, Levels: []int{100, 50}},
				Records:       1000,
				Seconds:       0.1,
				Slope:         1.5,
				Lo:            1.3,
				Hi:            1.7,
				Declared:      "O(n)",
				Order:         1,
				HidingFailure: 0.125,
				Level:         -0.25,
			},
		},
	}
	for k := range 9 {
		name := fmt.Sprint("technique", k)
		c.Candidates = append(
			c.Candidates,
			search.Candidate{Name: name + " inside a forest, capt, rpt", Method: protect.Method{Card: card.Card{Name: name}},
				Dials: []search.Dial{
					{Param: "p", Noise: param.Noise{Mild: 1, Strong: 2}},
					{Param: "q", Noise: param.Noise{Mild: 1, Strong: 2}},
				}},
		)
		for l := range 3 {
			p := search.Point{
				Setting: search.Setting{Candidate: k, Levels: []int{l * 100, l * 50}},
				Keeps:   l > 0,
				Seeds:   3,
				Losses:  []float64{0.1 * float64(l), 0.01 * float64(k)},
				Risk:    search.Risk{Measure: "found", Value: 0.05, Lo: 0.04, Hi: 0.12 - 0.04*float64(l), Limit: 0.09},
			}
			c.Points = append(c.Points, p)
			if l == 1 {
				c.Ranking = append(c.Ranking, search.Option{Point: p, Total: c.Total(p.Losses), Share: 0.1, Proof: true})
			}
		}
	}
	c.Chosen, c.RunnerUp = &c.Ranking[0], &c.Ranking[1]
	c.Confirmed = []search.Confirmation{{}, {Keeps: true}}
	c.Turns = []search.Turn{{Aspect: "accuracy", From: 3, To: 1.25}}
	c.Prices = []search.Price{{Measure: "found", Limit: 0.09, Loss: 0.1, Looser: 0.05, Stricter: math.NaN()}}
	c.Rejected = []search.Rejected{{Candidate: 8, Why: message.Text("it needs two categories"), NotHere: true}}
	return c
}

// TestTally: who is out is counted by why, and baselines have a sentence where there are any.
func TestTally(t *testing.T) {
	c := &Choosing{Choice: &search.Choice{}, Candidates: make([]search.Candidate, 6)}
	c.Rejected = []search.Rejected{{NotHere: true}, {Outdone: true}, {}, {}}
	keys := func() (out []string) {
		for _, s := range c.tally() {
			out = append(out, s.Key())
		}
		return out
	}
	if got := keys(); !slices.Equal(got, []string{"choice.tally"}) {
		t.Errorf("without a baseline: %q", got)
	}
	c.Rejected = append(c.Rejected, search.Rejected{Baseline: true})
	if got := keys(); !slices.Equal(got, []string{"choice.tally", "choice.baselines"}) {
		t.Errorf("with one: %q", got)
	}
	want := message.Say("choice.tally").Count("n", 6).Count("broke", 2).Count("here", 1).Count("outdone", 1)
	if got := c.tally()[0]; !got.Equal(want) {
		t.Errorf("%q, expected %q", got, want)
	}
}

// TestChoiceText: a choice is a screen of at most 25 lines with the gate, whatever the width, and says first what was
// chosen.
func TestChoiceText(t *testing.T) {
	for _, width := range []int{40, 80, 200} {
		for _, files := range [][]Made{nil, {{What: "release", Path: "out/release.csv"},
			{What: "report", Path: "out/report.html", Confidential: true},
			{What: "seed", Path: "out/seed", Confidential: true}}} {
			o := sample(t, 50, 5, 5, same)
			troubled(o, study.WithCare, 2)
			s := Screen{Width: width, Files: files, After: 1}
			var b strings.Builder
			must.NoError(t, ChoiceText(&b, chosen(), o, s))
			text := b.String()
			lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
			if n := len(lines) + len(wrapped(o.Verdict.Line().String(), width)); n > s.lines() {
				t.Errorf("%d cells: %d lines\n%s", width, n, text)
			}
			for _, l := range lines {
				if cells(l) > width && !strings.Contains(l, "out/") {
					t.Errorf("%d cells in a line of %d: %q", cells(l), width, l)
				}
			}
			if !strings.HasPrefix(text, "RELEASE WITH CARE: ") || !strings.Contains(text, "\nNot counted: spreads. ") ||
				!strings.Contains(text, "\nCHOSEN: technique0") {
				t.Errorf("it begins with %q", lines[0])
			}
			if width > 40 && !strings.Contains(strings.Join(strings.Fields(text), " "), "it would win if accuracy counted "+
				"1.25 instead of 3") {
				t.Errorf("nothing says what would change the choice:\n%s", text)
			}
		}
	}
}

// TestUncounted: what was asked for and the table has nothing of is named on the screen and on the page, and nothing is
// where all can be.
func TestUncounted(t *testing.T) {
	o := sample(t, 50, 3, 2, same)
	troubled(o, study.WithCare, 2)
	for _, lacking := range [][]string{nil, {"clusters", "rules"}} {
		c := chosen()
		c.Unmeasured = lacking
		var b strings.Builder
		must.NoError(t, ChoiceText(&b, c, o, Screen{After: 1}))
		for what, text := range map[string]string{"screen": b.String(), "page": render(t, o, Options{Choice: c})} {
			if told := strings.Contains(strings.Join(strings.Fields(text), " "), "Not counted: clusters and rules. This table "+
				"has nothing of that to lose"); told != (lacking != nil) {
				t.Errorf("%q on the %s: told %v", lacking, what, told)
			}
		}
	}
}

// The page of a release has the choice, and the public one has not: what was found in other releases is nobody's
// business.
func TestChoiceOnThePage(t *testing.T) {
	o := sample(t, 50, 3, 2, same)
	page := render(t, o, Options{Choice: chosen()})
	plain := plainText(page)
	for _, want := range []string{"Why this technique", "choice-map", "--set p=", "at 6 % nothing that was tried would " +
		"be left",
		"1.50 (1.30 to 1.70)", "faster than declared", "12.5 %", "−0.250"} {
		if !strings.Contains(plain, want) && !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if public := render(t, o, Options{Choice: chosen(), Public: true}); strings.Contains(public, "Why this technique") ||
		strings.Contains(public, "technique1") {
		t.Error("the public page tells of the choice")
	}
}
