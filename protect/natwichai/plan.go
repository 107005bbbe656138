package natwichai

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/dither-data/dither/basket"
	"github.com/dither-data/dither/internal/mining/itemset"
	"github.com/dither-data/dither/internal/mining/rulehiding"
	"github.com/dither-data/dither/internal/system/parallel"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/mine/c45"
	"github.com/dither-data/dither/noisemodel"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/internal/leafwise"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// Plan is the fitted technique. It holds what is sensitive, so it is confidential.
type Plan struct {
	leafwise.InLeaves
	protect.OneGroup
	Settings
	Coding  basket.Saved `json:"coding"`
	Columns []int        `json:"columns"`           // that are permuted or drawn: positions, ascending
	Learner *c45.Learner `json:"learner,omitempty"` // of the tree that is grown on the release; nil for none
	Trial   Trial        `json:"trial"`
}

// Trial is what was found in the table of the fit.
type Trial struct {
	Rules   int `json:"rules"`   // that are listed
	Found   int `json:"found"`   // of them by the thresholds
	Leaves  int `json:"leaves"`  // that are sensitive
	Records int `json:"records"` // with a class there
	Changes int `json:"changes"` // classes that the mix of the siblings changes
}

// study finds the sensitive leaves in the table of the fit, and counts what becomes of them. It is an error where one
// has nothing to borrow from.
func (p *Plan) study(t *table.Table) error {
	_, rules, leaves, err := p.find()
	if err != nil {
		return err
	}
	leaf, err := p.Route(t)
	if err != nil {
		return err
	}
	if p.Trial.Rules, p.Trial.Found, err = p.Found(t); err != nil {
		return err
	}
	m := p.mixes(t, leaf, rules, leaves)
	for l, pool := range m.pool {
		switch {
		case !m.sensitive[l]:
			continue
		case pool == nil:
			return errors.New(`parameter "sensitive": a sensitive leaf has no region beside it with another class that may stay; list fewer rules`)
		}
		p.Trial.Leaves++
		want := apportion(sum(m.counts[l]), pool)
		for c, n := range m.counts[l] {
			p.Trial.Records += n
			p.Trial.Changes += max(0, n-want[c])
		}
	}
	return nil
}

// Changes returns the names of the class and of the columns that are permuted or drawn.
func (p *Plan) Changes() []string {
	columns := append(slices.Clone(p.Columns), p.Tree.Class)
	slices.Sort(columns)
	return protect.Names(p.Tree.Attrs, columns)
}

// Apply rebuilds the records.
func (p *Plan) Apply(chunk *table.Table, src rng.Source) (*table.Table, error) {
	leaf, err := p.Route(chunk)
	if err != nil {
		return nil, err
	}
	c, rules, leaves, err := p.find()
	if err != nil {
		return nil, err
	}
	class := p.Tree.Class
	keys := make([]rng.Block, chunk.Rows())
	ids, first := chunk.IDs()
	rng.Blocks(src.Fork(p.Tree.Attrs[class].Name).Stream(), keys, ids, first)
	m := p.mixes(chunk, leaf, rules, leaves)
	given := m.borrow(chunk.Cat(class), keys)

	cols := chunk.Columns()
	parallel.Do(len(p.Columns), func(k int) {
		j := p.Columns[k]
		r := &rest{chunk: chunk, leaf: leaf, leaves: len(m.counts), classes: len(p.Tree.ClassLabels())}
		r.keys = make([]rng.Block, chunk.Rows())
		rng.Blocks(src.Fork(p.Tree.Attrs[j].Name).Stream(), r.keys, ids, first)
		r.rebuild(&cols[j], chunk.Cat(class), given, p.Rest)
	})
	cols[class].Cat = given
	out, err := chunk.WithColumns(cols)
	if err != nil {
		return nil, err
	}
	return p.push(c, rules, leaves, m, out, keys)
}

// Found counts what is listed, and what of it can still be found in a release. Cost: that of coding the release and
// counting each rule, and where the tree is grown again, of that.
func (p *Plan) Found(release *table.Table) (listed, found int, err error) {
	c, err := p.Coding.Restore(p.Tree.Attrs)
	if err != nil {
		return 0, 0, err
	}
	rules, err := p.rules(c)
	if err != nil {
		return 0, 0, err
	}
	s, err := p.search(c, release)
	if err != nil {
		return 0, 0, err
	}
	for k := range rules {
		hidden, err := s.hidden(&rules[k], nil, release)
		if err != nil {
			return 0, 0, err
		}
		if !hidden {
			found++
		}
	}
	return len(rules), found, nil
}

// search looks for rules in a release.
type search struct {
	*Plan
	rows   *itemset.Transactions
	limits rulehiding.Limits
}

func (p *Plan) search(c *basket.Coding, release *table.Table) (*search, error) {
	rows, err := c.Code(release)
	if err != nil {
		return nil, err
	}
	limits, err := rulehiding.NewLimits(p.Support, p.Confidence, 0, release.Rows())
	return &search{p, rows, limits}, err
}

// below reports whether a rule with so many records, and so many of its beginning, is hidden.
func (s *search) below(both, with int) bool {
	return both == 0 || s.limits.Support.Above(both, s.rows.Len()) || s.limits.Confidence.Above(both, with)
}

// hidden reports whether a rule is hidden in a release, by its counts and, where the tree is grown again, in its
// leaves. The release was coded before the rows in lost lost the rule's end.
func (s *search) hidden(r *rule, lost []int32, release *table.Table) (bool, error) {
	both, with := 0, 0
	for i := range s.rows.Len() {
		if row := s.rows.Row(i); itemset.Contains(row, r.If) {
			with++
			if itemset.Contains(row, r.Then) {
				both++
			}
		}
	}
	for _, i := range lost {
		if itemset.Contains(s.rows.Row(int(i)), r.If) {
			both--
		}
	}
	if s.Learner == nil || !s.below(both, with) {
		return s.below(both, with), nil
	}
	return s.unmined(r, release)
}

// unmined reports whether no leaf of a tree grown on the release has the rule, or a finer one, with the support and the
// confidence.
func (s *search) unmined(r *rule, release *table.Table) (bool, error) {
	attr := s.Tree.Attrs[s.Tree.Class]
	class := release.Find(attr.Name)
	if class < 0 || !slices.Equal(release.Attr(class).Labels, attr.Labels) {
		return false, fmt.Errorf("the release has no class %q as the original has it", attr.Name)
	}
	if !slices.ContainsFunc(release.Cat(class), func(c int32) bool { return c >= 0 }) {
		return true, nil // nobody can grow one
	}
	tr, err := s.Learner.Grow(context.Background(), release, class)
	if err != nil {
		return false, err
	}
	tr.Recount(release)
	nodes := tr.Leaves()
	for _, l := range r.leaves(tr, Inside) {
		n := &tr.Nodes[nodes[l]]
		if !s.below(int(n.Counts[r.end]), int(n.Weight())) {
			return false, nil
		}
	}
	return true, nil
}

// Law returns the law of a column: permuted, it says nothing of whose it was. That of what is drawn, and of the class,
// depends on more than the record.
func (p *Plan) Law(j int) (noisemodel.Column, bool) {
	if p.Rest != Permute || !slices.Contains(p.Columns, j) {
		return nil, false
	}
	if p.Tree.Attrs[j].Kind == table.Numeric {
		return noisemodel.Everywhere(noisemodel.Anew{}), true
	}
	return noisemodel.Everywhere(noisemodel.Dealt{}), true
}

// Describe says what the plan does.
func (p *Plan) Describe() message.Sentence { return message.Say("does.natwichai") }

// Notes says what was found and what hiding takes.
func (p *Plan) Notes() []message.Sentence {
	r := p.Trial
	return []message.Sentence{
		message.Say("plan.rebuilt.trial").Count("rules", r.Rules).Count("found", r.Found).Count("leaves", r.Leaves).
			Count("records", r.Records).Count("changes", r.Changes),
		message.Say("plan.rebuilt.only"),
	}
}

// Check refuses a plan that is not consistent.
func (p *Plan) Check() error {
	if err := p.InLeaves.Check(); err != nil {
		return err
	}
	if err := p.params().Check(); err != nil {
		return err
	}
	last := -1
	for _, j := range p.Columns {
		if j <= last || j >= len(p.Tree.Attrs) || j == p.Tree.Class || !p.Tree.Attrs[j].Kind.Scalar() {
			return errors.New("the columns are not ascending positions of numbers and categories in the schema")
		}
		last = j
	}
	if p.Learner != nil {
		if err := p.Learner.Params().Check(); err != nil {
			return err
		}
	}
	if _, err := rulehiding.NewLimits(p.Support, p.Confidence, 0, 1); err != nil {
		return err
	}
	_, _, _, err := p.find()
	return err
}
