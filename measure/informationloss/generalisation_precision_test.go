package informationloss

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"os"
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

func score(t *testing.T, r *measure.Release) (measure.Value, error) {
	t.Helper()
	return Precision.New().Measure(context.Background(), r, rng.New([32]byte{1}))
}

// plan knows the level of every column.
type plan struct{ levels, heights []int }

func (plan) Schema() []table.Attribute                        { return nil }
func (plan) Changes() []string                                { return nil }
func (p plan) Generalised(j int) (level, height int, ok bool) { return p.levels[j], p.heights[j], true }

// Nai Fovino & Masera 2008, eq. 1.1: the cases whose columns are on one level each, as a plan tells them.
func TestEquation11(t *testing.T) {
	text := must.Get(os.ReadFile("testdata/kanon_precision.json"))(t)
	var cases []struct {
		Name  string
		Input struct {
			Levels  [][]int
			Heights []int
		}
		Expected  struct{ Precision float64 }
		Tolerance struct{ Abs float64 }
	}
	if err := json.Unmarshal(text, &cases); err != nil || len(cases) == 0 {
		t.Fatalf("%d cases, error %v", len(cases), err)
	}
	for _, c := range cases {
		var was, is []table.Column
		for j := range c.Input.Heights {
			name, codes := string(rune('a'+j)), make([]int32, len(c.Input.Levels))
			was, is = append(
				was,
				table.NumColumn(name, 1, make([]float64, len(codes))),
			), append(is, table.CatColumn(name, []string{"group"}, codes))
		}
		r := &measure.Release{
			Original: tabletest.Of(t, is...),
			Recoding: measure.Recoding{Exact: tabletest.Of(t, was...)},
			Released: tabletest.Of(t, is...),
			Paired:   true,
			Making:   measure.Making{Mechanisms: []noisemodel.Mechanism{plan{c.Input.Levels[0], c.Input.Heights}}},
		}
		v, err := score(t, r)
		if err != nil || math.Abs(v.Score-c.Expected.Precision) > c.Tolerance.Abs {
			t.Errorf("%s: %v, error %v, expected %v", c.Name, v.Score, err, c.Expected.Precision)
		}
	}
}

// By labels and the hierarchies given: 1 of 2, 2 of 2, suppressed, as it was; a perturbed cell counts as lost and is
// told of.
func TestByLabels(t *testing.T) {
	h := must.Get(hierarchy.Parse("city", strings.NewReader("Ulm;South;*\nKiel;North;*\nBonn;North;*\n")))(t)
	labels := []string{"Ulm", "South", "North", "*"}
	exact := table.CatColumn("city", []string{"Ulm", "Kiel", "Bonn"}, []int32{0, 1, 2, 0, 1})
	released := table.CatColumn("city", labels, []int32{1, 3, -1, 0, 1})
	r := &measure.Release{
		Original: tabletest.Of(t, released),
		Recoding: measure.Recoding{Exact: tabletest.Of(t, exact), Hierarchies: hierarchy.Set{"city": h}},
		Released: tabletest.Of(t, released),
		Paired:   true,
	}
	v, err := score(t, r)
	if err != nil || math.Abs(v.Score-(0.5+0+0+1+0)/5) > 1e-12 || len(v.Notes) != 1 ||
		!strings.HasPrefix(v.Notes[0].String(), "1 cell") {
		t.Errorf("%+v, error %v", v, err)
	}
	if r.Paired = false; err == nil {
		if _, err = score(t, r); !errors.Is(err, measure.ErrNotApplicable) {
			t.Errorf("unpaired records: %v", err)
		}
	}
}

type partition struct{}

func (partition) Schema() []table.Attribute   { return nil }
func (partition) Changes() []string           { return nil }
func (partition) Spans(int) ([]float64, bool) { return []float64{0.5}, true }

// A partition has no levels.
func TestPartition(t *testing.T) {
	tab := tabletest.Of(t, table.CatColumn("a", []string{"x"}, []int32{0}))
	_, err := score(
		t,
		&measure.Release{
			Original: tab,
			Released: tab,
			Paired:   true,
			Making:   measure.Making{Mechanisms: []noisemodel.Mechanism{partition{}}},
		},
	)
	if !errors.Is(err, measure.ErrNotApplicable) {
		t.Error(err)
	}
}
