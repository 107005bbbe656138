package rulepreservation

import (
	"math"
	"strconv"

	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/segment/tree"
)

// EDUSCDetail holds the figures behind the score. All similarities and strengths are in [0, 1].
type EDUSCDetail struct {
	Printed    float64          `json:"printed"`    // the similarity as the equation is printed
	Normalised float64          `json:"normalised"` // with weights that sum to 1
	Trees      []Tree           `json:"trees"`
	Attributes []EDUSCAttribute `json:"attributes"`
}

// Tree is the similarity of one tree.
type Tree struct {
	Nodes      int     `json:"nodes"`
	Printed    float64 `json:"printed"`
	Normalised float64 `json:"normalised"`
}

// EDUSCAttribute says how much one attribute changed: means over the nodes of all trees in which it counts, weighted by
// the nodes' original records.
type EDUSCAttribute struct {
	Name     string  `json:"name"`
	Nodes    int     `json:"nodes"` // in which it counts
	Original float64 `json:"original"`
	Released float64 `json:"released"`
	Change   float64 `json:"change"` // mean absolute difference
}

// EDUSCCompare returns the similarities of the trees of a forest, whose segments are given as Segments returns them for
// the original and the released table, and their means (Fletcher & Islam 2015, eq. 5).
func EDUSCCompare(f *tree.Forest, before, after [][]Segment, threshold float64) EDUSCDetail {
	var d EDUSCDetail
	trees := float64(len(f.Trees))
	for i := range f.Trees {
		t := Tree{Nodes: len(before[i])}
		t.Printed, t.Normalised = Similarity(before[i], after[i], before[i][0].Records, threshold)
		d.Trees = append(d.Trees, t)
		d.Printed += t.Printed
		d.Normalised += t.Normalised
	}
	d.Printed, d.Normalised = unit(d.Printed/trees), unit(d.Normalised/trees)
	for a, j := range Inputs(f.Attrs(), f.Class()) {
		if x := attribute(a, before, after, threshold); x.Nodes > 0 {
			x.Name = f.Attrs()[j].Name
			d.Attributes = append(d.Attributes, x)
		}
	}
	return d
}

// attribute averages the strengths of one input.
func attribute(a int, before, after [][]Segment, threshold float64) EDUSCAttribute {
	var x EDUSCAttribute
	weights := 0.0
	for i := range before {
		for s := range before[i] {
			g, h, n := before[i][s].Strength[a], after[i][s].Strength[a], float64(before[i][s].Records)
			if max(g, h) <= threshold {
				continue
			}
			x.Nodes++
			weights += n
			x.Original += float64(n * g)
			x.Released += float64(n * h)
			x.Change += float64(n * math.Abs(g-h))
		}
	}
	if weights > 0 {
		x.Original, x.Released, x.Change = x.Original/weights, x.Released/weights, x.Change/weights
	}
	return x
}

func (d *EDUSCDetail) parts(normalised bool) []measure.Part {
	var out []measure.Part
	for i, t := range d.Trees {
		score := t.Printed
		if normalised {
			score = t.Normalised
		}
		out = append(
			out,
			measure.Part{
				Key:   "tree",
				Of:    strconv.Itoa(i + 1),
				Name:  message.Say("measure.edusc.part.tree").Count("k", i+1),
				Score: score,
			},
		)
	}
	for _, a := range d.Attributes {
		out = append(
			out,
			measure.Part{
				Key:   "change",
				Of:    a.Name,
				Name:  message.Say("measure.edusc.part.change").Name("column", a.Name),
				Score: a.Change,
			},
		)
	}
	return out
}
