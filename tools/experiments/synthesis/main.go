// Command synthesis writes the page docs/synthesis.md: synthetic tables beside perturbed ones, against the same
// intruders and for the same uses:
//
//	go run -C tools ./experiments/synthesis
//	go run -C tools ./experiments/synthesis -write ../docs
//
// Of each public data set a fifth of the people is kept apart. Every technique releases the others, and is held against
// those kept apart: who can be looked up, recognised or learned of beyond them. No record is said to be anybody's, so
// that techniques which draw new records and those which perturb are asked the same. Of the latter it is measured
// besides how many people are found. The data sets are looked for in the folder that DITHER_DATA names and, failing
// that, in ../shared/data. Seeds are fixed, so every run prints the same figures.
package main

import (
	"cmp"
	"context"
	_ "embed"
	"fmt"
	"math"
	"strings"

	"github.com/dither-data/dither/catalog"
	_ "github.com/dither-data/dither/catalog/all"
	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/mine/c45"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/execute"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/tools/internal/margins"
	"github.com/dither-data/dither/tools/internal/rerun"
)

func main() {
	rerun.Program{Name: "synthesis", Times: "seeds", Help: "with how many seeds each is tried", Default: 1,
		Print: write}.Main()
}

//go:embed text.md
var text string

// data is a public data set: its class, empty for none, and what others may know of a person.
type data struct {
	title, file, class string
	categories, quasi  []string
}

var sets = []data{
	{"Adult", "adult/adult.csv", "income", nil,
		[]string{"age", "workclass", "education", "marital_status", "occupation", "race", "sex", "native_country"}},
	{"CMC", "cmc/cmc.csv", "contraceptive_method",
		[]string{"wife_religion", "wife_now_working", "husband_occupation", "media_exposure"},
		[]string{"wife_age", "wife_education", "wife_religion", "number_of_children_ever_born"}},
	{"Vote", "vote/vote.csv", "class", nil, nil},
	{"Wages", "wages/wages.csv", "", []string{"south", "sex", "union", "race", "occupation", "sector", "marr"},
		[]string{"age", "sex", "race", "marr", "education"}},
}

// most is how many records of a data set are used.
const most = 6000

// method is a technique of the page. Techniques that draw new records are added here, and nowhere else.
type method struct {
	title, name string
	set         map[string]string
}

// private are settings of techniques under differential privacy: the noise of epsilon 1, with the domains of the table
// in place of declared ones, so that it promises nothing here.
var private = map[string]string{"epsilon": "1", "domains": "observed"}

var methods = []method{
	{"CART synthesis", "cartsynthesis", nil},
	{"CART synthesis, leaves of 5", "cartsynthesis", map[string]string{"leaf": "5"}},
	{"Copula synthesis", "copulasynthesis", nil},
	{"Bayesian network", "bayesiannetwork", nil},
	{"MST, epsilon 1", "mst", private},
	{"AIM, epsilon 1", "aim", private},
	{"PrivBayes, epsilon 1", "privbayes", private},
	{"Segment synthesis", "segmentsynthesis", nil},
	{"Framework", "framework", nil},
	{"GADP", "gadp", nil},
	{"MDAV, k 5", "mdav", map[string]string{"k": "5"}},
	{"k-anonymity, k 5", "kanonymise", map[string]string{"k": "5"}},
}

// held are the measures that need no pairs, and hold a release against people who are not in it.
var held = []string{"dcr", "membership", "learned"}

// row is what a technique makes of a data set; a figure that there is none of is NaN.
type row struct {
	pairs, triples, right float64 // errors of margins; share of those kept apart whom a tree of the release predicts
	lookup                float64 // people looked up, beyond those kept apart
	held                  [3]float64
	found                 float64 // people found, where it is known which record is whose
	err                   string
}

func (r *row) figures() []*float64 {
	return []*float64{&r.pairs, &r.triples, &r.right, &r.lookup, &r.held[0], &r.held[1], &r.held[2], &r.found}
}

func write(ctx context.Context, p *rerun.Page, seeds int) error {
	p.WriteString(text)
	for _, d := range sets {
		t, err := load(ctx, d)
		if err != nil {
			return err
		}
		members, others := apart(t)
		fmt.Fprintf(p, "\n## %s\n\n%d records, %d kept apart.\n\n", d.title, members.Rows(), others.Rows())
		p.WriteString("| release | 2-way | 3-way | right | looked up | closer | recognised | learned | found |\n" +
			"|---|--:|--:|--:|--:|--:|--:|--:|--:|\n")
		floor := row{err: "-"}
		m := margins.Of(members, others)
		floor.pairs, floor.triples, floor.right = m[1], m[2], accuracy(ctx, members, others)
		for _, f := range floor.figures()[3:] {
			*f = math.NaN()
		}
		floor.print(p, "the original, and another sample")
		for _, q := range methods {
			sum := row{}
			for s := range seeds {
				r := try(ctx, q, members, others, byte(1+s))
				sum.err = cmp.Or(sum.err, r.err)
				own := r.figures()
				for k, f := range sum.figures() {
					*f += *own[k] / float64(seeds)
				}
			}
			sum.print(p, q.title)
		}
	}
	p.Beside("synthesis.svg", plot(p.String()))
	return nil
}

// print writes a line of the table.
func (r *row) print(p *rerun.Page, title string) {
	fmt.Fprintf(p, "| %s |", title)
	if r.err != "" && r.err != "-" {
		why, _, _ := strings.Cut(r.err, ";")
		fmt.Fprintf(p, " not made: %s | | | | | | | |\n", why)
		return
	}
	for k, f := range r.figures() {
		switch {
		case *f != *f:
			p.WriteString(" |")
		case k < 3:
			fmt.Fprintf(p, " %.3f |", *f)
		default:
			fmt.Fprintf(p, " %.1f |", 100**f)
		}
	}
	p.WriteString("\n")
}

// load reads a data set with its roles.
func load(ctx context.Context, d data) (*table.Table, error) {
	t, err := rerun.Read(ctx, d.file, "id")
	if err != nil {
		return nil, err
	}
	if t.Rows() > most {
		t = t.Slice(0, most)
	}
	if t, err = rerun.Categorical(t, d.categories...); err != nil {
		return nil, err
	}
	if d.class != "" {
		if t, err = rerun.Classed(t, d.class); err != nil {
			return nil, err
		}
	}
	for _, name := range d.quasi {
		a := *t.Attr(t.Find(name))
		a.Role = table.Quasi
		t = t.WithAttr(t.Find(name), a)
	}
	return t, nil
}

// apart keeps a fifth of the records apart, drawn at random.
func apart(t *table.Table) (members, others *table.Table) {
	out := make([]bool, t.Rows())
	rows := t.Drawn(t.Rows()/5, rng.New([32]byte{7}))
	for _, i := range rows {
		out[i] = true
	}
	var in []int
	for i := range out {
		if !out[i] {
			in = append(in, i)
		}
	}
	return t.Gather(in).From(0), t.Gather(rows).From(0)
}

// try makes a release of the members and measures it.
func try(ctx context.Context, q method, members, others *table.Table, seed byte) (r row) {
	for _, f := range r.figures() {
		*f = math.NaN()
	}
	m, err := catalog.Method(q.name)
	if err == nil {
		err = r.measure(ctx, m, q.set, members, others, rng.New([32]byte{seed}))
	}
	if err != nil {
		r.err = err.Error()
	}
	return r
}

func (r *row) measure(ctx context.Context, m protect.Method, set map[string]string, members, others *table.Table,
	src rng.Source) error {
	tech := m.New()
	if err := tech.Params().Apply(set); err != nil {
		return err
	}
	plan, err := protect.Fit(ctx, tech, members, src.Fork("fit"))
	if err != nil {
		return err
	}
	made, err := execute.Plan(ctx, plan, members, src, execute.Options{KeepOrder: true})
	if err != nil {
		return err
	}
	g := study.RecodingOf(plan, nil)
	if g == nil {
		e := margins.Of(members, made.Table)
		r.pairs, r.triples = e[1], e[2]
		r.right = accuracy(ctx, made.Table, others)
	}
	rel, _, err := study.Pair(members, made.Table, others, g)
	if err != nil {
		return err
	}
	who := intruder.Defaults(rel.Original.Attrs())[0]
	whole := rel.Paired
	rel.Paired = false
	if u, err := study.LookUpApart(ctx, rel, &who, src.Fork("lookup")); err == nil && u != nil {
		r.lookup = u.Share()
	}
	for k, name := range held {
		r.held[k] = taken(ctx, name, rel, &who, src)
	}
	if whole && !protect.Synthetic(plan) {
		rel, _, err = study.Pair(members, made.Table, others, g)
		if err == nil {
			r.found = taken(ctx, "found", rel, &who, src)
		}
	}
	return err
}

// taken is the figure of a measure; NaN where it could not be taken.
func taken(ctx context.Context, name string, rel *measure.Release, who *intruder.Intruder, src rng.Source) float64 {
	m, err := catalog.Measure(name)
	if err != nil {
		return math.NaN()
	}
	out, err := study.Evaluate(ctx, rel, []study.Spec{{Measure: m, Intruder: who}}, src.Fork("measure"), nil)
	if err != nil || !out[0].Err.Empty() {
		return math.NaN()
	}
	return out[0].Value.Score
}

// accuracy is the share of the others whose class a tree of a release predicts; NaN without a class.
func accuracy(ctx context.Context, release, others *table.Table) float64 {
	class := release.WithRole(table.Class)
	if class < 0 {
		return math.NaN()
	}
	tr, err := c45.New().Grow(ctx, release, class)
	if err != nil {
		return math.NaN()
	}
	got, right := make([]int32, others.Rows()), 0
	tr.Predict(others, got)
	for i, c := range got {
		if c == others.Cat(class)[i] {
			right++
		}
	}
	return float64(right) / float64(len(got))
}
