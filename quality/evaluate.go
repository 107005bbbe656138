package quality

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/dither-data/dither/internal/system/parallel"
	"github.com/dither-data/dither/internal/text/expression"
	"github.com/dither-data/dither/relation"
	"github.com/dither-data/dither/table"
)

// Count is what became of a constraint.
type Count struct {
	Name     string   `json:"name"`
	On       []string `json:"on"` // the attribute; those that a complex one joins
	Operator string   `json:"operator"`
	Of       []Count  `json:"of"` // the constraints of a complex one, each by itself
	Expr     string   `json:"expression"`
	Weight   float64  `json:"weight"`
	Checked  int      `json:"checked"`  // records with a changed value where it was looked at
	Violated int      `json:"violated"` // CSV as printed: a complex one at every changed value
	Records  int      `json:"records"`  // in which it is violated
	// records in which it cannot be judged: on a group of values, or after a division by zero
	Unjudged int `json:"unjudged"`
}

// Changes is what became of the values of an attribute.
type Changes struct {
	Name         string  `json:"name"`
	Accuracy     float64 `json:"accuracyWeight"`
	Completeness float64 `json:"completenessWeight"`
	Changed      int     `json:"changed"` // values that differ from the original's and are there
	// values that the original has and the release lacks, those of records that are gone included
	Missing int     `json:"missing"`
	AV      float64 `json:"changedShare"`
	CV      float64 `json:"missingShare"`
}

// Outcome is what became of a purpose.
type Outcome struct {
	Name        string    `json:"name"`
	Weight      float64   `json:"weight"`
	Attributes  []Changes `json:"attributes"`
	Constraints []Count   `json:"constraints"`
	Complex     []Count   `json:"complex"`
	// Lack is ACL, CML and CSL as printed (5.1 to 5.3); ByRecord is CSL with a complex constraint counted once per record.
	// Shares are from 0 to 1.
	Lack     Deficit `json:"lack"`
	ByRecord float64 `json:"consistencyByRecord"`
	Share    Shares  `json:"share"`
}

// Deficit are three indices: lower is better.
type Deficit struct {
	Accuracy     float64 `json:"accuracy"`
	Completeness float64 `json:"completeness"`
	Consistency  float64 `json:"consistency"`
}

// Shares are lacks from 0 to 1, by weights that sum to 1 and per record. One that nothing has a weight for is nil. The
// most that the lack of consistency could be, were all violated that cannot be judged, is Most.
type Shares struct {
	Accuracy     *float64 `json:"accuracy"`
	Completeness *float64 `json:"completeness"`
	Consistency  *float64 `json:"consistency"`
	Most         *float64 `json:"consistencyAtMost"`
}

// Result is what became of all purposes.
type Result struct {
	Records  int `json:"records"` // of the release
	Original int `json:"original"`
	// evalset: records of the original of which a value differs, those that are gone included
	Changed  int       `json:"changed"`
	Gone     int       `json:"gone"`  // records of the original that the release lacks
	Added    int       `json:"added"` // records of the release that the original lacks
	Purposes []Outcome `json:"purposes"`
	Asset    Deficit   `json:"asset"` // 5.4 to 5.6 as printed, over the number of purposes
	ByRecord float64   `json:"assetConsistencyByRecord"`
	Share    Shares    `json:"share"` // weighted by the purposes' weights

	// Differs says of every record of the original whether it is in evalset.
	Differs []bool `json:"-"`
}

// block is how many records are looked at together.
const block = 4096

// Evaluate says what became of the purposes of a model (Figures 5.1 and 5.2). It fails where the model does not fit the
// tables, and where the release has no record. Cost: O(n) for every column, and for every constraint on values that
// changed.
func Evaluate(ctx context.Context, m *Model, pair Pair) (*Result, error) {
	e, err := newEvaluator(m, pair)
	if err != nil {
		return nil, err
	}
	n := pair.Released.Rows()
	if n == 0 {
		return nil, errors.New("the release has no record")
	}
	out := &Result{Records: n, Original: pair.Original.Rows(), Differs: make([]bool, pair.Original.Rows())}
	states, err := parallel.With(ctx, (n+block-1)/block, e.fresh, func(s *state, b int) error {
		s.block(b*block, min(n, (b+1)*block), out.Differs)
		return nil
	})
	if err != nil {
		return nil, err
	}
	sum := e.fresh()
	for _, s := range states {
		sum.add(s)
	}
	out.Added, out.Gone = e.added, e.gone(out.Differs)
	for _, d := range out.Differs {
		if d {
			out.Changed++
		}
	}
	sum.tell(m, out)
	return out, nil
}

// evaluator is a model for two tables.
type evaluator struct {
	pair   Pair
	was    []table.Column // by column of the release: the original's; of no kind where it lacks it
	is     []table.Column
	same   []same
	known  [][]bool // by column, whether the original knows the label; nil where all labels can be judged
	rows   []int32
	added  int
	uses   []use
	places map[string]int // the column of a name
}

// use is a purpose for the tables.
type use struct {
	attributes []int
	simple     []check
	complex    []join
}

// check is a constraint on columns: on one, but for a relation.
type check struct {
	on []int
	*bound
	holds []relation.State // of a relation, by released record
}

type join struct {
	any bool
	of  []check
	on  []int // the columns, each once
}

func newEvaluator(m *Model, pair Pair) (*evaluator, error) {
	e := &evaluator{pair: pair, rows: pair.Rows, places: map[string]int{}}
	schema := pair.Original.Attrs()
	if err := m.Fit(schema); err != nil {
		return nil, err
	}
	if e.rows == nil && pair.Original.Rows() != pair.Released.Rows() {
		return nil, fmt.Errorf("the tables have %d and %d records, and nothing pairs them", pair.Original.Rows(),
			pair.Released.Rows())
	}
	for _, r := range e.rows {
		if r < 0 {
			e.added++
		}
	}
	names := make([]string, pair.Released.Width())
	for j := range names {
		is := pair.Released.Column(j)
		names[j] = is.Name
		e.places[is.Name] = j
		var was table.Column
		if k := pair.Original.Find(is.Name); k >= 0 {
			was = pair.Original.Column(k)
		}
		e.was, e.is = append(e.was, was), append(e.is, is)
		e.same, e.known = append(e.same, comparer(&was, &is)), append(e.known, knows(&was, &is, pair.Groups))
	}
	for p := range m.Purposes {
		u, err := e.use(m, &m.Purposes[p], schema, names)
		if err != nil {
			return nil, err
		}
		e.uses = append(e.uses, u)
	}
	return e, nil
}

func (e *evaluator) use(m *Model, p *Purpose, schema []table.Attribute, names []string) (u use, err error) {
	for _, a := range p.Attributes {
		j, ok := e.places[a.Name]
		if !ok {
			return u, fmt.Errorf("the release has no column %q", a.Name)
		}
		u.attributes = append(u.attributes, j)
	}
	one := func(c *Constraint) (check, error) {
		if c.related != nil {
			return e.related(c)
		}
		b, err := c.bind(m, "", schema, attrNames(schema))
		if err != nil {
			return check{}, err
		}
		for k, col := range c.parsed.Columns {
			if b.columns[k] = slices.Index(names, col.Name); b.columns[k] < 0 {
				return check{}, fmt.Errorf("the release has no column %q", col.Name)
			}
		}
		return check{on: []int{e.places[c.On]}, bound: b}, nil
	}
	for k := range p.Constraints {
		c, err := one(&p.Constraints[k])
		if err != nil {
			return u, err
		}
		u.simple = append(u.simple, c)
	}
	for k := range p.Complex {
		j := join{any: p.Complex[k].Any}
		for i := range p.Complex[k].Of {
			c, err := one(&p.Complex[k].Of[i])
			if err != nil {
				return u, err
			}
			j.of = append(j.of, c)
			for _, on := range c.on {
				if !slices.Contains(j.on, on) {
					j.on = append(j.on, on)
				}
			}
		}
		u.complex = append(u.complex, j)
	}
	return u, nil
}

func attrNames(schema []table.Attribute) []string {
	out := make([]string, len(schema))
	for j := range schema {
		out[j] = schema[j].Name
	}
	return out
}

// gone marks the records of the original that the release lacks, and counts them.
func (e *evaluator) gone(differs []bool) (n int) {
	if e.rows == nil {
		return 0
	}
	there := make([]bool, len(differs))
	for _, r := range e.rows {
		if r >= 0 {
			there[r] = true
		}
	}
	for o := range there {
		if !there[o] {
			differs[o] = true
			n++
		}
	}
	return n
}

// state counts what is seen of some blocks.
type state struct {
	*evaluator
	fate  [][]fate // by column, of the records of a block
	row   released
	uses  []tally
	dirty []bool // whether a record of the block differs
}

// fate is what became of a value.
type fate uint8

const (
	kept fate = iota
	changed
	lacking
)

// tally are the counts of a purpose.
type tally struct {
	changed, missing []int
	simple, complex  []seen
	of               [][]seen
}

type seen struct{ checked, violated, records, unjudged int }

func (e *evaluator) fresh() *state {
	s := &state{evaluator: e, dirty: make([]bool, block)}
	for range e.is {
		s.fate = append(s.fate, make([]fate, block))
	}
	s.row.evaluator = e
	for _, u := range e.uses {
		t := tally{
			make([]int, len(u.attributes)),
			make([]int, len(u.attributes)),
			make([]seen, len(u.simple)),
			make([]seen, len(u.complex)),
			nil,
		}
		for _, c := range u.complex {
			t.of = append(t.of, make([]seen, len(c.of)))
		}
		s.uses = append(s.uses, t)
	}
	return s
}

// block looks at the records [lo, hi) of the release.
func (s *state) block(lo, hi int, differs []bool) {
	clear(s.dirty)
	for j := range s.is {
		s.compare(j, lo, hi)
	}
	for i := lo; i < hi; i++ {
		if o := s.of(i); o >= 0 && s.dirty[i-lo] {
			differs[o] = true
		}
	}
	for u := range s.evaluator.uses {
		use, t := &s.evaluator.uses[u], &s.uses[u]
		for k, j := range use.attributes {
			for _, f := range s.fate[j][:hi-lo] {
				switch f {
				case kept:
				case changed:
					t.changed[k]++
				case lacking:
					t.missing[k]++
				}
			}
		}
		for k := range use.simple {
			s.simple(&use.simple[k], &t.simple[k], lo, hi)
		}
		for k := range use.complex {
			s.join(&use.complex[k], &t.complex[k], t.of[k], lo, hi)
		}
	}
}

// of returns the row of the original that a row of the release was made of, or -1.
func (e *evaluator) of(i int) int {
	if e.rows == nil {
		return i
	}
	return int(e.rows[i])
}

func (s *state) compare(j, lo, hi int) {
	is, same, fates := &s.is[j], s.same[j], s.fate[j]
	for i := lo; i < hi; i++ {
		o := s.of(i)
		switch {
		case o >= 0 && same(o, i):
			fates[i-lo] = kept
			continue
		case is.MissingAt(i):
			fates[i-lo] = lacking
		default:
			fates[i-lo] = changed
		}
		s.dirty[i-lo] = true
	}
}

func (s *state) simple(c *check, n *seen, lo, hi int) {
	for i := lo; i < hi; i++ {
		if s.changed(c, i-lo) {
			n.note(s.judge(c, i))
		}
	}
}

// changed reports whether a record of the block has a changed value in a column of a constraint.
func (s *state) changed(c *check, k int) bool {
	return slices.ContainsFunc(c.on, func(j int) bool { return s.fate[j][k] != kept })
}

// judge evaluates a constraint on a released record.
func (s *state) judge(c *check, i int) expression.Truth {
	if c.holds != nil {
		return s.relation(c, i)
	}
	s.row.columns, s.row.i = c.columns, i
	return c.expr.Eval(&s.row)
}

// join looks at a complex constraint where any of its columns changed.
func (s *state) join(c *join, n *seen, each []seen, lo, hi int) {
	for i := lo; i < hi; i++ {
		cells := 0
		for _, j := range c.on {
			if s.fate[j][i-lo] != kept {
				cells++
			}
		}
		if cells == 0 {
			continue
		}
		n.checked++
		truth := expression.True
		if c.any {
			truth = expression.False
		}
		for k := range c.of {
			one := s.judge(&c.of[k], i)
			if s.changed(&c.of[k], i-lo) {
				each[k].note(one)
			}
			truth = joined(truth, one, c.any)
		}
		switch truth {
		case expression.False:
			n.violated += cells
			n.records++
		case expression.Failed:
			n.unjudged++
		case expression.True, expression.Unknown:
		}
	}
}

func (n *seen) note(t expression.Truth) {
	n.checked++
	switch t {
	case expression.False:
		n.violated++
		n.records++
	case expression.Failed:
		n.unjudged++
	case expression.True, expression.Unknown:
	}
}

// joined is whether constraints hold so far; a missing value satisfies.
func joined(sofar, one expression.Truth, any bool) expression.Truth {
	if one == expression.Unknown {
		one = expression.True
	}
	decisive := expression.False
	if any {
		decisive = expression.True
	}
	switch {
	case sofar == decisive || one == decisive:
		return decisive
	case sofar == expression.Failed || one == expression.Failed:
		return expression.Failed
	}
	return one
}
