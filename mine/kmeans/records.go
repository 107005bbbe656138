package kmeans

import (
	"context"
	"fmt"
	"math"

	"github.com/dither-data/dither/internal/portable/exact"
	"github.com/dither-data/dither/internal/system/mmap"
	"github.com/dither-data/dither/internal/system/parallel"
)

// grain is how many records a core takes at a time. Sums of squared distances add up by such pieces, in their order.
const grain = 4096

// records are the points to divide, and what makes their sums exact.
//
// A sum holds every value as a whole number of units above the column's lowest value. The unit is the power of two with
// which the sum of all records still fits into 62 bits: a million records are summed in units of 2^-41 of the range,
// ten in units finer than a float64 resolves. Whole numbers add up alike in any order, so a record may leave one sum
// and join another at any time.
type records struct {
	points  []float64
	dims, n int
	partial bool        // some value is missing
	low     []float64   // smallest value by column
	units   []float64   // units in 1 by column
	weights []float64   // as whole numbers of units; nil: all 1
	perUnit float64     // weight that one unit stands for
	space   *mmap.Space // of what is as long as the records
	mean    []float64   // of the known values by column
	spread  float64     // sum of squared differences from the mean, by weight
}

// gather prepares records of dims values for division, with what is as long as they are in a space; weights may be nil.
func gather(ctx context.Context, in *mmap.Space, points []float64, dims int, weights []float64) (*records, error) {
	if dims < 1 || len(points)%dims != 0 {
		return nil, fmt.Errorf("there are %d values, expected records of %d", len(points), dims)
	}
	d := &records{space: in, points: points, dims: dims, n: len(points) / dims, perUnit: 1, units: make([]float64, dims)}
	total := float64(d.n)
	if weights != nil {
		total = d.weigh(weights)
	}
	widest, err := d.bound(ctx)
	if err != nil {
		return nil, err
	}
	for j, width := range widest {
		d.units[j] = power(float64(total * width))
	}
	return d, d.centre(ctx)
}

// power returns a power of two that brings a sum below 2^61.
func power(sum float64) float64 {
	_, e := math.Frexp(sum)
	return math.Ldexp(1, min(61-e, 1000))
}

// weigh turns weights into whole numbers whose sum fits, and returns it.
func (d *records) weigh(weights []float64) float64 {
	largest := 0.0
	for _, w := range weights {
		largest = max(largest, w)
	}
	unit := power(largest) * power(float64(len(weights))) * 0x1p-61
	d.perUnit = 1 / unit
	d.weights = mmap.Make[float64](d.space, len(weights))
	for i, w := range weights {
		d.weights[i] = math.Round(w * unit)
	}
	return exact.Of(d.weights)
}

// bound finds the lowest value of every column, and whether a value is missing. It returns the widths of the columns.
func (d *records) bound(ctx context.Context) (widths []float64, err error) {
	type extent struct {
		low, high []float64
		partial   bool
	}
	wide := func() extent {
		e := extent{low: make([]float64, d.dims), high: make([]float64, d.dims)}
		for j := range e.low {
			e.low[j], e.high[j] = math.Inf(1), math.Inf(-1)
		}
		return e
	}
	parts := make([]extent, (d.n+grain-1)/grain)
	err = parallel.Ranges(ctx, d.n, grain, func(lo, hi int) error {
		e := wide()
		for i := lo; i < hi; i++ {
			for j, v := range d.row(i) {
				if v < e.low[j] {
					e.low[j] = v
				}
				if v > e.high[j] {
					e.high[j] = v
				}
				e.partial = e.partial || v != v
			}
		}
		parts[lo/grain] = e
		return nil
	})
	if err != nil {
		return nil, err
	}
	all := wide()
	for _, e := range parts {
		for j := range e.low {
			all.low[j], all.high[j] = min(all.low[j], e.low[j]), max(all.high[j], e.high[j])
		}
		d.partial = d.partial || e.partial
	}
	widths = make([]float64, d.dims)
	for j, low := range all.low {
		switch high := all.high[j]; {
		case low > high: // no value
			all.low[j] = 0
		case low < -limit || high > limit:
			return nil, fmt.Errorf("attribute %d of %d has a value beyond %g", j+1, d.dims, limit)
		default:
			widths[j] = high - low
		}
	}
	d.low = all.low
	return widths, nil
}

// row returns the values of record i.
func (d *records) row(i int) []float64 { return d.points[i*d.dims : i*d.dims+d.dims : i*d.dims+d.dims] }

// weight returns what record i counts, in units.
func (d *records) weight(i int) float64 {
	if d.weights == nil {
		return 1
	}
	return d.weights[i]
}

// width is the length of the sums of a cluster: those of its records' values and of the weights of the records that
// have the value, column by column, and the weight of all its records.
func (d *records) width() int { return 2*d.dims + 1 }

// move takes record i out of one cluster's sums and into those of another.
func (d *records) move(sums []int64, i int, from, to int32) {
	w := d.width()
	out, in := sums[int(from)*w:][:w], sums[int(to)*w:][:w]
	weight := d.weight(i)
	whole := int64(weight)
	for j, v := range d.row(i) {
		if v == v {
			q := int64(float64((v-d.low[j])*d.units[j]*weight) + 0.5)
			out[2*j] -= q
			in[2*j] += q
			out[2*j+1] -= whole
			in[2*j+1] += whole
		}
	}
	out[w-1] -= whole
	in[w-1] += whole
}

// average returns the mean of column j from the sums of a cluster; false where no record of it has a value.
func (d *records) average(sums []int64, j int) (mean float64, ok bool) {
	if sums[2*j+1] == 0 {
		return 0, false
	}
	return d.low[j] + float64(sums[2*j])/d.units[j]/float64(sums[2*j+1]), true
}

// centre finds the means of all records and how far these are from them.
func (d *records) centre(ctx context.Context) error {
	pieces := (d.n + grain - 1) / grain
	w := d.width()
	sums := mmap.Make[int64](d.space, 2*w*pieces)
	defer mmap.Free(d.space, sums)
	err := parallel.Ranges(ctx, d.n, grain, func(lo, hi int) error {
		own := sums[2*w*(lo/grain):][:2*w]
		for i := lo; i < hi; i++ {
			d.move(own, i, 1, 0)
		}
		return nil
	})
	if err != nil {
		return err
	}
	total := make([]int64, w)
	for p := range pieces {
		for j := range total {
			total[j] += sums[2*w*p+j]
		}
	}
	d.mean = make([]float64, d.dims)
	for j := range d.mean {
		d.mean[j], _ = d.average(total, j)
	}
	d.spread, err = d.sum(ctx, func(i int) float64 { return squared(d.row(i), d.mean) })
	return err
}

// sum adds up a number of every record by its weight.
func (d *records) sum(ctx context.Context, of func(i int) float64) (float64, error) {
	parts, err := parallel.With(ctx, (d.n+grain-1)/grain, func() *exact.Sum { return new(exact.Sum) },
		func(s *exact.Sum, p int) error {
			for i := p * grain; i < min(d.n, (p+1)*grain); i++ {
				s.Add(float64(of(i) * d.weight(i)))
			}
			return nil
		})
	var s exact.Sum
	for _, p := range parts {
		s.Merge(p)
	}
	return float64(s.Float64() * d.perUnit), err
}
