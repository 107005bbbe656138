package informationloss

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/dither-data/dither/hierarchy"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/noisemodel"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

func penalty(r *measure.Release) (measure.Value, error) {
	return NCP.New().Measure(context.Background(), r, rng.New([32]byte{1}))
}

type spans [][]float64

func (spans) Schema() []table.Attribute       { return nil }
func (spans) Changes() []string               { return nil }
func (s spans) Spans(j int) ([]float64, bool) { return s[j], s[j] != nil }

// Xu and others 2006, section 3: an interval costs its width over the domain's, a group of m of n categories
// (m-1)/(n-1), a suppressed cell 1.
func TestPenalty(t *testing.T) {
	h := must.Get(hierarchy.Parse("city", strings.NewReader("Ulm;South;*\nKiel;North;*\nBonn;North;*\n")))(t)
	exact := tabletest.Of(t, table.NumColumn("age", 1, []float64{20, 25, 60, math.NaN()}),
		table.CatColumn("city", []string{"Ulm", "Kiel", "Bonn"}, []int32{0, 1, 2, 0}))
	released := tabletest.Of(t, table.CatColumn("age", []string{"[20, 30)", ">= 50"}, []int32{0, 0, 1, -1}),
		table.CatColumn("city", []string{"Ulm", "North", "*"}, []int32{0, 1, -1, 2}))
	r := &measure.Release{
		Original: released,
		Recoding: measure.Recoding{Exact: exact, Hierarchies: hierarchy.Set{"city": h}},
		Released: released,
		Paired:   true,
		Making:   measure.Making{Mechanisms: []noisemodel.Mechanism{spans{{0.25, 0.5}, nil}}},
	}
	v, err := penalty(r)
	if want := (0.25 + 0.25 + 0.5 + 0) / 4; err != nil || math.Abs(v.Parts[0].Score-want) > 1e-12 {
		t.Errorf("age costs %v, error %v, expected %v", v.Parts, err, want)
	}
	if want := (0 + 0.5 + 1 + 1) / 4.0; math.Abs(v.Parts[1].Score-want) > 1e-12 || math.Abs(v.Score-(1+2.5)/8) > 1e-12 ||
		len(v.Notes) > 0 {
		t.Errorf("%+v, expected %v of the city", v, want)
	}
	r.Mechanisms = nil // nothing is known of the ages, so all that changed is lost
	if v, err = penalty(r); err != nil || math.Abs(v.Score-2.5/4) > 1e-12 || v.Parts[0].Name.String() != "city" {
		t.Errorf("%+v, error %v", v, err)
	}
	if r.Paired = false; err == nil {
		if _, err = penalty(r); !errors.Is(err, measure.ErrNotApplicable) {
			t.Errorf("unpaired records: %v", err)
		}
	}
}

// Noise leaves nothing certain, and is told of.
func TestNoise(t *testing.T) {
	a, b := tabletest.Of(
		t,
		table.NumColumn("a", 1, []float64{1, 2, 3, 4}),
	), tabletest.Of(t, table.NumColumn("a", 1, []float64{1, 5, math.NaN(), 4}))
	v, err := penalty(&measure.Release{Original: a, Released: b, Paired: true})
	if err != nil || v.Score != 0.5 || len(v.Notes) != 1 || !strings.HasPrefix(v.Notes[0].String(), "1 cell holds") {
		t.Errorf("%+v, error %v", v, err)
	}
}

// Nine columns of which nothing is left cost 1: nine rounded ninths are more.
func TestPenaltyIsAtMostOne(t *testing.T) {
	var was, is []table.Column
	var all spans
	for k := range 9 {
		name := string(rune('a' + k))
		was = append(was, table.NumColumn(name, 1, []float64{1, 2}))
		is = append(is, table.CatColumn(name, []string{"any"}, []int32{0, 0}))
		all = append(all, []float64{1})
	}
	r := &measure.Release{Original: tabletest.Must(is...), Recoding: measure.Recoding{Exact: tabletest.Must(was...)},
		Released: tabletest.Must(is...), Paired: true, Making: measure.Making{Mechanisms: []noisemodel.Mechanism{all}}}
	if v, err := penalty(r); err != nil || v.Score != 1 {
		t.Errorf("%v, error %v", v.Score, err)
	}
}

// What a plan says that its labels cover is not taken for what other labels do, nor for what numbers do.
func TestPenaltyOfOtherLabels(t *testing.T) {
	was := tabletest.Of(t, table.NumColumn("a", 1, []float64{1, 2, 3}), table.NumColumn("b", 1, []float64{1, 2, 3}))
	is := tabletest.Of(t, table.CatColumn("a", []string{"1", "2", "3"}, []int32{0, 1, 2}),
		table.NumColumn("b", 1, []float64{1, 2, 3}))
	r := &measure.Release{Original: is, Recoding: measure.Recoding{Exact: was}, Released: is, Paired: true,
		Making: measure.Making{Mechanisms: []noisemodel.Mechanism{spans{{0.5, 0.5}, {0.5}}}}}
	if v, err := penalty(r); err != nil || v.Score >= 0.5 {
		t.Errorf("%+v, error %v", v, err)
	}
}
