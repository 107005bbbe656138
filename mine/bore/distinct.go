package bore

import "github.com/dither-data/dither/table"

// Distinct returns those of some rows, in their order, whose records are the first in the source of all that are equal
// in every column. Cost: O(rows * columns).
func Distinct(t *table.Table, rows []int) []int {
	first := make(map[string]table.RecordID, len(rows))
	keys := make([]string, len(rows))
	cols := t.Columns()
	var key []byte
	for k, i := range rows {
		key = key[:0]
		for j := range cols {
			key = cols[j].AppendKey(key, i)
		}
		keys[k] = string(key)
		if id, ok := first[keys[k]]; !ok || t.ID(i) < id {
			first[keys[k]] = t.ID(i)
		}
	}
	out := make([]int, 0, len(first))
	for k, i := range rows {
		if first[keys[k]] == t.ID(i) {
			out = append(out, i)
		}
	}
	return out
}
