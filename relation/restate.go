package relation

import (
	"fmt"
	"slices"

	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/table"
)

// Restatement says how a table with relations is restated before a technique perturbs it, and how the release is put
// together again: reduce, protect, restore. It is data, and belongs to the plan: it holds what codes stand for, so it
// is confidential.
//
// A column that the others determine is taken out, and computed again from what is released of them. Of a <= b, column
// b becomes its distance from a. Of a value that comes only with a category, the category becomes missing. Pairs of
// values that never come together are drawn anew where the technique made one. A sum keeps its parts and is computed
// from them or, where that is asked for, its total and its parts' shares of it, and the parts are computed.
type Restatement struct {
	Attrs []table.Attribute `json:"schema"` // of the table, before it is restated
	Steps []Step            `json:"steps"`  // in the order of restoring
	Never []Relation        `json:"never"`  // of the kind NeverTogether
	Stay  []string          `json:"stay"`   // columns of Never that are not drawn anew
	// Shares counts the records that have each category of the columns of Never.
	Shares map[string]map[string]int `json:"shares,omitempty"`
	Public bool                      `json:"public,omitempty"` // nothing of it was read from records
	// ByParts are sums that keep their parts though shares were asked for, and why. A plan file has none.
	ByParts []Left `json:"-"`
}

// Step restates one column.
type Step struct {
	Bound
	Target string `json:"target"`
	// Of Order: the columns that are at most the target, which becomes how far it is above the largest of them, or those
	// it is at most, where Down is set.
	Besides []string `json:"besides,omitempty"`
	Down    bool     `json:"down,omitempty"`
	Least   float64  `json:"least,omitempty"` // of the distance: 0, or a step of the grid where one is strict
	// Without stands for the columns in Besides where a record has none of them.
	Without float64 `json:"without,omitempty"`
	// Rest holds, of a Determines with several sources, what the first determines as a rule: for combinations that the
	// technique made.
	Rest map[string]string `json:"rest,omitempty"`
	// Parts holds, of a sum that keeps its total and shares, the columns that become shares of the target, which stays.
	Parts []string `json:"parts,omitempty"`
	// Usual are the shares that the parts have in the table as a whole: for totals of 0.
	Usual []float64 `json:"usual,omitempty"`
}

// Left is a relation that a restatement does not keep, and why.
type Left struct {
	Relation
	Why message.Sentence
}

// RestateOptions say what may be restated.
type RestateOptions struct {
	// Fixed reports columns that are not restated: the class, columns that are kept as they are, and those that the
	// technique's parameters name.
	Fixed func(column string) bool
	// Coarse says that the technique generalises: distances and categories are left to it.
	Coarse bool
	// Suppresses says that the technique takes values away and changes none: it breaks no order, and no pair comes
	// together.
	Suppresses bool
	// Together reports columns that the technique makes general together, so that a sum of such columns is as general as
	// its parts; nil for none.
	Together func(column string) bool
	// Public has the restatement follow from the attributes alone, and from nothing that records have: a promise of
	// differential privacy holds with it. What determines what is read from records, so it cannot be kept.
	Public bool
	// Shares has sums keep their total and their parts' shares of it, where they can.
	Shares bool
}

// Restate works out how to keep relations of a table. Those that it cannot keep are returned besides, with the reason;
// the restatement is nil where it keeps none. Relations whose columns the table lacks are left out. Cost: O(n) for
// each.
func Restate(t *table.Table, relations []Relation, opt RestateOptions) (*Restatement, []Left, error) {
	if opt.Public {
		t = t.Slice(0, 0)
	}
	p := &planner{t: t, opt: opt, r: &Restatement{Attrs: t.Attrs(), Public: opt.Public}, above: map[string]int{}}
	if p.opt.Fixed == nil {
		p.opt.Fixed = func(string) bool { return false }
	}
	// what is computed exactly comes first: a sum that leaves no column for a distance implies its order as a rule
	for _, kinds := range [][]Kind{
		{Determines}, {Linear}, {Elapsed}, {Product, Ratio}, {OnlyTogether}, {Order}, {NeverTogether},
	} {
		for _, r := range relations {
			if slices.Contains(kinds, r.Kind) {
				if err := p.add(r); err != nil {
					return nil, nil, err
				}
			}
		}
	}
	if len(p.r.Steps) == 0 && len(p.r.Never) == 0 {
		return nil, p.left, nil
	}
	p.r.Steps = ordered(p.r.Steps)
	return p.r, p.left, nil
}

// planner makes a restatement.
type planner struct {
	t     *table.Table
	opt   RestateOptions
	r     *Restatement
	left  []Left
	above map[string]int // position among the steps of what is restated to a column by orders
}

// add finds a way to keep one relation.
func (p *planner) add(r Relation) error {
	for _, name := range r.Columns {
		if p.t.Find(name) < 0 {
			return nil
		}
	}
	if _, err := r.On(p.t); err != nil {
		return err
	}
	if p.opt.Suppresses && (r.Kind == NeverTogether || r.Kind == Order || r.Kind == OnlyTogether) {
		return nil
	}
	if p.opt.Public && r.Kind == Determines {
		return p.leave(r, message.Say("relation.left.records"))
	}
	switch r.Kind {
	case NeverTogether:
		return p.never(r)
	case Order:
		return p.order(r)
	case OnlyTogether:
		return p.only(r)
	case Determines:
		if back, ok := p.back(r); ok {
			return p.compute(back)
		}
	case Linear, Product, Ratio, Elapsed:
		if p.opt.Together != nil && !slices.ContainsFunc(r.Columns, func(n string) bool { return !p.opt.Together(n) }) {
			return nil
		}
	}
	if p.opt.Shares && r.Kind == Linear {
		return p.shared(r)
	}
	return p.compute(r)
}

// back returns a code that a label determines, too, where the label cannot be computed.
func (p *planner) back(r Relation) (back Relation, ok bool) {
	if len(r.Columns) != 2 || !p.opt.Fixed(r.Columns[1]) {
		return r, false
	}
	back = Relation{Kind: Determines, Columns: []string{r.Columns[1], r.Columns[0]}}
	b, err := back.Bind(p.t)
	if err != nil {
		return r, false
	}
	checked, broken := b.Count(p.t)
	return back, Tolerated(broken, checked)
}

func (p *planner) leave(r Relation, why message.Sentence) error {
	p.left = append(p.left, Left{r, why})
	return nil
}

// targets returns the columns that a relation can give, the best first.
func (p *planner) targets(r *Relation) []string {
	last := r.Columns[len(r.Columns)-1]
	switch r.Kind {
	case Determines:
		return []string{last}
	case Linear:
		return r.Columns
	case Product, Ratio, Elapsed, Order, OnlyTogether, NeverTogether:
	}
	return r.Columns[:1]
}

// compute keeps a relation whose target can be computed from the other columns.
func (p *planner) compute(r Relation) error {
	why := message.Say("relation.left.fixed")
	for _, target := range p.targets(&r) {
		switch {
		case p.opt.Fixed(target):
			continue
		case p.taken(target):
			why = message.Say("relation.left.twice").Name("column", target)
			continue
		case p.reaches(r.Sources(target), target):
			why = message.Say("relation.left.cycle").Name("column", target)
			continue
		case r.Kind == Linear && !p.onGrid(&r, target):
			why = message.Say("relation.left.grid").Name("column", target)
			continue
		case p.lacking(&r, target):
			why = message.Say("relation.left.missing").Name("column", target)
			continue
		}
		b, err := r.Bind(p.t)
		if err != nil {
			return err
		}
		s := Step{Bound: *b, Target: target}
		if r.Kind == Determines && len(r.Columns) > 2 {
			first := Relation{Kind: Determines, Columns: []string{r.Columns[0], target}}
			alone, err := first.Bind(p.t)
			if err != nil {
				return err
			}
			s.Rest = alone.To
		}
		p.r.Steps = append(p.r.Steps, s)
		return nil
	}
	return p.leave(r, why)
}

// taken reports whether a step gives a column already.
func (p *planner) taken(name string) bool {
	return slices.ContainsFunc(p.r.Steps, func(s Step) bool { return slices.Contains(s.targets(), name) })
}

// reaches reports whether columns are computed from another, through any number of steps.
func (p *planner) reaches(from []string, name string) bool {
	for _, f := range from {
		if f == name {
			return true
		}
		for k := range p.r.Steps {
			if s := &p.r.Steps[k]; slices.Contains(s.targets(), f) && p.reaches(s.sources(), name) {
				return true
			}
		}
	}
	return false
}

// targets returns the columns that a step restores.
func (s *Step) targets() []string {
	if len(s.Parts) > 0 {
		return s.Parts
	}
	return []string{s.Target}
}

// sources returns the columns that a step restores its targets from.
func (s *Step) sources() []string {
	switch {
	case s.Kind == Order:
		return s.Besides
	case len(s.Parts) > 0:
		return []string{s.Target}
	}
	return s.Sources(s.Target)
}

// onGrid reports whether a sum gives values on the grid of a column: whatever whole steps its other columns make.
func (p *planner) onGrid(r *Relation, target string) bool {
	k := slices.Index(r.Columns, target)
	step := float64(stepOf(p.t, p.t.Find(target)) * r.Coefficients[k])
	whole := func(v float64) bool { v /= step; return abs(v-round(v)) < 1e-6 }
	for n, c := range r.Coefficients {
		if n != k && !whole(float64(c*stepOf(p.t, p.t.Find(r.Columns[n])))) {
			return false
		}
	}
	return whole(r.Constant)
}

// mostLacking is the share of records that may lose a value because what it is computed from is missing.
const mostLacking = 0.05

// lacking reports whether too many records have a value of a column and none of those it would be computed from.
func (p *planner) lacking(r *Relation, target string) bool {
	j, lost := p.t.Find(target), 0
	var from []int
	for _, name := range r.Sources(target) {
		from = append(from, p.t.Find(name))
	}
	for i := range p.t.Rows() {
		if !p.t.MissingAt(i, j) && slices.ContainsFunc(from, func(k int) bool { return p.t.MissingAt(i, k) }) {
			lost++
		}
	}
	return float64(lost) > mostLacking*float64(p.t.Rows())
}

// ordered sorts steps so that each comes after those that give what it needs.
func ordered(steps []Step) (out []Step) {
	placed := make([]bool, len(steps))
	var place func(k int)
	place = func(k int) {
		if placed[k] {
			return
		}
		placed[k] = true
		for _, name := range steps[k].sources() {
			for n := range steps {
				if slices.Contains(steps[n].targets(), name) {
					place(n)
				}
			}
		}
		out = append(out, steps[k])
	}
	for k := range steps {
		place(k)
	}
	return out
}

// Check says what is wrong with a restatement that was read from a file: columns that the schema lacks, or that do not
// hold what a step needs.
func (r *Restatement) Check() error {
	for k := range r.Steps {
		if err := r.checkStep(&r.Steps[k]); err != nil {
			return fmt.Errorf("step %d: %w", k+1, err)
		}
	}
	for k := range r.Never {
		n := &r.Never[k]
		if n.Kind != NeverTogether {
			return fmt.Errorf("pair %d is of the kind %q", k+1, n.Kind)
		}
		if err := n.Fits(r.Attrs); err != nil {
			return fmt.Errorf("pair %d: %w", k+1, err)
		}
	}
	return nil
}

func (r *Restatement) checkStep(s *Step) error {
	if err := s.Fits(r.Attrs); err != nil {
		return err
	}
	if s.Kind == NeverTogether || !slices.Contains(s.Columns, s.Target) {
		return fmt.Errorf("it does not give column %q", s.Target)
	}
	switch s.Kind {
	case Order:
		if len(s.Besides) == 0 {
			return fmt.Errorf("column %q is ordered by none", s.Target)
		}
		for _, name := range s.Besides {
			beside := Relation{Kind: Order, Columns: []string{name, s.Target}}
			if err := beside.Fits(r.Attrs); err != nil {
				return err
			}
		}
	case Determines, OnlyTogether:
		if s.Target != s.Columns[len(s.Columns)-1] {
			return fmt.Errorf("it does not give column %q", s.Target)
		}
	case Product, Ratio, Elapsed:
		if s.Target != s.Columns[0] {
			return fmt.Errorf("it does not give column %q", s.Target)
		}
	case Linear:
		return s.checkShares()
	case NeverTogether:
	}
	return nil
}

// Relations returns what the restatement keeps.
func (r *Restatement) Relations() (out []Relation) {
	if r == nil {
		return nil
	}
	for k := range r.Steps {
		s := &r.Steps[k]
		if s.Kind != Order {
			out = append(out, s.Relation)
			continue
		}
		for _, name := range s.Besides {
			o := Relation{Kind: Order, Columns: []string{name, s.Target}, Strict: s.Least > 0}
			if s.Down {
				o.Columns = []string{s.Target, name}
			}
			out = append(out, o)
		}
	}
	return append(out, r.Never...)
}

// Computed returns the columns that are computed from others, which a technique does not see.
func (r *Restatement) Computed() (out []string) {
	if r == nil {
		return nil
	}
	for k := range r.Steps {
		if s := &r.Steps[k]; s.Kind != Order && s.Kind != OnlyTogether && len(s.Parts) == 0 {
			out = append(out, s.Target)
		}
	}
	return out
}

// Implied returns what relations imply of columns that somebody knows: columns that follow from known ones, through any
// number of relations, in the order in which they are found, and for each the columns it follows from.
func Implied(relations []Relation, known func(column string) bool) (out []Implication) {
	have := map[string]bool{}
	knows := func(name string) bool { return have[name] || known(name) }
	for more := true; more; {
		more = false
		for k := range relations {
			r := &relations[k]
			for _, target := range r.follows() {
				from := r.Sources(target)
				if knows(target) || slices.ContainsFunc(from, func(n string) bool { return !knows(n) }) {
					continue
				}
				have[target], more = true, true
				out = append(out, Implication{target, from})
			}
		}
	}
	return out
}

// Implication is a column that follows from others.
type Implication struct {
	Column string
	From   []string
}

// follows returns the columns that a relation gives exactly where the others are known.
func (r *Relation) follows() []string {
	switch r.Kind {
	case Linear:
		return r.Columns
	case Determines:
		return r.Columns[len(r.Columns)-1:]
	case Product, Ratio, Elapsed:
		return r.Columns[:1]
	case Order, OnlyTogether, NeverTogether:
	}
	return nil
}
