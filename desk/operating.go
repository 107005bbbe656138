package desk

import (
	"context"
	"math"
	"runtime"
	"slices"
	"time"

	"github.com/dither-data/dither/catalog"
	"github.com/dither-data/dither/internal/processor"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/study/chooser"
	"github.com/dither-data/dither/table"
)

// Sizes that a technique is timed on: halves of the trial's records, not below leastTimed, each timings times after one that warms up; fewer times where that
// would take longer than mostTiming.
const (
	leastTimed  = 2000
	timed       = 4
	timings     = 5
	leastTimes  = 2
	mostTiming  = 5 * time.Second
	mostWorking = 3 // techniques of the ranking that are timed, besides the chosen one
)

// works measures how the chosen technique and those that lose least work. Cost: some ten releases of each, without measuring what they lose.
func (t *trials) works(ctx context.Context, c *chooser.Choice) (out []chooser.Operating, err error) {
	var settings []chooser.Setting
	if c.Chosen != nil {
		settings = append(settings, c.Chosen.Setting)
	}
	for _, o := range c.Ranking[:min(mostWorking, len(c.Ranking))] {
		if c.Chosen == nil || o.Candidate != c.Chosen.Candidate {
			settings = append(settings, o.Setting)
		}
	}
	for _, s := range settings {
		o, err := t.operating(ctx, s)
		if err != nil {
			return nil, err
		}
		if o != nil {
			out = append(out, *o)
		}
	}
	return out, nil
}

// operating measures how long a setting takes, how that grows, and what it hides; nil where it makes no release.
func (t *trials) operating(ctx context.Context, s chooser.Setting) (*chooser.Operating, error) {
	none := math.NaN()
	out := &chooser.Operating{Setting: s, Declared: t.asked[s.Candidate].Method.Cost, Processor: processor.Seconds() > 0, Slope: none, Lo: none, Hi: none, HidingFailure: none, Level: none}
	var x, y []float64
	for k := range timed {
		from := t.of(1 / math.Exp2(float64(k))).table
		if k > 0 && from.Rows() < leastTimed {
			break
		}
		seconds, made, err := t.time(ctx, s, from, out)
		switch {
		case err != nil:
			return nil, err
		case made == nil && k == 0:
			return nil, nil
		case made == nil: // too few records for it
			continue
		case k == 0:
			out.Records = from.Rows()
			slices.Sort(seconds)
			out.Seconds = seconds[len(seconds)/2]
			if err := t.hides(ctx, made, out); err != nil {
				return nil, err
			}
		}
		for _, v := range seconds {
			x, y = append(x, float64(from.Rows())), append(y, v)
		}
	}
	out.Slope, out.Lo, out.Hi = chooser.Growth(x, y)
	return out, nil
}

// time takes the time of a setting on a table, several times, and returns one of the releases; nil where there is none.
func (t *trials) time(ctx context.Context, s chooser.Setting, from *table.Table, o *chooser.Operating) (seconds []float64, made *study.Protected, err error) {
	begun := time.Now()
	for k := range timings + 1 {
		if k > leastTimes && time.Since(begun) > mostTiming {
			break
		}
		r, err := t.request(ctx, chooser.Trial{Setting: s}, from)
		if err != nil {
			return nil, nil, err
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		start, spent := time.Now(), processor.Seconds()
		if made, err = study.Protect(ctx, *r); err != nil {
			return nil, nil, ctx.Err()
		}
		took := time.Since(start).Seconds()
		if o.Processor {
			took = processor.Seconds() - spent
		}
		runtime.ReadMemStats(&after)
		if k > 0 {
			seconds = append(seconds, max(took, 1e-6))
		}
		if o.Records == 0 { // of the largest table, which comes first
			o.Allocated = float64(after.TotalAlloc - before.TotalAlloc)
		}
	}
	return seconds, made, nil
}

// hides measures how many of the patterns that are to be hidden can still be found, and the level of privacy of these, or of the rules of a tree.
func (t *trials) hides(ctx context.Context, made *study.Protected, o *chooser.Operating) error {
	rel, err := made.Release(t.l.Hierarchies)
	if err != nil {
		return err
	}
	into := map[string]*float64{"hidingfailure": &o.HidingFailure, "levelofprivacy": &o.Level}
	var specs []study.Spec
	for _, name := range []string{"hidingfailure", "levelofprivacy"} {
		m, err := catalog.Measure(name)
		if err != nil {
			return err
		}
		set := map[string]string{}
		if t.l.Sensitive == "" && name == "levelofprivacy" {
			set["rules"] = "tree"
		}
		specs = append(specs, study.Spec{Measure: m, Set: set})
	}
	if t.l.Sensitive == "" {
		specs = specs[1:]
	}
	if _, err := t.l.hideFrom(ctx, &t.q.Source, specs, made.Params); err != nil {
		return err
	}
	taken, err := study.Evaluate(ctx, rel, specs, t.src.Fork("hides"), nil)
	for name, to := range into {
		if m := study.Find(taken, name); m != nil && m.Err == "" {
			*to = m.Value.Score
		}
	}
	return err
}
