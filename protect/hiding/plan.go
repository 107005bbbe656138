package hiding

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/dither-data/dither/basket"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// Technique holds the parameters.
type Technique struct {
	Settings
	how      *heuristic
	original *table.Table // whose items are meant; nil for those of the table of the fit
}

// UseItems says which table's items the patterns are of, where the table of the fit is a release of it, as for a stage
// (protect.Itemised).
func (q *Technique) UseItems(original *table.Table) { q.original = original }

// coding returns the items of the table of the fit. Numbers are cut where the original is.
func (q *Technique) coding(t *table.Table) (*basket.Coding, error) {
	if q.original == nil {
		return basket.New(t, basket.Options{Intervals: q.Intervals})
	}
	c, err := basket.New(q.original, basket.Options{Intervals: q.Intervals})
	if err != nil {
		return nil, err
	}
	saved := c.Save()
	for k := range saved {
		if j := t.Find(saved[k].Name); j >= 0 && t.Attr(j).Kind != table.Numeric { // generalised
			saved[k].Cuts, saved[k].Each = nil, false
		}
	}
	return saved.Restore(t.Attrs())
}

// Params declares the parameters.
func (q *Technique) Params() param.Set {
	all := listed(&q.Settings)
	for _, of := range q.how.declares {
		all = param.Merge(all, of(&q.Settings))
	}
	return all
}

// Trial is what was done to the table of the fit.
type Trial struct {
	Patterns int  `json:"patterns"`           // that are listed
	Found    int  `json:"found"`              // of them by the thresholds, before
	Left     int  `json:"left"`               // and after
	Changes  int  `json:"changes"`            // cells
	Records  int  `json:"records"`            // with a change
	Fell     bool `json:"fell,omitempty"`     // 1.a could not hide all, and 1.b went on
	Replaced int  `json:"replaced,omitempty"` // deleted values that became others
	Closed   int  `json:"closed,omitempty"`   // records that nothing was added to
	Support  int  `json:"support,omitempty"`  // most records that still have a pattern

	Optimum *Optimum `json:"optimum,omitempty"` // of an exact technique
	Guess   *Guess   `json:"guess,omitempty"`   // of a technique that makes items unknown, where it did
}

// Plan is the fitted technique. It holds what is sensitive, so it is confidential.
type Plan struct {
	protect.OneGroup
	Attrs     []table.Attribute `json:"schema"`
	Columns   []int             `json:"columns"` // that may change: positions, ascending
	Coding    basket.Saved      `json:"coding"`
	Algorithm string            `json:"algorithm"`
	Settings  Settings          `json:"settings"`
	Trial     Trial             `json:"trial"`

	how             *heuristic   // that the plan is of
	fitted, release *table.Table // the table of the fit, and what it becomes; nil in a plan that was read
}

// Fit reads what is to be hidden and hides it once, for the notes and for a release of the same table. Cost: that of
// the release.
func (q *Technique) Fit(ctx context.Context, t *table.Table, _ rng.Source) (protect.Plan, error) {
	for j := range t.Width() {
		if a := t.Attr(j); a.Role&table.Identifier != 0 {
			return nil, fmt.Errorf("column %q is an identifier; it must be dropped before the table is protected", a.Name)
		}
	}
	c, err := q.coding(t)
	if err != nil {
		return nil, err
	}
	p := &Plan{Attrs: t.Attrs(), Coding: c.Save(), Algorithm: q.how.named(), Settings: q.Settings, how: q.how}
	list, err := p.patterns(c)
	if err != nil {
		return nil, err
	}
	if _, err := p.free(c); err != nil {
		return nil, err
	}
	changed := map[string]bool{}
	for _, one := range list {
		for _, v := range one.Items() {
			changed[c.Columns()[c.ColumnOf(v)]] = true
		}
	}
	for j := range t.Width() {
		if changed[t.Attr(j).Name] {
			p.Columns = append(p.Columns, j)
		}
	}
	out, err := protect.InOrder(t, func(t *table.Table) (*table.Table, error) {
		out, trial, err := p.hide(ctx, t)
		p.Trial = trial
		return out, err
	})
	if err != nil {
		return nil, err
	}
	p.fitted, p.release = t, out
	return p, nil
}

// patterns reads what is to be hidden, and refuses what the algorithm cannot hide.
func (p *Plan) patterns(c *basket.Coding) ([]basket.Pattern, error) {
	if p.Settings.Sensitive == "" {
		return nil, errors.New(`parameter "sensitive" lists nothing; it lists the itemsets and rules that are to be hidden, such as bread,milk or bread,milk=>jam (--sensitive FILE)`)
	}
	list, err := c.Patterns(p.Settings.Sensitive)
	if err != nil {
		return nil, fmt.Errorf(`parameter "sensitive": %w`, err)
	}
	if len(list) == 0 {
		return nil, errors.New(`parameter "sensitive" lists nothing but remarks`)
	}
	for k, one := range list {
		if !one.Rule() && p.forRules() {
			return nil, fmt.Errorf(`parameter "sensitive": pattern %d is an itemset, and this technique hides rules, such as bread,milk=>jam; hide2b hides itemsets`, k+1)
		}
		if one.At != "" && !p.how.own {
			return nil, fmt.Errorf(`parameter "sensitive": pattern %d has a threshold of its own behind @, and this technique has none by pattern; swa has`, k+1)
		}
		if len(one.Items()) < 2 && p.how.several {
			return nil, fmt.Errorf(`parameter "sensitive": pattern %d is a single item, and this technique hides patterns of two or more`, k+1)
		}
	}
	return list, nil
}

// forRules reports whether rules are hidden, by their confidence, and not itemsets.
func (p *Plan) forRules() bool { return p.how.rules && p.Settings.How != Fuzzy2b }

// Describe says what the plan does.
func (p *Plan) Describe() message.Sentence { return message.Say("does.hiding." + p.how.card.Name) }

// Schema returns the attributes of the table the plan was fitted on.
func (p *Plan) Schema() []table.Attribute { return p.Attrs }

// Changes returns the names of the columns with an item that is to be hidden.
func (p *Plan) Changes() []string { return protect.Names(p.Attrs, p.Columns) }

// Apply hides the patterns.
func (p *Plan) Apply(chunk *table.Table, _ rng.Source) (*table.Table, error) {
	if chunk == p.fitted {
		return p.release, nil
	}
	if err := protect.Conforms(chunk, p.Attrs); err != nil {
		return nil, err
	}
	return protect.InOrder(chunk, func(t *table.Table) (*table.Table, error) {
		out, _, err := p.hide(context.Background(), t)
		return out, err
	})
}

// Check refuses a plan that is not consistent, or is that of another technique.
func (p *Plan) Check() error {
	if p.Algorithm != p.how.named() {
		return fmt.Errorf("the plan is by the algorithm %q; expected %q", p.Algorithm, p.how.named())
	}
	c, err := p.Coding.Restore(p.Attrs)
	if err != nil {
		return err
	}
	if _, err := p.patterns(c); err != nil {
		return err
	}
	if _, err := p.free(c); err != nil {
		return err
	}
	last := -1
	for _, j := range p.Columns {
		if j <= last || j >= len(p.Attrs) {
			return errors.New("the columns are not ascending positions in the schema")
		}
		last = j
	}
	s := &p.Settings
	if !slices.Contains([]string{"", Missing, Value}, s.Deleted) || min(s.Window, s.Nodes, s.Ones, s.Zeros) < 0 ||
		!(s.Disclosure >= 0 && s.Disclosure <= 1) || !(s.Support >= 0) || !(s.Confidence >= 0) || !(s.Margin >= 0) {
		return errors.New("a parameter is out of range")
	}
	return nil
}

// Notes says what hiding took, and what it does not hide.
func (p *Plan) Notes() []message.Sentence {
	r := p.Trial
	out := []message.Sentence{message.Say("plan.hiding.trial").Count("patterns", r.Patterns).Count("found", r.Found).
		Count("changes", r.Changes).Count("records", r.Records)}
	if r.Left > 0 {
		out = append(out, message.Say("plan.hiding.left").Count("patterns", r.Left))
	}
	if r.Fell {
		out = append(out, message.Say("plan.hiding.fell"))
	}
	if r.Replaced > 0 {
		out = append(out, message.Say("plan.hiding.replaced").Count("n", r.Replaced))
	}
	if r.Closed > 0 {
		out = append(out, message.Say("plan.hiding.closed").Count("records", r.Closed))
	}
	if r.Guess != nil {
		out = append(out, r.Guess.note())
	}
	if r.Optimum != nil {
		out = append(out, r.Optimum.notes()...)
	}
	return append(out, message.Say("plan.hiding.only"))
}
