package main

import (
	"context"
	"strconv"

	"github.com/dither-data/dither/catalog"
	_ "github.com/dither-data/dither/catalog/measures"
	_ "github.com/dither-data/dither/catalog/techniques"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/clusterings"
	"github.com/dither-data/dither/measure/informationloss"
	"github.com/dither-data/dither/measure/valuedisclosure"
	"github.com/dither-data/dither/mine/kmeans"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/table"
)

// The numbers of clusters of the tables.
const fewest, most = 2, 6

// method is a row of the tables.
type method struct {
	name     string
	of       string            // technique
	set      map[string]string // its parameters besides k
	multiple bool              // two attributes are confidential
	all      bool              // every attribute is
	grouped  bool              // it takes k, the size of groups
	draws    bool              // it draws random numbers
	paper    [most - fewest + 1]float64
}

var methods = []method{
	{
		name:    "kd-tree (single attribute), means",
		of:      "perturbationtree",
		set:     map[string]string{"leafMax": "10"},
		grouped: false,
		paper:   [...]float64{0, .035, .035, .035, .07},
	},
	{
		name:    "kd-tree (single attribute), microaggregated",
		of:      "perturbationtree",
		set:     map[string]string{"leafMax": "10", "inside": "microaggregate"},
		grouped: true,
		paper:   [...]float64{0, .035, .035, .035, .07},
	},
	{
		name:     "kd-tree (multiple attributes), means",
		of:       "perturbationtree",
		set:      map[string]string{"leafMax": "10"},
		multiple: true,
		paper:    [...]float64{0, .035, .105, .21, .21},
	},
	{
		name:     "kd-tree (multiple attributes), microaggregated",
		of:       "perturbationtree",
		set:      map[string]string{"leafMax": "10", "inside": "microaggregate"},
		multiple: true,
		grouped:  true,
		paper:    [...]float64{0, .035, .105, .21, .21},
	},
	{name: "UMA", of: "uma", multiple: true, grouped: true, paper: [...]float64{0, .105, .105, .07, .07}},
	{name: "MMA", of: "mdav", multiple: true, grouped: true, paper: [...]float64{0, .14, .105, .2, .2}},
	{name: "TDP", of: "tdp", all: true, draws: true, paper: [...]float64{0, 0, .07, .07, .07}},
	{name: "SDP", of: "sdp", all: true, draws: true, paper: [...]float64{0, .03, .06, .08, .08}},
	{name: "RDP", of: "rdp", all: true, draws: true, paper: [...]float64{0, .15, .15, .17, .13}},
	{name: "HDP", of: "hdp", all: true, draws: true, paper: [...]float64{0, .08, .10, .08, .08}},
}

// cell is one figure, a mean over releases.
type cell struct {
	same    float64 // share of the records in another cluster; those of both tables begin at the same records
	printed float64 // M_E as printed, of the same clusters
}

// row is a method on a data set.
type row struct {
	cells    [most - fewest + 1]cell
	sse, sec float64 // means over releases; sec is the least over the attributes that change
}

// measured runs a method on a data set.
func (m *method) measured(ctx context.Context, s *set, k, seeds int) (*row, error) {
	names := []string{s.confidential}
	switch {
	case m.multiple:
		names = append(names, s.second)
	case m.all:
		names = nil
	}
	t := s.with(names...)
	if !m.draws {
		seeds = 1
	}
	out := &row{}
	for seed := range seeds {
		r, err := m.release(ctx, t, k, byte(seed))
		if err != nil {
			return nil, err
		}
		if err := out.add(ctx, r); err != nil {
			return nil, err
		}
	}
	for c := range out.cells {
		x := &out.cells[c]
		x.same, x.printed = x.same/float64(seeds), x.printed/float64(seeds)
	}
	out.sse, out.sec = out.sse/float64(seeds), out.sec/float64(seeds)
	return out, nil
}

func (m *method) release(ctx context.Context, t *table.Table, k int, seed byte) (*measure.Release, error) {
	technique, err := catalog.Method(m.of)
	if err != nil {
		return nil, err
	}
	set := map[string]string{}
	for name, v := range m.set {
		set[name] = v
	}
	if m.grouped {
		set["k"] = strconv.Itoa(k)
	}
	p, err := study.Protect(
		ctx,
		study.Request{
			KeepOrder: true,
			Table:     t,
			Method:    technique,
			Set:       set,
			Seed:      rng.SeedOf([32]byte{seed, 'r', 'o', 'y'}),
		},
	)
	if err != nil {
		return nil, err
	}
	r := &measure.Release{Original: p.Original, Released: p.Released, Paired: true}
	return r, study.WithPlan(r, p.Plan)
}

func (o *row) add(ctx context.Context, r *measure.Release) error {
	v, err := clusterings.Misclassification.New().Measure(ctx, r, rng.Source{})
	if err != nil {
		return err
	}
	for _, step := range v.Detail.(clusterings.MisclassificationDetail).Sweep {
		c := &o.cells[step.K-fewest]
		c.same, c.printed = c.same+step.Points, c.printed+step.Sizes
	}
	for _, m := range []struct {
		of  measure.Measure
		sum *float64
	}{{informationloss.SSE, &o.sse}, {valuedisclosure.VarianceDifference, &o.sec}} {
		v, err := m.of.New().Measure(ctx, r, rng.Source{})
		if err != nil {
			return err
		}
		*m.sum += v.Score
	}
	return nil
}

// luck is the share of the records in another cluster when nothing is perturbed and k-means draws its first centroids
// for each of the two clusterings by itself, once: a mean over pairs of them.
func luck(ctx context.Context, t *table.Table, k, pairs int) (float64, error) {
	l, sum := kmeans.New(), 0.0
	l.K, l.Restarts = k, 1
	for pair := range pairs {
		labels := make([][]int32, 2)
		for i := range labels {
			m, err := l.Fit(ctx, t, rng.New([32]byte{byte(pair), byte(i), byte(k)}))
			if err != nil {
				return 0, err
			}
			labels[i] = m.(*kmeans.Model).Labels()
		}
		d, err := clusterings.Compare(labels[0], labels[1], k)
		if err != nil {
			return 0, err
		}
		sum += d.Points
	}
	return sum / float64(pairs), nil
}
