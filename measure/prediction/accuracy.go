package prediction

import (
	"context"
	"errors"
	"math"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/internal/stats/confidence"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/internal/trees"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/mine/forests"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/table"
)

// Accuracy measures how well a decision tree, or a forest, learned from the release predicts real records
// (Islam 2007, section 7.3; Fletcher & Islam 2015, section 7).
//
// A C4.5 tree is grown on the original and one on the released table or, with model=forest, a SysFor forest on each,
// whose trees vote; both are applied to the original, the released and, if given, the hold-out table. The score is the
// accuracy of the released tree or forest on the hold-out, which is what an analyst who works with the release can
// reach on new people; without a hold-out it is its accuracy on the original. Compare it with the same accuracy of the
// original tree, which is a part: the difference is what the release costs. The accuracy of the original tree on the
// release shows whether the old rules still hold there.
//
// Uncertainty: Lo and Hi are Wilson's 95 % interval of the share of hold-out records predicted right (Wilson 1927).
// Without a hold-out they equal the score, which is then exact for this table and, being measured on records the
// release was made from, flatters it.
//
// Where the release generalises, its tree or forest is applied to records as general as it is, as an analyst would, and
// that of the original is learned from the exact original and applied to exact records.
//
// Cost: growing two trees, or forests, and O(n depth) per tree for applying them; they are shared with other measures
// of the same setting.
//
// Departures: Islam 2007 grows the trees with See5; the default here is C4.5 release 8 with the minimum leaf by the
// size of the table, and the parameters set See5's variants. Fletcher & Islam 2015 combine trees by "credal voting"
// without defining it; the reading, and the other votings, are those of tree.Votings.
var Accuracy = measure.Measure{
	Card: card.Card{
		Name:      "accuracy",
		Title:     "Prediction accuracy",
		Aliases:   []string{"prediction accuracy of the decision tree"},
		Summary:   "Share of new records classified correctly by a decision tree or forest learned from the release.",
		Paper:     "Islam 2007, section 7.3; Fletcher & Islam 2015, section 7",
		Needs:     "a categorical class; all attributes except identifiers and weights; a hold-out for an honest figure",
		Preserves: "compare with the original tree on the same records: the difference is what the release costs",
		Missing:   "fractional instances as in C4.5; records with a missing class are not counted",
		Cost:      "growing two trees or forests, then O(records × depth) per tree",
	},
	Facts: measure.Facts{
		About:  measure.Worth,
		Effort: measure.Fast,
		Figure: measure.Entry{Place: 3, Says: message.Say("headFigure.accuracy")},
		Leads:  true,
	},
	Side:   measure.Utility,
	Better: measure.Higher,
	Range:  table.Interval{Lo: 0, Hi: 100},
	Unit:   measure.In(measure.Percent, message.Say("unit.ofRecords")),
	Exact:  true,
	Losses: []measure.Loss{{
		Name: "accuracy", Says: message.Say("loss.accuracy"),
		Of:      lost,
		Weights: []measure.Weight{{Purpose: "everything", Weight: 1, Place: 1}, {Purpose: "models", Weight: 3, Place: 1}},
	}},
	Uses: uses,
	New:  func() measure.Meter { return param.Default(&AccuracyMeter{}) },
}

// What is learned.
const (
	Tree   = "tree"   // by C4.5
	Forest = "forest" // by SysFor
)

// AccuracyMeter measures accuracy. Its parameters are those of the builder of trees, and of forests.
type AccuracyMeter struct {
	Model string // tree | forest
	trees.Learner
	Forest forests.SysForLearner // its CF and MinLeaf are those of Learner
}

// Params declares the parameters; cf and minLeaf serve trees and forests alike.
func (m *AccuracyMeter) Params() param.Set {
	return param.Merge(param.Set{param.Choice(&m.Model, "model", Tree, []string{Tree, Forest},
		"model to learn: a C4.5 tree, or a SysFor forest (uses trees, goodness, separation, minGainRatio and "+
			"voting)")}.Shared(),
		m.Learner.Params(), m.Forest.Params())
}

// learn returns what is learned from the original and the released table.
func (m *AccuracyMeter) learn(ctx context.Context, r *measure.Release) (original, released *tree.Forest, err error) {
	if m.Model == Forest {
		l := m.Forest
		l.CF, l.MinLeaf, l.Workers = m.CF, m.MinLeaf, m.Workers
		return trees.Forests(ctx, r, l)
	}
	a, b, err := trees.Of(ctx, r, m.Learner)
	if err != nil {
		return nil, nil, err
	}
	return tree.One(a), tree.One(b), nil
}

// exact learns from the exact original of a release that generalises, which has other attributes than the release: it
// is not applied to that.
func (m *AccuracyMeter) exact(ctx context.Context, r *measure.Release, d *AccuracyDetail) error {
	t := &measure.Release{Original: r.Exact, Released: r.Exact, Paired: true}
	var f *tree.Forest
	if m.Model == Forest {
		l := m.Forest
		l.CF, l.MinLeaf, l.Workers = m.CF, m.MinLeaf, m.Workers
		var err error
		if f, err = trees.OriginalForest(ctx, t, l); err != nil {
			return err
		}
	} else {
		one, err := trees.Original(ctx, t, m.Learner)
		if err != nil {
			return err
		}
		f = tree.One(one)
	}
	d.LeavesOriginal, d.OriginalReleased = leaves(f), math.NaN()
	d.OriginalOriginal, _ = OfForest(f, r.Exact)
	d.OriginalHoldout, _ = OfForest(f, r.ExactHoldout)
	return nil
}

// Measure returns the accuracy of the released tree or forest in per cent, with all accuracies as parts and an
// AccuracyDetail. It fails when there is no categorical class or no record with a class to count.
func (m *AccuracyMeter) Measure(ctx context.Context, r *measure.Release, _ rng.Source) (measure.Value, error) {
	if err := r.Check(); err != nil {
		return measure.Value{}, err
	}
	orig, rel, err := m.learn(ctx, r)
	if err != nil {
		return measure.Value{}, err
	}
	d := AccuracyDetail{LeavesOriginal: leaves(orig), LeavesReleased: leaves(rel)}
	d.OriginalOriginal, _ = OfForest(orig, r.Original)
	d.OriginalReleased, _ = OfForest(orig, r.Released)
	d.OriginalHoldout, _ = OfForest(orig, r.Holdout)
	onOriginal, known := OfForest(rel, r.Original)
	d.ReleasedOriginal = onOriginal
	d.ReleasedReleased, _ = OfForest(rel, r.Released)
	onHoldout, new := OfForest(rel, r.Holdout)
	d.ReleasedHoldout = onHoldout
	if r.Exact != nil {
		if err := m.exact(ctx, r, &d); err != nil {
			return measure.Value{}, err
		}
	}
	if err := ctx.Err(); err != nil {
		return measure.Value{}, err
	}
	v := measure.Exact(onOriginal, parts(m.Model, d))
	v.Detail = d
	if r.Exact != nil {
		v.Notes = append(v.Notes, message.Say("measure.accuracy.note.generalises"))
	}
	switch {
	case new > 0:
		v.Score = onHoldout
		v.Lo, v.Hi = wilson(onHoldout, new)
	case known == 0:
		return measure.Value{}, errors.New("no record has a class, so there is no accuracy")
	default:
		v.Notes = append(v.Notes, message.Say("measure.accuracy.note.noHoldout"))
	}
	return v, nil
}

// leaves counts the leaves of all trees.
func leaves(f *tree.Forest) int {
	n := 0
	for _, t := range f.Trees {
		n += len(t.Leaves())
	}
	return n
}

// parts lists the accuracies that are known.
func parts(model string, d AccuracyDetail) []measure.Part {
	grown := message.Say("measure.accuracy.model." + model)
	var out []measure.Part
	for _, p := range []measure.Part{
		{Key: "original-on-original", Name: message.Say("measure.accuracy.part.original-on-original").Part("model", grown),
			Score: d.OriginalOriginal},
		{Key: "original-on-released", Name: message.Say("measure.accuracy.part.original-on-released").Part("model", grown),
			Score: d.OriginalReleased},
		{Key: "original-on-holdout", Name: message.Say("measure.accuracy.part.original-on-holdout").Part("model", grown),
			Score: d.OriginalHoldout},
		{Key: "released-on-original", Name: message.Say("measure.accuracy.part.released-on-original").Part("model", grown),
			Score: d.ReleasedOriginal},
		{Key: "released-on-released", Name: message.Say("measure.accuracy.part.released-on-released").Part("model", grown),
			Score: d.ReleasedReleased},
		{Key: "released-on-holdout", Name: message.Say("measure.accuracy.part.released-on-holdout").Part("model", grown),
			Score: d.ReleasedHoldout},
	} {
		if !math.IsNaN(p.Score) {
			out = append(out, p)
		}
	}
	return out
}

// Of returns the accuracy of the tree on a table, in per cent, and the number of records that count: those with a
// class. It is NaN when there are none or the table is nil. The table must conform to the tree.
func Of(t *tree.Tree, tab *table.Table) (percent float64, records int) {
	return OfForest(tree.One(t), tab)
}

// OfForest is Of for a forest, whose trees vote.
func OfForest(f *tree.Forest, tab *table.Table) (percent float64, records int) {
	if tab == nil {
		return math.NaN(), 0
	}
	predicted := make([]int32, tab.Rows())
	f.Predict(tab, predicted)
	right := 0
	for i, c := range tab.Cat(f.Class()) {
		if c < 0 {
			continue
		}
		records++
		if c == predicted[i] {
			right++
		}
	}
	return 100 * float64(right) / float64(records), records
}

// wilson returns Wilson's 95 % interval, in per cent, of a percentage seen in n records.
func wilson(percent float64, n int) (lo, hi float64) {
	lo, hi = confidence.Share(percent/100, float64(n))
	return min(percent, 100*lo), max(percent, 100*hi)
}
