package tabulate

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
)

// Hundepool et al. (2012), section 4.2: a cell of contributions 100, 30, 2 and 1.
func TestRules(t *testing.T) {
	for _, c := range []struct {
		rules  Rules
		values []float64
		margin float64
		unsafe bool
	}{
		{Rules{P: 10}, []float64{30, 100, 1, 2}, 7, true}, // 10 % of 100 less 3
		{Rules{P: 2}, []float64{30, 100, 1, 2}, 0, false},
		{Rules{P: 10, Q: 50}, []float64{30, 100, 1, 2}, 17, true},
		{Rules{N: 1, K: 80}, []float64{30, 100, 1, 2}, 0, false},
		{Rules{N: 2, K: 80}, []float64{30, 100, 1, 2}, 29.5, true}, // 130/0.8 - 133
		{Rules{P: 10}, []float64{-100}, 10, true},
	} {
		leaf := make([]int32, len(c.values))
		d := []Dimension{{"d", []string{Total}, []int32{-1}, leaf}}
		s := must.Get(New(len(leaf), d, [][]int{{0}}, []Variable{{"v", c.values}}, nil, c.rules.Kept()))(t)
		margin, unsafe := c.rules.Unsafe(&s.Sums[0], s.kept, 0)
		if math.Abs(margin-c.margin) > 1e-9 || unsafe != c.unsafe {
			t.Errorf("%+v of %v: margin %v, unsafe %v; want %v, %v", c.rules, c.values, margin, unsafe, c.margin, c.unsafe)
		}
	}
}

// Counts, units and sums of random tables are those of a plain count over all records, and what one unit has is added
// up before the rules look at it.
func TestPlainCount(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 50 {
		n := 1 + r.IntN(60)
		dims := []Dimension{tree(r, n), tree(r, n), tree(r, n)}
		values, whose := make([]float64, n), make([]int32, n)
		for i := range n {
			values[i], whose[i] = float64(r.IntN(100)), int32(r.IntN(n))
		}
		s := must.Get(New(n, dims, [][]int{{0, 1}, {2}, {1, 2}}, []Variable{{"v", values}}, whose, 3))(t)
		records := make([]int, len(s.Of))
		for c := range s.Cells {
			cell, units, sum, count := &s.Cells[c], map[int32]float64{}, 0.0, 0
			for i := range n {
				in := true
				for k, j := range s.Of[cell.Table] {
					in = in && contains(dims[j].Path(dims[j].Leaf[i]), cell.Codes[k])
				}
				if in {
					units[whose[i]] += values[i]
					sum, count = sum+values[i], count+1
				}
			}
			largest := 0.0
			for _, x := range units {
				largest = max(largest, x)
			}
			if cell.Records != count || cell.Units != len(units) || s.Sums[0].Sum[c] != sum ||
				s.Sums[0].largest[c*s.kept] != largest {
				t.Fatalf("cell %+v: sum %v; want %d records, %d units, %v", cell, s.Sums[0].Sum[c], count, len(units), sum)
			}
			records[cell.Table] = max(records[cell.Table], cell.Records)
		}
		for k, total := range records {
			if total != n {
				t.Errorf("the total of table %d has %d records of %d", k, total, n)
			}
		}
	}
}

func contains(codes []int32, code int32) bool {
	for _, c := range codes {
		if c == code {
			return true
		}
	}
	return false
}

func tree(r *rand.Rand, n int) Dimension {
	d := Dimension{"d", []string{Total, "a", "b", "a1", "a2"}, []int32{-1, 0, 0, 1, 1}, make([]int32, n)}
	for i := range d.Leaf {
		d.Leaf[i] = int32(2 + r.IntN(3))
	}
	return d
}

func TestCheck(t *testing.T) {
	for _, bad := range []Rules{{Frequency: -1}, {N: 1}, {K: 80}, {N: 1, K: 100}, {P: -1}, {Q: 50}, {P: 50, Q: 50},
		{P: math.NaN()}} {
		if bad.Check() == nil {
			t.Errorf("%+v is not refused", bad)
		}
	}
	if err := (Rules{3, 2, 85, 10, 50}).Check(); err != nil {
		t.Error(err)
	}
}

// What units have does not depend on the order of the records, to the last bit.
func TestNoOrder(t *testing.T) {
	values, whose := []float64{1e16, 1, -1e16, 0.1, 0.2, 0.3, 7}, []int32{0, 0, 0, 1, 1, 1, 2}
	var first Magnitude
	for turn := range 50 {
		order := rand.New(rand.NewPCG(5, uint64(turn))).Perm(len(values))
		v, w := make([]float64, len(values)), make([]int32, len(values))
		for to, from := range order {
			v[to], w[to] = values[from], whose[from]
		}
		d := Dimension{Name: "d", Labels: []string{Total, "a"}, Up: []int32{-1, 0}, Leaf: []int32{1, 1, 1, 1, 1, 1, 1}}
		s := must.Get(New(len(v), []Dimension{d}, [][]int{{0}}, []Variable{{Name: "v", Values: v}}, w, 3))(t)
		m := s.Sums[0]
		if turn == 0 {
			first = m
		}
		if !slices.Equal(m.largest, first.largest) || !slices.Equal(m.absolute, first.absolute) ||
			m.largest[0] != 7 || m.largest[1] != 1 {
			t.Fatalf("order %v: the largest are %v, of %v", order, m.largest, m.absolute)
		}
	}
}
