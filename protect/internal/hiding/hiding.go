// Package hiding is what the techniques that hide rules and itemsets share: their parameters, their plan, and the way from records to transactions and back.
//
// An item is what a set-valued column holds, or attribute=value; a number is in one of so many intervals. Deleting an item of a number or a category makes the value missing, adding
// one puts it in the place of another. All records meet, in the order of their identities, and no random number is drawn, so the same records give the same release.
package hiding

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/dither-data/dither/basket"
	"github.com/dither-data/dither/internal/numeral"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// Settings are the parameters of all techniques, and those of some. Which are declared a technique says.
type Settings struct {
	Sensitive  string  `json:"sensitive"` // as basket.Coding.Patterns reads it
	Support    float64 `json:"support,omitempty"`
	Confidence float64 `json:"confidence,omitempty"`
	Margin     float64 `json:"margin,omitempty"`
	Intervals  int     `json:"intervals"`
	Disclosure float64 `json:"disclosure,omitempty"` // phi, psi
	Order      string  `json:"order,omitempty"`
	Window     int     `json:"window,omitempty"`
	Fallback   bool    `json:"fallback,omitempty"`
	Deleted    string  `json:"deleted,omitempty"`
	Nodes      int     `json:"nodes,omitempty"`
	How        string  `json:"how,omitempty"`
	Free       string  `json:"free,omitempty"` // items that matter little
	Ones       int     `json:"ones,omitempty"`
	Zeros      int     `json:"zeros,omitempty"`
}

// Orders of the transactions by their degree of conflict.
const (
	Descending = "desc"
	Ascending  = "asc"
)

// Listed declares what every technique needs: what is to be hidden.
func (s *Settings) Listed() param.Set {
	return param.Set{
		param.Text(&s.Sensitive, "sensitive", "what is to be hidden: itemsets such as bread,milk and rules such as bread,milk=>jam, a line each or with semicolons between them (--sensitive FILE)"),
		param.Int(&s.Intervals, "intervals", 4, 2, 1000, "intervals", "numbers are cut into so many of about equally many records"),
	}
}

// Supports declares the thresholds of supports.
func (s *Settings) Supports() param.Set {
	return param.Set{
		param.Float(&s.Support, "support", 0.01, 1e-12, 1e12, "share or records", "the minimum support threshold, below which a pattern is hidden: below 1 a share of the records, from 1 on a number"),
		param.Float(&s.Margin, "margin", 0, 0, 1, "share", "the safety margin: patterns are pushed so far below the thresholds"),
	}
}

// Confidences declares the threshold of confidences.
func (s *Settings) Confidences() param.Set {
	return param.Set{param.Float(&s.Confidence, "confidence", 0.6, 0, 1, "share", "the minimum confidence threshold, below which a rule is hidden")}
}

// Disclosures declares the disclosure threshold.
func (s *Settings) Disclosures(name string) param.Set {
	return param.Set{param.Float(&s.Disclosure, name, 0, 0, 1, "share", "the disclosure threshold: the share of the records with a pattern that may keep it"+own[name])}
}

// own is what else a threshold takes.
var own = map[string]string{"psi": "; one of its own may stand behind a pattern: bread,milk @ 0.2"}

// Conflicts declares the order of transactions.
func (s *Settings) Conflicts() param.Set {
	return param.Set{param.Choice(&s.Order, "order", Descending, []string{Descending, Ascending}, "records with many of the patterns are changed first, or last")}
}

// Algorithm is how patterns are hidden.
type Algorithm string

// The algorithms, by the names of their techniques.
const (
	Raise     Algorithm = "hide1a"
	LowerEnd  Algorithm = "hide1b"
	LowerRule Algorithm = "hide2a"
	Largest   Algorithm = "hide2b"
	InTurn    Algorithm = "hide2c"
	GIH       Algorithm = "gih"
	CR        Algorithm = "cr"
	CR2       Algorithm = "cr2"
	Naive     Algorithm = "naivehiding"
	MinFIA    Algorithm = "minfia"
	MaxFIA    Algorithm = "maxfia"
	IGA       Algorithm = "iga"
	SWA       Algorithm = "swa"
	MaxMin    Algorithm = "maxmin1"
	MaxMin2   Algorithm = "maxmin2"
	BBA       Algorithm = "bba"
	Exact     Algorithm = "exacthiding"
	Atallah   Algorithm = "atallah"
	Mixed     Algorithm = "crmixed"
	Fuzzy     Algorithm = "fuzzify"
)

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
	Algorithm Algorithm         `json:"algorithm"`
	Settings  Settings          `json:"settings"`
	Trial     Trial             `json:"trial"`

	fitted, release *table.Table // the table of the fit, and what it becomes; nil in a plan that was read
}

// Fit reads what is to be hidden and hides it once, for the notes and for a release of the same table. Cost: that of the release.
func (s Settings) Fit(ctx context.Context, t *table.Table, how Algorithm) (*Plan, error) {
	for j := range t.Width() {
		if a := t.Attr(j); a.Role&table.Identifier != 0 {
			return nil, fmt.Errorf("column %q is an identifier; it must be dropped before the table is protected", a.Name)
		}
	}
	c, err := basket.New(t, basket.Options{Intervals: s.Intervals})
	if err != nil {
		return nil, err
	}
	p := &Plan{Attrs: t.Attrs(), Coding: c.Save(), Algorithm: how, Settings: s}
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
		if one.At != "" && p.Algorithm != SWA {
			return nil, fmt.Errorf(`parameter "sensitive": pattern %d has a threshold of its own behind @, and this technique has none by pattern; swa has`, k+1)
		}
		if len(one.Items()) < 2 && p.forConflicts() {
			return nil, fmt.Errorf(`parameter "sensitive": pattern %d is a single item, and this technique hides patterns of two or more`, k+1)
		}
	}
	return list, nil
}

func (p *Plan) forRules() bool {
	return slices.Contains([]Algorithm{Raise, LowerEnd, LowerRule, CR, CR2, Mixed}, p.Algorithm) || p.Algorithm == Fuzzy && p.Settings.How != Fuzzy2b
}

// blurs reports whether items become unknown.
func (p *Plan) blurs() bool {
	return slices.Contains([]Algorithm{GIH, CR, CR2, Mixed, Fuzzy}, p.Algorithm)
}

func (p *Plan) forConflicts() bool {
	return slices.Contains([]Algorithm{Naive, MinFIA, MaxFIA, IGA}, p.Algorithm)
}

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

// Check refuses a plan that is not consistent.
func (p *Plan) Check() error {
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
	if !slices.Contains([]string{"", Missing, Value}, p.Settings.Deleted) || p.Settings.Window < 0 || min(p.Settings.Nodes, p.Settings.Ones, p.Settings.Zeros) < 0 || !(p.Settings.Disclosure >= 0 && p.Settings.Disclosure <= 1) || !(p.Settings.Support >= 0) || !(p.Settings.Confidence >= 0) || !(p.Settings.Margin >= 0) {
		return errors.New("a parameter is out of range")
	}
	return nil
}

// Notes says what hiding took, and what it does not hide.
func (p *Plan) Notes() []string {
	r := p.Trial
	out := []string{numeral.Sprintf("%s listed, of which %d could be found; cells changed: %d, of %s", numeral.Counted(r.Patterns, "pattern"), r.Found, r.Changes, numeral.Counted(r.Records, "record"))}
	if r.Left > 0 {
		out = append(out, numeral.Sprintf("%s can still be found", numeral.Counted(r.Left, "sensitive pattern")))
	}
	if r.Fell {
		out = append(out, "there were too few records to add items to: the rest was hidden by deleting items of the ends of rules (1.b)")
	}
	if r.Replaced > 0 {
		out = append(out, numeral.Sprintf("values that were deleted and became others of the same class: %d; they are made up, and other patterns may be stronger for them", r.Replaced))
	}
	if r.Closed > 0 {
		out = append(out, numeral.Sprintf("nothing was added to %s that miss a value of these columns", numeral.Counted(r.Closed, "record")))
	}
	if r.Guess != nil {
		out = append(out, r.Guess.note())
	}
	if r.Optimum != nil {
		out = append(out, r.Optimum.notes()...)
	}
	return append(out, "only what is listed is hidden, at these thresholds: who looks with lower ones may find it, and who knows the technique looks for patterns just below them")
}
