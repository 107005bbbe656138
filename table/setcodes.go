package table

import "encoding/binary"

// SetCodes numbers sets: those with the same present and unknown items get the same number, from 0 on in the order in
// which they first stand in a row of the first column, then of the next. The labels of the columns must be the same.
//
// Codes has a number for every row of every column, -1 for a missing set, and n is how many numbers there are. Cost:
// O(items).
func SetCodes(columns ...*Sets) (codes [][]int32, n int) {
	seen := map[string]int32{}
	var key []byte
	for _, s := range columns {
		out := make([]int32, s.Rows())
		for i := range out {
			if s.MissingAt(i) {
				out[i] = -1
				continue
			}
			key = key[:0]
			for _, v := range s.Present.Row(i) {
				key = binary.AppendUvarint(key, uint64(v)+1)
			}
			key = append(key, 0) // no item has this number, so it ends those that are present
			for _, v := range s.Unknown.Row(i) {
				key = binary.AppendUvarint(key, uint64(v)+1)
			}
			code, ok := seen[string(key)]
			if !ok {
				code = int32(len(seen))
				seen[string(key)] = code
			}
			out[i] = code
		}
		codes = append(codes, out)
	}
	return codes, len(seen)
}
