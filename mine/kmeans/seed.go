package kmeans

import (
	"context"

	"github.com/dither-data/dither/internal/system/mmap"
	"github.com/dither-data/dither/internal/system/parallel"
)

// draw draws the records that begin k clusters (Arthur & Vassilvitskii 2007): the first by weight, every other one by
// weight times squared distance from the nearest so far. There are fewer when every record is at one of them. Unit
// gives the c-th number in [0, 1).
func (d *records) draw(ctx context.Context, k int, unit func(c int) float64) (start []int, err error) {
	mass := mmap.Make[float64](d.space, d.n)
	defer mmap.Free(d.space, mass)
	parts := make([]float64, (d.n+grain-1)/grain)
	centre := make([]float64, d.dims)
	for c := 0; c < k; c++ {
		err := parallel.Ranges(ctx, d.n, grain, func(lo, hi int) error {
			parts[lo/grain] = d.masses(mass, lo, hi, c, centre)
			return nil
		})
		if err != nil {
			return nil, err
		}
		i := d.pick(mass, parts, unit(c))
		if i < 0 {
			break
		}
		start = append(start, i)
		d.seed(i, centre)
	}
	return start, nil
}

// masses works out what the records lo to hi-1 count in the c-th draw, after the last one drew centre, and returns
// their sum.
func (d *records) masses(mass []float64, lo, hi, c int, centre []float64) (sum float64) {
	for i := lo; i < hi; i++ {
		x := d.row(i)
		switch {
		case c == 0:
			mass[i] = 1
			if d.partial && !known(x) {
				mass[i] = 0
			}
		case c == 1:
			mass[i] = squared(x, centre)
		default:
			mass[i] = min(mass[i], squared(x, centre))
		}
		sum += float64(mass[i] * d.weight(i))
	}
	return sum
}

// pick returns the record at a share u in [0, 1) of the way through all masses; -1 when there is none.
func (d *records) pick(mass, parts []float64, u float64) int {
	total := 0.0
	for _, p := range parts {
		total += p
	}
	rest := float64(u * total)
	for b, p := range parts {
		if rest >= p {
			rest -= p
			continue
		}
		for i := b * grain; i < min(d.n, (b+1)*grain); i++ {
			m := float64(mass[i] * d.weight(i))
			if rest < m {
				return i
			}
			rest -= m
		}
	}
	for i := d.n - 1; i >= 0; i-- { // rounding has led past the last
		if mass[i] > 0 && d.weight(i) > 0 {
			return i
		}
	}
	return -1
}

// seed writes record i into dst, with the mean in place of a missing value.
func (d *records) seed(i int, dst []float64) {
	for j, v := range d.row(i) {
		dst[j] = v
		if v != v {
			dst[j] = d.mean[j]
		}
	}
}
