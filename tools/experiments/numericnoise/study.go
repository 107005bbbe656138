package main

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/dither-data/dither/catalog"
	_ "github.com/dither-data/dither/catalog/measures"
	_ "github.com/dither-data/dither/catalog/techniques"
	"github.com/dither-data/dither/internal/executor"
	"github.com/dither-data/dither/internal/system/parallel"
	"github.com/dither-data/dither/measure/ruletypes"
	"github.com/dither-data/dither/mine/c45"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/tools/internal/rerun"
)

const (
	train    = 349 // records that figure 5.1 is of
	releases = 10  // of every subset, by every technique
)

// see5 sets the options of See5 that C4.5 release 8 lacks.
var see5 = map[string]string{"minGainRule": "c50", "globalPrune": "true", "mergeSameClassLeaves": "true"}

// technique is a row: the techniques that are applied, each to the original; a later one takes the columns that it
// changes.
type technique struct {
	title string
	of    string
	set   map[string]string
}

var techniques = []technique{
	{"LINNAPT", "linnapt", nil},
	{"LINFAPT", "linfapt", nil},
	{"both", "framework", nil}, // with RPT on the class, which chapter 5 takes from chapter 4
	{"RNAT", "rnat", nil},
}

// result is what is found: by subset the tree, and by technique, subset and release the figures.
type result struct {
	trees    []*tree.Tree
	own      []float64 // per cent of the training records that the original tree gets wrong
	test     []float64 // and of the others
	released map[string][]*figures
}

// figures are those of one release.
type figures struct {
	types   [4]float64
	inside  float64 // per cent of the records that are in their leaf of the original tree
	changed float64 // per cent of the values that are not the original ones
	// per cent of the values of attributes that the record's leaf tests that are outside the leaf's range
	linfa            float64
	own, train, test float64 // per cent wrong of the released tree: on its own records, the original ones, the others
}

// study reads WBC, with 9 numbers and the class, and releases subsets of it.
func study(ctx context.Context, subsets int) (*result, error) {
	t, err := rerun.Read(ctx, "wbc/wbc.csv", "id")
	if err != nil {
		return nil, err
	}
	if t, err = rerun.Classed(t, "class"); err != nil {
		return nil, err
	}
	r := &result{
		trees:    make([]*tree.Tree, subsets),
		own:      make([]float64, subsets),
		test:     make([]float64, subsets),
		released: map[string][]*figures{},
	}
	for _, m := range techniques {
		r.released[m.title] = make([]*figures, subsets*releases)
	}
	errs := make([]error, subsets)
	parallel.Do(subsets, func(k int) { errs[k] = r.subset(ctx, t, k) })
	return r, errors.Join(errs...)
}

func grow(ctx context.Context, t *table.Table) (*tree.Tree, error) {
	l := c45.New()
	if err := l.Params().Apply(see5); err != nil {
		return nil, err
	}
	return l.Grow(ctx, t, t.WithRole(table.Class))
}

// subset releases one training set.
func (r *result) subset(ctx context.Context, t *table.Table, k int) error {
	order := rng.New(seedOf("subset", k)).Rand().Perm(t.Rows())
	own, others := t.Gather(
		slices.Sorted(slices.Values(order[:train])),
	), t.Gather(
		slices.Sorted(slices.Values(order[train:])),
	)
	original, err := grow(ctx, own)
	if err != nil {
		return err
	}
	r.trees[k], r.own[k], r.test[k] = original, wrong(original, own), wrong(original, others)
	for _, m := range techniques {
		for n := range releases {
			out, err := m.release(ctx, own, seedOf(m.title, k*releases+n))
			if err != nil {
				return fmt.Errorf("%s: %w", m.title, err)
			}
			f, err := measured(ctx, original, own, out, others)
			if err != nil {
				return err
			}
			r.released[m.title][k*releases+n] = f
		}
	}
	return nil
}

func (m *technique) release(ctx context.Context, t *table.Table, seed rng.Seed) (*table.Table, error) {
	e, err := catalog.Method(m.of)
	if err != nil {
		return nil, err
	}
	q := e.New()
	set := map[string]string{}
	for name, v := range see5 {
		if q.Params().Has(name) {
			set[name] = v
		}
	}
	if q.Params().Has("minLeaf") {
		set["minLeaf"] = "2"
	}
	maps.Copy(set, m.set)
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

// measured takes the figures of a release.
func measured(ctx context.Context, original *tree.Tree, own, out, others *table.Table) (*figures, error) {
	released, err := grow(ctx, out)
	if err != nil {
		return nil, err
	}
	f := &figures{
		types: ruletypes.Compare(original, released, out).Weights,
		own:   wrong(released, out),
		train: wrong(released, own),
		test:  wrong(released, others),
	}
	was, is := make([]int32, own.Rows()), make([]int32, own.Rows())
	original.Route(own, was)
	original.Route(out, is)
	segments := original.Segments()
	values, tested, outside := 0.0, 0.0, 0.0
	for i := range was {
		if was[i] == is[i] {
			f.inside += 100 / float64(len(was))
		}
		for j := range own.Width() {
			if own.Attr(j).Kind != table.Numeric || own.MissingAt(i, j) {
				continue
			}
			values++
			if own.Num(j)[i] != out.Num(j)[i] {
				f.changed++
			}
			if in, ok := segments[was[i]].Num[j]; ok {
				tested++
				if !in.Contains(out.Num(j)[i]) {
					outside++
				}
			}
		}
	}
	f.changed *= 100 / values
	if tested > 0 {
		f.linfa = 100 * outside / tested
	}
	return f, nil
}

// wrong returns how many of 100 records are predicted wrong.
func wrong(t *tree.Tree, tab *table.Table) float64 {
	got, class := make([]int32, tab.Rows()), tab.Cat(tab.WithRole(table.Class))
	t.Predict(tab, got)
	n := 0
	for i := range got {
		if got[i] != class[i] {
			n++
		}
	}
	return 100 * float64(n) / float64(len(got))
}

// seedOf returns a fixed seed: this is an experiment on public data, to be rerun by anybody.
func seedOf(label string, k int) rng.Seed {
	return rng.SeedOf(sha256.Sum256(fmt.Appendf(nil, "islam 2007, chapter 5, %s %d", label, k)))
}
