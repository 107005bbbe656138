package rules

import (
	"context"
	"slices"

	"github.com/dither-data/dither/joint"
	"github.com/dither-data/dither/joint/pair"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/table"
)

// vertical finds rules of two parties' columns of the same people (Vaidya & Clifton 2002).
type vertical struct{ thresholds }

func (q *vertical) Params() param.Set { return q.thresholds.Params() }

// CheckPlan asks for columns of categories, each with its owner.
func (q *vertical) CheckPlan(p *joint.Plan) error {
	for _, c := range p.Columns {
		if c.Role != joint.Key && c.Owner == "" {
			return joint.ColumnsFault("%q has no owner", c.Name)
		}
	}
	_, err := itemsOf(p)
	return err
}

// Run finds the rules.
func (q *vertical) Run(ctx context.Context, p *joint.Party, t *table.Table) (*joint.Result, error) {
	t, err := p.Aligned(t)
	if err != nil {
		return nil, err
	}
	it, err := readItems(p, t)
	if err != nil {
		return nil, err
	}
	c, err := pair.New(p)
	if err != nil {
		return nil, err
	}
	v := &columns{p: p, pair: c, it: it, support: map[string]uint64{}}
	least := max(int64(p.Plan().Least.Cell), (parts(q.support)*int64(it.rows)+million-1)/million)
	var frequent []itemset
	level := it.singles()
	for length := 1; length <= q.length && len(level) > 0; length++ {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := v.count(level); err != nil {
			return nil, err
		}
		ok, err := v.atLeast(len(level), func(i int) (uint64, int64) { return v.of(level[i]), -least })
		if err != nil {
			return nil, err
		}
		level = keep(level, ok)
		frequent = append(frequent, level...)
		level = it.candidates(level)
	}
	rules := rulesOf(frequent)
	sure, err := v.atLeast(len(rules), func(i int) (uint64, int64) {
		return million*v.of(rules[i].both) - uint64(parts(q.confidence))*v.of(rules[i].from), 0
	})
	if err != nil {
		return nil, err
	}
	out := joint.ResultTable{Name: "rules", Columns: []string{"antecedent", "consequent"}}
	for _, r := range keep(rules, sure) {
		out.Rows = append(out.Rows, []any{it.text(r.from), it.text(r.to)})
	}
	return &joint.Result{Figures: []joint.Figure{{Name: "rules", Value: int64(len(out.Rows))}},
		Tables: []joint.ResultTable{out}}, nil
}

// columns counts itemsets of both parties' columns, in shares.
type columns struct {
	p       *joint.Party
	pair    *pair.Pair
	it      *items
	support map[string]uint64 // this party's shares
}

func (v *columns) of(s itemset) uint64 { return v.support[string(s.bytes())] }

// count works out this party's shares of the support of sets: of those of one party its owner knows the support, of
// the others it is a scalar product.
func (v *columns) count(level []itemset) error {
	for _, s := range level {
		key := string(s.bytes())
		owners := make([]string, len(s))
		for i, k := range s {
			owners[i] = v.it.owner[k]
		}
		slices.Sort(owners)
		mine := v.it.all(s)
		if len(slices.Compact(owners)) == 1 {
			v.support[key] = 0
			if mine != nil {
				v.support[key] = uint64(pair.Count(mine))
			}
			continue
		}
		bits := make([]uint64, v.it.rows)
		for i := range bits {
			bits[i] = mine[i/64] >> (i % 64) & 1
		}
		share, err := v.pair.Dot(bits, 1)
		if err != nil {
			return err
		}
		v.support[key] = share
	}
	return nil
}

// atLeast tells both parties which of n shared numbers, with a public one added, are zero or more.
func (v *columns) atLeast(n int, at func(i int) (share uint64, public int64)) ([]bool, error) {
	x := make([]uint64, n)
	for i := range x {
		share, public := at(i)
		if x[i] = share; v.p.Me() == 0 {
			x[i] += uint64(public)
		}
	}
	return tally{v.p, v.pair}.reached(x)
}
