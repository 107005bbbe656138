package study

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/dither-data/dither/measure"
)

// TestSummary has three folds of two repeats, one of which failed: fold values 1.5, 4 and 6.
func TestSummary(t *testing.T) {
	at := func(fold, repeat int, score float64, parts ...measure.Part) Cell {
		return Cell{Fold: fold, Repeat: repeat, Scores: []Score{{Score: score, Parts: parts, Notes: []string{"seen in 3 records", "seen in 12 records"}}}}
	}
	c := Comparison{Folds: 3, Repeats: 2, Measures: []Criterion{{Label: "m"}}, Cells: []Cell{
		at(1, 1, 1), at(1, 2, 2, measure.Part{Name: "p", Score: 7}), at(2, 1, 4), {Fold: 2, Repeat: 2, Err: "no"}, at(3, 1, 5), at(3, 2, 7)}}
	c.summarise()
	mean := 11.5 / 3
	sd := math.Sqrt((math.Pow(1.5-mean, 2) + math.Pow(4-mean, 2) + math.Pow(6-mean, 2)) / 2)
	half := 4.302652729696142 * sd / math.Sqrt(3) // 97.5 % point of Student's t with 2 degrees of freedom
	nan := math.NaN()
	want := []Summary{
		{Folds: []float64{1.5, 4, 6}, Mean: mean, SD: sd, Lo: mean - half, Hi: mean + half, Cells: 5, Failed: 1},
		{Part: "p", Folds: []float64{7, nan, nan}, Mean: 7, SD: nan, Lo: nan, Hi: nan, Cells: 1, Failed: 1},
	}
	if diff := cmp.Diff(want, c.Summaries, cmpopts.EquateNaNs(), cmpopts.EquateApprox(0, 1e-9)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"seen in 3 records"}, c.Measures[0].Notes); diff != "" {
		t.Error(diff)
	}
	if c.Summary(0, 0, 0, "p").Mean != 7 || c.Summary(0, 0, 1, "") != nil {
		t.Error("a figure is not found")
	}
}
