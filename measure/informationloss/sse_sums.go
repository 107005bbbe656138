package informationloss

import (
	"context"
	"math"

	"github.com/dither-data/dither/internal/stats/moments"
	"github.com/dither-data/dither/internal/system/mmap"
	"github.com/dither-data/dither/internal/system/parallel"
)

// Attribute is one attribute's share. Its sums are in variances of the attribute (divisor n) over the cells compared,
// so that its SST is Cells.
type Attribute struct {
	Name    string  `json:"name"`
	Cells   int     `json:"cells"`   // records with a value in both tables
	Missing int     `json:"missing"` // records without
	Changed int     `json:"changed"` // cells whose value is another
	SD      float64 `json:"sd"`      // of the original, in its own unit
	Error   float64 `json:"sse"`
	Kept    float64 `json:"kept"` // the sum of squares of the released values about their mean
	Varies  bool    `json:"varies"`
}

// huge is a sum of squares that leaves room for those of all other attributes.
const huge = 1e300

// compare sums up one attribute. An attribute that is constant over the cells compared, or whose sums are huge or no
// numbers, does not vary and has no sums. The pairs are in the space. Cost: O(n), on all cores.
func compare(ctx context.Context, x, y []float64, s *mmap.Space) (Attribute, error) {
	p, err := pairsOf(ctx, x, y, s)
	defer p.free(s)
	if err != nil {
		return Attribute{}, err
	}
	m, err := moments.Of(ctx, p.columns[:])
	if err != nil {
		return Attribute{}, err
	}
	a := Attribute{Cells: int(m.N(0, 0)), Missing: len(x) - int(m.N(0, 0)), Changed: p.changed}
	variance := m.Co(0, 0) / m.N(0, 0)
	a.Varies = variance > 0 && !math.IsInf(variance, 0)
	if !a.Varies {
		return a, nil
	}
	const released, difference = 1, 2
	d := m.Mean(difference, difference)
	a.SD = math.Sqrt(variance)
	a.Error = (m.Co(difference, difference) + float64(m.N(0, 0)*d*d)) / variance
	a.Kept = m.Co(released, released) / variance
	if !(a.Error+a.Kept < huge) {
		return Attribute{Cells: a.Cells, Missing: a.Missing, Changed: a.Changed}, nil
	}
	return a, nil
}

// pairs are the original values, the released ones and their differences; all three are NaN where either is missing.
type pairs struct {
	columns [3][]float64
	changed int // differences that are not 0
}

func (p *pairs) free(s *mmap.Space) {
	for _, c := range p.columns {
		mmap.Free(s, c)
	}
}

func pairsOf(ctx context.Context, x, y []float64, s *mmap.Space) (pairs, error) {
	var p pairs
	for k := range p.columns {
		p.columns[k] = mmap.Make[float64](s, len(x))
	}
	const grain = 16 * moments.Block
	changed := make([]int, len(x)/grain+1)
	err := parallel.Ranges(ctx, len(x), grain, func(lo, hi int) error {
		a, b, d := p.columns[0][lo:hi], p.columns[1][lo:hi], p.columns[2][lo:hi]
		for i := range a {
			v, w := x[lo+i], y[lo+i]
			if v != v || w != w {
				v, w = math.NaN(), math.NaN()
			} else if v != w {
				changed[lo/grain]++
			}
			a[i], b[i], d[i] = v, w, v-w
		}
		return nil
	})
	for _, c := range changed {
		p.changed += c
	}
	return p, err
}
