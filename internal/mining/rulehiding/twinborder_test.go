package rulehiding

import (
	"math/big"
	"slices"
	"strings"
)

// ceil is ceil(n (1 - phi)).
func ceil(n int, phi string) int {
	for k := 0; ; k++ {
		if new(big.Rat).SetInt64(
			int64(k),
		).Cmp(new(big.Rat).Mul(big.NewRat(int64(n), 1), new(big.Rat).Sub(big.NewRat(1, 1), rational(phi)))) >= 0 {
			return k
		}
	}
}

// selected returns the transactions of the original that lose a pattern.
func (w *twin) selected(list []entry, e entry, phi string, ascending bool) (out []int) {
	degree := make([]int, len(w.rows))
	for i, row := range w.first {
		for _, o := range list {
			if has(row, o.all()) {
				degree[i]++
			}
		}
		if has(row, e.all()) {
			out = append(out, i)
		}
	}
	slices.SortStableFunc(out, func(p, q int) int {
		if ascending {
			return degree[p] - degree[q]
		}
		return degree[q] - degree[p]
	})
	return out[:ceil(len(out), phi)]
}

func (w *twin) support(v string) int { return number(w.first, []string{v}) }

func (w *twin) conflicts(list []entry, phi string, how Victim, ascending bool) {
	if how == IGA {
		w.iga(list, phi, ascending)
		return
	}
	for _, e := range list {
		z := e.all()
		for _, i := range w.selected(list, e, phi, ascending) {
			if !has(w.rows[i], z) {
				continue
			}
			switch how {
			case MinFIA, IGA:
				delete(w.rows[i], pick(z, w.support, false))
			case MaxFIA:
				delete(w.rows[i], pick(z, w.support, true))
			case Naive:
				empty := len(w.rows[i]) == len(z)
				for _, v := range z {
					delete(w.rows[i], v)
				}
				if empty {
					w.rows[i][pick(z, w.support, true)] = true
				}
			}
		}
	}
}

func (w *twin) iga(list []entry, phi string, ascending bool) {
	type class struct {
		members []int
		label   string
	}
	var all []class
	for _, z := range subsets(w.names) {
		var c class
		for k, e := range list {
			if within(z, e.all()) {
				c.members = append(c.members, k)
			}
		}
		if len(c.members) < 2 || slices.ContainsFunc(all, func(o class) bool { return slices.Equal(o.members, c.members) }) {
			continue
		}
		var shared []string
		for _, v := range w.names {
			if !slices.ContainsFunc(c.members, func(k int) bool { return !slices.Contains(list[k].all(), v) }) {
				shared = append(shared, v)
			}
		}
		c.label = pick(shared, w.support, false)
		all = append(all, c)
	}
	slices.SortFunc(all, func(p, q class) int {
		if n := len(q.members) - len(p.members); n != 0 {
			return n
		}
		if n := w.support(p.label) - w.support(q.label); n != 0 {
			return n
		}
		if n := strings.Compare(p.label, q.label); n != 0 {
			return n
		}
		return slices.Compare(p.members, q.members)
	})
	strike := func(k int, victim string) {
		for _, i := range w.selected(list, list[k], phi, ascending) {
			if has(w.rows[i], list[k].all()) {
				delete(w.rows[i], victim)
			}
		}
	}
	taken, done := map[int]bool{}, map[int]bool{}
	for _, c := range all {
		var own []int
		for _, k := range c.members {
			if !taken[k] {
				taken[k] = true
				own = append(own, k)
			}
		}
		if len(own) < 2 {
			continue
		}
		slices.SortStableFunc(own,
			func(p, q int) int { return number(w.first, list[q].all()) - number(w.first, list[p].all()) })
		for _, k := range own {
			done[k] = true
			strike(k, c.label)
		}
	}
	for k, e := range list {
		if !done[k] {
			strike(k, pick(e.all(), w.support, false))
		}
	}
}

func (w *twin) swa(list []entry, psi []string, window int) {
	for from := 0; from < len(w.rows); from += window {
		to := min(from+window, len(w.rows))
		freq := map[string]int{}
		holds := make([][]int, len(list))
		for k, e := range list {
			for i := from; i < to; i++ {
				if has(w.first[i], e.all()) {
					holds[k] = append(holds[k], i)
					for _, v := range e.all() {
						freq[v]++
					}
				}
			}
		}
		var order []int
		for k := range list {
			order = append(order, k)
		}
		slices.SortStableFunc(order, func(a, b int) int { return len(holds[b]) - len(holds[a]) })
		for _, k := range order {
			z := list[k].all()
			slices.SortStableFunc(holds[k], func(a, b int) int { return len(w.first[a]) - len(w.first[b]) })
			for _, i := range holds[k][:ceil(len(holds[k]), psi[k])] {
				if has(w.rows[i], z) {
					delete(w.rows[i], pick(z, func(v string) int { return freq[v] }, true))
				}
			}
		}
	}
}

// border is the maximal ones of the sets that are open, in the order of their lists.
func (w *twin) border(list []entry, least int) (out [][]string) {
	all := w.open(list, func(n int) bool { return n >= least })
	for _, z := range all {
		if !slices.ContainsFunc(all, func(o []string) bool { return len(o) > len(z) && within(z, o) }) {
			out = append(out, z)
		}
	}
	slices.SortFunc(out, slices.Compare)
	return out
}

// maxMin is Max-Min 1, or 2, which spares the set that chose the item.
func (w *twin) maxMin(list []entry, least int, spare bool) {
	border := w.border(list, least)
	order := different(list)
	slices.SortFunc(order, func(p, q []string) int {
		if n := number(w.first, p) - number(w.first, q); n != 0 {
			return n
		}
		if len(p) != len(q) {
			return len(q) - len(p)
		}
		return slices.Compare(p, q)
	})
	for _, z := range order {
		for w.n(z) >= least && w.n(z) > 0 {
			weak := func(v string) int { // the set of least support with the item, -1 where there is none
				return best(len(border), func(k int) bool { return slices.Contains(border[k], v) && w.n(border[k]) >= least },
					func(a, b int) bool { return w.n(border[a]) < w.n(border[b]) })
			}
			victim := pick(z, func(v string) int {
				if k := weak(v); k >= 0 {
					return w.n(border[k])
				}
				return 1000
			}, true)
			i := w.shortest(z)
			if k := weak(victim); spare && k >= 0 {
				if o := best(len(w.rows), func(i int) bool { return has(w.rows[i], z) && !has(w.rows[i], border[k]) },
					func(a, b int) bool { return len(w.rows[a]) < len(w.rows[b]) }); o >= 0 {
					i = o
				}
			}
			delete(w.rows[i], victim)
		}
	}
}

// bba weighs every deletion anew.
func (w *twin) bba(list []entry, least int) {
	border := w.border(list, least)
	order := different(list)
	slices.SortFunc(order, func(p, q []string) int {
		if len(p) != len(q) {
			return len(q) - len(p)
		}
		if n := number(w.first, p) - number(w.first, q); n != 0 {
			return n
		}
		return slices.Compare(p, q)
	})
	weight := func(z []string) *big.Int {
		s, now := int64(number(w.first, z)), int64(w.n(z))
		one := int64(1 << 24)
		if now > int64(least) {
			return new(big.Int).Quo(big.NewInt((s-now+1)*one), big.NewInt(s-int64(least)))
		}
		return big.NewInt((int64(len(border)) + 1 + int64(least) - now) * one)
	}
	for _, z := range order {
		for w.n(z) >= least {
			var cheapest *big.Int
			row, item := 0, ""
			for i := range w.rows {
				if !has(w.rows[i], z) {
					continue
				}
				for _, v := range z {
					cost := new(big.Int)
					for _, b := range border {
						if slices.Contains(b, v) && has(w.rows[i], b) {
							cost.Add(cost, weight(b))
						}
					}
					if cheapest == nil || cost.Cmp(cheapest) < 0 {
						cheapest, row, item = cost, i, v
					}
				}
			}
			delete(w.rows[row], item)
		}
	}
}
