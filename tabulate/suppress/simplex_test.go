package suppress

import "math/big"

// system is x >= 0 with rows (coefficients, then the right-hand side, 0 or more) that hold exactly, solved by the
// two-phase simplex method by Bland's rule, in rational numbers.
type system struct {
	t     [][]*big.Rat
	basic []int
	n     int
}

// newSystem finds a solution. Variables that one row alone decides are found before, by reducing the rows.
func newSystem(rows [][]*big.Rat, n int) *system {
	rows = independent(rows, n)
	m := len(rows)
	s := &system{make([][]*big.Rat, m), make([]int, m), n}
	phase := zeros(n + m + 1)
	for k, r := range rows {
		s.t[k] = zeros(n + m + 1)
		for j := range n {
			s.t[k][j].Set(r[j])
			phase[j].Add(phase[j], r[j])
		}
		s.t[k][n+k].SetInt64(1)
		s.t[k][n+m].Set(r[n])
		phase[n+m].Add(phase[n+m], r[n])
		s.basic[k] = n + k
	}
	run(s.t, s.basic, phase, n)
	if phase[n+m].Sign() != 0 {
		panic("the true table is no solution")
	}
	for k := range s.t { // artificial variables that are left are zero: take them out, or their rows mean nothing
		for j := 0; s.basic[k] >= n && j < n; j++ {
			if s.t[k][j].Sign() != 0 {
				pivot(s.t, s.basic, phase, k, j)
			}
		}
	}
	for k := range s.t { // and forget them
		s.t[k] = append(s.t[k][:n], s.t[k][n+m])
	}
	return s
}

// independent brings rows to echelon form, with right-hand sides that are not negative.
func independent(rows [][]*big.Rat, n int) (out [][]*big.Rat) {
	for j := range n {
		lead := -1
		for k, r := range rows {
			if r[j].Sign() != 0 {
				lead = k
				break
			}
		}
		if lead < 0 {
			continue
		}
		r := rows[lead]
		rows = append(rows[:lead:lead], rows[lead+1:]...)
		for _, other := range rows {
			less(other, r, new(big.Rat).Quo(other[j], r[j]))
		}
		if r[n].Sign() < 0 {
			for x := range r {
				r[x].Neg(r[x])
			}
		}
		out = append(out, r)
	}
	return out
}

// maximum is the largest value of a goal; nil where there is none. The next one starts from there.
func (s *system) maximum(goal []*big.Rat) *big.Rat {
	last := zeros(s.n + 1)
	for j := range s.n {
		last[j].Set(goal[j])
	}
	for k, b := range s.basic {
		if b < s.n {
			less(last, s.t[k], new(big.Rat).Set(last[b]))
		}
	}
	if !run(s.t, s.basic, last, s.n) {
		return nil
	}
	return last[s.n].Neg(last[s.n])
}

// run improves until nothing does; false where the goal has no bound.
func run(t [][]*big.Rat, basic []int, goal []*big.Rat, n int) bool {
	end := len(goal) - 1
	for {
		enter := -1
		for j := range n {
			if goal[j].Sign() > 0 {
				enter = j
				break
			}
		}
		if enter < 0 {
			return true
		}
		leave, best := -1, new(big.Rat)
		for k := range t {
			if t[k][enter].Sign() <= 0 {
				continue
			}
			q := new(big.Rat).Quo(t[k][end], t[k][enter])
			if c := q.Cmp(best); leave < 0 || c < 0 || c == 0 && basic[k] < basic[leave] {
				leave, best = k, q
			}
		}
		if leave < 0 {
			return false
		}
		pivot(t, basic, goal, leave, enter)
	}
}

func pivot(t [][]*big.Rat, basic []int, goal []*big.Rat, k, j int) {
	by := new(big.Rat).Set(t[k][j])
	for x := range t[k] {
		if t[k][x].Sign() != 0 {
			t[k][x].Quo(t[k][x], by)
		}
	}
	for other := range t {
		if other != k {
			less(t[other], t[k], new(big.Rat).Set(t[other][j]))
		}
	}
	less(goal, t[k], new(big.Rat).Set(goal[j]))
	basic[k] = j
}

func less(r, s []*big.Rat, times *big.Rat) {
	if times.Sign() == 0 {
		return
	}
	for x := range r {
		if s[x].Sign() != 0 {
			r[x].Sub(r[x], new(big.Rat).Mul(times, s[x]))
		}
	}
}

func zeros(n int) []*big.Rat {
	out := make([]*big.Rat, n)
	for k := range out {
		out[k] = new(big.Rat)
	}
	return out
}
