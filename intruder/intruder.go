// Package intruder declares whom a release is to withstand: what an intruder knows of a person, what is secret, and what is known of the file
// and of the technique. A risk without its intruder is not a figure, so every measure of risk that depends on one names it.
//
// Islam 2007, chapter 8, assumes the strongest: one who knows every attribute but the class exactly, knows that the person is in
// the file, and knows the technique with the distribution of its noise. That is one of the two defaults.
package intruder

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/dither-data/dither/table"
)

// Intruder is one intruder as a policy declares it. Columns are named; the words of Words stand for several.
type Intruder struct {
	// Name of the intruder, for the report.
	Name string `json:"name" jsonschema:"minLength=1"`
	// Knows lists the columns whose value for the target is known; "quasi-identifiers" and "all" stand for several.
	Knows []string `json:"knows,omitempty"`
	// Within says how far off what is known of a number may be.
	Within map[string]float64 `json:"within,omitempty"`
	// Bands says at which numbers the bands of a column begin of which only the target's is known.
	Bands map[string][]float64 `json:"bands,omitempty"`
	// Groups lists the groups of categories of which only the target's is known; a category in none is known exactly.
	Groups map[string][][]string `json:"groups,omitempty"`
	// Secret lists the columns the intruder wants to learn; without it, the confidential ones and the class.
	Secret []string `json:"secret,omitempty"`
	// Outsider is true for an intruder who does not know whether the target is in the file.
	Outsider bool `json:"outsider,omitempty"`
	// Unaware is true for an intruder who does not know the technique.
	Unaware bool `json:"unaware,omitempty"`
}

// The words of Knows that stand for several columns.
const (
	QuasiIdentifiers = "quasi-identifiers" // those with the role, but not the secret ones
	All              = "all"               // every column but the secret ones, identifiers and weights
)

// Defaults returns the intruders of a table for which none is declared: one who knows the quasi-identifiers, where there are some, and one
// who knows everything but the class (without a class: but the confidential columns; without these: everything).
func Defaults(attrs []table.Attribute) []Intruder {
	var out []Intruder
	if slices.ContainsFunc(attrs, func(a table.Attribute) bool { return a.Role&table.Quasi != 0 && a.Role&table.Class == 0 }) {
		out = append(out, Intruder{Name: "knows the quasi-identifiers", Knows: []string{QuasiIdentifiers}})
	}
	for _, a := range attrs {
		if a.Role&table.Class != 0 {
			return append(out, Intruder{Name: "knows everything but the class", Knows: []string{All}, Secret: []string{a.Name}})
		}
	}
	return append(out, Intruder{Name: "knows everything else", Knows: []string{All}})
}

// View is an intruder as seen against the columns of one table.
type View struct {
	Name      string
	Known     []Known // by column, ascending
	Secret    []int   // columns, ascending
	InFile    bool    // knows that the target is in the file
	Technique bool    // knows the technique and the law of its noise
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

// Columns returns the known columns, ascending.
func (v *View) Columns() []int {
	out := make([]int, len(v.Known))
	for i := range out {
		out[i] = v.Known[i].Column
	}
	return out
}

// On returns the intruder's view of a table with these attributes. A column that the table lacks, that is an identifier, or both known and
// secret, and an error, bands or groups that do not fit their column are errors. Columns of the words in Knows that a
// release does not have are not known.
func (i *Intruder) On(attrs []table.Attribute) (*View, error) {
	v := &View{Name: i.Name, InFile: !i.Outsider, Technique: !i.Unaware}
	find := func(name string) (int, error) {
		for j, a := range attrs {
			if a.Name == name {
				if a.Role&table.Identifier != 0 {
					return 0, fmt.Errorf("intruder %q: column %q is an identifier, which no release holds", i.Name, name)
				}
				return j, nil
			}
		}
		return 0, fmt.Errorf("intruder %q: there is no column %q", i.Name, name)
	}
	secret := map[int]bool{}
	for _, name := range i.Secret {
		j, err := find(name)
		if err != nil {
			return nil, err
		}
		secret[j] = true
	}
	if i.Secret == nil {
		for j, a := range attrs {
			if a.Role&(table.Confidential|table.Class) != 0 && !slices.Contains(i.Knows, a.Name) && a.Role&table.Identifier == 0 {
				secret[j] = true
			}
		}
	}
	known := map[int]bool{}
	for _, name := range i.Knows {
		if name == All || name == QuasiIdentifiers {
			for j, a := range attrs {
				if !secret[j] && a.Role&(table.Identifier|table.Weight) == 0 && (name == All || a.Role&table.Quasi != 0) {
					known[j] = true
				}
			}
			continue
		}
		j, err := find(name)
		if err != nil {
			return nil, err
		}
		if secret[j] {
			return nil, fmt.Errorf("intruder %q: column %q is both known and secret", i.Name, name)
		}
		known[j] = true
	}
	for j := range attrs {
		if secret[j] {
			v.Secret = append(v.Secret, j)
		}
		if known[j] {
			k, err := i.knowledge(j, &attrs[j])
			if err != nil {
				return nil, fmt.Errorf("intruder %q: column %q: %w", i.Name, attrs[j].Name, err)
			}
			v.Known = append(v.Known, k)
		}
	}
	return v, i.stray(attrs, known)
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
	if grouped {
		k.Groups = make([]int32, len(a.Labels))
		for c := range k.Groups {
			k.Groups[c] = int32(-1 - c)
		}
		for g, labels := range groups {
			for _, l := range labels {
				c := a.Code(l)
				if c < 0 {
					continue // a category that does not occur
				}
				if k.Groups[c] >= 0 {
					return k, errors.New("a category is in two groups")
				}
				k.Groups[c] = int32(g)
			}
		}
	}
	return k, nil
}

// stray refuses errors, bands and groups for columns that are not known.
func (i *Intruder) stray(attrs []table.Attribute, known map[int]bool) error {
	at := map[string]bool{}
	for j, a := range attrs {
		at[a.Name] = known[j]
	}
	var names []string
	for n := range i.Within {
		names = append(names, n)
	}
	for n := range i.Bands {
		names = append(names, n)
	}
	for n := range i.Groups {
		names = append(names, n)
	}
	slices.Sort(names)
	for _, n := range names {
		if !at[n] {
			return fmt.Errorf("intruder %q: what is known of column %q is described, but it is not among the known columns", i.Name, n)
		}
	}
	return nil
}
