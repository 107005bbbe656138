// Package intruder declares the intruders that a release must withstand: what an intruder knows about a person, what is
// secret, and what is known about the file and the technique. Every measure of risk that depends on an intruder names
// it.
//
// Islam 2007, chapter 8, assumes the strongest: one who knows every attribute but the class exactly, knows that the
// person is in the file, and knows the technique with the distribution of its noise. That is one of the two defaults.
package intruder

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/dither-data/dither/table"
)

// Intruder is one intruder as a policy declares it. Columns are named; "role:confidential" stands for all columns with
// a role, and "all" for all that are not secret.
type Intruder struct {
	// Name of the intruder, for the report.
	Name string `json:"name" jsonschema:"minLength=1"`
	// Described is true where the name was made of what the intruder knows, so that it reads on after "an intruder who".
	// A policy cannot say it: a name that is declared stays a name, whatever its words.
	Described bool `json:"-"`
	// Knows lists the columns whose value for the target is known; "role:quasi-identifier" stands for those with the role,
	// "all" for all.
	Knows []string `json:"knows,omitempty"`
	// Within says how far off what is known of a number may be.
	Within map[string]float64 `json:"within,omitempty"`
	// Bands says at which numbers the bands of a column begin of which only the target's is known.
	Bands map[string][]float64 `json:"bands,omitempty"`
	// Groups lists the groups of categories of which only the target's is known; a category in none is known exactly.
	Groups map[string][][]string `json:"groups,omitempty"`
	// Secret lists the columns the intruder wants to learn; without it, "role:confidential" and "role:class".
	Secret []string `json:"secret,omitzero"`
	// Outsider is true for an intruder who does not know whether the target is in the file.
	Outsider bool `json:"outsider,omitempty"`
	// Unaware is true for an intruder who does not know the technique.
	Unaware bool `json:"unaware,omitempty"`
	// Gaps is true for an intruder who knows of every column which values of the target are missing; anyone who knows
	// "all" does.
	Gaps bool `json:"gaps,omitempty"`
	// Order is true for an intruder who knows the order of the original records, such as that of admission, and so the
	// place of the target's.
	Order bool `json:"order,omitempty"`
	// Person names the column that tells which records are one person's, for an intruder who can tell them, too; it may be
	// an identifier that the release lacks.
	Person string `json:"person,omitempty"`
	// Plan is true for an intruder to whom the plan leaked: the trees and segments by which the release was made.
	Plan bool `json:"plan,omitempty"`
}

// All stands in Knows for every column but the secret ones, identifiers and weights.
const All = "all"

// role is the prefix of a word that stands for all columns with a role; secret columns are never known by it.
const role = "role:"

// Defaults returns the intruders of a table for which none is declared: one who knows the quasi-identifiers,
// where there are some, and one who knows everything but the class (without a class, or with one that is a
// quasi-identifier as well: but the confidential columns; without these: everything). The last knows the most.
func Defaults(attrs []table.Attribute) []Intruder {
	has := func(r table.Role) bool {
		return slices.ContainsFunc(attrs,
			func(a table.Attribute) bool { return a.Role&r != 0 && a.Role&table.Identifier == 0 })
	}
	var out []Intruder
	if has(table.Quasi) {
		out = append(out,
			Intruder{Described: true, Name: "knows the quasi-identifiers", Knows: []string{role + table.Quasi.String()}})
	}
	switch {
	case has(table.Class) && !slices.ContainsFunc(attrs, mayKnow):
		return append(out, Intruder{Described: true, Name: "knows everything but the class", Knows: []string{All},
			Secret: []string{role + table.Class.String()}})
	case has(table.Confidential):
		return append(out, Intruder{Described: true, Name: "knows everything but what is confidential", Knows: []string{All}})
	}
	return append(out, Intruder{Described: true, Name: "knows everything", Knows: []string{All}})
}

// mayKnow reports whether a column is a class that others may know, as its other role says: those who know the
// quasi-identifiers knows it.
func mayKnow(a table.Attribute) bool { return a.Role&table.Class != 0 && a.Role&table.Quasi != 0 }

// View is an intruder as seen against the columns of one table.
type View struct {
	Name      string
	Known     []Known // by column, ascending: the known numbers and categories
	Sets      []int   // known set-valued columns, ascending: which items the target has, and which are unknown
	Secret    []int   // columns, ascending
	InFile    bool    // knows that the target is in the file
	Technique bool    // knows the technique and the law of its noise
	Gaps      bool    // knows which values of the target are missing, in every column
	Order     bool    // knows the place of the target's record in the original
	// the column that tells which records are one person's, which the table may lack; empty where that is not known
	Person string
	Plan   bool // has the plan
}

// Known is what is known of the target in one column: the value itself, or a set that holds it.
type Known struct {
	Column int
	Within float64   // largest error of a number; 0 for none
	Bands  []float64 // ascending beginnings of bands of which the target's is known; nil for none
	Groups []int32   // group of every category, of which the target's is known; nil for none
}

// Exact reports whether the value itself is known.
func (k *Known) Exact() bool { return k.Within == 0 && k.Bands == nil && k.Groups == nil }

// Includes reports whether this intruder knows of the values of a person all that another one does, as exactly.
func (v *View) Includes(less *View) bool {
	for _, w := range less.Known {
		if !slices.ContainsFunc(v.Known, func(k Known) bool {
			same := k.Within == w.Within && slices.Equal(k.Bands, w.Bands) && slices.Equal(k.Groups, w.Groups)
			return k.Column == w.Column && (k.Exact() || same)
		}) {
			return false
		}
	}
	for _, j := range less.Sets {
		if !slices.Contains(v.Sets, j) {
			return false
		}
	}
	return v.Gaps || !less.Gaps
}

// Range returns the interval of numbers that what is known of the target's value v leaves open.
func (k *Known) Range(v float64) table.Interval {
	if k.Bands != nil {
		b, found := slices.BinarySearch(k.Bands, v)
		if found {
			b++
		}
		iv := table.Everything()
		if b > 0 {
			iv.Lo = k.Bands[b-1]
		}
		if b < len(k.Bands) {
			iv.Hi, iv.OpenHi = k.Bands[b], true
		}
		return iv
	}
	return table.Interval{Lo: v - k.Within, Hi: v + k.Within}
}

// Same reports whether a category is one that what is known of the target's category leaves open.
func (k *Known) Same(target, code int32) bool {
	if k.Groups == nil || target < 0 || code < 0 {
		return target == code
	}
	return k.Groups[target] == k.Groups[code]
}

// Columns returns the known columns of numbers and categories, ascending.
func (v *View) Columns() []int {
	out := make([]int, len(v.Known))
	for i := range out {
		out[i] = v.Known[i].Column
	}
	return out
}

// On returns the intruder's view of a table with these attributes. A column that the table lacks, that is an
// identifier, or both known and secret, or named as secret and set-valued, and an error, bands or groups that do not
// fit their column are errors.
func (i *Intruder) On(attrs []table.Attribute) (*View, error) {
	v := &View{Name: i.Name, InFile: !i.Outsider, Technique: !i.Unaware, Gaps: i.Gaps || slices.Contains(i.Knows, All),
		Order: i.Order, Person: i.Person, Plan: i.Plan}
	wanted := i.Secret
	if wanted == nil {
		wanted = []string{role + table.Confidential.String(), role + table.Class.String()}
	}
	secret, hidden, err := i.pick(attrs, wanted)
	if err != nil {
		return nil, err
	}
	known, named, err := i.pick(attrs, i.Knows)
	if err != nil {
		return nil, err
	}
	if i.Secret == nil {
		maps.DeleteFunc(secret, func(j int, _ bool) bool { return known[j] && mayKnow(attrs[j]) })
	}
	for j, a := range attrs {
		switch {
		case hidden[j] && !a.Kind.Scalar():
			return nil, fmt.Errorf("intruder %q: column %q is %s, and no risk measure covers such columns", i.Name, a.Name,
				a.Kind)
		case secret[j] && named[j] && i.Secret != nil:
			return nil, fmt.Errorf("intruder %q: column %q is both known and secret", i.Name, a.Name)
		case secret[j] && !named[j]:
			if a.Kind.Scalar() {
				v.Secret = append(v.Secret, j)
			}
		case known[j] && !a.Kind.Scalar():
			v.Sets = append(v.Sets, j)
		case known[j]:
			k, err := i.knowledge(j, &attrs[j])
			if err != nil {
				return nil, fmt.Errorf("intruder %q: column %q: %w", i.Name, a.Name, err)
			}
			v.Known = append(v.Known, k)
		}
	}
	return v, i.stray(attrs, v.Columns())
}

// pick returns the columns that words stand for, and those that are named one by one.
func (i *Intruder) pick(attrs []table.Attribute, words []string) (picked, named map[int]bool, err error) {
	picked, named = map[int]bool{}, map[int]bool{}
	for _, w := range words {
		if j := slices.IndexFunc(attrs, func(a table.Attribute) bool { return a.Name == w }); j >= 0 {
			if attrs[j].Role&table.Identifier != 0 {
				return nil, nil, fmt.Errorf("intruder %q: column %q is an identifier, which no release holds", i.Name, w)
			}
			picked[j], named[j] = true, true
			continue
		}
		bits := ^(table.Identifier | table.Weight)
		if name, ok := strings.CutPrefix(w, role); ok {
			if bits, err = table.ParseRole(name); err != nil {
				return nil, nil, fmt.Errorf("intruder %q: %w", i.Name, err)
			}
		} else if w != All {
			return nil, nil, fmt.Errorf("intruder %q: there is no column %q", i.Name, w)
		}
		for j, a := range attrs {
			if a.Role&table.Identifier == 0 &&
				(a.Role&bits != 0 || bits == 0 && a.Role == 0 || w == All && a.Role&table.Weight == 0) {
				picked[j] = true
			}
		}
	}
	return picked, named, nil
}

// knowledge returns what is known of one column.
func (i *Intruder) knowledge(j int, a *table.Attribute) (Known, error) {
	k := Known{Column: j}
	within, off := i.Within[a.Name]
	bands, banded := i.Bands[a.Name]
	groups, grouped := i.Groups[a.Name]
	switch {
	case off && banded:
		return k, errors.New("give an error or bands, not both")
	case (off || banded) && a.Kind != table.Numeric:
		return k, errors.New("it holds categories; an error and bands are for numbers")
	case grouped && a.Kind != table.Categorical:
		return k, errors.New("it holds numbers; groups are for categories")
	case off && !(within >= 0 && !math.IsInf(within, 0)):
		return k, errors.New("the error is negative or infinite")
	case banded && (len(bands) == 0 || !slices.IsSorted(bands) || len(slices.Compact(slices.Clone(bands))) < len(bands)):
		return k, errors.New("the beginnings of the bands are not ascending")
	}
	k.Within = within
	if banded {
		k.Bands = bands
	}
	if !grouped {
		return k, nil
	}
	var err error
	k.Groups, err = groupsOf(a, groups)
	return k, err
}

// groupsOf returns the group of each category, a negative number of its own where it is in none.
func groupsOf(a *table.Attribute, groups [][]string) ([]int32, error) {
	of := make([]int32, len(a.Labels))
	for c := range of {
		of[c] = int32(-1 - c)
	}
	for g, labels := range groups {
		for _, l := range labels {
			c := a.Code(l)
			if c < 0 {
				continue // a category that does not occur
			}
			if of[c] >= 0 {
				return nil, errors.New("a category is in two groups")
			}
			of[c] = int32(g)
		}
	}
	return of, nil
}

// Among returns the intruder of a table that lacks some columns: what is said of these is left out.
func (i *Intruder) Among(attrs []table.Attribute) *Intruder {
	gone := func(name string) bool {
		return name != All && !strings.HasPrefix(name, role) &&
			!slices.ContainsFunc(attrs, func(a table.Attribute) bool { return a.Name == name })
	}
	out := *i
	out.Knows = slices.DeleteFunc(slices.Clone(i.Knows), gone)
	if i.Secret != nil {
		out.Secret = slices.DeleteFunc(slices.Clone(i.Secret), gone)
	}
	out.Within, out.Bands, out.Groups = maps.Clone(i.Within), maps.Clone(i.Bands), maps.Clone(i.Groups)
	maps.DeleteFunc(out.Within, func(name string, _ float64) bool { return gone(name) })
	maps.DeleteFunc(out.Bands, func(name string, _ []float64) bool { return gone(name) })
	maps.DeleteFunc(out.Groups, func(name string, _ [][]string) bool { return gone(name) })
	return &out
}

// stray refuses errors, bands and groups for columns that are not known, or are known as sets.
func (i *Intruder) stray(attrs []table.Attribute, known []int) error {
	names := slices.Concat(slices.Collect(maps.Keys(i.Within)), slices.Collect(maps.Keys(i.Bands)),
		slices.Collect(maps.Keys(i.Groups)))
	slices.Sort(names)
	for _, n := range names {
		if !slices.ContainsFunc(known, func(j int) bool { return attrs[j].Name == n }) {
			return fmt.Errorf("intruder %q: what is known of column %q is described, but the column is not among the known "+
				"numbers and categories", i.Name, n)
		}
	}
	return nil
}
