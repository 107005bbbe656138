// Package hierarchy holds what is known of value generalisation hierarchies: how far a generalised table is from the
// one it was made of.
//
// A hierarchy of height h replaces a value in h steps: level 0 is the value itself, level h its most general form.
package hierarchy

import (
	"errors"
	"fmt"
)

// Suppressed is the level of a cell that was suppressed: it has lost as much as at the top of its hierarchy.
const Suppressed = -1

// Precision returns Sweeney's precision of a generalised table: Prec = 1 - sum_ij h_ij/|DGH_j| / (N p) for N records
// and p attributes, where h_ij is the level of the cell of record i in attribute j, levels[j][i], and |DGH_j| the
// height of the attribute's hierarchy, heights[j]. It is 1 where nothing is generalised and 0 where everything is at
// the top. In an attribute of height 0, which cannot be generalised, only suppression costs. It is an error when there
// is no cell, attributes differ in their number of records, or a level is not in its hierarchy. Cost: O(N p).
//
// Reference: L. Sweeney, "Achieving k-anonymity privacy protection using generalization and suppression", International
// Journal on Uncertainty, Fuzziness and Knowledge-based Systems 10(5), 2002, section 4; Nai Fovino & Masera 2008, eq.
// 1.1, 6.2 and 6.4, whose h is the same for all cells: here each cell has its own.
func Precision(levels [][]int, heights []int) (float64, error) {
	if len(levels) != len(heights) {
		return 0, fmt.Errorf("there are levels of %d attributes, expected %d, one for each height", len(levels), len(heights))
	}
	if len(levels) == 0 || len(levels[0]) == 0 {
		return 0, errors.New("there are no cells to compute the precision of")
	}
	lost := 0.0
	for j, column := range levels {
		if len(column) != len(levels[0]) {
			return 0, fmt.Errorf("attribute %d has levels of %d records, expected %d", j+1, len(column), len(levels[0]))
		}
		if heights[j] < 0 {
			return 0, fmt.Errorf("attribute %d has a hierarchy of height %d, expected 0 or more", j+1, heights[j])
		}
		sum, suppressed := 0, 0
		for i, level := range column {
			switch {
			case level == Suppressed:
				suppressed++
			case level < 0 || level > heights[j]:
				return 0, fmt.Errorf("attribute %d, record %d: the level is %d, expected 0 to %d", j+1, i+1, level, heights[j])
			default:
				sum += level
			}
		}
		lost += float64(suppressed)
		if heights[j] > 0 {
			lost += float64(sum) / float64(heights[j])
		}
	}
	return 1 - lost/float64(len(levels)*len(levels[0])), nil
}
