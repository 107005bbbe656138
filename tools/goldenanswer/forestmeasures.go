package main

import (
	"context"
	"errors"

	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/rulepreservation"
	"github.com/dither-data/dither/measure/uncertainty"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/segment/tree"
)

var forestMeasures = map[string]answer{
	"eduds": on(func(in struct {
		Schema    schemaIn
		Original  []*nodeIn `json:"forest_original"`
		Perturbed []*nodeIn `json:"forest_perturbed"`
		Records   []recordIn
	}) (any, error) {
		original, records, err := (&forestIn{Schema: in.Schema, Forest: in.Original, Records: in.Records}).build()
		if err != nil {
			return nil, err
		}
		perturbed, _, err := (&forestIn{Schema: in.Schema, Forest: in.Perturbed}).build()
		if err != nil {
			return nil, err
		}
		c, err := rulepreservation.EDUDSCompare(context.Background(), original, perturbed, records, rulepreservation.Printed)
		if err != nil {
			return nil, err
		}
		return object{"sds": c.Mean(), "per_record": c.Records()}, nil
	}),
	"edusc_table": on(func(in struct {
		Original, Perturbed []segmentIn
		Total               int
		Threshold           float64
	}) (any, error) {
		if len(in.Original) != len(in.Perturbed) {
			return nil, errors.New("the tables differ in their number of nodes")
		}
		all := segmentsOf(append(in.Original, in.Perturbed...))
		n := len(in.Original)
		sim, _ := rulepreservation.Similarity(all[:n], all[n:], in.Total, in.Threshold)
		return object{"sim": sim}, nil
	}),
	"edusc": on(func(in struct {
		Schema              schemaIn
		Class               classIn
		Forest              []*nodeIn
		Original, Perturbed []recordIn
		Threshold           float64
	}) (any, error) {
		class := in.Class.attr(nil, in.Perturbed)
		f, original, err := (&forestIn{in.Schema, classIn{class.Name, class.Labels}, in.Forest, in.Original}).build()
		if err != nil {
			return nil, err
		}
		perturbed, err := tableOf(f.Attrs(), in.Perturbed)
		if err != nil {
			return nil, err
		}
		o := rulepreservation.Options{Criterion: rulepreservation.GainRatio, Threshold: in.Threshold, MinSide: 1}
		before, err := rulepreservation.Segments(context.Background(), f, original, o)
		if err != nil {
			return nil, err
		}
		after, err := rulepreservation.Segments(context.Background(), f, perturbed, o)
		if err != nil {
			return nil, err
		}
		d := rulepreservation.EDUSCCompare(f, before, after, in.Threshold)
		perTree := []float64{}
		for _, t := range d.Trees {
			perTree = append(perTree, t.Printed)
		}
		return object{"sim": d.Printed, "per_tree": perTree,
			"nodes_original": segmentsOut(f, before), "nodes_perturbed": segmentsOut(f, after)}, nil
	}),
	"sers": on(func(in struct {
		Schema              schemaIn
		Original, Perturbed []recordIn
	}) (any, error) {
		original, err := tableOf(in.Schema.attrs(), in.Original)
		if err != nil {
			return nil, err
		}
		perturbed, err := tableOf(in.Schema.attrs(), in.Perturbed)
		if err != nil {
			return nil, err
		}
		ctx := context.Background()
		v, err := uncertainty.SERS.New().Measure(ctx, &measure.Release{Original: original, Released: perturbed}, rng.Source{})
		if err != nil {
			return nil, err
		}
		rows := make([]int, original.Rows())
		for i := range rows {
			rows[i] = i
		}
		perRecord, err := uncertainty.Entropies(ctx, original, perturbed, rows)
		return object{"sers": v.Score, "per_record": perRecord}, err
	}),
}

// segmentIn is a node with the gain ratios of its attributes.
type segmentIn struct {
	N  int                `json:"n"`
	GR map[string]float64 `json:"gr"`
}

func segmentsOf(in []segmentIn) []rulepreservation.Segment {
	var ratios []map[string]float64
	for _, s := range in {
		ratios = append(ratios, s.GR)
	}
	_, strengths := vectors(ratios)
	out := make([]rulepreservation.Segment, len(in))
	for i := range out {
		out[i] = rulepreservation.Segment{Records: in[i].N, Strength: strengths[i]}
	}
	return out
}

func segmentsOut(f *tree.Forest, trees [][]rulepreservation.Segment) [][]segmentIn {
	out := make([][]segmentIn, len(trees))
	for i, nodes := range trees {
		for _, s := range nodes {
			o := segmentIn{N: s.Records, GR: map[string]float64{}}
			for a, j := range rulepreservation.Inputs(f.Attrs(), f.Class()) {
				o.GR[f.Attrs()[j].Name] = s.Strength[a]
			}
			out[i] = append(out[i], o)
		}
	}
	return out
}
