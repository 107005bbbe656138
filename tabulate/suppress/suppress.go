// Package suppress leaves cells of tables out so that nobody computes those that are unsafe from the others, or bounds
// them too closely.
//
// All cells are sums of unknown inner cells. A claim says that an unsafe cell may be so much higher, or lower, for all
// that an intruder knows: what is published, that numbers are not negative, and that counts are not 0 since zeros are
// shown. The proof of a claim is other inner cells with the same published cells, in which it is so. For somebody who
// is alone in an inner cell and knows it, that one stays as it is.
//
// Most proofs swap codes (swaps), and cells are left out so that the cheapest swap is a proof. Where there is none,
// small linear programs look for others (nearby), and the cheapest cell that stands in the way is left out. Then every
// cell that is left out and not unsafe is shown again, the dearest first, if all that it was needed for has another
// proof. A proof is a table that an intruder cannot tell from the true one; what has no proof counts as open to the
// intruder.
//
// Small tables begin, too, with what elimination leaves out, and the best result is taken: cells are published one
// after the other, the dearest first, as long as no unsafe cell becomes a combination of published ones, as in Langsrud
// (2024), Secondary Cell Suppression by Gaussian Elimination, done exactly (modulo the prime 2^61 - 1). Which order
// leaves out the fewest is searched for: some cells that are left out come first in the next one (exchange). No unsafe
// cell becomes a combination of published cells and one inner cell of somebody alone in it either.
package suppress

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/dither-data/dither/tabulate"
)

// Measure is a quantity that the cells show.
type Measure struct {
	Inner    []float64 // by inner cell
	Negative bool      // may be below zero
	Least    float64   // what everybody knows that every inner cell has at least; 1 of counts, as zeros are shown
	Lo, Hi   []float64 // by cell: what bounds must leave open; NaN for nothing
}

// Problem is the cells of all tables that go out together.
type Problem struct {
	Start, In []int32   // the inner cells of cell c are In[Start[c]:Start[c+1]], ascending
	Unsafe    []bool    // by cell: must not be shown
	Cost      []float64 // by cell: what is lost where it is not shown
	Holder    []int32   // by inner cell: the only unit in it; -1 for several
	Measures  []Measure
	Trees     []Tree // the dimensions; without them nothing is swapped
}

// Of is the problem of tables by rules. What a cell costs is the number of its records.
func Of(s *tabulate.Set, r tabulate.Rules) *Problem {
	unsafe, needs := s.Primary(r)
	p := &Problem{Start: s.Start, In: s.In, Unsafe: unsafe, Holder: s.Holder, Cost: make([]float64, len(s.Cells))}
	counts := make([]float64, s.Inner())
	for i := range counts {
		counts[i] = float64(s.InnerStart[i+1] - s.InnerStart[i])
	}
	p.Measures = []Measure{{Inner: counts, Least: 1, Lo: needs[0].Lo, Hi: needs[0].Hi}}
	for k := range s.Sums {
		m, n := &s.Sums[k], needs[k+1]
		p.Measures = append(p.Measures, Measure{Inner: m.Inner, Negative: m.Negative, Lo: n.Lo, Hi: n.Hi})
	}
	for c := range p.Cost {
		p.Cost[c] = float64(s.Cells[c].Records)
	}
	for _, d := range s.Used() {
		t := Tree{Up: s.Dims[d].Up, Leaf: make([]int32, s.Inner())}
		for i := range t.Leaf {
			t.Leaf[i] = s.Dims[d].Leaf[s.InnerRecords[s.InnerStart[i]]]
		}
		p.Trees = append(p.Trees, t)
	}
	return p
}

// Solution says which cells are left out.
type Solution struct {
	Suppressed []bool  `json:"-"` // by cell, unsafe ones included
	Primary    int     `json:"primary"`
	Secondary  int     `json:"secondary"`
	Proofs     int     `json:"proofs"` // intervals that a table like the true one was found for
	cost       float64 // of the secondary ones
	Open       []Open  `json:"open"` // unsafe cells without a proof; none unless the cell is all that there is
}

// Open is an unsafe cell that an intruder may compute or bound too closely.
type Open struct {
	Cell    int   `json:"cell"`
	Measure int   `json:"measure"`
	Holder  int32 `json:"holder"` // the unit who can; -1 for anybody
	Upper   bool  `json:"upper"`  // the end that is not reached
}

// Options of Solve.
type Options struct {
	Span  bool // protect from computation only, by elimination
	Alone bool // intervals must stay open to units alone in an inner cell too; else these compute nothing
}

// inner are the inner cells of a cell.
func (p *Problem) inner(cell int) []int32 { return p.In[p.Start[cell]:p.Start[cell+1]] }

// cells is how many there are.
func (p *Problem) cells() int { return len(p.Start) - 1 }

// most is how many times a cell is left out that stands in the way of linear programs, before all that stands around an
// open cell is left out at once.
const most = 12

// Solve chooses the cells. Cost: that of the cells times what can be swapped with them, and a linear program of few
// inner cells where swaps find nothing (BenchmarkSolve). Small tables are tried from several beginnings, and that which
// leaves out the fewest cells is taken, and of equal ones the cheapest.
func Solve(ctx context.Context, p *Problem, o Options) (best *Solution, err error) {
	if err := p.check(); err != nil {
		return nil, err
	}
	better := func(s *Solution) bool {
		return best == nil ||
			cmp.Or(len(s.Open)-len(best.Open), s.Secondary-best.Secondary, cmp.Compare(s.cost, best.cost)) < 0
	}
	if !o.Span {
		if best, err = p.solve(ctx, p.Unsafe, o.Alone); err != nil || p.cells() > small {
			return best, err
		}
	}
	starts, err := p.starts(ctx)
	if err != nil {
		return nil, err
	}
	for _, hidden := range starts {
		s := p.solution(hidden)
		if !o.Span {
			if s, err = p.solve(ctx, hidden, o.Alone); err != nil {
				return nil, err
			}
		}
		if better(s) {
			best = s
		}
	}
	return best, nil
}

// starts are what elimination leaves out: by several orders and, for small tables, after exchanges.
func (p *Problem) starts(ctx context.Context) (out [][]bool, err error) {
	for _, order := range p.orders() {
		hidden, err := p.eliminate(ctx, order)
		if err != nil {
			return nil, err
		}
		out = append(out, hidden)
	}
	if p.cells() > small {
		return out, nil
	}
	least := slices.MinFunc(out, func(a, b []bool) int { return p.solution(a).Secondary - p.solution(b).Secondary })
	least, err = p.exchange(ctx, least)
	if p.cells() > smallest {
		return [][]bool{least}, err
	}
	return append(out, least), err
}

// solution counts what is left out.
func (p *Problem) solution(hidden []bool) *Solution {
	s := &Solution{Suppressed: hidden}
	for c := range hidden {
		switch {
		case p.Unsafe[c]:
			s.Primary++
		case hidden[c]:
			s.Secondary++
			s.cost += p.Cost[c]
		}
	}
	return s
}

func (p *Problem) check() error {
	n := p.cells()
	if n < 0 || len(p.Unsafe) != n || len(p.Cost) != n {
		return errors.New("the cells of a problem, their costs and what is unsafe differ in number")
	}
	for k := range p.Measures {
		m := &p.Measures[k]
		if len(m.Inner) != len(p.Holder) || len(m.Lo) != n || len(m.Hi) != n {
			return fmt.Errorf("measure %d has not all cells", k)
		}
	}
	for k := range p.Trees {
		if len(p.Trees[k].Leaf) != len(p.Holder) {
			return fmt.Errorf("dimension %d has not all inner cells", k)
		}
	}
	return nil
}

// Up to how many cells another beginning is tried, and several are.
const small, smallest = 1_000, 300

// orders are orders of the cells that may be shown, the first to be shown first.
func (p *Problem) orders() [][]int32 {
	var all []int32
	for c := range p.cells() {
		if !p.Unsafe[c] {
			all = append(all, int32(c))
		}
	}
	size := func(c int32) int { return int(p.Start[c+1] - p.Start[c]) }
	dearer := func(a, b int32) int { return cmp.Compare(p.Cost[b], p.Cost[a]) }
	byCost := slices.SortedStableFunc(slices.Values(all), dearer)
	if len(all) > small {
		return [][]int32{byCost}
	}
	bySize := slices.SortedStableFunc(slices.Values(byCost), func(a, b int32) int { return size(b) - size(a) })
	inward := slices.SortedStableFunc(slices.Values(byCost), func(a, b int32) int { return size(a) - size(b) })
	return [][]int32{byCost, bySize, inward}
}

// solve begins with cells that are left out, leaves out others until all claims have proofs, and shows what need not be
// left out.
func (p *Problem) solve(ctx context.Context, hidden []bool, alone bool) (*Solution, error) {
	b, claims := newBoard(p, hidden), p.claims()
	by, proofs, left := newSwaps(b), make([]*proof, len(claims)), []int(nil)
	for k, c := range claims {
		if k%64 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if proofs[k] = by.prove(c, false, alone); proofs[k] == nil {
			left = append(left, k)
		}
	}
	open, err := b.repair(ctx, claims, proofs, left, alone)
	if err != nil {
		return nil, err
	}
	if err := by.publish(ctx, claims, proofs, alone); err != nil {
		return nil, err
	}
	s := p.solution(b.hidden)
	s.Open = open
	for _, q := range proofs {
		if q != nil {
			s.Proofs += q.count
		}
	}
	return s, nil
}

// repair proves what is left by linear programs, and leaves out what stands in the way. It returns what stays open.
func (b *board) repair(ctx context.Context, claims []claim, proofs []*proof, left []int, alone bool) ([]Open, error) {
	for round := 1; ; round++ {
		some := make([]claim, len(left))
		for n, k := range left {
			some[n] = claims[k]
		}
		found, open, err := b.all(ctx, some, alone)
		if err != nil {
			return nil, err
		}
		var still []int
		for n, k := range left {
			if proofs[k] = found[n]; proofs[k] == nil {
				still = append(still, k)
			}
		}
		more := b.widen(open, round >= most)
		if len(more) == 0 {
			return open, nil
		}
		for _, c := range more {
			b.hide(c)
		}
		left = still
	}
}

// claim is that a cell may be so much higher, or lower, than it is, for all that an intruder knows.
type claim struct {
	cell, measure int
	upper         bool
	need          float64
}

// claims are what must hold of unsafe cells.
func (p *Problem) claims() (out []claim) {
	for c, unsafe := range p.Unsafe {
		for k := range p.Measures {
			m := &p.Measures[k]
			if !unsafe || math.IsNaN(m.Lo[c]) {
				continue
			}
			value := 0.0
			for _, i := range p.inner(c) {
				value += m.Inner[i]
			}
			for _, end := range []claim{{c, k, false, value - m.Lo[c]}, {c, k, true, m.Hi[c] - value}} {
				if end.need > 0 {
					out = append(out, end)
				}
			}
		}
	}
	return out
}
