package main

import (
	"context"
	"crypto/sha256"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	"github.com/dither-data/dither/catalog"
	_ "github.com/dither-data/dither/catalog/all"
	"github.com/dither-data/dither/generate/as2000"
	"github.com/dither-data/dither/internal/executor"
	"github.com/dither-data/dither/internal/noise/additive"
	"github.com/dither-data/dither/internal/noise/reconstruction"
	"github.com/dither-data/dither/mine"
	"github.com/dither-data/dither/noisemodel/modelfile"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

var (
	noises = []string{"uniform", "normal"}
	levels = []float64{25, 50, 100, 150, 200} // privacy, % of the range
)

// algorithms are those of the paper; the first is given the original.
var algorithms = []struct{ name, miner string }{
	{"Original", "randomised"},
	{"ByClass", "byclass"},
	{"Local", "local"},
	{"Global", "global"},
	{"Randomised", "randomised"},
}

const tested = 5000

// curves are accuracies by algorithm, and in it by level.
type curves struct {
	function int
	noise    string
	right    [][]float64
}

// people returns records of a function, as many of each group, whose ranges are not declared: noise may lead out of
// them.
func people(ctx context.Context, function, records int, label string) (*table.Table, error) {
	g := as2000.New()
	g.Function, g.Balanced = function, true
	t, err := g.Make(ctx, records, rng.New(sha256.Sum256(fmt.Appendf(nil, "%s %d", label, function))))
	if err != nil {
		return nil, err
	}
	for j := range t.Width() {
		a := *t.Attr(j)
		a.Declared = false
		t = t.WithAttr(j, a)
	}
	return t, nil
}

// accuracies grows the trees of one function and kind of noise, and tries them on records that are not randomised.
func accuracies(ctx context.Context, function int, noise string, records int) (c curves, err error) {
	train, err := people(ctx, function, records, "train")
	if err != nil {
		return c, err
	}
	test, err := people(ctx, function, tested, "test")
	if err != nil {
		return c, err
	}
	c = curves{function: function, noise: noise, right: make([][]float64, len(algorithms))}
	for _, level := range levels {
		released, law, err := release(ctx, train, noise, level)
		if err != nil {
			return c, err
		}
		for k, a := range algorithms {
			on, by := released, law
			if k == 0 {
				on, by = train, nil
			}
			right, err := accuracy(ctx, a.miner, on, by, test)
			if err != nil {
				return c, err
			}
			c.right[k] = append(c.right[k], right)
		}
	}
	return c, nil
}

// release randomises a table.
func release(ctx context.Context, t *table.Table, noise string, level float64) (*table.Table, *modelfile.Model, error) {
	m, err := catalog.Method("agrawalsrikant")
	if err != nil {
		return nil, nil, err
	}
	q := m.New()
	if err := q.Params().Apply(map[string]string{"noise": noise, "privacy": fmt.Sprint(level)}); err != nil {
		return nil, nil, err
	}
	plan, err := protect.Fit(ctx, q, t, rng.New(sha256.Sum256([]byte("fit"))))
	if err != nil {
		return nil, nil, err
	}
	out, err := executor.Run(
		ctx,
		plan,
		t,
		rng.New(sha256.Sum256(fmt.Appendf(nil, "%s %v", noise, level))),
		protect.Options{},
	)
	if err != nil {
		return nil, nil, err
	}
	parts, err := plan.(protect.Published).Published()
	return out, &modelfile.Model{Parts: parts, Release: modelfile.Release{Records: out.Rows()}}, err
}

// accuracy learns from a table and returns the share of the tested records whose group is predicted.
func accuracy(
	ctx context.Context,
	name string,
	t *table.Table,
	law *modelfile.Model,
	test *table.Table,
) (float64, error) {
	miner, err := catalog.Miner(name)
	if err != nil {
		return 0, err
	}
	l := miner.New()
	l.(mine.LawLearner).ByLaw(law)
	m, err := mine.Fit(ctx, l, t, rng.Source{})
	if err != nil {
		return 0, err
	}
	predicted := make([]int32, test.Rows())
	m.(mine.Classifier).Predict(test, predicted)
	right := 0
	for i, c := range test.Cat(test.WithRole(table.Class)) {
		if predicted[i] == c {
			right++
		}
	}
	return float64(right) / float64(test.Rows()), nil
}

// rows writes the accuracies as a table.
func rows(all []curves) string {
	var b strings.Builder
	b.WriteString("| function | noise | privacy |")
	for _, a := range algorithms {
		b.WriteString(" " + a.name + " |")
	}
	b.WriteString("\n|---|---|--:|" + strings.Repeat("--:|", len(algorithms)) + "\n")
	for _, c := range all {
		for k, level := range levels {
			fmt.Fprintf(&b, "| %d | %s | %v %% |", c.function, c.noise, level)
			for _, right := range c.right {
				fmt.Fprintf(&b, " %.1f |", 100*right[k])
			}
			b.WriteString("\n")
		}
	}
	return b.String()
}

// order writes means over the functions, by noise and level, and in how many of the cases each algorithm is better than
// the next.
func order(all []curves) string {
	var b strings.Builder
	b.WriteString("| noise | privacy | Original | ByClass | Local | Global | Randomised |\n" +
		"|---|--:|--:|--:|--:|--:|--:|\n")
	for _, noise := range noises {
		for k, level := range levels {
			fmt.Fprintf(&b, "| %s | %v %% |", noise, level)
			for a := range algorithms {
				sum, n := 0.0, 0.0
				for _, c := range all {
					if c.noise == noise {
						sum, n = sum+c.right[a][k], n+1
					}
				}
				fmt.Fprintf(&b, " %.1f |", 100*sum/n)
			}
			b.WriteString("\n")
		}
	}
	for _, pair := range [][2]int{{1, 3}, {2, 1}, {2, 3}, {3, 4}} {
		better, cases := 0, 0
		for _, c := range all {
			for k := range levels {
				cases++
				if c.right[pair[0]][k] > c.right[pair[1]][k] {
					better++
				}
			}
		}
		fmt.Fprintf(
			&b,
			"\n%s is better than %s in %d of %d cases.",
			algorithms[pair[0]].name,
			algorithms[pair[1]].name,
			better,
			cases,
		)
	}
	return b.String()
}

// informationLoss reconstructs two attributes from noise of the same privacy of both kinds, by both papers' rules.
func informationLoss(ctx context.Context, records int) (string, error) {
	t, err := people(ctx, 1, records, "train")
	if err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString("| attribute | privacy of the noise | uniform, at the optimum | uniform, stopped early | normal, at " +
		"the optimum | normal, stopped early |\n|---|--:|--:|--:|--:|--:|\n")
	for _, name := range []string{"commission", "hvalue"} {
		values, a := t.Num(t.Find(name)), t.Attr(t.Find(name))
		edges, err := reconstruction.Edges(a.Domain.Lo, a.Domain.Hi, 1, 20)
		if err != nil {
			return "", err
		}
		truth := reconstruction.Count(edges, values)
		for k := range truth {
			truth[k] /= float64(len(values))
		}
		for _, level := range levels {
			width := level / 100 * (a.Domain.Hi - a.Domain.Lo)
			fmt.Fprintf(&b, "| %s | %v %% |", name, level)
			for _, noise := range []additive.Noise{additive.Uniform{Half: width / 2},
				additive.Normal{Sigma: width / math.Sqrt(2*math.Pi*math.E)}} {
				for _, stop := range []reconstruction.Stop{reconstruction.Optimum, reconstruction.ChiSquare} {
					lost := 0.0
					for draw := range uint64(3) {
						r := rand.New(rand.NewPCG(draw, uint64(level)))
						w := make([]float64, len(values))
						for i, v := range values {
							w[i] = v + noise.Quantile(r.Float64())
						}
						out, err := reconstruction.Reconstruct(
							ctx,
							edges,
							w,
							additive.Added{Noise: noise},
							reconstruction.Options{Kernel: reconstruction.Intervals, Stop: stop, Rounds: 5000},
						)
						if err != nil {
							return "", err
						}
						l, err := reconstruction.Loss(truth, out.Shares)
						if err != nil {
							return "", err
						}
						lost += l / 3
					}
					fmt.Fprintf(&b, " %.3f |", lost)
				}
			}
			b.WriteString("\n")
		}
	}
	return b.String(), nil
}
