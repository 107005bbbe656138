package rulepreservation

import "math"

// Similarity compares the segments of one tree in the original and the released table (Fletcher & Islam 2015, eq. 4).
// An attribute counts in a segment when one of its two strengths is above the threshold; a segment's difference is the
// mean absolute difference of the strengths of the attributes that count, 0 when none does. Printed is 1 - the mean
// over the segments of difference x records/total, as the equation reads; normalised is 1 - the mean of the differences
// weighted by the original records of the segments. Total is the number of original records. Both are in [0, 1], 1 when
// there are no records.
func Similarity(original, released []Segment, total int, threshold float64) (printed, normalised float64) {
	weighted, weights := 0.0, 0.0
	for s := range original {
		k, sum := 0, 0.0
		for a, g := range original[s].Strength {
			if h := released[s].Strength[a]; max(g, h) > threshold {
				k++
				sum += math.Abs(g - h)
			}
		}
		n := float64(original[s].Records)
		weights += n
		if k > 0 {
			weighted += n * sum / float64(k)
		}
	}
	if weights == 0 || total == 0 {
		return 1, 1
	}
	return 1 - weighted/(float64(len(original))*float64(total)), 1 - weighted/weights
}
