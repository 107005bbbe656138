package suppress

import (
	"context"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/tabulate"
)

// linked returns random tables: two or three dimensions, some with a hierarchy, one to three tables of them, people
// with skewed values, few of whom are in most cells.
func linked(r *rand.Rand) (*tabulate.Set, tabulate.Rules) {
	n := 8 + r.IntN(40)
	var dims []tabulate.Dimension
	for range 2 + r.IntN(2) {
		dims = append(dims, dimension(r, n))
	}
	of := [][]int{{0, 1}}
	if len(dims) == 3 {
		of = [][][]int{{{0, 1, 2}}, {{0, 1}, {1, 2}}, {{0, 1}, {0, 2}, {1, 2}}, {{0, 1}, {2}}}[r.IntN(4)]
	}
	v, whose := make([]float64, n), make([]int32, n)
	for i := range v {
		v[i] = math.Round(math.Exp(1.5*r.NormFloat64() + 3))
		whose[i] = int32(i)
	}
	rules := tabulate.Rules{Frequency: 3}
	switch r.IntN(4) {
	case 0:
		rules.P = 10
	case 1:
		rules.N, rules.K = 2, 85
	case 2: // some units have several records
		for i := range whose {
			whose[i] = int32(r.IntN(n))
		}
	}
	s, err := tabulate.New(n, dims, of, []tabulate.Variable{{Name: "v", Values: v}}, whose, rules.Kept())
	if err != nil {
		panic(err)
	}
	return s, rules
}

func dimension(r *rand.Rand, n int) tabulate.Dimension {
	d := tabulate.Dimension{Name: "d", Labels: []string{tabulate.Total}, Up: []int32{-1}, Leaf: make([]int32, n)}
	add := func(up int32) int32 {
		d.Labels, d.Up = append(d.Labels, "x"), append(d.Up, up)
		return int32(len(d.Up) - 1)
	}
	var leaves []int32
	for range 2 + r.IntN(3) {
		k := add(0)
		if r.IntN(3) > 0 {
			leaves = append(leaves, k)
			continue
		}
		for range 2 + r.IntN(2) {
			leaves = append(leaves, add(k))
		}
	}
	for i := range d.Leaf {
		d.Leaf[i] = leaves[min(int(r.ExpFloat64()*float64(len(leaves))/2), len(leaves)-1)]
	}
	return d
}

// In random linked tables an intruder with two linear programs for each unsafe cell, exact in rational numbers, bounds
// none more closely than its interval; nobody alone in an inner cell computes one or, where that is asked for, bounds
// one more closely either. The twin shares no code with the package. Two tables here; 250 with DITHER_LONG=1,
// and 1,000 with DITHER_LONG=every.
func TestNoLinearProgram(t *testing.T) {
	tables := long.Of(2, 250)
	if long.Every() {
		tables = 1_000
	}
	for _, o := range []Options{{}, {Alone: true}} {
		cells, unsafe, secondary := 0, 0, 0
		for k := range tables {
			s, rules := linked(rand.New(rand.NewPCG(uint64(k), 7)))
			p := Of(s, rules)
			out := must.Get(Solve(context.Background(), p, o))(t)
			cells, unsafe, secondary = cells+p.cells(), unsafe+out.Primary, secondary+out.Secondary
			if len(out.Open) > 0 {
				t.Errorf("table %d: %d unsafe cells are open", k, len(out.Open))
			}
			for c, hidden := range out.Suppressed {
				if p.Unsafe[c] && !hidden {
					t.Fatalf("table %d: cell %d is unsafe and shown", k, c)
				}
			}
			for _, b := range broken(p, out.Suppressed, o.Alone) {
				t.Errorf("table %d: an intruder has %+v", k, b)
			}
		}
		t.Logf("%+v: %d tables, %d cells, %d unsafe, %d more left out", o, tables, cells, unsafe, secondary)
	}
}

// broken are the unsafe cells that exact linear programs compute or bound too closely: two for each cell, and two more
// for everybody who is alone in an inner cell and has not all of the cell. What these have in the cell is certain, and
// where they need not be kept from bounding, only one value that is left is one too few.
func broken(p *Problem, suppressed []bool, alone bool) (out []Open) {
	seen := map[int32]bool{}
	for _, h := range append([]int32{-1}, p.Holder...) {
		if seen[h] {
			continue
		}
		seen[h] = true
		for k := range p.Measures {
			m, s := &p.Measures[k], (*system)(nil)
			for c, unsafe := range p.Unsafe {
				own, others := 0.0, false
				for _, i := range p.inner(c) {
					if h >= 0 && p.Holder[i] == h {
						own += m.Inner[i] - m.Least
					} else {
						others = true
					}
				}
				if !unsafe || !others || math.IsNaN(m.Lo[c]) {
					continue
				}
				if s == nil {
					s = newSystem(rows(p, suppressed, m, h), len(p.Holder))
				}
				least := m.Least * float64(len(p.inner(c))) // the program is of what is above the least
				low, high := s.maximum(goal(p, c, -1)), s.maximum(goal(p, c, 1))
				if h >= 0 && !alone {
					if high != nil && high.Cmp(new(big.Rat).Neg(low)) == 0 {
						out = append(out, Open{c, k, h, true})
					}
					continue
				}
				if low.Cmp(new(big.Rat).SetFloat64(-max(m.Lo[c]-least, own))) < 0 {
					out = append(out, Open{c, k, h, false})
				}
				if high != nil && high.Cmp(new(big.Rat).SetFloat64(m.Hi[c]-least-1e-6*m.Hi[c])) < 0 {
					out = append(out, Open{c, k, h, true})
				}
			}
		}
	}
	return out
}

// rows are what is published of a measure, and what a holder has.
func rows(p *Problem, suppressed []bool, m *Measure, holder int32) (out [][]*big.Rat) {
	row := func(inner []int32) {
		r := zeros(len(p.Holder) + 1)
		for _, i := range inner {
			r[i].SetInt64(1)
			r[len(p.Holder)].Add(r[len(p.Holder)], new(big.Rat).SetFloat64(m.Inner[i]-m.Least))
		}
		out = append(out, r)
	}
	for c, hidden := range suppressed {
		if !hidden {
			row(p.inner(c))
		}
	}
	for i, h := range p.Holder {
		if h >= 0 && h == holder {
			row([]int32{int32(i)})
		}
	}
	return out
}

func goal(p *Problem, cell int, sign int64) []*big.Rat {
	out := zeros(len(p.Holder))
	for _, i := range p.inner(cell) {
		out[i].SetInt64(sign)
	}
	return out
}
