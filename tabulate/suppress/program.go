package suppress

import (
	"math"
	"slices"
)

// program is a linear program over differences from the true table: rows sum to 0, and no inner cell falls below zero.
// The true table, all differences 0, is where the simplex method starts, so it needs no first phase: variables that are
// at no bound move until one meets its bound, and that one changes places with it.
type program struct {
	vars  []int32 // inner cells, those of the cell first
	goal  int     // how many of them are the cell's
	rows  [][]int // the places of the variables that sum to 0
	basic []int   // after reduce, the variable of each row of the echelon form
	form  [][]float64
}

// tiny is what counts as 0 among the coefficients, which are small whole numbers and ratios of these.
const tiny = 1e-9

// reduce brings the rows into reduced echelon form.
func (p *program) reduce() {
	for _, row := range p.rows {
		r := make([]float64, len(p.vars))
		for _, at := range row {
			r[at] = 1
		}
		for k, b := range p.basic {
			minus(r, p.form[k], r[b])
		}
		lead := -1
		for at, x := range slices.Backward(r) {
			if math.Abs(x) > tiny && (lead < 0 || math.Abs(x) > math.Abs(r[lead])+0.5) {
				lead = at
			}
		}
		if lead < 0 {
			continue
		}
		by := r[lead]
		for at := range r {
			r[at] /= by
		}
		for _, other := range p.form {
			minus(other, r, other[lead])
		}
		p.form, p.basic = append(p.form, r), append(p.basic, lead)
	}
}

// minus takes a multiple of a row from another.
func minus(r, s []float64, times float64) {
	if math.Abs(times) <= tiny {
		return
	}
	for at, x := range s {
		if x != 0 {
			if r[at] -= float64(times * x); math.Abs(r[at]) <= tiny {
				r[at] = 0
			}
		}
	}
}

// tableau is a program on its way.
type tableau struct {
	rows   [][]float64
	basic  []int
	in     []bool    // whether a variable is basic
	grad   []float64 // by how much the goal rises with a variable
	d, low []float64
}

// move returns differences that raise, or lower, the goal by need while what is known stays; nil where the method finds
// none.
func (p *program) move(m *Measure, upper bool, need float64, known func(at int) bool) []float64 {
	n := len(p.vars)
	t := &tableau{basic: slices.Clone(p.basic), in: make([]bool, n), grad: make([]float64, n), d: make([]float64, n),
		low: make([]float64, n)}
	flat := make([]float64, len(p.form)*n)
	for k, r := range p.form {
		own := flat[k*n : (k+1)*n : (k+1)*n]
		copy(own, r)
		t.rows = append(t.rows, own)
	}
	for at, i := range p.vars {
		if t.low[at] = (m.Least - m.Inner[i]) / need; m.Negative {
			t.low[at] = math.Inf(-1)
		}
		if at < p.goal {
			if t.grad[at] = 1; !upper {
				t.grad[at] = -1
			}
		}
	}
	for k, b := range t.basic {
		t.in[b] = true
		minus(t.grad, t.rows[k], t.grad[b])
	}
	for at := range n {
		if known(at) {
			t.fix(at)
		}
	}
	for step := range 60 + 8*n {
		at, up := t.enter(step > 4*n)
		if at < 0 {
			return nil
		}
		if t.shift(at, up) || p.reached(t.d, upper) {
			if p.reached(t.d, upper) && p.right(t) {
				return t.d
			}
			return nil
		}
	}
	return nil
}

// fix takes a variable out: it changes places with one that is at no bound, and its column is cleared.
func (t *tableau) fix(at int) {
	if k := slices.Index(t.basic, at); k >= 0 {
		enter := -1
		for j, x := range t.rows[k] {
			if j != at && math.Abs(x) > tiny && (enter < 0 || math.Abs(x) > math.Abs(t.rows[k][enter])) {
				enter = j
			}
		}
		if t.in[at] = false; enter < 0 { // it does not move anyway
			t.rows, t.basic = slices.Delete(t.rows, k, k+1), slices.Delete(t.basic, k, k+1)
		} else {
			t.pivot(k, enter)
		}
	}
	t.grad[at] = 0
	for _, r := range t.rows {
		r[at] = 0
	}
}

// pivot makes a variable basic in a row.
func (t *tableau) pivot(row, at int) {
	by := t.rows[row][at]
	for j := range t.rows[row] {
		t.rows[row][j] /= by
	}
	for k, r := range t.rows {
		if k != row {
			minus(r, t.rows[row], r[at])
		}
	}
	minus(t.grad, t.rows[row], t.grad[at])
	t.in[t.basic[row]] = false
	t.basic[row], t.in[at] = at, true
}

// enter chooses the variable that moves: the steepest, and later, against circles, the first.
func (t *tableau) enter(first bool) (at int, up bool) {
	at = -1
	steepest := tiny
	for j, g := range t.grad {
		if t.in[j] || math.Abs(g) <= steepest || g < 0 && t.d[j] <= t.low[j] {
			continue
		}
		at, up = j, g > 0
		if first {
			break
		}
		steepest = math.Abs(g)
	}
	return at, up
}

// far is how far variables go that nothing stops, in multiples of what is needed.
const far = 2.0

// shift moves a variable until something stops it; true where nothing does.
func (t *tableau) shift(at int, up bool) bool {
	sign := -1.0
	step, row := t.d[at]-t.low[at], -1
	if up {
		sign, step = 1, math.Inf(1)
	}
	for k, r := range t.rows {
		b := t.basic[k]
		rate := float64(-r[at] * sign) // of the basic variable
		room := math.Inf(1)
		switch {
		case math.Abs(rate) <= tiny:
			continue
		case rate < 0:
			room = max(t.d[b]-t.low[b], 0) / -rate
		}
		if room < step || room == step && row >= 0 && b < t.basic[row] {
			step, row = room, k
		}
	}
	free := math.IsInf(step, 1)
	if free {
		step = far / math.Abs(t.grad[at])
	}
	t.d[at] += float64(step * sign)
	for k, r := range t.rows {
		t.d[t.basic[k]] -= float64(r[at] * float64(step*sign))
	}
	if row < 0 {
		if !free {
			t.d[at] = t.low[at]
		}
		return free
	}
	b := t.basic[row]
	t.d[b] = t.low[b]
	t.pivot(row, at)
	return false
}

// reached reports whether the goal moved by what is needed, which is 1 in the tableau.
func (p *program) reached(d []float64, upper bool) bool {
	sum := 0.0
	for _, x := range d[:p.goal] {
		sum += x
	}
	if !upper {
		sum = -sum
	}
	return sum >= 1-1e-9
}

// right checks differences against what must hold, whatever was lost to rounding on the way. Small ones become 0.
func (p *program) right(t *tableau) bool {
	for at, x := range t.d {
		if math.Abs(x) < 1e-9 {
			t.d[at] = 0
		} else if x < t.low[at]-1e-7 {
			return false
		}
	}
	for _, r := range p.rows {
		sum := 0.0
		for _, at := range r {
			sum += t.d[at]
		}
		if math.Abs(sum) > 1e-7 {
			return false
		}
	}
	return true
}
