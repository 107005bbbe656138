package main

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/classdisclosure"
	"github.com/dither-data/dither/mine"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/risk/posterior"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/tree"
)

var disclosure = map[string]answer{
	"disclosure": on(func(in disclosureIn) (any, error) {
		r, trees, err := in.release()
		if err != nil {
			return nil, err
		}
		who := intruder.Intruder{Name: "golden", Knows: in.Known, Secret: []string{trees.Class.Attrs[trees.Class.Class].Name}}
		view, err := who.On(r.Original.Attrs())
		if err != nil {
			return nil, err
		}
		m, err := posterior.Match(r, view, trees, posterior.Options{})
		if err != nil {
			return nil, err
		}
		return in.answer(m, r, trees.Class.ClassLabels())
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

// kernelIn is the law of one attribute: exact, rounded_normal or difference_pmf.
type kernelIn struct {
	Kind      string
	SigmaFrac float64 `json:"sigma_frac"`
	Pmf       map[string]float64
}

// release returns the targets and the records released, with the laws as the plan.
func (in *disclosureIn) release() (*measure.Release, posterior.Trees, error) {
	class, released, err := (&grown{in.Schema, in.Class, in.Tree, in.Perturbed}).build()
	if err != nil {
		return nil, posterior.Trees{}, err
	}
	original, err := tableOf(class.Attrs, in.Targets)
	if err != nil {
		return nil, posterior.Trees{}, err
	}
	lawful, err := in.lawful(class.Attrs)
	trees := posterior.Trees{Class: class, Guide: tree.One(class)}
	return &measure.Release{Original: original, Released: released, Mechanisms: []any{lawful}}, trees, err
}

// answer puts together what the intruder makes of the targets.
func (in *disclosureIn) answer(m *posterior.Matcher, r *measure.Release, classes []string) (any, error) {
	ctx := context.Background()
	rows := posterior.Sample(r.Original.Rows(), r.Original.Rows())
	p := make([][]float64, len(rows))
	err := m.Each(ctx, rows, func(k int, b *posterior.Belief) {
		p[k] = make([]float64, r.Released.Rows())
		b.Records(p[k])
	})
	if err != nil {
		return nil, err
	}
	s, err := m.Study(ctx, rows)
	if err != nil {
		return nil, err
	}
	set := make([]bool, len(classes))
	for c, label := range classes {
		set[c] = slices.Contains(in.L, label)
	}
	pc, hc := make([]float64, len(rows)), make([]float64, len(rows))
	for k := range rows {
		shares := s.Class[k*s.Classes : (k+1)*s.Classes]
		hc[k] = classdisclosure.Entropy(shares, set)
		for c, share := range shares {
			if set[c] {
				pc[k] += share
			}
		}
	}
	ri := (&posterior.Rule{Threshold: in.HRIThreshold, V: in.V}).Summarise(s.H)
	c := (&posterior.Rule{Threshold: in.HCThreshold, V: in.V}).Summarise(hc)
	return object{"p": p, "h_ri": s.H, "p_c": pc, "h_c": hc,
		"summary_h_ri":    object{"mean": ri.Mean, "std": ri.SD, "share_below": ri.Below, "secure": ri.Secure},
		"h_c_share_below": c.Below, "h_c_secure": c.Secure}, nil
}

// lawful is a plan that is nothing but its laws, by column; a column without one is released as it is.
type lawful struct {
	attrs []table.Attribute
	law   []func(j int, segment *mine.Segment) protect.Kernel
}

func (in *disclosureIn) lawful(attrs []table.Attribute) (*lawful, error) {
	l := &lawful{attrs, make([]func(int, *mine.Segment) protect.Kernel, len(attrs))}
	for j, a := range attrs {
		switch k := in.Kernels[a.Name]; k.Kind {
		case "", "exact":
		case "rounded_normal":
			l.law[j] = func(j int, segment *mine.Segment) protect.Kernel {
				law, _ := protect.NoiseKernel(&attrs[j], j, segment, true, 100*k.SigmaFrac)
				return law
			}
		case "difference_pmf":
			law := &differences{}
			for d, p := range k.Pmf {
				by, err := strconv.ParseFloat(d, 64)
				if err != nil {
					return nil, fmt.Errorf("attribute %q: a difference of %q", a.Name, d)
				}
				law.by, law.p = append(law.by, by), append(law.p, p)
			}
			l.law[j] = func(int, *mine.Segment) protect.Kernel { return law }
		default:
			return nil, fmt.Errorf("attribute %q: the kernel %q is unknown", a.Name, k.Kind)
		}
	}
	return l, nil
}

func (l *lawful) Changes() []string {
	var names []string
	for j, law := range l.law {
		if law != nil {
			names = append(names, l.attrs[j].Name)
		}
	}
	return names
}

func (l *lawful) Kernel(j int, segment *mine.Segment, _ *table.Table, _ int) (protect.Kernel, bool) {
	if l.law[j] == nil {
		return nil, false
	}
	return l.law[j](j, segment), true
}

// differences is the law of noise that does not wrap: the probabilities of the differences.
type differences struct{ by, p []float64 }

func (d *differences) P(x, y float64) float64 {
	if k := slices.Index(d.by, y-x); k >= 0 {
		return d.p[k]
	}
	return 0
}
