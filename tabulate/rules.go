package tabulate

import (
	"errors"
	"math"
)

// Rules say which cells show too much of too few (Hundepool et al. 2012, section 4.2). A rule whose numbers are zero is
// not applied.
type Rules struct {
	Frequency int     `json:"frequency"` // units that a cell must have; below it, it is unsafe
	N         int     `json:"n"`         // the n largest units ...
	K         float64 `json:"k"`         // ... have at most k percent of a total
	P         float64 `json:"p"`         // nobody can estimate a unit's share of a total to within p percent ...
	Q         float64 `json:"q"`         // ... who knew it to within q percent before; 0 is 100: the p % rule
}

// Check refuses numbers that no rule has.
func (r Rules) Check() error {
	switch {
	case r.Frequency < 0 || r.Frequency > 1_000_000:
		return errors.New("the minimum frequency is a number of units, 0 or more")
	case r.N < 0 || r.N > 100 || (r.N > 0) != (r.K > 0) || !(r.K >= 0 && r.K < 100):
		return errors.New("dominance needs both n, from 1 to 100, and k, a percentage below 100")
	case !(r.P >= 0 && r.P <= 1000) || !(r.Q >= 0 && r.Q <= 1000) || r.Q > 0 && (r.P == 0 || r.P >= r.Q):
		return errors.New("p is a percentage from 0 to 1000, and q, where it is given, a larger one")
	}
	return nil
}

// factor is the part of the largest contribution that the others beside the two largest must have.
func (r Rules) factor() float64 {
	if r.Q > 0 {
		return r.P / r.Q
	}
	return r.P / 100
}

// Few reports whether a cell has fewer units than the rules ask for. A cell without units is not few: it is a zero.
func (r Rules) Few(c *Cell) bool { return c.Units > 0 && c.Units < r.Frequency }

// Unsafe returns by how much the total of a cell must at least be open to the upper side, and whether a rule says that
// it is unsafe: (p/100) x1 - (X - x1 - x2), (p/q) x1 - (X - x1 - x2) and (100/k)(x1 + ... + xn) - X (Hundepool et al.
// 2012, table 4.3). Contributions count by their absolute values.
func (r Rules) Unsafe(m *Magnitude, kept, cell int) (margin float64, unsafe bool) {
	top, total := m.largest[cell*kept:(cell+1)*kept], m.absolute[cell]
	if r.P > 0 {
		rest := max(total-top[0]-top[1], 0)
		if need := float64(r.factor()*top[0]) - rest; need > 0 {
			margin, unsafe = need, true
		}
	}
	if r.N > 0 {
		most := 0.0
		for _, x := range top[:r.N] {
			most += x
		}
		if need := float64(100/r.K*most) - total; need > 0 {
			margin, unsafe = max(margin, need), true
		}
	}
	return margin, unsafe
}

// Kept is how many of the largest contributions the rules look at.
func (r Rules) Kept() int { return max(r.N, 2) }

// Need is the interval that an intruder's bounds of a cell must hold at least; none where the cell needs none of a
// variable.
type Need struct{ Lo, Hi []float64 } // by cell; NaN for none

// Primary returns which cells are unsafe, and what bounds must leave open: of counts first, then of each variable. A
// cell with few units leaves open any count from the least, one for each of its inner cells since zeros are shown, to
// what few is, or to one more where that is no choice; a total any value up to its margin above it.
func (s *Set) Primary(r Rules) (unsafe []bool, needs []Need) {
	unsafe = make([]bool, len(s.Cells))
	none := func() []float64 {
		out := make([]float64, len(s.Cells))
		for c := range out {
			out[c] = math.NaN()
		}
		return out
	}
	count := Need{none(), none()}
	for c := range s.Cells {
		if r.Few(&s.Cells[c]) {
			unsafe[c] = true
			least := len(s.Within(c))
			count.Lo[c], count.Hi[c] = float64(least), float64(max(s.Cells[c].Records, r.Frequency-1, least+1))
		}
	}
	needs = append(needs, count)
	for k := range s.Sums {
		m, n := &s.Sums[k], Need{none(), none()}
		for c := range s.Cells {
			if margin, bad := r.Unsafe(m, s.kept, c); bad {
				unsafe[c] = true
				n.Lo[c], n.Hi[c] = m.Sum[c], m.Sum[c]+margin
			}
		}
		needs = append(needs, n)
	}
	return unsafe, needs
}
