package leafwise

import "errors"

// RunningTotals returns the sums of the first 1, 2, ... counts. slices.BinarySearch(totals, r+1) is then the class that
// owns the r-th of all records.
func RunningTotals(counts []int) []int {
	totals := make([]int, len(counts))
	sum := 0
	for k, c := range counts {
		sum += c
		totals[k] = sum
	}
	return totals
}

// CheckCounts refuses counts that are not one per class, or not from 0 to 2^53 together.
func CheckCounts(counts []int, classes int) error {
	if len(counts) != classes {
		return errors.New("the number of counts is not that of the classes")
	}
	sum := int64(0)
	for _, c := range counts {
		if c < 0 || int64(c) > 1<<53 {
			return errors.New("a count is out of range")
		}
		if sum += int64(c); sum > 1<<53 {
			return errors.New("the counts are out of range")
		}
	}
	return nil
}
