package prediction

import (
	"context"
	"fmt"

	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/mine"
	"github.com/dither-data/dither/mine/forests"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// learner returns a new learner, since one serves one fit at a time.
func (m *ClassifierMeter) learner() (mine.Learner, error) {
	switch m.Learner {
	case KNN:
		l := m.KNN
		return &l, nil
	case C45:
		l := m.C45.Learner
		return &l, nil
	case SysFor:
		l := forests.SysForNew()
		l.CF, l.MinLeaf = m.C45.CF, m.C45.MinLeaf
		return l, nil
	default:
		other, err := mine.Named(m.Learner)
		if err != nil {
			return nil, err
		}
		return other.New(), nil
	}
}

// run is what the classifiers of the original and of the release make of the records tested.
type run struct {
	before, after *outcome
	records       int // tested
	learned       int // records that the classifier of the original learned from
	lost, won     int // records that only the classifier of the original, or only that of the release, predicts right
}

// outcome is what one classifier makes of the records tested.
type outcome struct {
	right   []bool // by row; a record without a class is never right
	known   int    // records with a class
	classes []string
	figures [][len(metrics)]float64 // by class, per cent
}

// metric is what is measured of every class in turn (Peters 2011, section 4.2).
type metric struct {
	name, title string
	lower       bool // is better
	of          func(Confusion) float64
}

var metrics = [...]metric{
	{"acc", "accuracy", false, Confusion.Accuracy},
	{"pd", "probability of detection", false, Confusion.Detection},
	{"prec", "precision", false, Confusion.Precision},
	{"pf", "probability of false alarm", true, Confusion.FalseAlarm},
}

// run learns from and tests both tables of a pair.
func (m *ClassifierMeter) run(ctx context.Context, p *plan, i int) (run, error) {
	q := p.pair(i)
	before, err := m.original(ctx, p, q)
	if err != nil {
		return run{}, fmt.Errorf("learning from the original table: %w", err)
	}
	after := before
	if q.after != q.before {
		if after, err = m.try(ctx, q.after, q.src); err != nil {
			return run{}, fmt.Errorf("learning from the released table: %w", err)
		}
	}
	out := run{before: before, after: after, records: before.known, learned: q.before.learn.Rows()}
	for k, right := range before.right {
		switch {
		case right && !after.right[k]:
			out.lost++
		case !right && after.right[k]:
			out.won++
		}
	}
	return out, nil
}

// original tries the classifier of the original, once for all the releases that share it.
func (m *ClassifierMeter) original(ctx context.Context, p *plan, q pair) (*outcome, error) {
	if p.release == nil {
		return m.try(ctx, q.before, q.src)
	}
	key := fmt.Sprintf("classifier of the original on the hold-out %p %+v", p.release.Holdout, *m)
	return measure.PerOriginal(p.release, key, func(*table.Table) (*outcome, error) { return m.try(ctx, q.before, q.src) })
}

// try learns from one table and tests another. Cost: that of the learner, and O(records × classes).
func (m *ClassifierMeter) try(ctx context.Context, t trial, src rng.Source) (*outcome, error) {
	l, err := m.learner()
	if err != nil {
		return nil, err
	}
	model, err := l.Fit(ctx, t.learn, src)
	if err != nil {
		return nil, err
	}
	predicted := make([]int32, t.test.Rows())
	model.(mine.Classifier).Predict(t.test, predicted)
	return judge(t.test, predicted), ctx.Err()
}

// judge compares predictions with the classes of a table.
func judge(t *table.Table, predicted []int32) *outcome {
	class := t.WithRole(table.Class)
	actual, labels := t.Cat(class), t.Attr(class).Labels
	o := &outcome{right: make([]bool, len(actual))}
	occurs := make([]bool, len(labels))
	for i, c := range actual {
		if c < 0 {
			continue
		}
		o.known++
		o.right[i] = predicted[i] == c
		occurs[c] = true
	}
	for c, l := range labels {
		if !occurs[c] {
			continue
		}
		found := Confuse(actual, predicted, int32(c))
		var f [len(metrics)]float64
		for k := range metrics {
			f[k] = float64(100 * metrics[k].of(found))
		}
		o.classes, o.figures = append(o.classes, l), append(o.figures, f)
	}
	return o
}
