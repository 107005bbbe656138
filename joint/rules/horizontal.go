package rules

import (
	"context"
	"errors"
	"slices"

	"github.com/dither-data/dither/joint"
	"github.com/dither-data/dither/joint/sets"
	"github.com/dither-data/dither/joint/sums"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/table"
)

// horizontal finds rules level by level (Kantarcioglu & Clifton 2002).
type horizontal struct {
	thresholds
	size int
	show bool
}

func (q *horizontal) Params() param.Set {
	return append(q.thresholds.Params(),
		param.Int(&q.size, "size", 200, 1, 100_000, "itemsets", "each party's frequent itemsets of one length are padded "+
			"to, of three parties or more"),
		param.Bool(&q.show, "show", false, "opens support and confidence of the rules, where the guard of the plan lets it"))
}

// CheckPlan asks for columns of categories that each party has.
func (q *horizontal) CheckPlan(p *joint.Plan) error {
	if q.show && len(p.Parties) < 3 {
		return errors.New("show: of two parties, the totals tell each what the other has; there must be three")
	}
	return checkShared(p)
}

func checkShared(p *joint.Plan) error {
	for _, c := range p.Columns {
		if c.Owner != "" {
			return joint.ColumnsFault("each party must have all of them; none has an owner")
		}
	}
	_, err := itemsOf(p)
	return err
}

// Run finds the rules.
func (q *horizontal) Run(ctx context.Context, p *joint.Party, t *table.Table) (*joint.Result, error) {
	it, err := readItems(p, t)
	if err != nil {
		return nil, err
	}
	all, err := newTally(p)
	if err != nil {
		return nil, err
	}
	frequent, err := q.frequent(ctx, p, all, it)
	if err != nil {
		return nil, err
	}
	rules, err := q.sure(all, it, rulesOf(frequent))
	if err != nil {
		return nil, err
	}
	out := joint.ResultTable{Name: "rules", Columns: []string{"antecedent", "consequent"}}
	for _, r := range rules {
		out.Rows = append(out.Rows, []any{it.text(r.from), it.text(r.to)})
	}
	if q.show {
		err = q.open(p, it, rules, &out)
	}
	return &joint.Result{Figures: []joint.Figure{{Name: "rules", Value: int64(len(rules))}},
		Tables: []joint.ResultTable{out}}, err
}

func readItems(p *joint.Party, t *table.Table) (*items, error) {
	it, err := itemsOf(p.Plan())
	if err != nil {
		return nil, err
	}
	if t.Rows() > mostRecords {
		return nil, p.Mine(errRecords)
	}
	return it, it.read(p, t)
}

// keep returns what is marked.
func keep[T any](list []T, mark []bool) (out []T) {
	for i, v := range list {
		if mark[i] {
			out = append(out, v)
		}
	}
	return out
}

// frequent finds the frequent sets, shortest first: of the sets of one length that are tried, those that as many
// records of all parties have as the plan asks for, and as the minimum cell. Which of both one lacks nobody learns.
func (q *horizontal) frequent(ctx context.Context, p *joint.Party, all tally, it *items) (out []itemset, err error) {
	least, err := all.sum([]int64{parts(q.support) * int64(it.rows)})
	if err != nil {
		return nil, err
	}
	if least, err = all.larger(least, million*int64(p.Plan().Least.Cell)); err != nil {
		return nil, err
	}
	level := it.singles()
	for length := 1; length <= q.length && len(level) > 0; length++ {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if level, err = q.tried(p, it, level); err != nil {
			return nil, err
		}
		x := make([]int64, len(level))
		for i, s := range level {
			x[i] = million * it.count(s)
		}
		shares, err := all.sum(x)
		if err != nil {
			return nil, err
		}
		for i := range shares {
			shares[i] -= least[0]
		}
		ok, err := all.reached(shares)
		if err != nil {
			return nil, err
		}
		level = keep(level, ok)
		out = append(out, level...)
		level = it.candidates(level)
	}
	return out, nil
}

// sure keeps the rules whose confidence over all parties is what the plan asks for.
func (q *horizontal) sure(all tally, it *items, rules []rule) ([]rule, error) {
	x := make([]int64, len(rules))
	for i, r := range rules {
		x[i] = q.surplus(it.count(r.both), it.count(r.from))
	}
	shares, err := all.sum(x)
	if err != nil {
		return nil, err
	}
	ok, err := all.reached(shares)
	if err != nil {
		return nil, err
	}
	return keep(rules, ok), nil
}

// mostTried is how many sets of one length two parties compare.
const mostTried = 1 << 20

// tried are the candidates that are compared: of three parties or more those that are frequent at some party, put
// together so that nobody sees at which. Each of two would see there what is frequent at the other, so they compare
// all.
func (q *horizontal) tried(p *joint.Party, it *items, candidates []itemset) ([]itemset, error) {
	if p.Parties() > 2 {
		return q.union(p, it, candidates)
	}
	if len(candidates) > mostTried {
		return nil, p.Mine(errors.New("too many itemsets to compare: raise support, or lower length"))
	}
	return candidates, nil
}

// union puts the parties' frequent sets together; all must be among the candidates.
func (q *horizontal) union(p *joint.Party, it *items, candidates []itemset) ([]itemset, error) {
	var mine [][]byte
	for _, s := range candidates {
		if n := it.count(s); n > 0 && q.excess(n, int64(it.rows)) >= 0 {
			mine = append(mine, s.bytes())
		}
	}
	union, err := sets.Union(p, mine, q.size)
	if err != nil {
		return nil, err
	}
	var out []itemset
	for _, b := range union {
		s, ok := it.parse(b)
		if ok {
			_, ok = slices.BinarySearchFunc(candidates, s, compare)
		}
		if !ok {
			return nil, p.Blame(0, errors.New("an itemset that is no candidate"))
		}
		out = append(out, s)
	}
	slices.SortFunc(out, compare)
	return out, nil
}

// open adds support and confidence.
func (q *horizontal) open(p *joint.Party, it *items, rules []rule, out *joint.ResultTable) error {
	counts := []int64{int64(it.rows)}
	for _, r := range rules {
		counts = append(counts, it.count(r.both), it.count(r.from))
	}
	opened, err := sums.Guarded(p, sums.Shares, counts, counts)
	if err != nil {
		return err
	}
	out.Columns = append(out.Columns, "support %", "confidence %")
	for i := range rules {
		both, from := opened[1+2*i], opened[2+2*i]
		out.Rows[i] = append(out.Rows[i], share(both, opened[0]), share(both, from))
	}
	return nil
}

// share is a per cent of two totals, where both are shown.
func share(part, whole sums.Opened) any {
	switch {
	case !part.Shown():
		return part.Cell()
	case !whole.Shown():
		return whole.Cell()
	}
	return float64(part.Value) * 100 / float64(whole.Value)
}

// maximal finds rules in one round (Veloso et al. 2003): every party's maximal frequent sets are put together, and all
// their subsets are counted.
type maximal struct {
	thresholds
	size int
}

func (q *maximal) Params() param.Set {
	return append(q.thresholds.Params(),
		param.Int(&q.size, "size", 500, 1, 100_000, "itemsets", "each party's maximal frequent itemsets are padded to"))
}

// CheckPlan asks for columns of categories that each party has.
func (q *maximal) CheckPlan(p *joint.Plan) error { return checkShared(p) }

// Run finds the rules.
func (q *maximal) Run(_ context.Context, p *joint.Party, t *table.Table) (*joint.Result, error) {
	it, err := readItems(p, t)
	if err != nil {
		return nil, err
	}
	union, err := sets.Union(p, q.local(it), q.size)
	if err != nil {
		return nil, err
	}
	known := map[string]bool{}
	for _, b := range union {
		s, ok := it.parse(b)
		if !ok || len(s) > q.length {
			return nil, p.Blame(0, errors.New("an itemset that the plan does not have"))
		}
		for mask := 1; mask < 1<<len(s); mask++ {
			var sub itemset
			for i, k := range s {
				if mask>>i&1 == 1 {
					sub = append(sub, k)
				}
			}
			known[string(sub.bytes())] = true
		}
	}
	var all []itemset
	for b := range known {
		s, _ := it.parse([]byte(b))
		all = append(all, s)
	}
	slices.SortFunc(all, func(a, b itemset) int {
		if len(a) != len(b) {
			return len(a) - len(b)
		}
		return compare(a, b)
	})
	return q.judge(p, it, all)
}

// local are the own maximal frequent sets.
func (q *maximal) local(it *items) (out [][]byte) {
	var all []itemset
	level := it.singles()
	for length := 1; length <= q.length && len(level) > 0; length++ {
		level = slices.DeleteFunc(level, func(s itemset) bool {
			n := it.count(s)
			return n == 0 || q.excess(n, int64(it.rows)) < 0
		})
		all = append(all, level...)
		level = it.candidates(level)
	}
	inside := map[string]bool{}
	for _, s := range all {
		s.subsets(func(sub itemset) bool { inside[string(sub.bytes())] = true; return true })
	}
	for _, s := range all {
		if b := s.bytes(); !inside[string(b)] {
			out = append(out, b)
		}
	}
	return out
}

// judge counts sets over all parties, and makes rules of those that are frequent and shown.
func (q *maximal) judge(p *joint.Party, it *items, all []itemset) (*joint.Result, error) {
	counts := []int64{int64(it.rows)}
	for _, s := range all {
		counts = append(counts, it.count(s))
	}
	opened, err := sums.Guarded(p, sums.Shares, counts, counts)
	if err != nil {
		return nil, err
	}
	count := map[string]sums.Opened{}
	var frequent []itemset
	for i, s := range all {
		if o := opened[1+i]; o.Shown() && q.excess(o.Value, opened[0].Value) >= 0 {
			frequent = append(frequent, s)
			count[string(s.bytes())] = o
		}
	}
	out := joint.ResultTable{Name: "rules", Columns: []string{"antecedent", "consequent", "support %", "confidence %"}}
	for _, r := range rulesOf(frequent) {
		both, from := count[string(r.both.bytes())], count[string(r.from.bytes())]
		if from.Value > 0 && q.surplus(both.Value, from.Value) >= 0 {
			out.Rows = append(out.Rows, []any{it.text(r.from), it.text(r.to), share(both, opened[0]), share(both, from)})
		}
	}
	return &joint.Result{Figures: []joint.Figure{{Name: "rules", Value: int64(len(out.Rows))}},
		Tables: []joint.ResultTable{out}}, nil
}
