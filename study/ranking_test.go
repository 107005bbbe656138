package study

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/dither-data/dither/internal/stats/mannwhitney"
	"github.com/dither-data/dither/internal/stats/quantile"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/prediction"
	"github.com/dither-data/dither/message"
)

// TestRanked pools the values of the cells: failed ones, measures that failed and settings without values do not count.
func TestRanked(t *testing.T) {
	at := func(setting int, lower bool, v ...float64) Cell {
		return Cell{
			Setting: setting,
			Fold:    1,
			Repeat:  1,
			Scores:  []Score{{}, {Samples: []mannwhitney.Sample{{Name: "pd", Title: "detection", Lower: lower, Values: v}}}},
		}
	}
	for _, lower := range []bool{false, true} {
		c := Comparison{
			Folds:    1,
			Data:     make([]Studied, 1),
			Settings: make([]Compared, 4),
			Measures: make([]Criterion, 2),
			Cells: []Cell{
				at(0, lower, 9, 8, 7, 9), at(1, lower, 1, 2, 3, 1), at(1, lower, 2, 2), {Setting: 1, Fold: 1, Repeat: 2, Err: "no"},
				{Setting: 2, Fold: 1, Repeat: 1, Scores: []Score{{}, {Err: message.Text("no")}}}, at(3, lower, 8, 8, 8, 9)},
		}
		c.summarise()
		ranks := []int{1, 2, 1}
		if lower {
			ranks = []int{2, 1, 2}
		}
		want := []Ranked{{Measure: 1, Name: "pd", Title: "detection", Lower: lower, Treatments: []Treatment{
			{Setting: 0, Values: 4, Summary: quantile.Summary{Mean: 8.25, Q1: 7.75, Median: 8.5, Q3: 9}, Rank: ranks[0]},
			{Setting: 1, Values: 6, Summary: quantile.Summary{Mean: 11.0 / 6, Q1: 1.25, Median: 2, Q3: 2}, Rank: ranks[1]},
			{Setting: 3, Values: 4, Summary: quantile.Summary{Mean: 8.25, Q1: 8, Median: 8, Q3: 8.25}, Rank: ranks[2]},
		}}}
		if diff := cmp.Diff(want, c.Ranked); diff != "" {
			t.Errorf("lower %v: %s", lower, diff)
		}
	}
}

type manyValued struct{ values []float64 }

func (m manyValued) Samples() []mannwhitney.Sample {
	return []mannwhitney.Sample{{Name: "a", Values: m.values}, {Name: "b", Values: []float64{1}}}
}

func TestSamplesAreFinite(t *testing.T) {
	if s := samplesOf(manyValued{[]float64{1, math.NaN()}}); len(s) != 1 || s[0].Name != "b" {
		t.Errorf("samples %v", s)
	}
	if s := samplesOf(manyValued{[]float64{1}}); len(s) != 2 {
		t.Errorf("samples %v", s)
	}
	if samplesOf(nil) != nil || samplesOf("text") != nil {
		t.Error("samples of nothing")
	}
}

// TestCompareRanks has a measure with many values in a comparison: a resumed one ranks alike.
func TestCompareRanks(t *testing.T) {
	q := contest(t)
	q.Measures = []Spec{{Measure: prediction.Classifier}, {Measure: measure.Measure(unlucky)}}
	var lines []byte
	q.Finished = func(c Cell) error {
		line, err := EncodeCell(c)
		lines = append(lines, line...)
		return err
	}
	c := mustCompare(t, q)
	if len(c.Ranked) != 4*len(q.Data) || len(c.Ranked[0].Treatments) != 4 || c.Ranked[0].Treatments[1].Values < 3*2 {
		t.Fatalf("%d figures are ranked: %+v", len(c.Ranked), c.Ranked)
	}
	q.Finished = nil
	cells, _, err := DecodeCheckpoint(append(Cells.Header("f"), lines...), "f", 2)
	if err != nil || len(cells) != len(c.Cells) {
		t.Fatal(len(cells), err)
	}
	q.Done = cells[:len(cells)/2]
	if diff := cmp.Diff(c, mustCompare(t, q), same); diff != "" {
		t.Error(diff)
	}
}
