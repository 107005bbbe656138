package main

import (
	"context"
	"slices"

	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/uncertainty"
	"github.com/dither-data/dither/noisemodel"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/table"
)

var disclosure = map[string]answer{
	"disclosure": on(func(in disclosureIn) (any, error) {
		r, t, err := in.release()
		if err != nil {
			return nil, err
		}
		records := uncertainty.Reidentification.New().(*uncertainty.ReidentificationMeter)
		records.Threshold, records.V = in.HRIThreshold, in.V
		d, err := reidentify(records, r)
		if err != nil {
			return nil, err
		}
		p := make([][]float64, len(in.Targets))
		for k := range p {
			if p[k], err = in.likely(records, r, k); err != nil {
				return nil, err
			}
		}
		pc, hc := in.classes(t, r.Released, p)
		classes := uncertainty.ClassDisclosure.New().(*uncertainty.ClassDisclosureMeter)
		classes.Threshold, classes.V = in.HCThreshold, in.V
		c := classes.Summarise(hc)
		return object{"p": p, "h_ri": d.H, "p_c": pc, "h_c": hc,
			"summary_h_ri":    object{"mean": d.Mean, "std": d.SD, "share_below": d.Below, "secure": d.Secure},
			"h_c_share_below": c.Below, "h_c_secure": c.Secure}, nil
	}),
}

// disclosureIn is a release with the tree that the intruder has grown on it and the laws of the noise.
type disclosureIn struct {
	Schema             schemaIn
	Class              classIn
	Tree               *nodeIn
	Kernels            map[string]kernelIn
	Targets, Perturbed []recordIn
	Known, L           []string
	HRIThreshold       float64 `json:"h_ri_threshold"`
	HCThreshold        float64 `json:"h_c_threshold"`
	V                  float64
}

// release returns the targets and the records released, with the laws as the plan, and the tree.
func (in *disclosureIn) release() (*measure.Release, *tree.Tree, error) {
	t, released, err := (&grown{in.Schema, in.Class, in.Tree, in.Perturbed}).build()
	if err != nil {
		return nil, nil, err
	}
	original, err := tableOf(t.Attrs, in.Targets)
	if err != nil {
		return nil, nil, err
	}
	plan, err := in.lawful(t)
	if err != nil {
		return nil, nil, err
	}
	who := &intruder.Intruder{Name: "golden", Knows: in.Known, Secret: []string{t.Attrs[t.Class].Name}}
	return &measure.Release{
		Original: original,
		Released: released,
		Making:   measure.Making{Mechanisms: []noisemodel.Mechanism{plan}},
		Intruder: who,
	}, t, nil
}

func reidentify(
	m *uncertainty.ReidentificationMeter,
	r *measure.Release,
) (d uncertainty.ReidentificationDetail, err error) {
	v, err := m.Measure(context.Background(), r, rng.Source{})
	if err != nil {
		return d, err
	}
	return v.Detail.(uncertainty.ReidentificationDetail), nil
}

// likely returns the probability of every released record for a target. A measure tells that of a person's own record,
// so as many persons as there are records stand for the target.
func (in *disclosureIn) likely(
	m *uncertainty.ReidentificationMeter,
	r *measure.Release,
	target int,
) ([]float64, error) {
	same := r.Original.Gather(slices.Repeat([]int{target}, r.Released.Rows()))
	d, err := reidentify(
		m,
		&measure.Release{
			Original: same,
			Released: r.Released,
			Paired:   true,
			Making:   measure.Making{Mechanisms: r.Mechanisms},
			Intruder: r.Intruder,
		},
	)
	return d.Own, err
}

// classes returns, of every target, the probability that its class is one of L and the entropy of that: a record has
// the classes of its leaf.
func (in *disclosureIn) classes(t *tree.Tree, released *table.Table, p [][]float64) (pc, hc []float64) {
	set := make([]bool, len(t.ClassLabels()))
	for c, label := range t.ClassLabels() {
		set[c] = slices.Contains(in.L, label)
	}
	leaf, nodes := make([]int32, released.Rows()), t.Leaves()
	t.Route(released, leaf)
	for k := range p {
		shares := make([]float64, len(set))
		for i, l := range leaf {
			counts, all := t.Nodes[nodes[l]].Counts, 0.0
			for _, n := range counts {
				all += n
			}
			for c, n := range counts {
				if n > 0 {
					shares[c] += p[k][i] * n / all
				}
			}
		}
		pc, hc = append(pc, 0), append(hc, uncertainty.Entropy(shares, set))
		for c, s := range shares {
			if set[c] {
				pc[k] += s
			}
		}
	}
	return pc, hc
}
