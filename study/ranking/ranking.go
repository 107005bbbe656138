package ranking

import (
	"math"
	"slices"

	"github.com/dither-data/dither/limit"
	"github.com/dither-data/dither/study"
)

// fewestRuns is how many runs of a setting, over at least two folds, a tie rests on.
const fewestRuns = 5

// Hold is a limit that every setting is held against in one measure, as taken against an intruder whom the limit binds.
type Hold struct {
	By    *Scale
	Limit limit.Limit
}

// Unfit is why a setting is not for release: it breaks a limit, or nobody knows whether it keeps it.
type Unfit struct {
	Hold
	// Bound is the end of the figure that breaks the limit, in the figures of the scale, as the mean over the runs, on the
	// data set where it is worst; NaN when it could not be measured.
	Bound  float64
	beyond float64 // the limit, before the factor
}

// hold finds what every setting is held against, and marks the settings that do not keep it. A limit on found is one on
// every measure that counts people who are found: what one attack finds, the best of all does.
func (t *Contest) hold(opt Options) error {
	if t.Limits = opt.Limits; t.Limits == nil {
		var err error
		if t.Limits, err = limit.Preset(""); err != nil {
			return err
		}
	}
	e := study.Evidence{Limits: t.Limits, Binding: opt.Binding}
	for _, l := range t.Limits.Limits {
		if l.OfRelease() || l.OfTechnique() {
			continue // of a release, not of a setting: judged when it is made; or of what a choice measures
		}
		taken := false
		for k := range t.Scales {
			s := &t.Scales[k]
			if (s.Name == l.Measure || l.Measure == "found" && s.Finds) && e.Binds(&l, s.Who) {
				t.Holds = append(t.Holds, Hold{s, l})
				taken = true
			}
		}
		if !taken && !l.IfAny {
			t.Open = append(t.Open, l.Measure)
		}
	}
	for k := range t.Entrants {
		n := &t.Entrants[k]
		n.Unfit = t.unfit(n.Setting)
		n.Baseline = n.Baseline || n.Unfit != nil
	}
	return nil
}

// MostFound is the largest share of the people who may be found, in per cent; NaN where the limits do not say.
func (t *Contest) MostFound() float64 {
	if l := t.Limits.Find("found"); l != nil && l.Max != nil {
		return float64(100 * *l.Max)
	}
	return math.NaN()
}

// unfit returns the first limit that a setting breaks, of several measures and data sets by the figure that is furthest
// beyond it; nil when it keeps all.
func (t *Contest) unfit(setting int) (worst *Unfit) {
	for _, h := range t.Holds {
		if worst != nil && worst.Limit.Measure != h.Limit.Measure {
			break
		}
		for d := range t.Data {
			if u := t.breaks(h, d, setting); u != nil && (worst == nil || u.beyond > worst.beyond) {
				worst = u
			}
		}
	}
	return worst
}

// breaks says how a setting breaks a limit on a data set; nil when it keeps it. What was not measured does not keep it,
// unless the measure is another than the limit's, which was taken too, or the limit is on what only some releases have.
func (t *Contest) breaks(h Hold, data, setting int) *Unfit {
	least, most := h.Limit.Min, h.Limit.Max
	lo, hi := t.ends(h.By, data, setting)
	met, broken := limit.Keeps(lo, hi, least, most)
	switch {
	case met, h.Limit.IfAny && !broken:
		return nil
	case math.IsNaN(lo) || math.IsNaN(hi):
		if h.By.Name != h.Limit.Measure &&
			slices.ContainsFunc(t.Holds, func(o Hold) bool { return o.By.Name == h.Limit.Measure }) {
			return nil
		}
		return &Unfit{h, math.NaN(), 0}
	case h.Limit.IfAny:
		lo, hi = hi, lo // the optimistic ends
	}
	if most != nil && hi > *most {
		return &Unfit{h, float64(hi * h.By.Factor), hi - *most}
	}
	return &Unfit{h, float64(lo * h.By.Factor), *least - lo}
}

// ends returns the means over the runs on a data set of the lower and of the upper bounds of a measure, before the
// factor, which enclose its mean; NaN where no run has any.
func (t *Contest) ends(s *Scale, data, setting int) (lo, hi float64) {
	n := 0.0
	for i := range t.Cells {
		c := &t.Cells[i]
		if c.Data == data && c.Setting == setting && c.Err == "" && s.Index < len(c.Scores) && c.Scores[s.Index].Err.Empty() {
			lo += c.Scores[s.Index].Lo
			hi += c.Scores[s.Index].Hi
			n++
		}
	}
	lo, hi = lo/n, hi/n // NaN without runs
	if f := t.Figure(s, data, setting); f != nil && f.Mean == f.Mean {
		if !(lo < f.Mean) {
			lo = f.Mean
		}
		if !(hi > f.Mean) {
			hi = f.Mean
		}
	}
	return lo, hi
}

// Enough reports whether there are folds and runs enough for what follows: a setting that clearly leads needs no more;
// a tie between the leaders needs five runs of each over at least two folds, and intervals narrower than a tenth of the
// scale on either side.
func (v *Verdict) Enough() bool {
	if len(v.Lead) < 2 {
		return true
	}
	for _, e := range v.Lead {
		for d := range v.Data {
			if f := v.Figure(v.By, d, e.Setting); f == nil || f.Cells < fewestRuns || v.Folds < 2 {
				return false
			}
		}
		if v.By.Axis().wide(v.Value(e)) {
			return false
		}
	}
	return true
}

// Take returns the setting to take: the one that leads, or of several the one that is clearly safer than the others.
// There is none where no limit holds, where nobody measured whether one is kept, or where the folds are too few.
func (v *Verdict) Take() (Entrant, bool) {
	switch {
	case len(v.Holds) == 0 || len(v.Open) > 0 || len(v.Lead) == 0:
		return Entrant{}, false
	case len(v.Lead) == 1:
		return v.Lead[0], true
	case !v.Enough():
		return Entrant{}, false
	}
	return v.Safer()
}

// TooClose returns the leaders when there are several and the folds are enough to say that they cannot be told apart.
func (v *Verdict) TooClose() []Entrant {
	if len(v.Lead) < 2 || !v.Enough() {
		return nil
	}
	return v.Lead
}

// Unfit returns the settings that break a limit, in the order of the entrants.
func (v *Verdict) Unfit() (out []Entrant) {
	for _, e := range v.Entrants {
		if e.Unfit != nil {
			out = append(out, e)
		}
	}
	return out
}

// MoreFolds returns how many folds to ask for where these are too few, or else, from ten folds on, how many repeats.
func (v *Verdict) MoreFolds() (folds, repeats int) {
	switch {
	case v.Folds < 5:
		return 5, 0
	case v.Folds < 10:
		return 10, 0
	}
	return 0, 2 * v.Repeats
}
