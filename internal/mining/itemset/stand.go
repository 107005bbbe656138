package itemset

import "slices"

// vertical are the transactions by item, and the test of K closed and maximal sets that needs no memory of those found
// before.
type vertical struct {
	t  *Transactions
	in [][]int32 // by item: its transactions, ascending

	common []int32 // the few commonest items
}

func transpose(t *Transactions) *vertical {
	counts := t.counts()
	v := &vertical{t: t, in: make([][]int32, t.Labels)}
	all := make([]int32, 0, t.Start[t.Len()]-t.Start[0])
	for c := range v.in {
		v.in[c] = all[len(all) : len(all) : len(all)+counts[c]]
		all = all[:len(all)+counts[c]]
	}
	for i := range t.Len() {
		for _, c := range t.Row(i) {
			v.in[c] = append(v.in[c], int32(i))
		}
	}
	items := v.frequent(1)
	v.common = items[max(0, len(items)-fewCommon):]
	return v
}

// fewCommon is how many of the commonest items are tried alone before all are counted: most sets that are not maximal
// have one of them besides.
const fewCommon = 8

// frequent returns the items that are, the rarest first.
func (v *vertical) frequent(least int) (items []int32) {
	for c, in := range v.in {
		if len(in) >= least {
			items = append(items, int32(c))
		}
	}
	slices.SortStableFunc(items, func(a, b int32) int { return len(v.in[a]) - len(v.in[b]) })
	return items
}

// far is how many times as long one list is when its values are looked up and not read through.
const far = 16

// meet appends to dst what two ascending lists have in common.
func meet(dst, a, b []int32) []int32 {
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(b) > far*len(a) {
		for _, x := range a {
			if b = b[ahead(b, x):]; len(b) > 0 && b[0] == x {
				dst = append(dst, x)
			}
		}
		return dst
	}
	for len(a) > 0 && len(b) > 0 {
		switch x, y := a[0], b[0]; {
		case x == y:
			dst = append(dst, x)
			a, b = a[1:], b[1:]
		case x < y:
			a = a[1:]
		default:
			b = b[1:]
		}
	}
	return dst
}

// ahead returns how many values of an ascending list are below x, in steps that double.
func ahead(list []int32, x int32) int {
	lo, step := 0, 1
	for lo+step <= len(list) && list[lo+step-1] < x {
		lo += step
		step *= 2
	}
	for hi := min(len(list), lo+step); lo < hi; {
		if mid := (lo + hi) / 2; list[mid] < x {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}

// wanted reports whether a frequent set, which the transactions tids have, is of the kind.
func (s *search) wanted(v *vertical, set, tids []int32) bool {
	switch s.kind {
	case All:
	case Closed:
		return v.closed(set, tids)
	case Maximal:
		return s.maximal(v, set, tids)
	}
	return true
}

// closed reports whether no item outside a set is in all of its transactions. Only those of the first one can be.
func (v *vertical) closed(set, tids []int32) bool {
	return !slices.ContainsFunc(v.t.Row(int(tids[0])),
		func(c int32) bool { return !slices.Contains(set, c) && within(tids, v.in[c]) })
}

// within reports whether an ascending list has all of another.
func within(some, list []int32) bool {
	if len(some) > len(list) {
		return false
	}
	for _, x := range some {
		list = list[ahead(list, x):]
		if len(list) == 0 || list[0] != x {
			return false
		}
		list = list[1:]
	}
	return true
}

// maximal reports whether no item outside a set is in enough of its transactions. The commonest are tried, and then all
// counted, until one is.
func (s *search) maximal(v *vertical, set, tids []int32) bool {
	for _, c := range slices.Backward(v.common) {
		if slices.Contains(set, c) {
			continue
		}
		if s.touched = meet(s.touched[:0], tids, v.in[c]); len(s.touched) >= s.min {
			return false
		}
	}
	if len(s.counts) < v.t.Labels {
		s.counts = make([]int32, v.t.Labels)
	}
	for _, c := range set {
		s.counts[c] = -int32(len(tids)) // so that it never is
	}
	last := slices.IndexFunc(tids, func(t int32) bool {
		return slices.ContainsFunc(v.t.Row(int(t)), func(c int32) bool {
			s.counts[c]++
			return int(s.counts[c]) >= s.min
		})
	})
	seen := tids
	if last >= 0 {
		seen = tids[:last+1]
	}
	for _, t := range seen {
		for _, c := range v.t.Row(int(t)) {
			s.counts[c] = 0
		}
	}
	return last < 0
}
