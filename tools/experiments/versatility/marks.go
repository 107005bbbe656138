package main

import "math"

// mark says what became of a kind of pattern.
type mark int

// The marks from best to worst, none where the table has no such pattern or the technique takes no such table.
const (
	none mark = iota
	kept
	partly
	lost
)

func (m mark) String() string { return [...]string{"–", "✓", "~", "✗"}[m] }

// scale is what a loss of a kind of pattern is held against, on one table.
type scale struct {
	mean, most float64 // between two halves of the original's records: on average, and the largest
	destroyed  float64 // between the original and a table that has no such pattern left
}

// of turns a loss into a mark: kept where the release is as near to the original as one half of its records is to the
// other half, partly where it is nearer to that than to a table that has lost the pattern, lost otherwise. A figure
// that does not exist (NaN) gives none, and so does a table of which halves differ as much as one that has lost the
// pattern: it has too few records to tell.
func (s scale) of(loss float64) mark {
	switch {
	case math.IsNaN(loss) || !(s.most < s.destroyed):
		return none
	case loss <= s.most:
		return kept
	case loss < (s.mean+s.destroyed)/2:
		return partly
	}
	return lost
}

// worst is the mark of a technique over tables.
func worst(marks ...mark) mark {
	w := none
	for _, m := range marks {
		w = max(w, m)
	}
	return w
}
