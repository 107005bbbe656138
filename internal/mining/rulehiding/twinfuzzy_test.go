package rulehiding

import "slices"

// prefer is the items that matter little, or all.
func prefer(items, free []string) (out []string) {
	for _, v := range items {
		if slices.Contains(free, v) {
			out = append(out, v)
		}
	}
	if len(out) == 0 {
		return items
	}
	return out
}

// fuzzify is 1.b or 2.a with unknowns.
func (w *twin) fuzzify(list []entry, b bound, how Strategy, free []string) {
	frequent := w.open(list, func(n int) bool { return !below(n, len(w.rows), b.mst, "0") })
	for _, e := range list {
		for !w.gone(e, b) && w.n(e.all()) > 0 {
			i := w.shortest(e.all())
			from := prefer(e.right, free)
			if how == LowerRule {
				from = prefer(e.all(), free)
			}
			impact := func(v string) (n int) {
				for _, z := range frequent {
					if slices.Contains(z, v) && has(w.rows[i], z) {
						n++
					}
				}
				return n
			}
			victim := best(len(from), func(int) bool { return true }, func(p, q int) bool {
				x, y := impact(from[p]), impact(from[q])
				return x < y || x == y && w.n(from[p:p+1]) > w.n(from[q:q+1])
			})
			w.blur(i, from[victim])
		}
	}
}

// fuzzifyLargest is 2.b with unknowns.
func (w *twin) fuzzifyLargest(list []entry, b bound, free []string) {
	for _, z := range w.inOrder(list) {
		for !w.rare(z, b) && w.n(z) > 0 {
			i := w.shortest(z)
			w.blur(i, w.commonest(prefer(z, free)))
		}
	}
}

// mixed is CR and CR2 in turn.
func (w *twin) mixed(list []entry, b bound, ones, zeros int) {
	for _, e := range list {
		used := map[int]bool{} // for an item of the beginning
		// The order of the transactions that lack a part is that before anything is done.
		var lack []int
		for most := len(e.left) - 1; most >= 0; most-- {
			for i := range w.rows {
				if w.shares(i, e.left) == most && w.shares(i, e.right) < len(e.right) {
					lack = append(lack, i)
				}
			}
		}
		var owed []string
		for !w.gone(e, b) && (w.n(e.all()) > 0 || len(used) < len(lack)) {
			for range ones {
				if i := w.shortest(e.all()); i >= 0 {
					v := w.commonest(e.right)
					w.blur(i, v)
					owed = append(owed, v)
				}
			}
			for range zeros {
				if len(used) == len(lack) {
					break
				}
				i := lack[len(used)]
				used[i] = true
				all := slices.Clone(e.left)
				if len(owed) > 0 {
					all, owed = append(all, owed[0]), owed[1:]
				}
				for _, v := range all {
					if !w.can(i, v) {
						w.maybe[i][v] = true
					}
				}
			}
		}
	}
}

// atallah walks and counts anew for every deletion.
func (w *twin) atallah(list []entry, b bound) {
	z2 := slices.DeleteFunc(w.open(list, func(n int) bool { return n > 0 && !below(n, len(w.rows), b.mst, "0") }),
		func(z []string) bool { return len(z) != 2 })
	for _, z := range different(list) {
		for !w.rare(z, b) && w.n(z) > 0 {
			part := z
			for len(part) > 1 {
				var parts [][]string
				for k := range part {
					parts = append(parts, slices.Delete(slices.Clone(part), k, k+1))
				}
				part = parts[best(len(parts), func(int) bool { return true }, func(p, q int) bool {
					x, y := w.n(parts[p]), w.n(parts[q])
					return x > y || x == y && slices.Compare(parts[p], parts[q]) < 0
				})]
			}
			hurt := func(i int) (n int) {
				for _, pair := range z2 {
					if slices.Contains(pair, part[0]) && has(w.rows[i], pair) {
						n++
					}
				}
				return n
			}
			i := best(len(w.rows), func(i int) bool { return has(w.rows[i], z) },
				func(p, q int) bool { return hurt(p) < hurt(q) })
			delete(w.rows[i], part[0])
		}
	}
}
