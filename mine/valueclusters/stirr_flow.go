package valueclusters

import (
	"context"
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/dither-data/dither/internal/mining/jaccard"
	"github.com/dither-data/dither/internal/portable"
	"github.com/dither-data/dither/internal/portable/exact"
	"github.com/dither-data/dither/internal/portable/vector"
	"github.com/dither-data/dither/internal/system/parallel"
)

// flow is the weights on their way. A value has one weight per basin, side by side.
type flow struct {
	basins int
	sets   *jaccard.Sets
	times  []float64 // by set, its records
	offset []int32   // by attribute, its first value
	occurs []bool    // by value
	weight []float64 // by value and basin
	fold   func(dst, a, b []float64)
	unit   float64 // what fold leaves as it is
	q      float64 // exponent of the weights before they are folded; 0 for none
}

func add(dst, a, b []float64) {
	for k := range dst {
		dst[k] = a[k] + b[k]
	}
}

func multiply(dst, a, b []float64) {
	for k := range dst {
		dst[k] = float64(a[k] * b[k])
	}
}

// larger takes the weight of the larger magnitude, of opposite ones the positive.
func larger(dst, a, b []float64) {
	for k := range dst {
		x, y := a[k], b[k]
		if math.Abs(y) > math.Abs(x) || math.Abs(y) == math.Abs(x) && y > x {
			x = y
		}
		dst[k] = x
	}
}

// raise takes powers of magnitudes.
func raise(w []float64, q float64) {
	for k, x := range w {
		w[k] = math.Copysign(portable.Pow(math.Abs(x), q), x)
	}
}

// any reports whether a value occurs.
func (f *flow) any() bool {
	for _, o := range f.occurs {
		if o {
			return true
		}
	}
	return false
}

// grain is how many records a core takes at a time.
const grain = 256

// round lets the weights flow once and returns the largest change of one, whatever the signs of the basins.
func (f *flow) round(ctx context.Context) (float64, error) {
	sums, err := f.flows(ctx)
	if err != nil {
		return 0, err
	}
	old := f.weight
	f.weight = sums
	f.normalise()
	return f.change(old), nil
}

// flows returns what flows to every value.
func (f *flow) flows(ctx context.Context) ([]float64, error) {
	n := f.sets.Len()
	fresh := func() []exact.Sum { return make([]exact.Sum, len(f.weight)) }
	sums, err := parallel.With(ctx, (n+grain-1)/grain, fresh, func(out []exact.Sum, piece int) error {
		f.sum(out, piece*grain, min((piece+1)*grain, n))
		return nil
	})
	if err != nil {
		return nil, err
	}
	all := fresh()
	for _, part := range sums {
		for i := range part {
			all[i].Merge(&part[i])
		}
	}
	return exact.Rounded(all), nil
}

// sum adds what flows to every value from some records. What a record's values before and after one combine to is
// folded once in each direction, so that no value's own weight has to be taken out again.
func (f *flow) sum(out []exact.Sum, lo, hi int) {
	b := f.basins
	index := make([]int, 0, f.sets.Width)
	own, before := make([]float64, f.sets.Width*b), make([]float64, (f.sets.Width+1)*b)
	after, all := make([]float64, b), make([]float64, b)
	for k := range b {
		before[k] = f.unit
	}
	for s := lo; s < hi; s++ {
		index = index[:0]
		for j, c := range f.sets.Row(s) {
			if c >= 0 {
				index = append(index, int(f.offset[j]+c)*b)
			}
		}
		if len(index) < 2 {
			continue
		}
		for i, at := range index {
			w := own[i*b : (i+1)*b]
			copy(w, f.weight[at:at+b])
			if f.q > 0 {
				raise(w, f.q)
			}
			f.fold(before[(i+1)*b:(i+2)*b], before[i*b:(i+1)*b], w)
		}
		for k := range after {
			after[k] = f.unit
		}
		for i := len(index) - 1; i >= 0; i-- {
			f.fold(all, before[i*b:(i+1)*b], after)
			if f.q > 0 {
				raise(all, 1/f.q)
			}
			to := out[index[i] : index[i]+b]
			for k, x := range all {
				to[k].Add(float64(f.times[s] * x))
			}
			f.fold(after, after, own[i*b:(i+1)*b])
		}
	}
}

// column returns a copy of the weights of a basin.
func (f *flow) column(k int) []float64 {
	out := make([]float64, len(f.occurs))
	for i := range out {
		out[i] = f.weight[i*f.basins+k]
	}
	return out
}

// set gives a basin these weights, times a factor.
func (f *flow) set(k int, v []float64, factor float64) {
	for i, w := range v {
		f.weight[i*f.basins+k] = float64(factor * w)
	}
}

// normalise makes the basins orthogonal to those before them, by Gram and Schmidt's process taken twice, and of unit
// length. A basin that the ones before leave nothing of is zero from there on.
func (f *flow) normalise() {
	if len(f.occurs) == 0 {
		return
	}
	for k := range f.basins {
		v := f.column(k)
		if n := vector.Norm(v); n > 0 && !math.IsInf(n, 0) {
			floats.Scale(1/n, v)
		}
		for range 2 {
			for l := range k {
				u := f.column(l)
				vector.AddScaled(v, -vector.Dot(u, v), u)
			}
		}
		if n := vector.Norm(v); n > 1e-10 {
			f.set(k, v, 1/n)
		} else {
			f.set(k, v, 0)
		}
	}
}

// change returns the largest difference to other weights; a basin may have turned its sign.
func (f *flow) change(old []float64) float64 {
	most := 0.0
	for k := range f.basins {
		same, turned := 0.0, 0.0
		for at := k; at < len(old); at += f.basins {
			same = max(same, math.Abs(f.weight[at]-old[at]))
			turned = max(turned, math.Abs(f.weight[at]+old[at]))
		}
		most = max(most, min(same, turned))
	}
	return most
}

// turn makes the largest weight of every basin positive, the first of those that are largest but for rounding.
func (f *flow) turn() {
	for k := range f.basins {
		largest := 0.0
		for at := k; at < len(f.weight); at += f.basins {
			largest = max(largest, math.Abs(f.weight[at]))
		}
		for at := k; at < len(f.weight); at += f.basins {
			if w := f.weight[at]; math.Abs(w) >= (1-1e-6)*largest {
				if w < 0 {
					f.set(k, f.column(k), -1)
				}
				break
			}
		}
	}
}
