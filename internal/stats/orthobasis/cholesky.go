package orthobasis

import "math"

const (
	// unsure is the share of a column's square that the Gram matrix must leave after the columns before it, or the column
	// waits for the next round: less is lost in the rounding of sums of squares.
	unsure = 1e-9
	// nothing is the share of the square of a column as it was below which what is left of it is rounding.
	nothing = 1e-26
	// sound is the share that all columns must leave for a round to be the last: from there on a round is exact to
	// rounding.
	sound = 0.1
)

// factor returns the step of one round, without its shift: the Cholesky factor of the Gram matrix g. A column of which
// nearly nothing is left after those before it waits: the step takes those off it but neither scales it nor takes it
// off others, so the next round sees exactly what is left. When that is rounding, or this is the last round, the column
// is dropped. Done is true when the step makes the kept columns orthonormal.
func (b *Basis) factor(g []float64, last bool) (s step, done bool) {
	p := len(b.Mean)
	s = step{r: make([]float64, p*p), inv: make([]float64, p)}
	done = true
	for j := range p {
		s.r[j*p+j] = 1
		square := g[j*p+j]
		if b.Kept[j] = b.Kept[j] && square > nothing*b.size[j]; !b.Kept[j] {
			continue
		}
		s.inv[j] = 1
		rest := square
		for i := range j {
			rest -= float64(s.r[i*p+j] * s.r[i*p+j])
		}
		if rest <= max(unsure*square, 2*nothing*b.size[j]) {
			done = false
			if last {
				b.Kept[j], s.inv[j] = false, 0
			}
			continue
		}
		done = done && rest > sound*square
		root := math.Sqrt(rest)
		s.r[j*p+j], s.inv[j] = root, 1/root
		b.size[j] /= rest
		for l := j + 1; l < p; l++ {
			v := g[j*p+l]
			for i := range j {
				v -= float64(s.r[i*p+j] * s.r[i*p+l])
			}
			s.r[j*p+l] = v / root
		}
	}
	return s, done || last
}
