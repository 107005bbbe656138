package gadp

import (
	"cmp"
	"slices"

	"github.com/dither-data/dither/internal/stats/copula"
	"github.com/dither-data/dither/internal/stats/rank"
	"github.com/dither-data/dither/internal/system/parallel"
	"github.com/dither-data/dither/table"
)

// shuffleReplace writes into y the first k columns of u, shuffled, for records that are a data set of their own, such
// as those of a leaf: no value leaves the range of the leaf. u holds the p columns of the original, the confidential
// ones first; given are further columns that are released as they are; z holds k columns of independent standard
// normals, and y has k columns; dial is what each lets through, from 0 (minimum disclosure) to 1 (y is u); dials that
// differ may have no joint law, which is an error. Missing values (NaN) of X stay missing. Id tells records apart where
// draws are equal. Cost: O(n p (p + log n)) and O(p^3).
func shuffleReplace(y, u, given, z [][]float64, dial []float64, id func(i int) table.RecordID) error {
	if len(dial) == 0 || len(y[0]) == 0 {
		return nil
	}
	ranks := rank.OfAll(u)
	if err := copula.Draw(nil, y, z, ranks, given, dial); err != nil {
		return err
	}
	parallel.Do(len(y), func(k int) { deal(y[k], z[k], ranks[k].Sorted, id) })
	return nil
}

// deal replaces the r-th smallest known draw by the r-th sorted value. Equal draws go by their random numbers z and
// where these are equal too by identity.
func deal(y, z, sorted []float64, id func(i int) table.RecordID) {
	order, known := rank.Order(y)
	order = order[:known]
	for a := 0; a < known; {
		b := a + 1
		for b < known && y[order[b]] == y[order[a]] {
			b++
		}
		if b-a > 1 && sorted[a] != sorted[b-1] {
			slices.SortFunc(order[a:b], func(i, j int32) int {
				return cmp.Or(cmp.Compare(z[i], z[j]), cmp.Compare(id(int(i)), id(int(j))))
			})
		}
		a = b
	}
	for r, i := range order {
		y[i] = sorted[r]
	}
}
