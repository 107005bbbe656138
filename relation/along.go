package relation

import (
	"slices"

	"github.com/dither-data/dither/table"
)

// Along returns the cells of a release that are to be blanked so that those given, rows by column, cannot be worked out
// from what stands beside them: where all other columns of a relation are there, the one that is computed goes, too, or
// another one where it is the computed one that was blanked. Rows are ascending. Cost: O(cells x steps).
func (r *Restatement) Along(t *table.Table, blanked map[int][]int) map[int][]int {
	if r == nil || len(blanked) == 0 {
		return blanked
	}
	gone := map[int]map[int]bool{} // columns by row
	for j, rows := range blanked {
		for _, i := range rows {
			if gone[i] == nil {
				gone[i] = map[int]bool{}
			}
			gone[i][j] = true
		}
	}
	out := map[int][]int{}
	for i, columns := range gone {
		for more := true; more; {
			more = false
			for k := range r.Steps {
				if j := r.Steps[k].givenAway(t, i, columns); j >= 0 {
					columns[j], more = true, true
				}
			}
		}
		for j := range columns {
			out[j] = append(out[j], i)
		}
	}
	for _, rows := range out {
		slices.Sort(rows)
	}
	return out
}

// givenAway returns a column to blank in a record so that a step does not tell the one that is blanked; -1 where it
// does not as it is.
func (s *Step) givenAway(t *table.Table, i int, blanked map[int]bool) int {
	if s.Kind == Order || s.Kind == OnlyTogether {
		return -1
	}
	lost, kept := -1, -1
	for _, name := range s.Columns {
		j := t.Find(name)
		switch {
		case j < 0, lost >= 0 && blanked[j], !blanked[j] && t.MissingAt(i, j):
			return -1 // it tells nothing
		case blanked[j]:
			lost = j
		case kept < 0 || name == s.Target:
			kept = j
		}
	}
	if lost < 0 {
		return -1
	}
	return kept
}
