package transition

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/dither-data/dither/internal/portable/exact"
	"github.com/dither-data/dither/table"
)

// Group is a group of binary attributes of multivariate randomised response: with probability Theta a record sends all
// their values as they are, otherwise the other value of all of them (Du & Zhan 2003).
type Group struct {
	Columns []int   `json:"columns"` // positions in the schema, ascending, of attributes with two categories
	Theta   float64 `json:"theta"`   // in [0, 1]
}

// Weights returns w such that the share of the original records that have some values of the group's attributes is w[0]
// times that of the released ones that have them plus w[1] times that of those that have the other value of all of
// them. It is infinite at Theta = 1/2, where the release tells nothing.
func (g *Group) Weights() [2]float64 {
	return [2]float64{g.Theta / (2*g.Theta - 1), (g.Theta - 1) / (2*g.Theta - 1)}
}

// Groups returns the groups that texts name, each as "a+b+c" or "a+b+c=0.8", which gives it a theta of its own; without
// texts it is one group of all columns of two categories but identifiers, weights and those excepted.
func Groups(t *table.Table, texts []string, theta float64, except []string) ([]Group, error) {
	for _, name := range except {
		if t.Find(name) < 0 {
			return nil, fmt.Errorf("parameter %q: there is no column %q", "except", name)
		}
	}
	if len(texts) == 0 {
		all := Group{Theta: theta}
		for j := range t.Width() {
			if binary(t.Attr(j)) && !slices.Contains(except, t.Attr(j).Name) {
				all.Columns = append(all.Columns, j)
			}
		}
		if all.Columns == nil {
			return nil, nil
		}
		return []Group{all}, nil
	}
	var out []Group
	taken := map[int]bool{}
	for _, text := range texts {
		g, err := group(t, text, theta)
		if err != nil {
			return nil, fmt.Errorf("parameter %q: %w", "groups", err)
		}
		for _, j := range g.Columns {
			if name := t.Attr(j).Name; taken[j] || slices.Contains(except, name) {
				return nil, fmt.Errorf("parameter %q: column %q is named twice, or excepted", "groups", name)
			}
			taken[j] = true
		}
		out = append(out, g)
	}
	return out, nil
}

// binary reports whether an attribute may belong to a group.
func binary(a *table.Attribute) bool {
	return a.Kind == table.Categorical && len(a.Labels) == 2 && a.Role&(table.Identifier|table.Weight) == 0
}

// group reads one group.
func group(t *table.Table, text string, theta float64) (Group, error) {
	g := Group{Theta: theta}
	_, plain := Crossed(t, text) // names of columns may have a "="
	if cut := strings.LastIndex(text, "="); cut >= 0 && plain != nil {
		v, err := strconv.ParseFloat(strings.TrimSpace(text[cut+1:]), 64)
		if err != nil || !(v >= 0 && v <= 1) {
			return g, fmt.Errorf("%q is not a probability", text[cut+1:])
		}
		text, g.Theta = text[:cut], v
	}
	var err error
	g.Columns, err = Crossed(t, text)
	if err != nil {
		return g, err
	}
	for _, j := range g.Columns {
		if a := t.Attr(j); !binary(a) {
			return g, fmt.Errorf("column %q is %s with %d categories; expected an attribute with two", a.Name, a.Kind,
				len(a.Labels))
		}
	}
	return g, nil
}

// Crossed returns the positions, ascending, of the columns that a text such as "a+b" names.
func Crossed(t *table.Table, text string) ([]int, error) {
	names := []string{strings.TrimSpace(text)}
	if t.Find(names[0]) < 0 {
		names = strings.Split(text, "+")
	}
	var out []int
	for _, name := range names {
		j := t.Find(strings.TrimSpace(name))
		if j < 0 {
			return nil, fmt.Errorf("there is no column %q", strings.TrimSpace(name))
		}
		if slices.Contains(out, j) {
			return nil, fmt.Errorf("column %q is named twice", strings.TrimSpace(name))
		}
		out = append(out, j)
	}
	slices.Sort(out)
	return out, nil
}

// CheckGroups refuses groups whose columns are not ascending positions in the schema, occur twice or have not two
// categories, and a theta out of range.
func CheckGroups(schema []table.Attribute, groups []Group) error {
	taken := map[int]bool{}
	for _, g := range groups {
		if !(g.Theta >= 0 && g.Theta <= 1) {
			return fmt.Errorf("theta is %v; expected 0 to 1", g.Theta)
		}
		if len(g.Columns) == 0 || !slices.IsSorted(g.Columns) {
			return fmt.Errorf("a group has no columns, or they are not in the schema's order")
		}
		for _, j := range g.Columns {
			if j < 0 || j >= len(schema) || taken[j] || !binary(&schema[j]) {
				return fmt.Errorf("column %d of a group is not in the schema, is in two groups or has not two categories", j)
			}
			taken[j] = true
		}
	}
	return nil
}

// Value is a condition on a record: column Column has the code Code.
type Value struct {
	Column int
	Code   int32
}

// Share is an estimated share of records.
type Share struct {
	Share   float64 // unbiased, so it may lie outside [0, 1]
	Error   float64 // standard error
	Records int     // that count: those in which no column of the conditions is missing
}

// Conjunction estimates, from a release, the share of the original records that have all the values: P(E) = sum over
// the ways s to complement groups of w(s) P*(E_s) (Du & Zhan 2003). Columns in no group count as they are. Cost: O(rows
// * values).
func Conjunction(t *table.Table, groups []Group, values []Value) Share {
	of := make(map[int]int)
	for g := range groups {
		for _, j := range groups[g].Columns {
			of[j] = g
		}
	}
	var sum, squares exact.Sum
	n := 0
	for i := range t.Rows() {
		if w, known := weigh(t, i, groups, of, values); known {
			sum.Add(w)
			squares.Add(float64(w * w))
			n++
		}
	}
	if n == 0 {
		return Share{}
	}
	mean := sum.Mean(n)
	return Share{mean, math.Sqrt(max(0, squares.Mean(n)-float64(mean*mean)) / float64(n)), n}
}

// weigh returns what a released record counts for the values.
func weigh(t *table.Table, row int, groups []Group, of map[int]int, values []Value) (w float64, known bool) {
	const untouched, same, other = 0, 1, 2
	w = 1
	state := make([]int, len(groups))
	for _, v := range values {
		code := t.Cat(v.Column)[row]
		if code < 0 {
			return 0, false
		}
		g, grouped := of[v.Column]
		now := same
		if code != v.Code {
			now = other
		}
		switch {
		case !grouped && now == other, grouped && state[g] != untouched && state[g] != now:
			w = 0
		case grouped && state[g] == untouched:
			state[g] = now
			w = float64(w * groups[g].Weights()[now-same])
		}
	}
	return w, true
}
