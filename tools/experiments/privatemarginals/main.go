// Command privatemarginals measures how far the marginal tables of records that mst, aim, privbayes, privatesegments
// and a Bayesian network without noise draw are from those of Adult: the mean total variation over all tables of one,
// two and three columns, with numbers in 20 bins of public bounds; the share of Adult's test file of which a C4.5
// tree of these records predicts the class; and the processor time. It does so where domains are bought, too. It
// prints a table in Markdown:
//
//	go run -C tools ./experiments/privatemarginals
//	go run -C tools ./experiments/privatemarginals -seeds 1 -only privatesegments
//
// The data set is looked for in the folder that DITHER_DATA names and, failing that, in ../shared/data. Seeds are
// fixed, so every run prints the same figures but for the times.
package main

import (
	"context"
	"flag"
	"fmt"
	"math"
	"slices"

	"github.com/dither-data/dither/catalog"
	_ "github.com/dither-data/dither/catalog/all"
	"github.com/dither-data/dither/internal/noise/selectmeasure"
	"github.com/dither-data/dither/internal/system/processor"
	"github.com/dither-data/dither/mine/c45"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/tools/internal/rerun"
)

var program = rerun.Program{Name: "privatemarginals", Times: "seeds", Default: 5, Help: "fits of each technique",
	Print: print}

var only = flag.String("only", "", "measure this `technique` alone")

func main() { program.Main() }

// bounds are public: those of the columns that hold numbers.
var bounds = map[string][2]float64{
	"age": {17, 91}, "fnlwgt": {0, 1500000}, "education_num": {1, 17}, "capital_gain": {0, 100000},
	"capital_loss": {0, 5000}, "hours_per_week": {1, 100},
}

// class is what trees predict.
const class = "income"

// bins is how many a number has.
const bins = 20

type fitter struct {
	name     string
	epsilons []float64
	fit      func(context.Context, *selectmeasure.Table, selectmeasure.Promise, rng.Source) (*selectmeasure.Law, error)
	made     string // the technique that fits and draws, in place of fit
	bought   bool   // it buys the domains
}

// usual are the epsilons that are tried.
var usual = []float64{0.1, 1, 10}

var fitters = []fitter{
	{name: "mst", epsilons: usual, fit: selectmeasure.MST},
	{name: "aim", epsilons: usual, fit: selectmeasure.DefaultAIM.Fit},
	{name: "privbayes", epsilons: usual, fit: selectmeasure.DefaultPrivBayes.Fit},
	{name: "privatesegments", epsilons: usual, made: "privatesegments"},
	{name: "mst, bought domains", epsilons: usual, made: "mst", bought: true},
	{name: "aim, bought domains", epsilons: usual, made: "aim", bought: true},
	{name: "privbayes, bought domains", epsilons: usual, made: "privbayes", bought: true},
	{name: "privatesegments, bought domains", epsilons: usual, made: "privatesegments", bought: true},
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
	test, err := rerun.Read(ctx, "adult/adult-test.csv")
	if err != nil {
		return err
	}
	for j := range test.Width() { // with the categories of the other file
		if c := test.Column(j); c.Kind == table.Categorical {
			for i, x := range c.Cat {
				if x >= 0 {
					c.Cat[i] = int32(slices.Index(read.Attr(j).Labels, c.Labels[x]))
				}
			}
			c.Labels = read.Attr(j).Labels
			if test, err = test.WithColumn(j, c); err != nil {
				return err
			}
		}
	}
	r := run{read: read, coded: coded(read), test: coded(test)}
	p.WriteString("| technique | epsilon | 1 column | 2 columns | 3 columns | right | fit, CPU s | draw, CPU s |\n" +
		"|---|--:|--:|--:|--:|--:|--:|--:|\n")
	for _, f := range fitters {
		if *only != "" && *only != f.name {
			continue
		}
		for _, epsilon := range f.epsilons {
			var figures [6]float64
			for seed := range seeds {
				if err := r.measure(ctx, f, epsilon, seed, &figures); err != nil {
					return fmt.Errorf("%s: %w", f.name, err)
				}
			}
			fmt.Fprintf(p, "| %s | %g |", f.name, epsilon)
			for k, v := range figures {
				fmt.Fprintf(p, " %.*f |", []int{4, 4, 4, 3, 2, 2}[k], v/float64(seeds))
			}
			p.WriteString("\n")
		}
	}
	return nil
}

// run is what all fits are of.
type run struct {
	read        *table.Table
	coded, test *selectmeasure.Table
}

// measure adds the figures of one fit.
func (r *run) measure(ctx context.Context, f fitter, epsilon float64, seed int, to *[6]float64) error {
	start := processor.Seconds()
	src := rng.New([32]byte{byte(seed), 1})
	var draw func() ([][]int32, error)
	if f.made != "" {
		p, err := f.plan(ctx, r.read, epsilon, src)
		if err != nil {
			return err
		}
		draw = func() ([][]int32, error) { return drawn(p, rng.New([32]byte{byte(seed), 2})) }
	} else {
		l, err := f.fit(ctx, r.coded, selectmeasure.Promise{Epsilon: epsilon, Delta: 1e-9}, src)
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
	to[4], to[5] = to[4]+fitted-start, to[5]+processor.Seconds()-fitted
	for k := range 3 {
		to[k] += variation(r.coded, made, k+1)
	}
	right, err := r.right(ctx, made)
	to[3] += right
	return err
}

// right returns the share of the test file of which a C4.5 tree of some records predicts the class.
func (r *run) right(ctx context.Context, made [][]int32) (float64, error) {
	from, err := r.decoded(made)
	if err != nil {
		return 0, err
	}
	to, err := r.decoded(r.test.Columns)
	if err != nil {
		return 0, err
	}
	at := from.WithRole(table.Class)
	tr, err := c45.New().Grow(ctx, from, at)
	if err != nil {
		return 0, err
	}
	got, right := make([]int32, to.Rows()), 0
	tr.Predict(to, got)
	for i, c := range got {
		if c == to.Cat(at)[i] {
			right++
		}
	}
	return float64(right) / float64(len(got)), nil
}

// decoded returns codes as a table, of which numbers are the numbers of their bins.
func (r *run) decoded(codes [][]int32) (*table.Table, error) {
	out := make([]table.Column, len(codes))
	for j, column := range codes {
		a, missing := r.read.Attr(j), int32(r.coded.Domain[j]-1)
		if a.Kind == table.Numeric {
			values := make([]float64, len(column))
			for i, x := range column {
				if values[i] = float64(x); x == missing {
					values[i] = math.NaN()
				}
			}
			out[j] = table.NumColumn(a.Name, 1, values)
			continue
		}
		values := slices.Clone(column)
		for i, x := range values {
			if x == missing {
				values[i] = -1
			}
		}
		if out[j] = table.CatColumn(a.Name, a.Labels, values); a.Name == class {
			out[j].Role = table.Class
		}
	}
	return table.New(out...)
}

// plan fits a technique that buys all domains, or has them declared.
func (f *fitter) plan(ctx context.Context, t *table.Table, epsilon float64, src rng.Source) (protect.Plan, error) {
	m, err := catalog.Method(f.made)
	if err != nil {
		return nil, err
	}
	set := map[string]string{"domains": "bought", "epsilon": fmt.Sprint(epsilon), "delta": "1e-9"}
	if !f.bought {
		set = map[string]string{"epsilon": fmt.Sprint(epsilon)}
	}
	for j := range t.Width() {
		a := *t.Attr(j)
		if a.Name == class {
			a.Role = table.Class
		}
		if a.Declared = !f.bought; !f.bought && a.Kind == table.Numeric {
			a.Domain = table.Interval{Lo: bounds[a.Name][0], Hi: bounds[a.Name][1] - 1}
			a.Step, a.StepDeclared = 1, true
		}
		t = t.WithAttr(j, a)
	}
	q := m.New()
	if err := q.Params().Apply(set); err != nil {
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
