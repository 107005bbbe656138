package regression

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/bits"

	"github.com/dither-data/dither/internal/system/parallel"
	"github.com/dither-data/dither/joint"
	"github.com/dither-data/dither/joint/sums"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/table"
)

// pooled adds the products of columns over the parties' records.
type pooled struct{}

func (q *pooled) Params() param.Set { return nil }

// CheckPlan asks for numbers that each party has, one of them the target.
func (q *pooled) CheckPlan(p *joint.Plan) error {
	for _, c := range p.Columns {
		if c.Owner != "" {
			return joint.ColumnsFault("%q has an owner; each party must have all columns", c.Name)
		}
	}
	return checkColumns(p)
}

func checkColumns(p *joint.Plan) error {
	targets, explaining := 0, 0
	for _, c := range p.Columns {
		switch {
		case c.Role == joint.Key:
		case c.Values != nil:
			return joint.ColumnsFault("%q has categories; a regression is of numbers", c.Name)
		case c.Role == joint.Class:
			targets++
		default:
			explaining++
		}
	}
	if targets != 1 || explaining == 0 {
		return joint.ColumnsFault("give the one that is explained the role class, and name at least one other")
	}
	return nil
}

// complete returns the numbers of columns of the own table, in the order of the plan, of the records that have all.
func complete(p *joint.Party, t *table.Table, columns []joint.Column) ([][]int64, error) {
	all, lacks := make([][]int64, len(columns)), make([]bool, t.Rows())
	for k := range columns {
		v, missing, err := p.Numbers(t, &columns[k])
		if err != nil {
			return nil, err
		}
		all[k] = v
		for i, m := range missing {
			lacks[i] = lacks[i] || m
		}
	}
	for k := range all {
		n := 0
		for i, v := range all[k] {
			if !lacks[i] {
				all[k][n] = v
				n++
			}
		}
		all[k] = all[k][:n]
	}
	return all, nil
}

var errWide = errors.New("the sum of products of two columns could be above 2^62: give them fewer decimals in the plan")

// fits says whether the sum of n products of numbers of two columns of the plan stays below 2^62 over all parties.
func fits(n, parties int, a, b *joint.Column) bool {
	most := func(c *joint.Column) uint64 {
		return uint64(math.Ceil(math.Max(math.Abs(c.Min), math.Abs(c.Max))*math.Pow10(c.Decimals))) + 1
	}
	hi, lo := bits.Mul64(most(a), most(b))
	return hi == 0 && bits.Len64(lo)+bits.Len64(uint64(n))+bits.Len64(uint64(parties)) <= 62
}

// Run adds and solves.
func (q *pooled) Run(_ context.Context, p *joint.Party, t *table.Table) (*joint.Result, error) {
	columns := p.Plan().Columns
	x, err := complete(p, t, columns)
	if err != nil {
		return nil, err
	}
	n := len(x[0])
	if n <= len(columns) {
		return nil, p.Mine(fmt.Errorf("%d complete records for %d columns: the sums would give them away; a party needs "+
			"more records than columns", n, len(columns)))
	}
	for i := range columns {
		for j := range columns {
			if !fits(n, p.Parties(), &columns[i], &columns[j]) {
				return nil, p.Mine(errWide)
			}
		}
	}
	m := newMoments(columns)
	m.add(x, n)
	flat := m.flat()
	counts := make([]int64, len(flat))
	for i := range counts {
		counts[i] = int64(n)
	}
	opened, err := sums.Guarded(p, sums.Shares, flat, counts)
	if err != nil {
		return nil, err
	}
	for i, o := range opened {
		if flat[i] = o.Value; !o.Shown() {
			return &joint.Result{Figures: []joint.Figure{{Name: "records", Value: o.Cell()}}}, nil
		}
	}
	m.fill(flat)
	return m.fit()
}

// add sums the products of n records.
func (m *moments) add(x [][]int64, n int) {
	m.sums[0][0] = int64(n)
	parallel.Do(len(x), func(i int) {
		for j := i; j < len(x); j++ {
			s := int64(0)
			for r, v := range x[i] {
				s += v * x[j][r]
			}
			m.sums[i+1][j+1] = s
		}
		s := int64(0)
		for _, v := range x[i] {
			s += v
		}
		m.sums[0][i+1] = s
	})
}
