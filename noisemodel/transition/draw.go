package transition

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/dither-data/dither/internal/portable/vector"
	"github.com/dither-data/dither/rng"
)

// Sampler draws released categories in constant time by the alias method (Walker 1977; Vose 1991).
type Sampler struct {
	k     int
	cells []cell // row by row
}

// cell stays itself below the threshold and is its alias from there on.
type cell struct {
	threshold uint64
	alias     int32
}

// Sampler prepares draws. The matrix must pass Check. Cost: O(K^2) time, and 16 bytes a probability.
func (m Matrix) Sampler() *Sampler {
	s := &Sampler{k: len(m), cells: make([]cell, len(m)*len(m))}
	share, stack := make([]float64, len(m)), make([]int32, len(m))
	for x, row := range m {
		deal(s.cells[x*s.k:(x+1)*s.k], row, share, stack)
	}
	return s
}

// Draw returns what category x, below K, is released as.
func (s *Sampler) Draw(x int32, b rng.Block) int32 {
	y := rng.Below(b.A, s.k)
	if c := s.cells[int(x)*s.k+y]; b.B >= c.threshold {
		return c.alias
	}
	return int32(y)
}

// deal fills each of K cells, which are drawn evenly, with what a category below 1/K has and the rest from one above.
// Share and stack are scratch space. A category without probability is never drawn: what rounding leaves over has a
// whole cell.
func deal(cells []cell, p, share []float64, stack []int32) {
	floats.ScaleTo(share, float64(len(p))/vector.Sum(p), p)
	small, large := 0, len(p) // the stacks grow from the two ends
	push := func(k int32) {
		if share[k] < 1 {
			stack[small] = k
			small++
		} else {
			large--
			stack[large] = k
		}
	}
	for k := range p {
		push(int32(k))
	}
	for small > 0 && large < len(p) {
		a, b := stack[small-1], stack[large]
		small, large = small-1, large+1
		cells[a] = cell{uint64(math.Ldexp(share[a], 64)), b}
		share[b] -= 1 - share[a]
		push(b)
	}
	for _, k := range append(stack[:small:small], stack[large:]...) { // 1 but for rounding
		cells[k] = cell{math.MaxUint64, k}
	}
}
