package desk

import (
	"context"
	"math"
	"runtime"
	"slices"
	"time"

	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/study/chooser"
)

// Sizes that a technique is timed on: halves of the trial's records, not below leastTimed, each so often.
const (
	leastTimed = 2000
	timed      = 4
	timings    = 2
)

// operating measures how long a setting takes, and how that grows. Cost: four times that of the release on the records of a trial.
func (t *trials) operating(ctx context.Context, s chooser.Setting) (*chooser.Operating, error) {
	c := &t.asked[s.Candidate]
	out := &chooser.Operating{Declared: c.Method.Cost, Slope: math.NaN(), Lo: math.NaN(), Hi: math.NaN()}
	var x, y, full []float64
	for k := range timed {
		share := 1 / math.Exp2(float64(k))
		table := t.of(share).table
		if k > 0 && table.Rows() < leastTimed {
			break
		}
		for range timings {
			r, err := t.request(ctx, chooser.Trial{Setting: s}, table)
			if err != nil {
				return nil, err
			}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			start := time.Now()
			if _, err := study.Protect(ctx, *r); err != nil {
				if ctx.Err() != nil {
					return nil, ctx.Err()
				}
				break // too few records for it
			}
			seconds := time.Since(start).Seconds()
			runtime.ReadMemStats(&after)
			x, y = append(x, float64(table.Rows())), append(y, seconds)
			if k == 0 {
				full = append(full, seconds)
				out.Records, out.Allocated = table.Rows(), float64(after.TotalAlloc-before.TotalAlloc)
			}
		}
	}
	if full == nil {
		return nil, nil
	}
	slices.Sort(full)
	out.Seconds = (full[0] + full[len(full)-1]) / 2
	out.Slope, out.Lo, out.Hi = chooser.Growth(x, y)
	return out, nil
}
