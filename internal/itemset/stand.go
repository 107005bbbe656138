package itemset

import "slices"

// vertical are the transactions by item, and the test of K closed and maximal sets that needs no memory of those found before.
type vertical struct {
	t  *Transactions
	in [][]int32 // by item: its transactions, ascending
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
	return v
}

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

// wanted reports whether a frequent set is of the kind: all items are counted over its transactions, tids. A set is closed when no item outside it is in all
// of them, and maximal when none is in enough.
func (s *search) wanted(v *vertical, set, tids []int32) bool {
	if s.kind == All {
		return true
	}
	bound := s.min
	if s.kind == Closed {
		bound = len(tids)
	}
	if len(s.counts) < v.t.Labels {
		s.counts = make([]int32, v.t.Labels)
	}
	ok := true
	for _, t := range tids {
		for _, c := range v.t.Row(int(t)) {
			s.counts[c]++
			if int(s.counts[c]) >= bound && !slices.Contains(set, c) {
				ok = false
			}
		}
	}
	for _, t := range tids {
		for _, c := range v.t.Row(int(t)) {
			s.counts[c] = 0
		}
	}
	return ok
}
