package quality

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/dither-data/dither/basket"
	"github.com/dither-data/dither/internal/mining/itemset"
	"github.com/dither-data/dither/internal/text/expression"
	"github.com/dither-data/dither/relation"
	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/table"
)

const (
	// proposalSupport is the share of the records that have what a proposed condition begins with, at least, and
	// proposalLeast how many: few agree by chance.
	proposalSupport, proposalLeast = 0.05, 20
	// proposalRows is how many records conditions are looked for in, and proposalPairs how many pairs of values of these;
	// all records are held against those that are found.
	proposalRows, proposalPairs = 50_000, 500_000_000
	// mostTested is how many of the columns that a tree tests are proposed: those that most records are tested by.
	mostTested = 8
	// mostItems is how many values conditions are about, the commonest.
	mostItems = 3000
	// mostCandidates, mostPairs and mostOfPair bound what is proposed: conditions tried on all records, pairs of columns,
	// and conditions of a pair.
	mostCandidates, mostPairs, mostOfPair = 300, 4, 6
)

// Propose proposes a model for a table by the roles of its columns and by what holds in every record: a purpose for
// the class, with the columns that its tree tests; one for what is confidential; one for the relations between columns
// that are given; and one for every other pair of columns of which a value of one says what the other is (rules of
// confidence 1). Weights are equal. The tree may be nil. Ends of observed domains and values are in it, so it is as
// confidential as the table. It needs a column that a condition can read. Cost: O(n c) and, on 50,000 records at most,
// O(c^2) each.
func Propose(ctx context.Context, t *table.Table, grown *tree.Tree, relations []relation.Relation) (*Model, error) {
	p := &proposer{t: t, relations: relations}
	for j := range t.Width() {
		a := t.Attr(j)
		if a.Kind.Scalar() && a.Role&(table.Identifier|table.Weight|table.Person|table.Household) == 0 {
			p.columns = append(p.columns, a.Name)
		}
	}
	if len(p.columns) == 0 {
		return nil, fmt.Errorf("the table has no column that a purpose could be about")
	}
	m := &Model{}
	add := func(u *Purpose) {
		if u != nil {
			m.Purposes = append(m.Purposes, *u)
		}
	}
	add(p.class(grown))
	add(p.confidential())
	add(p.related())
	rules, err := p.rules(ctx)
	if err != nil {
		return nil, err
	}
	m.Purposes = append(m.Purposes, rules...)
	if len(m.Purposes) == 0 {
		add(p.purpose("the table as a whole", p.columns))
	}
	for k := range m.Purposes {
		m.Purposes[k].Weight = rounded(1 / float64(len(m.Purposes)))
	}
	return m, m.Check()
}

type proposer struct {
	t       *table.Table
	columns []string // that a purpose may be about
	// relations hold in every record, or nearly.
	relations []relation.Relation
}

// rounded keeps weights readable.
func rounded(w float64) float64 { return table.Snap(w, 0.0001) }

// purpose makes a purpose of columns of equal weight, whose numbers stay inside their domains; nil for none.
func (p *proposer) purpose(name string, columns []string) *Purpose {
	if len(columns) == 0 {
		return nil
	}
	u := &Purpose{Name: name}
	w := rounded(1 / float64(len(columns)))
	for _, c := range columns {
		u.Attributes = append(u.Attributes, Attribute{c, w, w})
		if expr := p.inside(c); expr != "" {
			u.Constraints = append(u.Constraints, Constraint{Name: c + " in its domain", On: c, Expr: expr, Weight: 1})
		}
	}
	return u
}

// inside is the condition that a number is inside its domain; empty where there is none.
func (p *proposer) inside(column string) string {
	col := p.t.Column(p.t.Find(column))
	if col.Kind != table.Numeric {
		return ""
	}
	lo, hi := table.Range(col.Num)
	if !col.Domain.Empty() && col.Domain.Lo < col.Domain.Hi {
		lo, hi = max(lo, col.Domain.Lo), min(hi, col.Domain.Hi)
	}
	name, ok := expression.Quoted(column)
	if !ok || !(lo < hi) {
		return ""
	}
	return p.sound(
		fmt.Sprintf("%s >= %s and %s <= %s", name, literal(&col.Attribute, lo), name, literal(&col.Attribute, hi)),
		column)
}

// literal writes a number, or a date, as a condition has it.
func literal(a *table.Attribute, v float64) string {
	text := string(a.AppendValue(nil, v))
	if a.Dates != "" {
		return "'" + text + "'"
	}
	return strconv.FormatFloat(a.Snap(v), 'f', -1, 64)
}

// sound returns a condition that can be read and fits the table; else nothing.
func (p *proposer) sound(expr, on string) string {
	m := &Model{
		Purposes: []Purpose{
			{Name: "p", Attributes: []Attribute{{on, 1, 1}}, Constraints: []Constraint{{Name: "c", On: on, Expr: expr}}},
		},
	}
	if m.Check() != nil || m.Fit(p.t.Attrs()) != nil {
		return ""
	}
	return expr
}

// class is the purpose of users who predict the class.
func (p *proposer) class(grown *tree.Tree) *Purpose {
	j := p.t.WithRole(table.Class)
	if j < 0 || grown == nil {
		return nil
	}
	name := p.t.Attr(j).Name
	tested := map[string]float64{}
	for i := range grown.Nodes {
		if n := &grown.Nodes[i]; !n.Leaf() {
			tested[grown.Attrs[n.Attr].Name] += n.Weight()
		}
	}
	var columns []string
	for _, c := range p.columns {
		if _, ok := tested[c]; ok && c != name {
			columns = append(columns, c)
		}
	}
	slices.SortStableFunc(columns, func(a, b string) int { return cmp.Compare(tested[b], tested[a]) })
	columns = append([]string{name}, columns[:min(len(columns), mostTested)]...)
	return p.purpose("predicting "+name, columns)
}

// confidential is the purpose of users who study what is confidential.
func (p *proposer) confidential() *Purpose {
	var columns []string
	for _, name := range p.columns {
		if a := p.t.Attr(p.t.Find(name)); a.Role&table.Confidential != 0 && a.Role&table.Class == 0 {
			columns = append(columns, name)
		}
	}
	return p.purpose("what is confidential", columns)
}

// implied is a rule that anyone who has one item has another.
type implied struct {
	from, to int32
	leverage float64
}

// rules makes purposes of pairs of columns of which values imply each other in every record.
func (p *proposer) rules(ctx context.Context) (out []Purpose, err error) {
	coding, err := basket.New(p.t, basket.Options{Attributes: p.columns, Intervals: 4})
	if err != nil {
		return nil, err
	}
	found, err := p.implied(ctx, coding)
	if err != nil {
		return nil, err
	}
	at := map[[2]string]int{}
	for _, r := range found {
		a, b := coding.Items[r.from], coding.Items[r.to]
		pair := [2]string{min(a.Attribute, b.Attribute), max(a.Attribute, b.Attribute)}
		k, known := at[pair]
		if !known {
			if len(out) == mostPairs || p.linked(pair) {
				continue
			}
			k = len(out)
			at[pair] = k
			out = append(out,
				Purpose{Name: pair[0] + " with " + pair[1], Attributes: []Attribute{{pair[0], 0.5, 0.5}, {pair[1], 0.5, 0.5}}})
		}
		if c, ok := p.implication(a, b, len(out[k].Complex)); ok && len(out[k].Complex) < mostOfPair {
			out[k].Complex = append(out[k].Complex, c)
		}
	}
	return slices.DeleteFunc(out, func(u Purpose) bool { return len(u.Complex) == 0 }), nil
}

// implication is the constraint that who has one item has the other: not the first, or the second.
func (p *proposer) implication(a, b basket.Item, number int) (Complex, bool) {
	without, with := p.condition(a, true), p.condition(b, false)
	c := Complex{Name: fmt.Sprintf("%s says %s %d", a.Attribute, b.Attribute, number+1), Any: true, Weight: 1,
		Of: []Constraint{{On: a.Attribute, Expr: without}, {On: b.Attribute, Expr: with}}}
	return c, without != "" && with != ""
}

// condition writes an item, or that a record lacks it; empty where it cannot be written.
func (p *proposer) condition(i basket.Item, lacks bool) string {
	a := p.t.Attr(p.t.Find(i.Attribute))
	name, _ := expression.Quoted(i.Attribute)
	value := func(text string) string {
		if a.Kind == table.Numeric && a.Dates == "" {
			return strings.TrimSpace(text)
		}
		l, _ := expression.Literal(strings.TrimSpace(text))
		return l
	}
	var expr string
	switch {
	case !i.Interval && lacks:
		return p.sound(name+" != "+value(i.Value), i.Attribute)
	case !i.Interval:
		return p.sound(name+" = "+value(i.Value), i.Attribute)
	case i.Value[0] == '[':
		lo, hi, _ := strings.Cut(strings.Trim(i.Value, "[)"), ",")
		expr = fmt.Sprintf("%s >= %s and %s < %s", name, value(lo), name, value(hi))
	default:
		op, limit, _ := strings.Cut(i.Value, " ")
		expr = name + " " + op + " " + value(limit)
	}
	if lacks {
		expr = "not (" + expr + ")"
	}
	return p.sound(expr, i.Attribute)
}

// implied finds the rules between two items that hold in every record, those that say most first: by the share of the
// records with both less what it were by chance.
func (p *proposer) implied(ctx context.Context, coding *basket.Coding) ([]implied, error) {
	some, err := coding.Code(p.sample(len(p.columns)))
	if err != nil {
		return nil, err
	}
	n, columns, of := some.Len(), len(coding.Columns()), columnsOf(coding)
	count, items := common(some)
	place := make([]int32, len(count)) // among these items; -1 for others
	for a := range place {
		place[a] = -1
	}
	for k, a := range items {
		place[a] = int32(k)
	}
	both := make([]int32, len(items)*len(items))
	present := make([]int32, len(items)*columns) // records with an item and a value in a column
	for i := range n {
		if i%block == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		row := some.Row(i)
		for _, a := range row {
			if place[a] < 0 {
				continue
			}
			for _, b := range row {
				present[int(place[a])*columns+of[b]]++
				if place[b] >= 0 {
					both[int(place[a])*len(items)+int(place[b])]++
				}
			}
		}
	}
	var found []implied
	for k, a := range items {
		for l, b := range items {
			c := both[k*len(items)+l]
			if of[a] == of[b] || c < proposalLeast || c != present[k*columns+of[b]] {
				continue
			}
			if lev := (float64(c) - float64(count[a])*float64(count[b])/float64(n)) / float64(n); lev > 0.01 {
				found = append(found, implied{a, b, lev})
			}
		}
	}
	slices.SortStableFunc(found, func(a, b implied) int { return cmp.Compare(b.leverage, a.leverage) })
	return p.everywhere(ctx, coding, found[:min(len(found), mostCandidates)])
}

// sample returns evenly spaced records, fewer where columns are many.
func (p *proposer) sample(columns int) *table.Table {
	n := p.t.Rows()
	most := max(1000, min(proposalRows, proposalPairs/(columns*columns)))
	if n <= most {
		return p.t
	}
	rows := make([]int, most)
	for k := range rows {
		rows[k] = int(int64(k) * int64(n) / int64(most))
	}
	return p.t.Gather(rows)
}

// columnsOf returns the column of every item.
func columnsOf(coding *basket.Coding) []int {
	of := make([]int, len(coding.Items))
	for a := range of {
		of[a] = coding.ColumnOf(int32(a))
	}
	return of
}

// common counts all items, and returns those of enough records, ascending.
func common(t *itemset.Transactions) (count []int, items []int32) {
	n := t.Len()
	count = make([]int, t.Labels)
	for i := range n {
		for _, a := range t.Row(i) {
			count[a]++
		}
	}
	for a, c := range count {
		if float64(c) >= max(proposalLeast, proposalSupport*float64(n)) {
			items = append(items, int32(a))
		}
	}
	if len(items) > mostItems {
		slices.SortStableFunc(items, func(a, b int32) int { return cmp.Compare(count[b], count[a]) })
		items = items[:mostItems]
		slices.Sort(items)
	}
	return count, items
}

// everywhere keeps the rules that hold in all records.
func (p *proposer) everywhere(ctx context.Context, coding *basket.Coding, found []implied) ([]implied, error) {
	all, err := coding.Code(p.t)
	if err != nil {
		return nil, err
	}
	of := columnsOf(coding)
	broken := make([]bool, len(found))
	in := make([]int32, len(coding.Columns())) // the item of every column; -1 for none
	for i := range all.Len() {
		if i%block == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		for c := range in {
			in[c] = -1
		}
		for _, a := range all.Row(i) {
			in[of[a]] = a
		}
		for k, r := range found {
			b := in[of[r.to]]
			broken[k] = broken[k] || in[of[r.from]] == r.from && b >= 0 && b != r.to
		}
	}
	var out []implied
	for k, r := range found {
		if !broken[k] {
			out = append(out, r)
		}
	}
	return out, nil
}
