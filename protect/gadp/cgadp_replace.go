package gadp

import (
	"math"

	"github.com/dither-data/dither/internal/portable"
	"github.com/dither-data/dither/internal/stats/copula"
	"github.com/dither-data/dither/internal/stats/rank"
	"github.com/dither-data/dither/internal/system/mmap"
)

// CGADPReplace writes into y what C-GADP releases in place of the first k columns of u, for records that are a data set
// of their own, such as those of a leaf (Islam 2007, section 7.2). u holds the p columns of the original, the
// confidential ones first; z holds k columns of independent standard normals, and y has k columns; dial is what each
// lets through, from 0 (minimum disclosure) to 1 (y is u); dials that differ may have no joint law, which is an error.
// Missing values (NaN) of X stay missing.
//
// Values are interpolated between the originals and never outside them; putting them on a grid or into a narrower
// domain is left to the caller. What it needs for each record is in a space, nil for the heap. Cost: O(n p (p + log n))
// and O(p^3).
func CGADPReplace(in *mmap.Space, y, u, z [][]float64, dial []float64) error {
	return cgadpReplace(in, y, u, nil, z, dial, make([]bool, len(dial)))
}

// cgadpReplace is Replace with further columns that are given as they are, and with the step inverse for the columns
// that step names.
func cgadpReplace(in *mmap.Space, y, u, given, z [][]float64, dial []float64, step []bool) error {
	if len(dial) == 0 || len(y[0]) == 0 {
		return nil
	}
	ranks := rank.AllIn(in, u)
	defer func() {
		for _, r := range ranks {
			r.Free()
		}
	}()
	if err := copula.Draw(in, y, z, ranks, given, dial); err != nil {
		return err
	}
	return rank.Rows(len(y[0]), func(lo, hi int) error {
		for k := range y {
			m, inverse := rank.Marginal(ranks[k].Sorted), rank.Marginal.Linear
			if step[k] {
				inverse = rank.Marginal.Step
			}
			for i, v := range y[k][lo:hi] {
				y[k][lo+i] = inverse(m, portable.Erfc(-v/math.Sqrt2)/2)
			}
		}
		return nil
	})
}
