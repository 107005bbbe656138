package rules

import (
	"context"
	"errors"
	"fmt"
	"math/bits"
	"slices"

	"github.com/dither-data/dither/joint"
	"github.com/dither-data/dither/joint/sums"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/table"
)

// kttp finds rules as a trusted third party would that tells no statistic of fewer than k parties (Gilburd, Schuster &
// Wolff 2004). The counts of an itemset and of its subsets together give how many records have some of its items and
// lack the others, for each choice of these. So a set is opened only where each of these cells, of which the set itself
// is one, has records of k parties.
type kttp struct {
	thresholds
	k int
}

func (q *kttp) Params() param.Set {
	return append(q.thresholds.Params(),
		param.Int(&q.k, "k", 3, 2, 1000, "parties", "no statistic of the records of fewer is told"))
}

// CheckPlan asks for columns of two values that each party has.
func (q *kttp) CheckPlan(p *joint.Plan) error {
	for _, c := range p.Columns {
		if len(c.Values) != 2 || c.Role == joint.Key {
			return joint.ColumnsFault("%q must have two values: the second one is an item, the first says that it is absent",
				c.Name)
		}
	}
	if q.k > len(p.Parties) {
		return fmt.Errorf("k: no statistic is of %d parties, where there are %d", q.k, len(p.Parties))
	}
	return checkShared(p)
}

// Run opens sets level by level; those of one item more are tried only where all below are opened and frequent.
func (q *kttp) Run(ctx context.Context, p *joint.Party, t *table.Table) (*joint.Result, error) {
	it, err := readItems(p, t)
	if err != nil {
		return nil, err
	}
	it.complete()
	r := &released{q: q, p: p, it: it, count: map[string]int64{}}
	if err := r.open([]itemset{{}}); err != nil {
		return nil, err
	}
	out := joint.ResultTable{Name: "rules", Columns: []string{"antecedent", "consequent", "support %", "confidence %"}}
	all, ok := r.count[""]
	if !ok {
		return r.result(out), nil
	}
	var frequent, level []itemset
	for k := range p.Plan().Columns {
		level = append(level, itemset{uint16(2*k + 1)})
	}
	for length := 1; length <= q.length && len(level) > 0; length++ {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := r.open(level); err != nil {
			return nil, err
		}
		level = slices.DeleteFunc(level, func(s itemset) bool {
			n, ok := r.count[string(s.bytes())]
			return !ok || q.excess(n, all) < 0
		})
		frequent = append(frequent, level...)
		level = it.candidates(level)
	}
	for _, u := range rulesOf(frequent) {
		both, from := r.count[string(u.both.bytes())], r.count[string(u.from.bytes())]
		if q.surplus(both, from) >= 0 {
			out.Rows = append(out.Rows, []any{it.text(u.from), it.text(u.to), float64(both) * 100 / float64(all),
				float64(both) * 100 / float64(from)})
		}
	}
	return r.result(out), nil
}

// complete leaves out the records that lack a value: of all others, those without an item have its column's first
// value.
func (it *items) complete() {
	whole := make([]uint64, (it.rows+63)/64)
	for i := range whole {
		whole[i] = ^uint64(0)
		for k := 0; k < len(it.has); k += 2 {
			whole[i] &= it.has[k][i] | it.has[k+1][i]
		}
	}
	if rest := it.rows % 64; rest > 0 {
		whole[len(whole)-1] &= 1<<rest - 1
	}
	it.rows = 0
	for i, w := range whole {
		it.rows += bits.OnesCount64(w)
		for k := range it.has {
			it.has[k][i] &= w
		}
	}
	it.whole = whole
}

// cells are how many records have exactly some of the items of a set, by the bits that say which.
func (it *items) cells(s itemset) []int64 {
	out := make([]int64, 1<<len(s))
	for mask := range out {
		for i, w := range it.whole {
			for k, item := range s {
				if has := it.has[item][i]; mask>>k&1 == 1 {
					w &= has
				} else {
					w &^= has
				}
			}
			out[mask] += int64(bits.OnesCount64(w))
		}
	}
	return out
}

// released is what was opened so far.
type released struct {
	q        *kttp
	p        *joint.Party
	it       *items
	count    map[string]int64 // by set
	withheld int64
}

// mostCells is of how many cells a level may be.
const mostCells = 1 << 22

// open opens the counts of sets all of whose cells have enough records of enough parties. Nobody learns of the others
// which of their cells lacks them.
func (r *released) open(level []itemset) error {
	width := 1 << len(level[0])
	if len(level)*width > mostCells {
		return r.p.Mine(errors.New("too many itemsets to compare: raise support, or lower length"))
	}
	var number, some []uint64
	for _, s := range level {
		for _, n := range r.it.cells(s) {
			number, some = append(number, uint64(n)), append(some, uint64(min(n, 1)))
		}
	}
	many, err := sums.Large(r.p, number)
	if err != nil {
		return err
	}
	enough, err := sums.AtLeast(r.p, some, max(r.q.k, r.p.Plan().Least.Contributors))
	if err != nil {
		return err
	}
	var pass []itemset
	var own []uint64
	for i, s := range level {
		all := true
		for c := i * width; c < (i+1)*width; c++ {
			all = all && many[c] && enough[c]
		}
		if all {
			pass, own = append(pass, s), append(own, number[(i+1)*width-1])
		}
	}
	r.withheld += int64(len(level) - len(pass))
	total, err := sums.Shares(r.p, own)
	if err != nil {
		return err
	}
	for i, s := range pass {
		r.count[string(s.bytes())] = int64(total[i])
	}
	return nil
}

func (r *released) result(rules joint.ResultTable) *joint.Result {
	return &joint.Result{Figures: []joint.Figure{{Name: "rules", Value: int64(len(rules.Rows))},
		{Name: "itemsets withheld", Value: r.withheld}}, Tables: []joint.ResultTable{rules}}
}
