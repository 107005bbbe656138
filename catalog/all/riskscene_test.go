package all_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/dither-data/dither/internal/executor"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/noisemodel"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/rnat"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/table"
)

// scene is a table of people with numbers on several grids, categories, a class and missing values, a hold-out, and
// releases of the table.
type scene struct {
	table, holdout *table.Table
	intruders      []intruder.Intruder
	original       *release   // the table as it is
	noise          *release   // every value drawn anew from its domain
	suppressed     *release   // nothing but the class
	protected      []*release // by techniques with their defaults
	turn           int        // how often measures were held to what is expected
}

type release struct {
	name string
	*measure.Release
	// like is the original as the release could at best show it, where that is not the whole table as it is: of the
	// records that it has, or as general as it is. Some measures ask of it what they do not ask of the original.
	like *release
}

// stage makes the releases of three fifths of a table. The rest is the hold-out.
func stage(t *testing.T, all *table.Table, methods []protect.Method) *scene {
	t.Helper()
	n := all.Rows() * 3 / 5
	s := &scene{table: all.Slice(0, n), holdout: all.Slice(n, all.Rows()), intruders: intruder.Defaults(all.Attrs())}
	s.original, s.suppressed = s.released(
		t,
		"the original",
		nil,
		s.table,
	), s.released(t, "suppressed", nil, suppressed(s.table))
	for _, m := range methods {
		if m.Purpose == protect.Items { // the table has no sets of items
			continue
		}
		p := must.Get(study.Protect(context.Background(),
			study.Request{KeepOrder: true, Table: s.table, Method: m, Set: hiding(m), Seed: rng.SeedOf([32]byte{5})}))(t)
		if p.Synthetic { // of nobody: no record of it is judged, and it is judged without pairs
			continue
		}
		r, err := p.Release(nil)
		must.NoError(t, err)
		r.Holdout = s.holdout
		if r.Exact != nil {
			if r.Holdout, err = p.Plan.(noisemodel.Recoder).Recode(s.holdout); err != nil {
				t.Fatal(err)
			}
		}
		one := &release{name: m.Name, Release: r.OfThose()}
		if one.Original != s.table {
			one.like = &release{
				name:    m.Name + "'s original",
				Release: &measure.Release{Original: one.Original, Released: one.Original, Paired: true, Holdout: r.Holdout},
			}
		}
		s.protected = append(s.protected, one)
	}
	numbers := must.Get(rnat.New().Fit(context.Background(), s.table, rng.Source{}))(t)
	plan := &uniform{numbers, redrawn{s.table.Attrs()}}
	out := must.Get(executor.Run(context.Background(), plan, s.table, rng.New([32]byte{9}), protect.Options{}))(t)
	s.noise = s.released(t, "uniform noise", plan, out)
	return s
}

// hiding returns what a technique that hides patterns is to hide in the records of patients; none for others, which
// have a list of parameters of their own.
func hiding(m protect.Method) map[string]string {
	switch {
	case slices.Contains(m.Claims, protect.SplitsColumn): // and the table has several confidential ones
		return map[string]string{"column": "diagnosis"}
	case m.Name == "privatesegments": // nobody has declared the classes, so they are bought
		return map[string]string{"domains": "bought", "delta": "0.001"}
	case m.Purpose != protect.Hides:
		return nil
	}
	if !m.Sets { // it hides rules for the class
		return map[string]string{"sensitive": "diagnosis=injury=>readmitted=no", "reach": "overlap"}
	}
	return map[string]string{"sensitive": "diagnosis=injury=>admission=emergency"}
}

func (s *scene) released(t *testing.T, name string, p protect.Plan, out *table.Table) *release {
	t.Helper()
	r := &measure.Release{Original: s.table, Released: out, Paired: true, Holdout: s.holdout}
	if p != nil {
		must.NoError(t, study.WithPlan(r, p))
	}
	return &release{name: name, Release: r}
}

// suppressed returns the table with all values missing but those of the class.
func suppressed(t *table.Table) *table.Table {
	for j := range t.Width() {
		switch a := t.Attr(j); {
		case a.Kind == table.Numeric:
			t = t.WithNum(j, slices.Repeat([]float64{math.NaN()}, t.Rows()))
		case a.Role&table.Class == 0:
			t = t.WithCat(j, slices.Repeat([]int32{-1}, t.Rows()))
		}
	}
	return t
}

// against returns whom a measure is taken against: anyone when it depends on no intruder.
func (s *scene) against(m measure.Measure) []*intruder.Intruder {
	var out []*intruder.Intruder
	for k := range s.intruders {
		if m.Intruder || k == len(s.intruders)-1 {
			out = append(out, &s.intruders[k])
		}
	}
	return out
}

// complete returns the share of the records that miss no value.
func (s *scene) complete() float64 {
	n := 0
	for i := range s.table.Rows() {
		missing := 0
		for j := range s.table.Width() {
			if s.table.MissingAt(i, j) {
				missing++
			}
		}
		if missing == 0 {
			n++
		}
	}
	return float64(n) / float64(s.table.Rows())
}

// rows returns the number of records.
func (s *scene) rows() float64 { return float64(s.table.Rows()) }

// uniform is independent noise over the whole domain: RNAT on numbers, and every category, the class among them, drawn
// anew.
type uniform struct{ numbers, categories protect.Plan }

func (p *uniform) Steps() []protect.Plan     { return []protect.Plan{p.numbers, p.categories} }
func (p *uniform) Schema() []table.Attribute { return p.numbers.Schema() }
func (p *uniform) Changes() []string         { return append(p.numbers.Changes(), p.categories.Changes()...) }
func (p *uniform) Apply(*table.Table, rng.Source) (*table.Table, error) {
	return nil, errors.New("the steps of a composite are applied one by one")
}

// redrawn is a plan that draws every category from the attribute's whole domain, whatever it was; missing ones stay
// missing.
type redrawn struct{ attrs []table.Attribute }

func (p redrawn) Schema() []table.Attribute { return p.attrs }

func (p redrawn) Changes() []string {
	var out []string
	for _, a := range p.attrs {
		if a.Kind == table.Categorical {
			out = append(out, a.Name)
		}
	}
	return out
}

// Apply draws by record, whatever the chunk.
func (p redrawn) Apply(t *table.Table, src rng.Source) (*table.Table, error) {
	for _, name := range p.Changes() {
		j := t.Find(name)
		draws, codes := src.Fork(name).Stream(), slices.Clone(t.Cat(j))
		for i, c := range codes {
			if c >= 0 {
				codes[i] = int32(rng.Below(draws.At(uint64(t.ID(i))).A, len(p.attrs[j].Labels)))
			}
		}
		t = t.WithCat(j, codes)
	}
	return t, nil
}

// Law tells the intruder the law.
func (p redrawn) Law(j int) (noisemodel.Column, bool) {
	return noisemodel.Everywhere(even(1 / float64(max(1, len(p.attrs[j].Labels))))), p.attrs[j].Kind == table.Categorical
}

var _ noisemodel.ByColumn = redrawn{}

// even is the law of a category that may become any with the same probability.
type even float64

// P is 0 for a value that is missing, as none is suppressed.
func (k even) P(_, y float64) float64 {
	if y < 0 {
		return 0
	}
	return float64(k)
}

// like takes the measure of the original as a release could show it at best; false when there is no such original.
func (s *scene) like(
	t *testing.T,
	m measure.Measure,
	e *expectation,
	r *release,
	who *intruder.Intruder,
) (measure.Value, bool) {
	if r.like == nil {
		return measure.Value{}, false
	}
	return s.take(t, m, e, r.like, who)
}
