// Command wilsonrosen2002 reruns the experiment of Wilson & Rosen 2002 that Islam 2007 tells of in sections 3.2.2 and
// 9.1, the accuracy of classifiers learned from releases of Iris and BUPA, and prints our figures beside what it says:
//
//	go run -C tools ./experiments/wilsonrosen2002
//	go run -C tools ./experiments/wilsonrosen2002 -repeats 1
//	go run -C tools ./experiments/wilsonrosen2002 -write ../docs
//
// The last writes the page into a folder. The data sets are looked for in the folder that DITHER_DATA names and,
// failing that, in ../shared/data. Folds and seeds are fixed, so every run prints the same figures.
package main

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"

	"github.com/dither-data/dither/catalog"
	_ "github.com/dither-data/dither/catalog/all"
	"github.com/dither-data/dither/internal/executor"
	"github.com/dither-data/dither/internal/stats/folds"
	"github.com/dither-data/dither/internal/system/parallel"
	"github.com/dither-data/dither/mine"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/tools/internal/rerun"
)

var program = rerun.Program{Name: "wilsonrosen2002", Times: "repeats", Default: 10,
	Help: "releases of the training records of every fold", Print: rerunning}

func main() { program.Main() }

const dealt = 10 // folds

// noise is the variance of SADP's noise, as a share of the attribute's.
const noise = "0.25"

var sets = []struct{ title, file, class string }{
	{"Iris", "iris/iris.csv", "class"},
	{"Liver", "bupa/bupa.csv", "selector"},
}

// technique is a way of releasing; one without a method releases the records as they are.
type technique struct {
	title, method string
	set           map[string]string
	given         bool // the class is given
}

var techniques = []technique{
	{title: "original"},
	{title: "SADP", method: "sadp", set: map[string]string{"noise": noise}},
	{title: "GADP", method: "gadp"},
	{title: "GADP-W", method: "gadp", given: true},
}

var learners = []struct{ title, name string }{
	{"C4.5", "c45"}, {"naive Bayes", "naivebayes"}, {"network", "neuralnet"}, {"nearest neighbours", "knn"},
}

// accuracies are per cent of right predictions, by learner, technique and fold.
type accuracies [][][]float64

// result is what is found on one data set.
type result struct {
	title    string
	largest  float64 // class, in per cent of the records: what one gets by always saying it
	accuracy accuracies
}

func rerunning(ctx context.Context, p *rerun.Page, repeats int) error {
	var all []result
	for _, s := range sets {
		t, err := rerun.Read(ctx, s.file)
		if err == nil {
			t, err = rerun.Classed(t, s.class)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", s.title, err)
		}
		a, err := run(ctx, s.title, t, repeats)
		if err != nil {
			return fmt.Errorf("%s: %w", s.title, err)
		}
		all = append(all, result{s.title, largest(t), a})
	}
	return page(p, all, repeats)
}

// run learns from every release of the records outside each fold and predicts the original records inside it.
func run(ctx context.Context, title string, t *table.Table, repeats int) (accuracies, error) {
	fold, err := folds.Deal(t, dealt, rng.New(seedOf(title+" folds", 0)))
	if err != nil {
		return nil, err
	}
	out := make(accuracies, len(learners))
	for l := range out {
		out[l] = make([][]float64, len(techniques))
		for k := range out[l] {
			out[l][k] = make([]float64, dealt)
		}
	}
	errs := make([]error, dealt)
	parallel.Do(dealt, func(f int) {
		outside, inside := folds.Split(fold, f)
		train, test := t.Gather(outside), t.Gather(inside)
		for k := range techniques {
			for n := range repeats {
				seed := seedOf(title+" "+techniques[k].title, f*repeats+n)
				released, err := techniques[k].release(ctx, train, seed)
				for l := range learners {
					var right float64
					if err == nil {
						right, err = predict(ctx, learners[l].name, released, test, seed)
					}
					out[l][k][f] += right / float64(repeats)
				}
				if err != nil {
					errs[f] = fmt.Errorf("%s: %w", techniques[k].title, err)
					return
				}
			}
		}
	})
	return out, errors.Join(errs...)
}

// largest returns the share of the largest class in per cent.
func largest(t *table.Table) float64 {
	class := t.WithRole(table.Class)
	counts := make([]int, len(t.Attr(class).Labels))
	for _, c := range t.Cat(class) {
		counts[c]++
	}
	return 100 * float64(slices.Max(counts)) / float64(t.Rows())
}

// release makes one release of the training records.
func (q *technique) release(ctx context.Context, t *table.Table, seed rng.Seed) (*table.Table, error) {
	if q.method == "" {
		return t, nil
	}
	m, err := catalog.Method(q.method)
	if err != nil {
		return nil, err
	}
	made := m.New()
	if err := made.Params().Apply(q.set); err != nil {
		return nil, err
	}
	if q.given {
		class := t.Attr(t.WithRole(table.Class)).Name
		if err := made.Params().Apply(map[string]string{"given": class}); err != nil {
			return nil, err
		}
	}
	src := rng.New(seed)
	plan, err := made.Fit(ctx, t, src.Fork("fit"))
	if err != nil {
		return nil, err
	}
	return executor.Run(ctx, plan, t, src.Fork("apply"), protect.Options{})
}

// predict returns the per cent of the test records that a classifier of the release predicts right.
func predict(ctx context.Context, learner string, released, test *table.Table, seed rng.Seed) (float64, error) {
	m, err := catalog.Miner(learner)
	if err != nil {
		return 0, err
	}
	model, err := m.New().Fit(ctx, released, rng.New(seed).Fork(learner))
	if err != nil {
		return 0, err
	}
	got := make([]int32, test.Rows())
	model.(mine.Classifier).Predict(test, got)
	right := 0
	for i, c := range test.Cat(test.WithRole(table.Class)) {
		if got[i] == c {
			right++
		}
	}
	return 100 * float64(right) / float64(len(got)), nil
}

// seedOf returns a fixed seed: these are experiments on public data, to be rerun by anybody.
func seedOf(label string, k int) rng.Seed {
	return rng.SeedOf(sha256.Sum256(fmt.Appendf(nil, "wilson & rosen 2002, %s %d", label, k)))
}
