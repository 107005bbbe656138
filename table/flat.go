package table

import (
	"context"
	"slices"

	"github.com/dither-data/dither/internal/system/parallel"
)

// setsPerPiece is how many sets a core puts in order at a time.
const setsPerPiece = 1 << 13

// SetsOfCodes returns the sets whose items are codes[start[i]:start[i+1]] in row i, as readers meet them: each code is
// doubled, and one more where the item may or may not be there. They may stand in any order; an item that stands there
// twice counts once, and one that is there is not unknown. A row that is marked missing has no items, whatever stands
// there; missing may be nil. What codes holds afterwards means nothing. Cost: O(items log items of a row), on all
// cores.
func SetsOfCodes(ctx context.Context, start []int, codes []uint32, missing []bool) (*Sets, error) {
	rows := len(start) - 1
	present, unknown := make([]int, rows+1), make([]int, rows+1)
	err := parallel.Ranges(ctx, rows, setsPerPiece, func(lo, hi int) error {
		for i := lo; i < hi; i++ {
			if missing == nil || !missing[i] {
				present[i+1], unknown[i+1] = tidy(codes[start[i]:start[i+1]])
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for i := range rows {
		present[i+1] += present[i]
		unknown[i+1] += unknown[i]
	}
	s := &Sets{Present: Lists{Start: present, Codes: make([]int32, present[rows])}, Missing: missing}
	if unknown[rows] > 0 {
		s.Unknown = Lists{Start: unknown, Codes: make([]int32, unknown[rows])}
	}
	err = parallel.Ranges(ctx, rows, setsPerPiece, func(lo, hi int) error {
		for i := lo; i < hi; i++ {
			p, u := present[i], unknown[i]
			for _, v := range codes[start[i] : start[i]+present[i+1]-p+unknown[i+1]-u] {
				if v&1 == 0 {
					s.Present.Codes[p] = int32(v / 2)
					p++
				} else {
					s.Unknown.Codes[u] = int32(v / 2)
					u++
				}
			}
		}
		return nil
	})
	return s, err
}

// tidy puts the codes of a row in order, keeps at the front those that count, and returns how many items are present
// and how many unknown.
func tidy(row []uint32) (present, unknown int) {
	for k := 1; k < len(row); k++ {
		if row[k] <= row[k-1] {
			slices.Sort(row)
			break
		}
	}
	n := 0
	for _, v := range row {
		switch {
		case n > 0 && row[n-1]/2 == v/2: // there already, and present if one of the two is
			continue
		case v&1 == 0:
			present++
		default:
			unknown++
		}
		row[n] = v
		n++
	}
	return present, unknown
}
