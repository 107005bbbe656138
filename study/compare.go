package study

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/dither-data/dither/hierarchy"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/profile"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// CompareRequest asks for a comparison: every setting on every data set, Folds x Repeats times.
type CompareRequest struct {
	Version  string // of the program; part of the fingerprint, since another version may find other figures
	Data     []DataSet
	Settings []Setting
	Measures []Spec // a measure may be taken more than once, with different parameters
	Folds    int    // at least 2
	Repeats  int    // at least 1
	Seed     rng.Seed
	Workers  int // cells worked on at a time; 0 means GOMAXPROCS. They never change a figure

	// Done are the cells of an earlier run of the same request (same Fingerprint); they are not run again.
	Done []Cell
	// Finished is called with every cell as soon as it is finished, from one goroutine at a time; an error ends the
	// comparison. It may be nil.
	Finished func(Cell) error
	// Progress is called before the first and after every cell of this run, from one goroutine at a time. It may be nil.
	Progress func(done, total int)
}

// DataSet is one table of a comparison.
type DataSet struct {
	Name  string // unique
	File  File
	Table *table.Table // roles set, the class categorical; identifiers are left out
	// Set holds parameters for every technique that has them, and for every measure those of its trees, such as minLeaf,
	// so that the trees a technique works in and those it is judged by are grown alike (Fletcher & Islam 2015, table 3).
	// What a setting or a measure sets itself wins.
	Set map[string]string
	// Sensitive lists the itemsets and rules that every technique hides that hides some, and that every measure of these
	// counts; empty for none.
	Sensitive string
	// Hierarchies are the value generalisation hierarchies for the techniques that generalise; nil for none.
	Hierarchies hierarchy.Set
	// Relations hold in every record, and releases keep them.
	Relations Relations

	// Besides says whose the records may be besides.
	Besides []profile.Reading

	people owners // whose the records are
}

// Compare runs the protocol of Fletcher & Islam 2015, section 7: each data set is dealt into folds, stratified by
// class, the records of a person into one; for every fold a setting perturbs the records outside it Repeats times; the
// measures compare each release with these records and take the records of the fold, unperturbed, as the hold-out. The
// original released as it is comes first among the settings, once per fold.
//
// A fold's value is the mean over its repeats, a figure the mean over the folds. A cell depends on its data set,
// setting, fold, repeat, on the measures and on the seed alone: not on the other settings, the workers, or on whether
// the run was interrupted. A cell that fails is recorded with its reason and does not stop the rest; a wrong request,
// the end of ctx and an error of Finished do. Cost: data sets x settings x folds x repeats times that of a release and
// its measures; what is learned from the original alone is learned once per fold.
func Compare(ctx context.Context, q CompareRequest) (*Comparison, error) {
	q.Data = slices.Clone(q.Data)
	c, err := q.describe()
	if err != nil {
		return nil, err
	}
	r, err := newRunner(&q)
	if err != nil {
		return nil, err
	}
	if c.Cells, err = r.run(ctx); err != nil {
		return nil, err
	}
	c.summarise()
	return c, nil
}

// describe checks the request and returns a comparison without cells.
func (q *CompareRequest) describe() (*Comparison, error) {
	if err := q.check(); err != nil {
		return nil, err
	}
	c := &Comparison{Version: q.Version, Commitment: rng.Commitment(q.Seed), Folds: q.Folds, Repeats: q.Repeats}
	for i := range q.Data {
		d, err := q.Data[i].studied()
		if err != nil {
			return nil, err
		}
		c.Data = append(c.Data, d)
	}
	if err := q.describeSettings(c); err != nil {
		return nil, err
	}
	if err := q.describeMeasures(c); err != nil {
		return nil, err
	}
	return c, q.checkShared()
}

func (q *CompareRequest) check() error {
	switch {
	case len(q.Data) == 0:
		return errors.New("a comparison needs at least one data set")
	case len(q.Settings) == 0:
		return errors.New("a comparison needs at least one technique")
	case len(q.Measures) == 0:
		return errors.New("a comparison needs at least one measure")
	case q.Folds < 2:
		return fmt.Errorf("%d folds: expected at least 2", q.Folds)
	case q.Repeats < 1:
		return fmt.Errorf("%d repeats: expected at least 1", q.Repeats)
	}
	for i, d := range q.Data {
		if slices.ContainsFunc(q.Data[:i], func(e DataSet) bool { return e.Name == d.Name }) {
			return fmt.Errorf("two data sets are named %q", d.Name)
		}
	}
	for i, s := range q.Settings {
		if s.Name == OriginalSetting ||
			slices.ContainsFunc(q.Settings[:i], func(e Setting) bool { return e.Name == s.Name }) {
			return fmt.Errorf("two settings are named %q", s.Name)
		}
	}
	return nil
}

// studied describes the data set and drops its identifiers.
func (d *DataSet) studied() (Studied, error) {
	t := WithoutIdentifiers(d.Table)
	if t == nil {
		return Studied{}, fmt.Errorf("%s: every column is an identifier; nothing is left to release", d.Name)
	}
	if d.people.persons == nil { // once: afterwards the columns are gone
		d.people = ownersOf(d.Table, d.Besides)
	}
	d.Table = t
	s := Studied{Name: d.Name, File: d.File, Records: t.Rows(), Columns: t.Width(), Set: d.Set}
	if d.Sensitive != "" {
		s.Set = map[string]string{"sensitive": d.Sensitive}
		maps.Copy(s.Set, d.Set)
	}
	if j := t.WithRole(table.Class); j >= 0 {
		s.Class = t.Attr(j).Name
		if t.Attr(j).Kind == table.Categorical {
			seen := map[int32]bool{}
			for _, c := range t.Cat(j) {
				if c >= 0 {
					seen[c] = true
				}
			}
			s.Classes = len(seen)
		}
	}
	return s, nil
}

// describeSettings puts the original and the settings into the comparison; it fails when a parameter is refused on any
// data set.
func (q *CompareRequest) describeSettings(c *Comparison) error {
	c.Settings = []Compared{{Name: OriginalSetting}}
	for _, s := range q.Settings {
		card := s.Method.Card
		d := Compared{Name: s.Name, Method: &card, Varied: s.Varied, Axes: s.Axes}
		for i := range q.Data {
			params := s.Method.New().Params()
			if err := params.Apply(q.Data[i].shared(params, q.Data[i].Set, s.Set)); err != nil {
				return fmt.Errorf("%s: %w", s.Method.Name, err)
			}
			if i == 0 {
				d.Params = params.Values()
			}
		}
		c.Settings = append(c.Settings, d)
	}
	return nil
}

func (q *CompareRequest) describeMeasures(c *Comparison) error {
	for _, s := range q.Measures {
		m := s.Measure
		d := Criterion{Card: m.Card, Facts: m.Facts, Varied: q.varied(s), Who: s.against(),
			Described: s.Intruder != nil && s.Intruder.Described, Side: m.Side, Better: m.Better, Range: m.Range, Unit: m.Unit}
		d.Label = d.label()
		if slices.ContainsFunc(c.Measures, func(e Criterion) bool { return e.Label == d.Label }) {
			return fmt.Errorf("the measure %s is asked for twice with the same parameters", d.Label)
		}
		for i := range q.Data {
			params := m.New().Params()
			if err := params.Apply(q.Data[i].shared(params, ForMeasure(params, q.Data[i].Set), s.Set)); err != nil {
				return fmt.Errorf("%s: %w", m.Name, err)
			}
			if i == 0 {
				d.Params = params.Values()
			}
		}
		c.Measures = append(c.Measures, d)
	}
	return nil
}

// varied are the parameters of a measure, where it is taken more than once.
func (q *CompareRequest) varied(s Spec) string {
	n := 0
	for _, e := range q.Measures {
		if e.Measure.Name == s.Measure.Name && e.against() == s.against() {
			n++
		}
	}
	if n < 2 {
		return ""
	}
	return assignments(s.Set)
}

// label joins the name of a criterion, its parameters and its intruder.
func (c *Criterion) label() string {
	label := c.Name
	if c.Varied != "" {
		label += " " + c.Varied
	}
	if c.Who != "" {
		label += " (" + c.Who + ")"
	}
	return label
}

// assignments writes parameters as name=value, by name.
func assignments(set map[string]string) string {
	var out []string
	for _, k := range slices.Sorted(maps.Keys(set)) {
		out = append(out, k+"="+set[k])
	}
	return strings.Join(out, " ")
}

// checkShared refuses a parameter of a data set that neither a technique nor a measure has.
func (q *CompareRequest) checkShared() error {
	for _, d := range q.Data {
		for _, name := range slices.Sorted(maps.Keys(d.Set)) {
			used := slices.ContainsFunc(q.Settings, func(s Setting) bool { return s.Method.New().Params().Has(name) }) ||
				slices.ContainsFunc(q.Measures, func(s Spec) bool { return s.Measure.New().Params().Shares(name) })
			if !used {
				return fmt.Errorf("%s: no technique and no measure of the comparison has a parameter %q", d.Name, name)
			}
		}
	}
	return nil
}

// shared returns the parameters in force: those of the data set that are declared, and its patterns, then one's own.
func (d *DataSet) shared(declared param.Set, of, own map[string]string) map[string]string {
	set := map[string]string{}
	for k, v := range of {
		if declared.Has(k) {
			set[k] = v
		}
	}
	for _, name := range declared.Patterns() {
		if d.Sensitive != "" {
			set[name] = d.Sensitive
		}
	}
	maps.Copy(set, own)
	return set
}
