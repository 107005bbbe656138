// Package cellkey moves counts by small noise that depends on who is in a cell and on nothing else: every record has a
// random key, the key of a cell is the sum of its records' keys, and a table of probabilities turns count and key into
// a deviation. The same records have the same count in every table, so asking again tells nothing (Fraser & Wooton
// 2005; Thompson, Broadfoot & Elazar 2013). Deviations have mean 0, a given variance and, under these, the largest
// entropy (Marley & Leaver 2011; Giessing & Tent 2019). Noisy counts do not add up.
//
// Keys are whole numbers of 64 bits and are summed modulo 2^64, so a sum depends on no order; the published methods add
// fractions modulo 1.
package cellkey

import (
	"errors"
	"fmt"
	"math"

	"github.com/dither-data/dither/internal/portable"
)

// Params say how counts move.
type Params struct {
	Deviation int     `json:"deviation"` // the largest, D: 1 to 20
	Variance  float64 `json:"variance"`  // of a deviation, V
	Small     int     `json:"small"`     // no count from 1 to this is shown, js; 0 shows all
}

// Law is the probabilities of one count.
type Law struct {
	Deviations []int
	P          []float64
	upTo       []uint64 // the deviation is the first whose entry is above the key; the last one takes the rest
}

// Table is the laws of all counts.
type Table struct {
	Params
	rows []Law // of counts 1 and up; the last serves all larger ones
}

// New computes the laws. Where none has the variance that is asked for, a row has the least, or the largest, that is
// possible. Cost: some microseconds.
func New(p Params) (*Table, error) {
	switch {
	case p.Deviation < 1 || p.Deviation > 20:
		return nil, fmt.Errorf("the largest deviation is %d, expected 1 to 20", p.Deviation)
	case !(p.Variance > 0) || p.Variance >= float64(p.Deviation*p.Deviation):
		return nil, fmt.Errorf("the variance is %v, expected more than 0 and less than the square of the largest "+
			"deviation, %d", p.Variance, p.Deviation*p.Deviation)
	case p.Small < 0 || p.Small >= p.Deviation:
		return nil, fmt.Errorf("counts up to %d are not to be shown, expected 0 or more, and less than the largest "+
			"deviation, %d", p.Small, p.Deviation)
	}
	t := &Table{Params: p}
	last := p.Deviation
	if p.Small > 0 {
		last += p.Small + 1
	}
	for n := 1; n <= last; n++ {
		l, err := p.law(n)
		if err != nil {
			return nil, err
		}
		t.rows = append(t.rows, l)
	}
	return t, nil
}

// Of returns the law of a count above 0.
func (t *Table) Of(count int) *Law { return &t.rows[min(count, len(t.rows))-1] }

// Moved returns the count that is shown of a cell. Key is the sum of the keys of its records.
func (t *Table) Moved(count int, key uint64) int {
	if count == 0 {
		return 0
	}
	l := t.Of(count)
	for k, end := range l.upTo {
		if key < end {
			return count + l.Deviations[k]
		}
	}
	return count + l.Deviations[len(l.Deviations)-1]
}

// P is how likely a count above 0 is shown as another number.
func (t *Table) P(count, shown int) float64 {
	l := t.Of(count)
	if k := shown - count - l.Deviations[0]; k >= 0 && k < len(l.P) && l.Deviations[k] == shown-count {
		return l.P[k]
	}
	for k, d := range l.Deviations { // some are left out where small counts are not shown
		if d == shown-count {
			return l.P[k]
		}
	}
	return 0
}

// law is that of a count.
func (p Params) law(n int) (l Law, err error) {
	below, above := 0, 0 // the deviations nearest to zero; both zero where zero is one
	for d := -p.Deviation; d <= p.Deviation; d++ {
		if r := n + d; r < 0 || r >= 1 && r <= p.Small {
			continue
		}
		l.Deviations = append(l.Deviations, d)
		if d <= 0 {
			below = d
		}
		if d >= 0 && (above == 0 || d == 0) && (below != 0 || d > 0) {
			above = d
		}
	}
	if below == 0 {
		above = 0
	}
	low, high := l.Deviations[0], l.Deviations[len(l.Deviations)-1]
	switch {
	case low >= 0 || high <= 0:
		return l, errors.New("a count has no deviations to both sides")
	case p.Variance <= float64(-below*above):
		l.P = two(l.Deviations, below, above)
	case p.Variance >= float64(-low*high):
		l.P = two(l.Deviations, low, high)
	default:
		l.P = entropic(l.Deviations, p.Variance)
	}
	sum := 0.0
	for _, q := range l.P[:len(l.P)-1] {
		sum += q
		l.upTo = append(l.upTo, uint64(math.Min(float64(sum*(1<<53)), 1<<53-1))<<11)
	}
	return l, nil
}

// two is the law on two deviations around zero whose mean is 0.
func two(deviations []int, low, high int) []float64 {
	p := make([]float64, len(deviations))
	for k, d := range deviations {
		switch d {
		case low:
			p[k] = float64(high) / float64(high-low)
		case high:
			p[k] = float64(-low) / float64(high-low)
		}
	}
	return p
}

// entropic is the law of the largest entropy with mean 0 and a variance: exp(a d + b d^2), normed. The two numbers are
// found by Newton's method on the convex dual, with steps that are halved until it falls.
func entropic(deviations []int, variance float64) []float64 {
	a, b := 0.0, 0.0
	p, value := gibbs(deviations, a, b, variance)
	for range 200 {
		var m1, m2, m3, m4 float64
		for k, d := range deviations {
			x := float64(d)
			m1 += float64(p[k] * x)
			m2 += float64(p[k] * (x * x))
			m3 += float64(p[k] * (x * x * x))
			m4 += float64(p[k] * (x * x * x * x))
		}
		ga, gb := m1, m2-variance
		if math.Abs(ga)+math.Abs(gb) < 1e-14 {
			break
		}
		haa, hab, hbb := m2-float64(m1*m1), m3-float64(m1*m2), m4-float64(m2*m2)
		det := float64(haa*hbb) - float64(hab*hab)
		da := (float64(hab*gb) - float64(hbb*ga)) / det
		db := (float64(hab*ga) - float64(haa*gb)) / det
		step := 1.0
		for ; step > 1e-12; step /= 2 {
			q, v := gibbs(deviations, a+float64(step*da), b+float64(step*db), variance)
			if v <= value+1e-13 { // near the end the gradient is what falls
				p, value, a, b = q, v, a+float64(step*da), b+float64(step*db)
				break
			}
		}
		if step <= 1e-12 {
			break
		}
	}
	return p
}

// gibbs returns the law of two numbers and the value of the dual there.
func gibbs(deviations []int, a, b, variance float64) (p []float64, value float64) {
	p = make([]float64, len(deviations))
	most := math.Inf(-1)
	for k, d := range deviations {
		p[k] = float64(a*float64(d)) + float64(b*float64(d*d))
		most = max(most, p[k])
	}
	sum := 0.0
	for k := range p {
		p[k] = portable.Exp(p[k] - most)
		sum += p[k]
	}
	for k := range p {
		p[k] /= sum
	}
	return p, portable.Log(sum) + most - float64(b*variance)
}
