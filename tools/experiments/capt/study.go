package main

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"strings"

	"github.com/dither-data/dither/catalog"
	_ "github.com/dither-data/dither/catalog/all"
	"github.com/dither-data/dither/generate"
	"github.com/dither-data/dither/internal/executor"
	"github.com/dither-data/dither/internal/system/parallel"
	"github.com/dither-data/dither/measure/ruletypes"
	"github.com/dither-data/dither/mine/c45"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/capt"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

const (
	rows     = 399 // of the thesis's tables
	releases = 10  // of every table
)

// See5's options that C4.5 release 8 lacks, and none of them: J48 is C4.5 release 8 but for details.
var (
	see5 = map[string]string{"minGainRule": "c50", "globalPrune": "true", "mergeSameClassLeaves": "true"}
	j48  = map[string]string{}
)

// experiment is one of section 6.6.2.
type experiment struct {
	title, data string
	perturbed   []string // columns
	targets     []string // whose trees are compared
	trees       []builder
}

// builder is a way of growing the trees that are compared; CAPT's own are always See5's.
type builder struct {
	title string
	set   map[string]string
}

var experiments = []experiment{
	{"CR, City perturbed", "cr", []string{"City"}, []string{"Credit Risk"}, []builder{{"See5's options", see5}}},
	{
		"CS, Car Make perturbed",
		"cs",
		[]string{"Car Make"},
		[]string{"Car Make", "Status"},
		[]builder{{"See5's options", see5}},
	},
	{"CS, three attributes perturbed", "cs", []string{"Country of Origin", "Car Make", "Profession"},
		[]string{
			"Country of Origin",
			"Car Make",
			"Profession",
			"Status",
		}, []builder{{"Table 6.4: See5's options", see5}, {"Table 6.5: C4.5 release 8, as J48", j48}}},
}

// part is what one way of growing trees finds of one target of an experiment: the weights of the rule types, by table
// and release.
type part struct {
	*experiment
	trees, target string
	weights       [][4]float64
	agree         []float64    // per cent of the original records for which both trees predict the same
	leaves        [2][]float64 // of the tree of the original, and of the release
	alone         *part        // the same with the target alone released, where more is perturbed
}

func (e *experiment) part(trees, target string, n int) *part {
	return &part{experiment: e, trees: trees, target: target, weights: make([][4]float64, n), agree: make([]float64, n),
		leaves: [2][]float64{make([]float64, n), make([]float64, n)}}
}

// run makes the releases and compares the trees.
func (e *experiment) run(ctx context.Context, tables int) ([]*part, *joint, error) {
	g, err := catalog.Generator(e.data)
	if err != nil {
		return nil, nil, err
	}
	together := newJoint(e.perturbed, tables*releases)
	var parts []*part
	for _, b := range e.trees {
		for _, target := range e.targets {
			p := e.part(b.title, target, tables*releases)
			if len(e.perturbed) > 1 && contains(e.perturbed, target) {
				p.alone = e.part(b.title, target, tables*releases)
			}
			parts = append(parts, p)
		}
	}
	errs := make([]error, tables)
	parallel.Do(tables, func(k int) {
		t, err := generate.Make(ctx, g.New(), rows, rng.New(seedOf(e.data+" table", k)))
		if err == nil {
			err = e.table(ctx, t, k, parts, together)
		}
		errs[k] = err
	})
	return parts, together, errors.Join(errs...)
}

// table makes the releases of one table.
func (e *experiment) table(ctx context.Context, t *table.Table, k int, parts []*part, together *joint) error {
	var except []string
	for j := range t.Width() {
		if a := t.Attr(j); a.Kind == table.Categorical && a.Role&table.Class == 0 && !contains(e.perturbed, a.Name) {
			except = append(except, a.Name)
		}
	}
	set := maps.Clone(see5)
	set["minLeaf"], set["p"], set["influential"], set["except"] = "2", "0.1", "paper", strings.Join(except, ",")
	q := capt.New()
	if err := q.Params().Apply(set); err != nil {
		return err
	}
	for n := range releases {
		src := rng.New(seedOf(e.title, k*releases+n))
		p, err := q.Fit(ctx, t, src.Fork("fit"))
		if err != nil {
			return err
		}
		out, err := executor.Run(ctx, p, t, src.Fork("apply"), protect.Options{})
		if err != nil {
			return err
		}
		for _, part := range parts {
			if err := part.compare(ctx, t, out, k*releases+n); err != nil {
				return err
			}
			if part.alone == nil {
				continue
			}
			one, err := with(t, out, t.Find(part.target))
			if err != nil {
				return err
			}
			if err := part.alone.compare(ctx, t, one, k*releases+n); err != nil {
				return err
			}
		}
		together.take(t, out, k*releases+n)
	}
	return nil
}

// with returns t with column j of the release.
func with(t, out *table.Table, j int) (*table.Table, error) {
	a := out.Attr(j)
	return t.WithColumn(j, table.CatColumn(a.Name, a.Labels, out.Cat(j)))
}

func contains(names []string, name string) bool {
	for _, n := range names {
		if n == name {
			return true
		}
	}
	return false
}

// compare grows the tree of the target on both tables, weighs the rules of the released one, and counts on how many of
// the original records they agree.
func (p *part) compare(ctx context.Context, t, out *table.Table, at int) error {
	l := c45.New()
	for _, b := range p.experiment.trees {
		if b.title == p.trees {
			if err := l.Params().Apply(b.set); err != nil {
				return err
			}
		}
	}
	j := t.Find(p.target)
	if j < 0 {
		return fmt.Errorf("there is no column %q", p.target)
	}
	original, err := l.Grow(ctx, t, j)
	if err != nil {
		return err
	}
	released, err := l.Grow(ctx, out, j)
	if err != nil {
		return err
	}
	p.weights[at] = ruletypes.Compare(original, released, out).Weights
	p.leaves[0][at], p.leaves[1][at] = float64(len(original.Leaves())), float64(len(released.Leaves()))
	x, y := make([]int32, t.Rows()), make([]int32, t.Rows())
	original.Predict(t, x)
	released.Predict(t, y)
	for i := range x {
		if x[i] == y[i] {
			p.agree[at] += 100 / float64(len(x))
		}
	}
	return nil
}

// The classes of trees of section 6.6.2, which leave gaps.
const (
	same = iota
	very
	similar
	dissimilar
	unclassified
	classes
)

// classOf names a tree by its rules. Chapter 6 knows three types: its Type C, significantly different, is C and D of
// chapter 7.
func classOf(w [4]float64) int {
	a, c := w[0], w[2]+w[3]
	switch {
	case a > 100-1e-9:
		return same
	case a >= 60 && c < 5:
		return very
	case a > 15 && c < 5:
		return similar
	case c > 10 && a < 10:
		return dissimilar
	}
	return unclassified
}

// seedOf returns a fixed seed: these are experiments on generated data, to be rerun by anybody.
func seedOf(label string, k int) rng.Seed {
	return rng.SeedOf(sha256.Sum256(fmt.Appendf(nil, "islam 2007, capt, %s %d", label, k)))
}
