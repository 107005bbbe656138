package microaggregation

import "context"

// MDAV is MixedMDAV for numeric attributes, of records that are one person's each.
func MDAV(ctx context.Context, points []float64, dims, k int) (group []int32, groups int, err error) {
	return MixedMDAV(ctx, points, make([]Kind, max(0, dims)), nil, k)
}

// VMDAV is MixedVMDAV for such attributes and records.
func VMDAV(ctx context.Context, points []float64, dims, k int, gamma float64) (group []int32, groups int, err error) {
	return MixedVMDAV(ctx, points, make([]Kind, max(0, dims)), nil, k, gamma)
}
