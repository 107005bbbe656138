package bestorrest

import (
	"context"
	"fmt"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/mine/bore"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// MORPH moves the numbers of every record a little, but never across to another class: MORPH (Peters & Menzies
// 2012).
//
// Z is the record nearest to a record x among those of another class, its nearest unlike neighbour. Every numeric value
// becomes x ± |x - z| r, where the sign and r, uniform from least to most (0.15 to 0.35), are drawn for every value. So
// no value moves further than half way to z's, and the released record is nearer to x than to z. Values outside the
// attribute's domain become its nearest end. With cliff < 100 only the records that CLIFF chooses are released, and
// neighbours are sought among these: CLIFF & MORPH in one run.
//
// Distances are Euclidean over all attributes but the class and weights: numbers as shares of their range, two
// categories at distance 0 or 1.
//
// What an informed intruder learns: a released value is within 0.35 |x - z| of the original, which is often little:
// where classes overlap, z is near. Where z has the same value, and on a grid where it is less than 1 / (2 most) steps
// off, the value is released as it is; the plan's notes name the columns in which that is most values. Categories are
// original. Anyone who looks for the released record nearest to what is known of a person mostly finds it; MORPH hides
// values from exact matches only. Its authors count breaches of queries, see measure queryattack.
//
// With a shared cache (protect.Sharing) a record is released only where it is further from those of its class in the
// cache, and from those added before it, than records of different classes are as a rule: LACE2, see lead.go.
//
// Missing values stay missing. They are at distance 1 from every value and from each other; where z lacks a value x
// keeps its own. The neighbour of a record without a class is the nearest one that has a class.
//
// Values are rounded to the grid of their attribute, ties towards x; those of a continuous attribute have its implied
// grid.
//
// Cost: an exact nearest-neighbour search for every record (internal/mining/neighbour) in an index per class; 30,162
// records like Adult's take 7 times the sorting of a million numbers, on two cores, a million 41 times. Fit does it
// once for the notes. All records meet: the plan is a protect.Grouper with one group. It holds ranges and, with cliff <
// 100, counts of values by class.
//
// Departures: the authors' code works out the clamp to the attribute's range and returns the unclamped value; it moves
// by a constant 0.5 by default, the paper by 0.15 to 0.35. Neither scales distances or has categories; unscaled, the
// attribute of the largest numbers alone decides.
//
// Reference: F. Peters and T. Menzies, "Privacy and utility for defect prediction: experiments with MORPH", ICSE 2012;
// F. Peters, T. Menzies, L. Gong and H. Zhang, "Balancing privacy and utility in cross-company defect prediction", IEEE
// Trans. Software Engineering 39, 2013; F. Peters, T. Menzies and L. Layman, "LACE2: Better privacy-preserving data
// sharing for cross project defect prediction", ICSE 2015.
var MORPH = protect.Method{
	Card: card.Card{
		Name:    "morph",
		Title:   "MORPH",
		Aliases: []string{"cliff & morph", "cliff+morph", "LACE2"},
		Summary: "Moves numbers by a share of the distance to the nearest record of another class; with cliff, " +
			"releases typical records only.",
		Paper:     "Peters & Menzies 2012; Peters, Menzies, Gong & Zhang 2013; Peters, Menzies & Layman 2015",
		Needs:     "a categorical class of two values or more, numeric attributes",
		Changes:   "every numeric attribute; with cliff, omits records",
		Preserves: "means, apart from clipping; which class is near",
		Biases: "variances grow (type A), correlations shrink (types B and C), edges blur (type D), and so do " +
			"rules away from the class borders (type DM)",
		Exposes: "values to within 0.35 times the distance from the nearest record of another class; categories exactly",
		Missing: "stay missing; a value missing from the neighbour's record is released unchanged",
		Cost:    "a nearest-neighbour search for every record",
	},
	Purpose: protect.NoiseNumbers,
	NoModel: "how far a value moves depends on the nearest record of another class, which is confidential",
	New:     func() protect.Technique { return MORPHNew() },
	Plan:    func() protect.Plan { return &MORPHPlan{} },
	Claims:  []protect.Claim{protect.Groups, protect.Notes, protect.Describes, protect.Checks, protect.Shares},
}

// MORPHTechnique holds the parameters.
type MORPHTechnique struct {
	Least, Most float64 // of the distance from the nearest unlike neighbour
	Cliff       float64 // per cent of the records of every class
	Bins        int     // of CLIFF
	Except      []string

	shared *table.Table // what other holders released
}

// MORPHNew returns the technique with its defaults.
func MORPHNew() *MORPHTechnique { return param.Default(&MORPHTechnique{}) }

// Params declares the parameters.
func (q *MORPHTechnique) Params() param.Set {
	return param.Set{
		param.Float(&q.Least, "least", 0.15, 0, 0.5, "", "least move, as a share of the difference from the nearest record "+
			"of another class"),
		param.Float(&q.Most, "most", 0.35, 0, 0.5, "", "largest move, as a share of that difference"),
		param.Float(&q.Cliff, "cliff", 100, 0.01, 100, "%", "share of the records of every class that CLIFF "+
			"releases; 100: all, no CLIFF"),
		bore.BinsParam(&q.Bins),
		param.Names(&q.Except, "except", "columns to leave alone"),
	}
}

// Fit finds the ranges, and looks at the neighbours for the notes. Cost: that of a release.
func (q *MORPHTechnique) Fit(ctx context.Context, t *table.Table, src rng.Source) (protect.Plan, error) {
	if q.Least > q.Most {
		return nil, fmt.Errorf("parameter %q is %v, expected at most %q, %v", "least", q.Least, "most", q.Most)
	}
	columns, err := protect.Columns(t, table.Numeric, q.Except)
	if err != nil {
		return nil, err
	}
	p := &MORPHPlan{Attrs: t.Attrs(), Columns: columns, Least: q.Least, Most: q.Most, Cliff: q.Cliff}
	if p.Class, err = protect.ClassOf(t); err != nil {
		return nil, err
	}
	p.compare(t)
	p.Codes = codes(t, columns)
	if q.Cliff < 100 {
		m, err := (&bore.Learner{Bins: q.Bins}).Fit(ctx, t, rng.Source{})
		if err != nil {
			return nil, err
		}
		p.Sizes, p.Ranks = m.(*bore.Model).Sizes, m.(*bore.Model).Columns
	}
	chosen := p.chosen(t, src)
	if err := p.study(ctx, chosen); err != nil || q.shared == nil {
		return p, err
	}
	return p, p.follow(ctx, q.shared, chosen, src)
}
