package classnoise

import "github.com/dither-data/dither/noisemodel"

// Amount is the expected number of changed classes in a leaf with the given class counts.
type Amount func(counts []int) float64

// Printed is one term of equation 4.1: 2mn/(m+n) of m majority records and n others (Islam 2007, section 4.2).
func Printed(counts []int) float64 {
	m, all := 0, 0
	for _, k := range counts {
		m, all = max(m, k), all+k
	}
	if all == 0 {
		return 0
	}
	return 2 * float64(m) * float64(all-m) / float64(all)
}

// Permutation is the mean of a uniform permutation of the leaf's N classes: N - sum c²/N. It equals Printed for two
// classes and exceeds it for more.
func Permutation(counts []int) float64 {
	n, squares := 0.0, 0.0
	for _, k := range counts {
		n, squares = n+float64(k), squares+float64(float64(k)*float64(k))
	}
	if n == 0 {
		return 0
	}
	return n - squares/n
}

// NewPlan returns the probabilities that follow from the class counts of all leaves; the schema is left to the caller.
func NewPlan(leaves [][]int, amount Amount) *ALPTPlan {
	p := &ALPTPlan{}
	changes, all := 0.0, 0
	for _, counts := range leaves {
		if p.Counts == nil {
			p.Counts = make([]int, len(counts))
		}
		for c, k := range counts {
			p.Counts[c] += k
			all += k
		}
		changes += amount(counts)
	}
	if all > 0 {
		p.P = min(changes/float64(all), 1)
	}
	return p
}

// Transition returns the probability that class o is released as class q, as Transition()[o][q]. Rows sum to 1. A class
// that has no other to change to stays.
func (p *ALPTPlan) Transition() [][]float64 {
	all := 0
	for _, k := range p.Counts {
		all += k
	}
	m := make([][]float64, len(p.Counts))
	for o := range m {
		m[o] = make([]float64, len(p.Counts))
		m[o][o] = 1
		if others := all - p.Counts[o]; others > 0 {
			for q, k := range p.Counts {
				m[o][q] = p.P * float64(k) / float64(others)
			}
			m[o][o] = 1 - p.P
		}
	}
	return m
}

// kernel is the law of one plan's class.
type kernel struct{ plan *ALPTPlan }

// P returns the probability that class x is released as class y.
func (k kernel) P(x, y float64) float64 {
	n := len(k.plan.Counts)
	if x < 0 || y < 0 || int(x) >= n || int(y) >= n {
		return 0
	}
	all := 0
	for _, c := range k.plan.Counts {
		all += c
	}
	o, q := int(x), int(y)
	others := all - k.plan.Counts[o]
	switch {
	case o == q && others > 0:
		return 1 - k.plan.P
	case o == q:
		return 1
	case others > 0:
		return k.plan.P * float64(k.plan.Counts[q]) / float64(others)
	}
	return 0
}

// Law returns the law of the class, whatever the segment.
func (p *ALPTPlan) Law(j int) (noisemodel.Column, bool) {
	return noisemodel.Everywhere(kernel{p}), j == p.Class
}

// Moments returns mean and variance of the number of changed classes on the records the plan was fitted on.
func (p *ALPTPlan) Moments() (mean, variance float64) {
	n := 0.0
	for _, k := range p.Counts {
		n += float64(k)
	}
	return float64(n * p.P), float64(n * p.P * (1 - p.P))
}
