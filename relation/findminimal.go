package relation

import "slices"

// minimal leaves out the relations that determine a column where it follows from the same columns by others. Of the
// columns of a formula, what it computes is left out before its parts: a net income that determines the tax determines
// the gross, too.
func (f *finder) minimal(all []Found) []Found {
	out := slices.Clone(all)
	for _, computed := range []bool{true, false} {
		for k := len(out) - 1; k >= 0; k-- {
			r := out[k]
			if r.Kind != Determines || r.Both && !computed {
				continue
			}
			others := slices.Delete(slices.Clone(out), k, k+1)
			ways := [][]string{r.Columns}
			if r.Both {
				ways = append(ways, []string{r.Columns[1], r.Columns[0]})
			}
			if slices.ContainsFunc(ways, func(columns []string) bool {
				return (!computed || isComputed(others, columns)) && f.follows(others, columns)
			}) {
				out = others
			}
		}
	}
	return out
}

// follows reports whether the last of some columns follows from the others.
func (f *finder) follows(all []Found, columns []string) bool {
	last := len(columns) - 1
	simple := all
	if last == 1 { // what one column determines is not left to two
		simple = slices.DeleteFunc(slices.Clone(all), func(o Found) bool {
			return o.Kind == Determines && len(o.Columns) > 2
		})
	}
	return solves(all, columns) || closure(f.implied(simple), columns[:last]...)[columns[last]]
}

// isComputed reports whether a formula with some columns computes the last of them.
func isComputed(all []Found, columns []string) bool {
	last := len(columns) - 1
	return slices.ContainsFunc(all, func(o Found) bool {
		return o.Kind != Determines && o.gives(0) && o.Columns[0] == columns[last] &&
			!slices.ContainsFunc(columns[:last], func(n string) bool { return !slices.Contains(o.Columns, n) })
	})
}

// solves reports whether columns are those of a formula, which is solved for one of them.
func solves(all []Found, columns []string) bool {
	return slices.ContainsFunc(all, func(r Found) bool {
		return r.gives(0) && r.Kind != Determines && !slices.ContainsFunc(columns, func(n string) bool {
			return !slices.Contains(r.Columns, n)
		})
	})
}

// implied adds what determines what by the way: an amount tells which of two values goes with amounts above 0.
func (f *finder) implied(all []Found) []Found {
	out := slices.Clone(all)
	for _, r := range all {
		if r.Kind == OnlyTogether && r.Zero && len(f.cols[f.place[r.Columns[1]]].count) == 2 {
			out = append(out, Found{Relation: Relation{Kind: Determines, Columns: r.Columns}})
		}
	}
	return out
}

// closure returns the columns that follow from some by relations (Armstrong 1974), those included.
func closure(all []Found, from ...string) map[string]bool {
	known := map[string]bool{}
	for _, name := range from {
		known[name] = true
	}
	for again := true; again; {
		again = false
		for _, r := range all {
			for target := range r.Columns {
				if known[r.Columns[target]] || !r.gives(target) {
					continue
				}
				if !slices.ContainsFunc(r.Columns, func(n string) bool { return n != r.Columns[target] && !known[n] }) {
					known[r.Columns[target]] = true
					again = true
				}
			}
		}
	}
	return known
}

// gives reports whether a column of a relation follows from its others.
func (r *Found) gives(target int) bool {
	switch r.Kind {
	case Determines:
		return target == len(r.Columns)-1 || r.Both
	case Linear:
		return true
	case Product, Ratio, Elapsed:
		return target == 0
	case Order, OnlyTogether, NeverTogether:
	}
	return false
}
