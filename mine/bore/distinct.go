package bore

import (
	"encoding/binary"
	"math"

	"github.com/dither-data/dither/table"
)

// Distinct returns those of some rows, in their order, whose records are the first in the source of all that are equal in every column. Cost:
// O(rows * columns).
func Distinct(t *table.Table, rows []int) []int {
	first := make(map[string]table.RecordID, len(rows))
	keys := make([]string, len(rows))
	var key []byte
	for k, i := range rows {
		key = key[:0]
		for j := range t.Width() {
			switch values := t.Num(j); {
			case values == nil:
				key = binary.LittleEndian.AppendUint32(key, uint32(t.Cat(j)[i]))
			case values[i] != values[i]:
				key = binary.LittleEndian.AppendUint64(key, math.Float64bits(math.NaN()))
			default:
				key = binary.LittleEndian.AppendUint64(key, math.Float64bits(values[i]+0)) // -0 is 0
			}
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
