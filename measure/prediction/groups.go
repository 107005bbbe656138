package prediction

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/profile"
	"github.com/dither-data/dither/table"
)

const (
	mostColumns = 3  // that are guessed
	fewLabels   = 12 // categories of a quasi-identifier that is guessed, and values of a number that is a code
	mostLabels  = 60 // categories of a column of groups; one with more is no grouping
)

// grouping divides the records of both tables. A group is a position in names; -1 is none.
type grouping struct {
	column int
	names  []string // empty for others
	people []int    // of the original
	others int      // how many categories others are; 0 where there are none
	of     [2][]int32
}

// groupings returns those of the named or guessed columns that are two groups and more.
func (m *GroupWorthMeter) groupings(r *measure.Release) (out []*grouping, err error) {
	columns := guessed(r.Original)
	if len(m.Columns) > 0 {
		columns = nil
		for _, name := range m.Columns {
			j := r.Original.Find(name)
			if j < 0 {
				return nil, fmt.Errorf("parameter groups: there is no column %q", name)
			}
			columns = append(columns, j)
		}
	}
	for _, j := range columns {
		g := divide(r.Original, r.Released, j)
		if g != nil {
			g = m.merge(r, g)
		}
		if g != nil {
			out = append(out, g)
		} else if len(m.Columns) > 0 {
			return nil, fmt.Errorf("parameter groups: column %q does not divide people into 2 to %d groups of at least %d",
				r.Original.Attr(j).Name, mostLabels, m.Least)
		}
	}
	return out, nil
}

// guessed returns the columns of sex and origin or, without any, the first quasi-identifiers of few categories.
func guessed(t *table.Table) (out []int) {
	for _, fits := range []func(a *table.Attribute) bool{
		profile.Protected,
		func(a *table.Attribute) bool {
			return a.Role&table.Quasi != 0 && a.Kind == table.Categorical && len(a.Labels) <= fewLabels
		},
	} {
		for j := range t.Width() {
			a := t.Attr(j)
			if a.Role&(table.Identifier|table.Weight|table.Class) == 0 && a.Kind.Scalar() && fits(a) &&
				len(out) < mostColumns {
				out = append(out, j)
			}
		}
		if out != nil {
			return out
		}
	}
	return nil
}

// divide returns the categories of a column, or the values of one of few numbers; nil where they are no groups.
func divide(original, released *table.Table, j int) *grouping {
	g, a := &grouping{column: j}, original.Attr(j)
	switch a.Kind {
	case table.Categorical:
		if len(a.Labels) > mostLabels {
			return nil
		}
		g.names, g.of = slices.Clone(a.Labels), [2][]int32{slices.Clone(original.Cat(j)), slices.Clone(released.Cat(j))}
	case table.Numeric:
		at := map[float64]int32{}
		for k, t := range []*table.Table{original, released} {
			g.of[k] = make([]int32, t.Rows())
			for i, v := range t.Num(j) {
				n, known := at[v]
				if !known && v == v && k == 0 {
					if n = int32(len(at)); n == fewLabels {
						return nil
					}
					at[v], known = n, true
					g.names = append(g.names, string(a.AppendValue(nil, v)))
				}
				if g.of[k][i] = n; !known {
					g.of[k][i] = -1
				}
			}
		}
	case table.SetValued:
		return nil
	}
	return g
}

// merge puts the groups of fewer people than least together as others, and sorts them, the largest first and others
// last; nil where two groups are not left.
func (m *GroupWorthMeter) merge(r *measure.Release, g *grouping) *grouping {
	people := count(r, g)
	order, small, rest := []int{}, 0, 0
	for k, n := range people {
		switch {
		case n >= m.Least:
			order = append(order, k)
		case n > 0:
			small, rest = small+1, rest+n
		}
	}
	slices.SortStableFunc(order, func(x, y int) int { return cmp.Compare(people[y], people[x]) })
	out := &grouping{column: g.column}
	to := make([]int32, len(people))
	for k := range to {
		to[k] = -1
	}
	for at, k := range order {
		to[k] = int32(at)
		out.names, out.people = append(out.names, g.names[k]), append(out.people, people[k])
	}
	if small > 1 && rest >= m.Least {
		for k, n := range people {
			if n > 0 && n < m.Least {
				to[k] = int32(len(order))
			}
		}
		out.names, out.people, out.others = append(out.names, ""), append(out.people, rest), small
	}
	if len(out.names) < 2 {
		return nil
	}
	for k, of := range g.of {
		out.of[k] = make([]int32, len(of))
		for i, c := range of {
			if out.of[k][i] = -1; c >= 0 && int(c) < len(to) {
				out.of[k][i] = to[c]
			}
		}
	}
	return out
}

// count returns how many people of the original are in each group. One with records in several is in all of them.
func count(r *measure.Release, g *grouping) []int {
	out := make([]int, len(g.names))
	of, _ := r.People()
	type one struct{ group, person int32 }
	seen := map[one]bool{}
	for i, c := range g.of[0] {
		if c < 0 {
			continue
		}
		if of != nil {
			if who := (one{c, of[i]}); seen[who] {
				continue
			} else {
				seen[who] = true
			}
		}
		out[c]++
	}
	return out
}
