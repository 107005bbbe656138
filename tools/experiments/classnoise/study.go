package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/dither-data/dither/catalog"
	_ "github.com/dither-data/dither/catalog/measures"
	_ "github.com/dither-data/dither/catalog/techniques"
	"github.com/dither-data/dither/internal/executor"
	"github.com/dither-data/dither/internal/system/parallel"
	"github.com/dither-data/dither/measure/ruletypes"
	"github.com/dither-data/dither/mine/c45"
	"github.com/dither-data/dither/mine/classifiers"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/table"
)

// techniques in the order of the thesis.
var techniques = []string{"rpt", "ppt", "alpt"}

// see5 sets the options of See5 that C4.5 release 8 lacks.
var see5 = map[string]string{"minGainRule": "c50", "globalPrune": "true", "mergeSameClassLeaves": "true"}

// result is what is found on one data set: by subset the original, and by technique, subset and release the releases.
type result struct {
	*set
	records, columns int
	originals        []*figures
	released         map[string][]*figures
	trees            map[string]*tree.Tree // of the first subset: the original, and of each technique the first release
}

// figures are those of one tree and one network.
type figures struct {
	changed float64 // classes of the training records that are not the original ones
	attrs   map[int]bool
	leaves  float64
	// of 100 records, how many the tree, and the network, predict wrong: of those they were learned from, the original
	// ones and the test records
	own, original, test          float64
	netOwn, netOriginal, netTest float64
	long                         [3]float64 // the same of a network that is trained to the end, on all records
	types                        [4]float64
	main                         bool // the original's rule of most records stands in the tree but for numeric limits
	shared, new, lost            float64
}

// study runs everything on one data set.
func (s *set) study(ctx context.Context, subsets int) (*result, error) {
	t, err := s.read(ctx)
	if err != nil {
		return nil, err
	}
	r := &result{
		set:       s,
		records:   t.Rows(),
		columns:   t.Width(),
		originals: make([]*figures, subsets),
		released:  map[string][]*figures{},
		trees:     map[string]*tree.Tree{},
	}
	for _, m := range techniques {
		r.released[m] = make([]*figures, subsets*releases)
	}
	errs := make([]error, subsets)
	parallel.Do(subsets, func(k int) { errs[k] = r.subset(ctx, t, k) })
	return r, errors.Join(errs...)
}

// subset runs one training set.
func (r *result) subset(ctx context.Context, t *table.Table, k int) error {
	train, test, err := r.divide(t, k)
	if err != nil {
		return err
	}
	original, f, err := r.learn(ctx, train, train, test, nil, seedOf(r.title+" network", k))
	if err != nil {
		return err
	}
	r.originals[k] = f
	if k == 0 {
		r.trees["original"] = original
	}
	for _, name := range techniques {
		m, err := catalog.Method(name)
		if err != nil {
			return err
		}
		for n := range releases {
			seed := seedOf(r.title+" "+name, k*releases+n)
			released, err := release(ctx, m, train, seed)
			if err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			tr, f, err := r.learn(ctx, released, train, test, original, seed)
			if err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			r.released[name][k*releases+n] = f
			if k == 0 && n == 0 {
				r.trees[name] = tr
			}
		}
	}
	return nil
}

// release perturbs the classes inside the leaves of the tree that See5's options grow, with at least two records.
func release(ctx context.Context, m protect.Method, t *table.Table, seed rng.Seed) (*table.Table, error) {
	q := m.New()
	set := map[string]string{"minLeaf": "2"}
	for name, v := range see5 {
		set[name] = v
	}
	if err := q.Params().Apply(set); err != nil {
		return nil, err
	}
	src := rng.New(seed)
	p, err := q.Fit(ctx, t, src.Fork("fit"))
	if err != nil {
		return nil, err
	}
	return executor.Run(ctx, p, t, src.Fork("apply"), protect.Options{})
}

// learn grows a tree and trains a network on a table and takes their figures; original is the tree to compare with, nil
// for that of the original itself.
func (r *result) learn(
	ctx context.Context,
	own, train, test *table.Table,
	original *tree.Tree,
	seed rng.Seed,
) (*tree.Tree, *figures, error) {
	l := c45.New()
	if err := l.Params().Apply(see5); err != nil {
		return nil, nil, err
	}
	class := own.WithRole(table.Class)
	tr, err := l.Grow(ctx, own, class)
	if err != nil {
		return nil, nil, err
	}
	net, err := classifiers.NeuralNetNew().Fit(ctx, own, rng.New(seed).Fork("network"))
	if err != nil {
		return nil, nil, err
	}
	whole := classifiers.NeuralNetNew()
	whole.Holdout, whole.Epochs = 0, epochs
	trained, err := whole.Fit(ctx, own, rng.New(seed).Fork("network"))
	if err != nil {
		return nil, nil, err
	}
	m, long := net.(*classifiers.NeuralNetModel), trained.(*classifiers.NeuralNetModel)
	f := &figures{
		attrs:   tested(tr),
		leaves:  float64(len(tr.Leaves())),
		changed: differ(own.Cat(class), train.Cat(class)) * float64(train.Rows()) / 100,
	}
	f.own, f.original, f.test = wrong(tr, own), wrong(tr, train), wrong(tr, test)
	f.netOwn, f.netOriginal, f.netTest = wrong(m, own), wrong(m, train), wrong(m, test)
	f.long = [3]float64{wrong(long, own), wrong(long, train), wrong(long, test)}
	if original != nil {
		f.compare(original, tr, own)
	}
	return tr, f, nil
}

// predictor predicts classes.
type predictor interface {
	Predict(t *table.Table, dst []int32)
}

// wrong returns how many of 100 records are predicted wrong.
func wrong(p predictor, t *table.Table) float64 {
	got := make([]int32, t.Rows())
	p.Predict(t, got)
	return differ(got, t.Cat(t.WithRole(table.Class)))
}

// differ returns how many of 100 codes differ.
func differ(a, b []int32) float64 {
	n := 0
	for i := range a {
		if a[i] != b[i] {
			n++
		}
	}
	return 100 * float64(n) / float64(len(a))
}

// tested returns the attributes that a tree tests.
func tested(t *tree.Tree) map[int]bool {
	out := map[int]bool{}
	for i := range t.Nodes {
		if t.Nodes[i].Kids != nil {
			out[t.Nodes[i].Attr] = true
		}
	}
	return out
}

// compare takes the figures of a released tree against the original one.
func (f *figures) compare(original, released *tree.Tree, records *table.Table) {
	c := ruletypes.Compare(original, released, records)
	f.types = c.Weights
	largest := heaviest(original, records)
	for leaf, match := range c.Match {
		if match == largest && (c.Types[leaf] == 'A' || c.Types[leaf] == 'B') {
			f.main = true
		}
	}
	was := tested(original)
	for j := range f.attrs {
		if was[j] {
			f.shared++
		} else {
			f.new++
		}
	}
	f.lost = float64(len(was)) - f.shared
}

// heaviest returns the leaf with the most records; class noise does not move them between the leaves of a tree.
func heaviest(t *tree.Tree, records *table.Table) int {
	leaf := make([]int32, records.Rows())
	t.Route(records, leaf)
	count := make([]int, len(t.Leaves()))
	best := 0
	for _, l := range leaf {
		count[l]++
	}
	for l, n := range count {
		if n > count[best] {
			best = l
		}
	}
	return best
}
