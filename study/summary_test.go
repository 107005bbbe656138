package study

import (
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
)

// TestSummary has three folds of two repeats, one of which failed: fold values 1.5, 4 and 6.
func TestSummary(t *testing.T) {
	seen := func(n int, in string) message.Sentence { return message.Say("seen").Count("n", n).Name("in", in) }
	at := func(fold, repeat int, score float64, parts ...measure.Part) Cell {
		return Cell{
			Fold:   fold,
			Repeat: repeat,
			Scores: []Score{{Score: score, Parts: parts, Notes: []message.Sentence{seen(3, "a"), seen(12, "a"), seen(3, "b")}}},
		}
	}
	c := Comparison{Folds: 3, Repeats: 2, Measures: []Criterion{{Label: "m"}}, Cells: []Cell{
		at(1, 1, 1), at(1, 2, 2, measure.Part{Key: "p", Score: 7}, measure.Part{Key: "p", Of: "x", Score: 8}), at(2, 1, 4),
		{Fold: 2, Repeat: 2, Err: "no"}, at(3, 1, 5), at(3, 2, 7)}}
	c.summarise()
	mean := 11.5 / 3
	sd := math.Sqrt((math.Pow(1.5-mean, 2) + math.Pow(4-mean, 2) + math.Pow(6-mean, 2)) / 2)
	half := 4.302652729696142 * sd / math.Sqrt(3) // 97.5 % point of Student's t with 2 degrees of freedom
	nan := math.NaN()
	want := []Summary{
		{Folds: []float64{1.5, 4, 6}, Mean: mean, SD: sd, Lo: mean - half, Hi: mean + half, Cells: 5, Failed: 1},
		{Part: "p", Folds: []float64{7, nan, nan}, Mean: 7, SD: nan, Lo: nan, Hi: nan, Cells: 1, Failed: 1},
		{Part: "p", Of: "x", Folds: []float64{8, nan, nan}, Mean: 8, SD: nan, Lo: nan, Hi: nan, Cells: 1, Failed: 1},
	}
	if diff := cmp.Diff(want, c.Summaries, cmpopts.EquateNaNs(), cmpopts.EquateApprox(0, 1e-9)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]message.Sentence{seen(3, "a"), seen(3, "b")}, c.Measures[0].Notes); diff != "" {
		t.Error(diff)
	}
	if said := c.Measures[0].Said; !slices.Equal(said, []int{10, 5}) {
		t.Errorf("the notes were made in %v runs", said)
	}
	if c.Summary(0, 0, 0, "p").Mean != 7 || c.Summary(0, 0, 1, "") != nil {
		t.Error("a figure is not found")
	}
}
