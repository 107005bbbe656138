package trial

import (
	"context"
	"math"
	"runtime"
	"slices"
	"time"

	"github.com/dither-data/dither/catalog"
	"github.com/dither-data/dither/internal/portable"
	"github.com/dither-data/dither/internal/system/processor"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/study/search"
	"github.com/dither-data/dither/study/trial/internal/footprint"
	"github.com/dither-data/dither/table"
)

// Sizes that a technique is timed on: halves of the trial's records, not below leastTimed, each timings times after one
// that warms up; fewer times where that would take longer than mostTiming.
const (
	leastTimed  = 2000
	timed       = 4
	timings     = 5
	leastTimes  = 2
	mostTiming  = 5 * time.Second
	mostWorking = 3 // techniques of the ranking that are timed, besides the chosen one
)

// Works measures how the chosen technique and those that lose least work. Cost: some ten releases of each, without
// measuring what they lose.
func (t *Trials) Works(ctx context.Context, c *search.Choice) (out []search.Operating, err error) {
	var settings []search.Setting
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
func (t *Trials) operating(ctx context.Context, s search.Setting) (*search.Operating, error) {
	none := math.NaN()
	m := &t.Candidates[s.Candidate].Method
	out := &search.Operating{Setting: s, Declared: m.Cost, Order: m.Growth, Processor: processor.Seconds() > 0,
		Slope: none, Lo: none, Hi: none, HidingFailure: none, Level: none}
	var all []work
	for k := range timed {
		from := t.of(1 / portable.Exp2(float64(k))).table
		if k > 0 && from.Rows() < leastTimed {
			break
		}
		w, err := t.time(ctx, s, from, timing{budget: mostTiming})
		switch {
		case err != nil:
			return nil, err
		case w.made == nil && k == 0:
			return nil, nil
		case w.made == nil: // too few records for it
			continue
		case k == 0:
			out.Records, out.Seconds, out.Allocated = w.records, median(w.seconds), w.memory[len(w.memory)-1]
			if err := t.hides(ctx, w.made, out); err != nil {
				return nil, err
			}
		}
		all = append(all, w)
	}
	out.Slope, out.Lo, out.Hi = growth(all)
	return out, nil
}

// timing says how the work of a setting is measured.
type timing struct {
	budget time.Duration // beyond which only leastTimes runs are made; 0 for none
	stop   float64       // seconds: after a run of more no further one is made
	peak   bool          // memory is that of the process at most, where that is known and less than all that is allocated
}

// work is what was measured of a setting on one table, by run.
type work struct {
	records         int
	seconds, memory []float64
	made            *study.Protected // one of the releases; nil where there is none, for the reason err
	err             error
}

func median(v []float64) float64 {
	v = slices.Sorted(slices.Values(v))
	return v[len(v)/2]
}

// growth is the slope of what was measured on tables of several sizes.
func growth(all []work) (slope, lo, hi float64) {
	var x, y []float64
	for _, w := range all {
		for _, v := range w.seconds {
			x, y = append(x, float64(w.records)), append(y, v)
		}
	}
	return search.Growth(x, y)
}

// time measures the work of a setting on a table, several times after one that warms up.
func (t *Trials) time(ctx context.Context, s search.Setting, from *table.Table, how timing) (w work, err error) {
	w.records = from.Rows()
	begun := time.Now()
	for k := range timings + 1 {
		long := k > leastTimes && how.budget > 0 && time.Since(begun) > how.budget
		if long || how.stop > 0 && len(w.seconds) > 0 && slices.Max(w.seconds) > how.stop {
			break
		}
		r, err := t.request(ctx, search.Trial{Setting: s}, from)
		if err != nil {
			return w, err
		}
		seconds, memory := t.once(ctx, r, &w, how.peak)
		if w.err != nil {
			w.made = nil
			return w, ctx.Err()
		}
		if k > 0 {
			w.seconds, w.memory = append(w.seconds, max(seconds, 1e-6)), append(w.memory, memory)
		}
	}
	return w, nil
}

// once makes a release, and tells its seconds and its memory in bytes.
func (t *Trials) once(ctx context.Context, r *study.Request, w *work, peak bool) (seconds, memory float64) {
	var before, after runtime.MemStats
	run := func() {
		runtime.ReadMemStats(&before)
		start, spent := time.Now(), processor.Seconds()
		w.made, w.err = study.Protect(ctx, *r)
		if seconds = time.Since(start).Seconds(); spent > 0 {
			seconds = processor.Seconds() - spent
		}
		runtime.ReadMemStats(&after)
	}
	if !peak {
		run()
		return seconds, float64(after.TotalAlloc - before.TotalAlloc)
	}
	most, ok := footprint.Peak(run)
	if memory = float64(after.TotalAlloc - before.TotalAlloc); ok {
		memory = min(memory, most)
	}
	return seconds, memory
}

// hides measures how many of the patterns that are to be hidden can still be found, and the level of privacy of these,
// or of the rules of a tree.
func (t *Trials) hides(ctx context.Context, made *study.Protected, o *search.Operating) error {
	rel, err := made.Release(t.Subject.Hierarchies)
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
		if t.Subject.Sensitive == "" && name == "levelofprivacy" {
			set["rules"] = "tree"
		}
		specs = append(specs, study.Spec{Measure: m, Set: set})
	}
	if t.Subject.Sensitive == "" {
		specs = specs[1:]
	}
	if _, err := t.Subject.HideFrom(ctx, specs, made.Params); err != nil {
		return err
	}
	taken, err := study.Evaluate(ctx, rel, specs, t.Source.Fork("hides"), nil)
	for name, to := range into {
		if m := study.Find(taken, name); m != nil && m.Err.Empty() {
			*to = m.Value.Score
		}
	}
	return err
}
