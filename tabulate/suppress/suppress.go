// Package suppress leaves cells of tables out so that nobody computes those that are unsafe from the others.
//
// All cells are sums of unknown inner cells. Cells are published one after the other, the dearest first, as long as no
// unsafe cell becomes a combination of published ones: Gaussian elimination, as in Langsrud (2024), Secondary Cell
// Suppression by Gaussian Elimination, done exactly (modulo the prime 2^61 - 1). An intruder who is alone in an inner
// cell knows it, so no unsafe cell may become a combination of published cells and one such inner cell either.
//
// That leaves out what follows from numbers that are not negative, and from counts that are not 0 since zeros are
// shown. So each unsafe cell is then tried by linear programs: other inner cells, with the same published cells, must
// exist in which it takes either end of the interval that must stay open. Where none is found, the cheapest cell that
// stands in the way is left out as well, and the elimination goes on. A proof is a table that an intruder cannot tell
// from the true one; what has no proof counts as open to the intruder. Holders of one inner cell are kept from
// computing by the elimination, those of several by linear programs.
package suppress

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
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
}

// Solution says which cells are left out.
type Solution struct {
	Suppressed []bool `json:"-"` // by cell, unsafe ones included
	Primary    int    `json:"primary"`
	Secondary  int    `json:"secondary"`
	Rounds     int    `json:"rounds"` // eliminations
	Proofs     int    `json:"proofs"` // intervals that a table like the true one was found for
	Open       []Open `json:"open"`   // unsafe cells without a proof; none unless the cell is all that there is
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
	Span  bool // protect from computation only: no linear programs
	Alone bool // intervals must stay open to units alone in an inner cell too; else these compute nothing
	Cores int  // 0 is all
}

// inner are the inner cells of a cell.
func (p *Problem) inner(cell int) []int32 { return p.In[p.Start[cell]:p.Start[cell+1]] }

// cells is how many there are.
func (p *Problem) cells() int { return len(p.Start) - 1 }

// most is how many eliminations are tried before all that stands around an open cell is left out at once.
const most = 12

// Solve chooses the cells. Where tables are small several orders are tried, and that which leaves out the fewest cells
// is taken. Cost: an elimination, and linear programs for each unsafe cell, several times over, which take most of the
// time (BenchmarkSolve).
func Solve(ctx context.Context, p *Problem, o Options) (*Solution, error) {
	if err := p.check(); err != nil {
		return nil, err
	}
	var best *Solution
	for _, order := range p.orders() {
		s, err := p.solve(ctx, order, o)
		if err != nil {
			return nil, err
		}
		if best == nil || len(s.Open) < len(best.Open) || len(s.Open) == len(best.Open) && s.Secondary < best.Secondary {
			best = s
		}
	}
	return best, nil
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
	return nil
}

// small is up to how many cells several orders are tried.
const small = 5_000

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

// solve chooses by one order. What is left out stays so from round to round, so what was proved stays proved.
func (p *Problem) solve(ctx context.Context, order []int32, o Options) (*Solution, error) {
	s := &Solution{}
	hidden, open := slices.Clone(p.Unsafe), p.claims()
	for {
		s.Rounds++
		shown, err := p.eliminate(ctx, order, hidden)
		if err != nil {
			return nil, err
		}
		s.Suppressed, s.Primary, s.Secondary = make([]bool, p.cells()), 0, 0
		for c := range s.Suppressed {
			s.Suppressed[c] = !shown[c]
			switch {
			case p.Unsafe[c]:
				s.Primary++
			case !shown[c]:
				s.Secondary++
			}
		}
		if o.Span || s.Primary == 0 {
			return s, nil
		}
		a := p.audit(s.Suppressed)
		proofs := 0
		if s.Open, proofs, err = a.all(ctx, open, o); err != nil {
			return nil, err
		}
		s.Proofs += proofs
		more := a.widen(s.Open, s.Rounds >= most)
		if len(more) == 0 {
			return s, nil
		}
		for _, c := range more {
			hidden[c] = true
		}
		order = slices.DeleteFunc(slices.Clone(order), func(c int32) bool { return !shown[c] || hidden[c] })
		open = slices.DeleteFunc(open, func(c claim) bool {
			return !slices.ContainsFunc(s.Open, func(x Open) bool {
				return x.Cell == c.cell && x.Measure == c.measure && x.Upper == c.upper
			})
		})
	}
}

// Audit tries every unsafe cell of tables from which cells are left out, and returns those that have no proof.
func Audit(ctx context.Context, p *Problem, suppressed []bool, o Options) ([]Open, int, error) {
	if err := p.check(); err != nil {
		return nil, 0, err
	}
	return p.audit(suppressed).all(ctx, p.claims(), o)
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
