// Package sorting sorts short lists with little code. A sort of package slices is compiled anew for every kind of
// entry, at 5 to 20 KB in every program; those of this package share one. They swap entries by reflection, so lists
// that are long, or sorted within loops, go to package slices.
package sorting

import "sort"

// Func is slices.SortFunc.
func Func[E any](list []E, compare func(a, b E) int) {
	sort.Slice(list, func(i, j int) bool { return compare(list[i], list[j]) < 0 })
}

// Stable is slices.SortStableFunc.
func Stable[E any](list []E, compare func(a, b E) int) {
	sort.SliceStable(list, func(i, j int) bool { return compare(list[i], list[j]) < 0 })
}
