package nearest

import (
	"math"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// Fellegi & Sunter 1969: with m = 0.9 and u = 0.1 an agreement weighs log2 9 = 3.17 bits and a disagreement as much
// against.
func TestWeights(t *testing.T) {
	m := &Model{Pi: 0.5, M: []float64{0.9, 0.9, 0.9}, U: []float64{0.1, 0.1, 0.1}}
	m.weigh()
	for _, c := range []struct {
		Pattern
		want float64
	}{{Pattern{1, 1}, 3.17}, {Pattern{0, 1}, -3.17}, {Pattern{0b101, 0b111}, 3.17}, {Pattern{0, 0}, 0}} {
		if got := m.Weight(c.Pattern); math.Abs(got-c.want) > 0.001 {
			t.Errorf("%v: %v, expected %v", c.Pattern, got, c.want)
		}
	}
	if got := m.Matching(Pattern{1, 1}); math.Abs(got-0.9) > 1e-12 {
		t.Errorf("a pair matches with probability %v, expected 0.9", got)
	}
}

// Domingo-Ferrer & Torra 2001: squared distances of standardised numbers add up with 0 or 1 for categories. Here a
// number counts half, so that people are at 1 on average: with standard deviations of 2 and 1, (3/2)²/2 + (1/1)²/2 + 1
// = 2.625.
func TestDistance(t *testing.T) {
	people := tabletest.Of(t, table.NumColumn("x", 1, []float64{-2, 0, 2}), table.NumColumn("y", 1, []float64{4, 5, 6}),
		table.CatColumn("c", []string{"a", "b"}, []int32{0, 1, 0}))
	released := tabletest.Of(t, table.NumColumn("x", 1, []float64{1}), table.NumColumn("y", 1, []float64{5}),
		table.CatColumn("c", []string{"a", "b"}, []int32{1}))
	s := must.Get(NewSpace(ctx, people, Everything(people)))(t)
	points := s.Records(released, nil)
	if d := s.Index(points).Search().Distance(s.Questions(people, []int{0}), points); math.Abs(d-2.625) > 1e-12 {
		t.Errorf("%v, expected 2.625", d)
	}
}
