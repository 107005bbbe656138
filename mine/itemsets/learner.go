package itemsets

import (
	"context"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/dither-data/dither/basket"
	"github.com/dither-data/dither/internal/mining/itemset"
	"github.com/dither-data/dither/internal/text/numfmt"
	"github.com/dither-data/dither/mine"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// The kinds of itemsets.
const (
	All     = "all"
	Closed  = "closed"  // no larger set is in the same records
	Maximal = "maximal" // no larger set is frequent
)

var kinds = map[string]itemset.Kind{All: itemset.All, Closed: itemset.Closed, Maximal: itemset.Maximal}

// Learner finds frequent itemsets by an algorithm.
type Learner struct {
	Support    float64  // below 1 the share of the records that have a set, from 1 on their number
	Kind       string   // all, closed or maximal
	Attributes []string // columns that give items; none: all but identifiers, persons, households and weights
	Exclude    []string // columns to leave out
	Intervals  int      // that numbers are cut into
	Cuts       []string // where given columns are cut instead: column=limit|limit

	mine itemset.Miner
}

// Params declares the parameters.
func (l *Learner) Params() param.Set {
	return param.Set{
		param.Float(&l.Support, "support", 0.1, 1e-12, 1e12, "share or records",
			"minimum support; values below 1 are a share of the records, others a number"),
		param.Choice(&l.Kind, "kind", All, []string{All, Closed, Maximal}, "all frequent sets, those without a "+
			"larger set in the same records (closed), or those without a larger frequent set (maximal)"),
		param.Names(&l.Attributes, "attributes",
			"columns with items; none: all except those with the role identifier, person, household or weight"),
		param.Names(&l.Exclude, "exclude", "columns to leave out"),
		param.Int(&l.Intervals, "intervals", 4, 2, 1000, "intervals",
			"cut numbers into this many intervals of about equal size; each value is an item if there are no more"),
		param.Names(&l.Cuts, "cuts", "given cut points for numbers: column=limit|limit, such as age=30|65; a new "+
			"interval begins at each"),
	}
}

// patterns are the itemsets of a table, to be found.
type patterns struct {
	coding *basket.Coding
	rows   *itemset.Transactions
	least  int
	kind   itemset.Kind
	mine   itemset.Miner
}

func (p *patterns) Items() []basket.Item                { return p.coding.Items }
func (p *patterns) Coding() *basket.Coding              { return p.coding }
func (p *patterns) Transactions() *itemset.Transactions { return p.rows }
func (p *patterns) Least() int                          { return p.least }
func (p *patterns) Each(ctx context.Context, visit itemset.Visit) (itemset.Tally, error) {
	return p.mine(ctx, p.rows, itemset.Query{Least: p.least, Kind: p.kind, Visit: visit})
}
func (p *patterns) Commonest(ctx context.Context, most int) ([]itemset.Found, itemset.Tally, error) {
	return itemset.Commonest(ctx, p.mine, p.rows, p.least, p.kind, most)
}

// Patterns codes the records. It fails where a column that is named is not there, and where no column gives items.
func (l *Learner) Patterns(t *table.Table) (mine.Patterns, error) {
	cuts, err := basket.ParseCuts(t, l.Cuts)
	if err != nil {
		return nil, err
	}
	c, err := basket.New(t, basket.Options{
		Attributes: l.Attributes, Exclude: l.Exclude, Intervals: l.Intervals, Cuts: cuts,
	})
	if err != nil {
		return nil, err
	}
	rows, err := c.Code(t)
	if err != nil {
		return nil, err
	}
	return &patterns{c, rows, itemset.Least(l.Support, rows.Len()), kinds[l.Kind], l.mine}, nil
}

// Set is a frequent itemset.
type Set struct {
	Items []string `json:"items"`
	Count int      `json:"count"`
}

// Model is how many itemsets there are, and the commonest.
type Model struct {
	Kind    string        `json:"kind"`
	Records int           `json:"records"`
	Least   int           `json:"least"` // records that have a set, at least
	Count   itemset.Tally `json:"count"`
	Top     []Set         `json:"top"` // the commonest first; of equally common ones the shorter
}

// shown is how many sets a model keeps.
const shown = 20

// Fit finds the itemsets, counts them and keeps the commonest. It returns a *Model.
func (l *Learner) Fit(ctx context.Context, t *table.Table, _ rng.Source) (mine.Model, error) {
	p, err := l.Patterns(t)
	if err != nil {
		return nil, err
	}
	m := &Model{Kind: l.Kind, Records: p.Transactions().Len(), Least: p.Least()}
	top, n, err := p.Commonest(ctx, shown)
	if err != nil {
		return nil, err
	}
	m.Count = n
	names := p.Items()
	for _, s := range top {
		set := Set{Count: s.Count}
		for _, k := range s.Items {
			set.Items = append(set.Items, names[k].String())
		}
		m.Top = append(m.Top, set)
	}
	return m, nil
}

// Text prints the number of itemsets and the commonest of them.
func (m *Model) Text() string {
	var b strings.Builder
	what := "frequent itemset"
	if m.Kind != All {
		what = m.Kind + " " + what
	}
	b.WriteString(numfmt.Sprintf("%s in at least %d of %s",
		m.Count.Counted(what), m.Least, numfmt.Counted(m.Records, "record")))
	if n := len(m.Top); itemset.Tally(n) < m.Count {
		fmt.Fprintf(&b, "; the %d commonest", n)
	}
	b.WriteByte('\n')
	for _, s := range m.Top {
		line := strings.Join(s.Items, ", ")
		if utf8.RuneCountInString(line) > 130 {
			line = string([]rune(line)[:129]) + "…"
		}
		fmt.Fprintf(&b, "%12s  %s\n", numfmt.Count(float64(s.Count)), line)
	}
	return b.String()
}
