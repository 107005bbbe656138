package trial

import (
	"context"
	"math"
	"slices"

	"github.com/dither-data/dither/internal/portable"
	"github.com/dither-data/dither/limit"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/study/search"
	"github.com/dither-data/dither/table"
)

// This file holds the work of a technique against the limits on it: on the whole table, however many records trials are
// made on, for a limit is on what the release takes and not on what a part of it would.

// onWork are the limits on how a technique works.
func (t *Trials) onWork() (out []*limit.Limit) {
	for k := range t.Limits.Limits {
		if l := &t.Limits.Limits[k]; l.OfTechnique() {
			out = append(out, l)
		}
	}
	return out
}

// worked measures the work of a setting and holds it against the limits on that. Of seconds and memory the interval is
// that from the least to the most of five runs: beyond the most the median is with a chance of 1/32. Cost: six releases
// or, for a limit on growth, six of each of up to four sizes.
func (t *Trials) worked(ctx context.Context, s search.Setting) (out search.Tried, err error) {
	var how timing
	sizes := 1
	for _, l := range t.onWork() {
		switch l.Measure {
		case limit.Seconds:
			if l.Max != nil {
				how.stop = *l.Max
			}
		case limit.Growth:
			sizes = timed
		case limit.Memory:
			how.peak = true
		}
	}
	var all []work
	for k := range sizes {
		from := t.part(k)
		if k > 0 && from.Rows() < leastTimed {
			break
		}
		w, err := t.time(ctx, s, from, how)
		switch {
		case err != nil:
			return out, err
		case w.made == nil && k == 0:
			return search.Tried{Err: w.err.Error()}, nil
		}
		all = append(all, w)
		how.stop, how.peak = 0, false // of the whole table
	}
	for _, l := range t.onWork() {
		out.Demands = append(out.Demands, heldWork(l, all))
	}
	return out, nil
}

// heldWork holds what was measured, on the whole table first, against a limit.
func heldWork(l *limit.Limit, all []work) study.Demand {
	between := func(v []float64, unit float64) study.Demand {
		return study.Worked(l, median(v)/unit, slices.Min(v)/unit, slices.Max(v)/unit, message.Sentence{})
	}
	switch l.Measure {
	case limit.Seconds:
		return between(all[0].seconds, 1)
	case limit.Memory:
		return between(all[0].memory, 1e6)
	}
	why := message.Say("lacking.sizes.small").Count("n", leastTimed)
	if k := slices.IndexFunc(all, func(w work) bool { return w.made == nil }); k >= 0 {
		why = message.Say("lacking.sizes.failed").Count("n", all[k].records).Text("why", all[k].err.Error())
	}
	slope, lo, hi := growth(all)
	return study.Worked(l, slope, lo, hi, why)
}

// part is the whole table or, halved so many times, some of its records, those of one person together.
func (t *Trials) part(halved int) *table.Table {
	n := t.Subject.Table.Rows()
	rows := int(math.Ceil(float64(n) / portable.Exp2(float64(halved))))
	if rows == n {
		return t.Subject.Table
	}
	return t.Subject.Table.Gather(somePeople(t.Subject.Table, rows, t.Source.Fork("records")))
}
