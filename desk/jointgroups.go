package desk

import (
	"math/big"
	"slices"
)

// Totals of two runs over the same records differ by those of the parties that are in one of them only. A trusted third
// party of the k-privacy model (Gilburd, Schuster & Wolff 2004) tells no statistic of fewer than k parties, whatever it
// told before.

// remainder returns the parties, fewer than k, whose total follows from a new total and the earlier ones: some combination
// of the groups, the new one among them, is made of these parties alone. nil where there are none. Groups are sets of
// names.
//
// Cost: that of an elimination for each choice of fewer than k parties, of which those that were always together count
// as one.
func remainder(earlier [][]string, group []string, k int) []string {
	classes := map[string][]string{} // of parties that are in the same groups
	row := map[string][]*big.Rat{}   // by class: in which groups, the new one last
	for _, name := range slices.Concat(append(slices.Clone(earlier), group)...) {
		key, in := "", []*big.Rat(nil)
		for _, g := range append(slices.Clone(earlier), group) {
			bit := int64(0)
			if slices.Contains(g, name) {
				bit = 1
			}
			key, in = key+string(rune('0'+bit)), append(in, big.NewRat(bit, 1))
		}
		if !slices.Contains(classes[key], name) {
			classes[key], row[key] = append(classes[key], name), in
		}
	}
	var keys []string
	for key := range classes {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	follows := func(left []string) bool {
		var rows [][]*big.Rat
		for _, key := range left {
			rows = append(rows, row[key])
		}
		return combines(rows)
	}
	if follows(keys) {
		return nil // the total itself is known
	}
	var found []string
	var choose func(from int, out []string, left []string)
	choose = func(from int, out, left []string) {
		if len(out) > 0 && follows(left) && (found == nil || len(out) < len(found)) {
			found = slices.Clone(out)
		}
		for i := from; i < len(left); i++ {
			if with := slices.Concat(out, classes[left[i]]); len(with) < k {
				choose(i, with, slices.Delete(slices.Clone(left), i, i+1))
			}
		}
	}
	choose(0, nil, keys)
	slices.Sort(found)
	return found
}

// combines reports whether the last column is a combination of the others.
func combines(rows [][]*big.Rat) bool {
	m := make([][]*big.Rat, len(rows))
	for i, r := range rows {
		for _, v := range r {
			m[i] = append(m[i], new(big.Rat).Set(v))
		}
	}
	if len(m) == 0 {
		return true
	}
	last, done := len(m[0])-1, 0
	for c := range last {
		at := slices.IndexFunc(m[done:], func(r []*big.Rat) bool { return r[c].Sign() != 0 })
		if at < 0 {
			continue
		}
		m[done], m[done+at] = m[done+at], m[done]
		for i := done + 1; i < len(m); i++ {
			f := new(big.Rat).Quo(m[i][c], m[done][c])
			for j := c; j <= last; j++ {
				m[i][j].Sub(m[i][j], new(big.Rat).Mul(f, m[done][j]))
			}
		}
		done++
	}
	return !slices.ContainsFunc(m[done:], func(r []*big.Rat) bool { return r[last].Sign() != 0 })
}
