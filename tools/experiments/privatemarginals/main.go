// Command privatemarginals measures how far the marginal tables of records that mst, aim, privbayes and a Bayesian
// network without noise draw are from those of Adult: the mean total variation over all tables of one, two and three
// columns, with numbers in 20 bins of public bounds, and the processor time. Of mst, aim and privbayes it does so where
// domains are bought, too. It prints a table in Markdown:
//
//	go run -C tools ./experiments/privatemarginals
//	go run -C tools ./experiments/privatemarginals -seeds 1
//
// The data set is looked for in the folder that DITHER_DATA names and, failing that, in ../shared/data. Seeds are
// fixed, so every run prints the same figures but for the times.
package main

import (
	"context"
	"fmt"
	"math"

	"github.com/dither-data/dither/catalog"
	"github.com/dither-data/dither/internal/noise/selectmeasure"
	"github.com/dither-data/dither/internal/system/processor"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/tools/internal/rerun"
)

var program = rerun.Program{Name: "privatemarginals", Times: "seeds", Default: 5, Help: "fits of each technique",
	Print: print}

func main() { program.Main() }

// bounds are public: those of the columns that hold numbers.
var bounds = map[string][2]float64{
	"age": {17, 91}, "fnlwgt": {0, 1500000}, "education_num": {1, 17}, "capital_gain": {0, 100000},
	"capital_loss": {0, 5000}, "hours_per_week": {1, 100},
}

// bins is how many a number has.
const bins = 20

type fitter struct {
	name     string
	epsilons []float64
	fit      func(context.Context, *selectmeasure.Table, selectmeasure.Promise, rng.Source) (*selectmeasure.Law, error)
	bought   string // the technique that buys the domains, in place of fit
}

// usual are the epsilons that are tried.
var usual = []float64{0.1, 1, 10}

var fitters = []fitter{
	{name: "mst", epsilons: usual, fit: selectmeasure.MST},
	{name: "aim", epsilons: usual, fit: selectmeasure.DefaultAIM.Fit},
	{name: "privbayes", epsilons: usual, fit: selectmeasure.DefaultPrivBayes.Fit},
	{name: "mst, bought domains", epsilons: usual, bought: "mst"},
	{name: "aim, bought domains", epsilons: usual, bought: "aim"},
	{name: "privbayes, bought domains", epsilons: usual, bought: "privbayes"},
	{name: "bayesiannetwork", epsilons: []float64{math.Inf(1)}, fit: func(ctx context.Context, t *selectmeasure.Table,
		_ selectmeasure.Promise, _ rng.Source) (*selectmeasure.Law, error) {
		b := selectmeasure.DefaultPrivBayes
		b.Usefulness = 20
		return b.Network(ctx, t)
	}},
}

func print(ctx context.Context, p *rerun.Page, seeds int) error {
	read, err := rerun.Read(ctx, "adult/adult.csv")
	if err != nil {
		return err
	}
	t := coded(read)
	p.WriteString("| technique | epsilon | 1 column | 2 columns | 3 columns | fit, CPU s | draw, CPU s |\n" +
		"|---|--:|--:|--:|--:|--:|--:|\n")
	for _, f := range fitters {
		for _, epsilon := range f.epsilons {
			var figures [5]float64
			for seed := range seeds {
				if err := measure(ctx, read, t, f, epsilon, seed, &figures); err != nil {
					return fmt.Errorf("%s: %w", f.name, err)
				}
			}
			fmt.Fprintf(p, "| %s | %g |", f.name, epsilon)
			for k, v := range figures {
				fmt.Fprintf(p, " %.*f |", []int{4, 4, 4, 2, 2}[k], v/float64(seeds))
			}
			p.WriteString("\n")
		}
	}
	return nil
}

// measure adds the figures of one fit.
func measure(ctx context.Context, read *table.Table, t *selectmeasure.Table, f fitter, epsilon float64, seed int,
	to *[5]float64) error {
	start := processor.Seconds()
	src := rng.New([32]byte{byte(seed), 1})
	var draw func() ([][]int32, error)
	if f.bought != "" {
		p, err := bought(ctx, read, f.bought, epsilon, src)
		if err != nil {
			return err
		}
		draw = func() ([][]int32, error) { return drawn(p, rng.New([32]byte{byte(seed), 2})) }
	} else {
		l, err := f.fit(ctx, t, selectmeasure.Promise{Epsilon: epsilon, Delta: 1e-9}, src)
		if err != nil {
			return err
		}
		draw = func() ([][]int32, error) {
			return l.Sample(int(math.Round(l.Records)), rng.New([32]byte{byte(seed), 2})), nil
		}
	}
	fitted := processor.Seconds()
	made, err := draw()
	if err != nil {
		return err
	}
	to[3], to[4] = to[3]+fitted-start, to[4]+processor.Seconds()-fitted
	for k := range 3 {
		to[k] += variation(t, made, k+1)
	}
	return nil
}

// bought fits a technique that buys all domains.
func bought(ctx context.Context, t *table.Table, name string, epsilon float64, src rng.Source) (protect.Plan, error) {
	m, err := catalog.Method(name)
	if err != nil {
		return nil, err
	}
	q := m.New()
	err = q.Params().Apply(map[string]string{"domains": "bought", "epsilon": fmt.Sprint(epsilon), "delta": "1e-9"})
	if err != nil {
		return nil, err
	}
	return q.Fit(ctx, t, src)
}

// drawn draws the records of a plan, as codes.
func drawn(p protect.Plan, src rng.Source) ([][]int32, error) {
	blank, err := p.(protect.Synthesiser).Blank(src)
	if err != nil {
		return nil, err
	}
	made, err := p.Apply(blank, src)
	if err != nil {
		return nil, err
	}
	return coded(made).Columns, nil
}

// coded returns a table as codes: of a number its bin, of a category its own; the last code of a column is that of what
// is missing.
func coded(t *table.Table) *selectmeasure.Table {
	out := &selectmeasure.Table{}
	for j := range t.Width() {
		c := t.Column(j)
		column, size := make([]int32, t.Rows()), len(c.Labels)
		if c.Kind == table.Numeric {
			size = bins
		}
		for i := range column {
			switch {
			case c.MissingAt(i):
				column[i] = int32(size)
			case c.Kind == table.Numeric:
				lo, hi := bounds[c.Name][0], bounds[c.Name][1]
				column[i] = int32(min(max((c.Num[i]-lo)/(hi-lo)*bins, 0), bins-1))
			default:
				column[i] = c.Cat[i]
			}
		}
		out.Domain, out.Columns = append(out.Domain, size+1), append(out.Columns, column)
	}
	return out
}

// variation returns the mean total variation between a table and other records over all marginal tables of k columns.
func variation(t *selectmeasure.Table, made [][]int32, k int) float64 {
	sum, n := 0.0, 0.0
	var each func(from int, scope []int)
	each = func(from int, scope []int) {
		if len(scope) < k {
			for v := from; v < len(t.Domain); v++ {
				each(v+1, append(scope[:len(scope):len(scope)], v))
			}
			return
		}
		a, b := t.Domain.Count(t.Columns, scope), t.Domain.Count(made, scope)
		for i := range a {
			sum += max(0, float64(a[i])/float64(len(t.Columns[0]))-float64(b[i])/float64(len(made[0])))
		}
		n++
	}
	each(0, nil)
	return sum / n
}
