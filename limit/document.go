package limit

import (
	"cmp"
	"slices"
)

// DocumentSchema names the document of limits.
const DocumentSchema = "dither/limits/1"

// Document is what a release has to keep as others can write it down, too: what is judged by, without the words for it.
// A record of a run holds its digest, so a change of it is another schema (docs/record.md).
type Document struct {
	Schema string  `json:"schema"`
	Limits []Bound `json:"limits"` // by measure
}

// Bound is one limit.
type Bound struct {
	Measure  string   `json:"measure"`
	Min      *float64 `json:"min"`      // null for none
	Max      *float64 `json:"max"`      // null for none
	Columns  []string `json:"columns"`  // that the custodian accepts, ascending and each once
	Accepted bool     `json:"accepted"` // the custodian overrode it by name
	SetMin   *float64 `json:"setMin"`   // before that; null for none
	SetMax   *float64 `json:"setMax"`   // before that; null for none
	Declared bool     `json:"declared"` // it holds against every intruder
	IfAny    bool     `json:"ifAny"`    // there may be nothing to judge, and only a figure that surely breaks it counts
}

// Document returns the document of the limits.
func (s *Set) Document() Document {
	d := Document{DocumentSchema, make([]Bound, 0, len(s.Limits))}
	for _, l := range s.Limits {
		columns := append([]string{}, l.Columns...)
		slices.Sort(columns)
		d.Limits = append(d.Limits,
			Bound{l.Measure, l.Min, l.Max, slices.Compact(columns), l.Accepted, l.SetMin, l.SetMax, l.Declared, l.IfAny})
	}
	slices.SortStableFunc(d.Limits, func(a, b Bound) int { return cmp.Compare(a.Measure, b.Measure) })
	return d
}
