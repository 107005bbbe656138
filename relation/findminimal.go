package relation

import "slices"

// minimal leaves out the relations that determine a column where it follows from the same columns by others.
func (f *finder) minimal(all []Found) []Found {
	out := slices.Clone(all)
	for k := len(out) - 1; k >= 0; k-- {
		r := &out[k]
		if r.Kind != Determines || r.Both {
			continue
		}
		last := len(r.Columns) - 1
		others := slices.Delete(slices.Clone(out), k, k+1)
		simple := others
		if last == 1 { // what one column determines is not left to two
			simple = slices.DeleteFunc(slices.Clone(others), func(o Found) bool {
				return o.Kind == Determines && len(o.Columns) > 2
			})
		}
		if solves(others, r.Columns) || closure(f.implied(simple), r.Columns[:last]...)[r.Columns[last]] {
			out = others
		}
	}
	return out
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
