package choice

import (
	"math"
	"slices"
	"strings"

	"github.com/dither-data/dither/limit"
)

// fewestRuns is how many runs of a setting, over at least two folds, a tie rests on.
const fewestRuns = 5

// Unfit is why a setting is not for release: too many people are found, or nobody knows how many.
type Unfit struct {
	By    *Scale
	Bound float64 // the upper bound of those found, in per cent, as the mean over the runs, on the data set where it is highest; NaN when it could not be measured
}

// exclude finds the measures that count the people who are found, and marks the settings that let too many be found.
func (t *Contest) exclude(most float64) {
	if most <= 0 {
		most = foundLimit()
	}
	t.Limit = 100 * most
	for i := range t.Scales {
		if s := &t.Scales[i]; s.Finds && t.binds(s) {
			t.Finds = append(t.Finds, s)
		}
	}
	for k := range t.Entrants {
		e := &t.Entrants[k]
		e.Unfit = t.unfit(e.Setting)
		e.Baseline = e.Baseline || e.Unfit != nil
	}
}

// foundLimit is the largest share of the people who may be found where nothing else is said: that of the default limits.
func foundLimit() float64 {
	if s, err := limit.Preset(""); err == nil {
		if l := s.Find("found"); l != nil && l.Max != nil {
			return *l.Max
		}
	}
	return math.Inf(1)
}

// unfit returns the measure by which a setting lets the most people be found, if they are too many or none of the measures could be taken.
func (t *Contest) unfit(setting int) (worst *Unfit) {
	known := false
	for _, s := range t.Finds {
		b := t.bound(s, setting)
		known = known || !math.IsNaN(b)
		if b > t.Limit && (worst == nil || b > worst.Bound) {
			worst = &Unfit{s, b}
		}
	}
	if !known && len(t.Finds) > 0 {
		return &Unfit{t.Finds[0], math.NaN()}
	}
	return worst
}

// binds reports whether a setting must withstand the intruder of a measure: the default one who knows everything does not bind where one who knows the
// quasi-identifiers is played too.
func (t *Contest) binds(s *Scale) bool {
	if !strings.HasPrefix(s.Who, "knows everything") {
		return true
	}
	return !slices.ContainsFunc(t.Scales, func(o Scale) bool { return o.Name == s.Name && o.Who == "knows the quasi-identifiers" })
}

// bound returns the mean of the runs' upper bounds on the data set where it is highest, in per cent; NaN when there is none for a data set.
func (t *Contest) bound(s *Scale, setting int) float64 {
	worst := math.Inf(-1)
	for d := range t.Data {
		sum, n := 0.0, 0
		for i := range t.Cells {
			c := &t.Cells[i]
			if c.Data != d || c.Setting != setting || c.Err != "" || s.Index >= len(c.Scores) || c.Scores[s.Index].Err != "" {
				continue
			}
			sum += c.Scores[s.Index].Hi
			n++
		}
		b := sum / float64(n) * s.Factor // NaN without runs
		if e := t.At(s, d, setting); e.Known() && !(b > e.Mean) {
			b = e.Mean
		}
		if math.IsNaN(b) {
			return b
		}
		worst = math.Max(worst, b)
	}
	return worst
}

// Enough reports whether there are folds and runs enough for what follows: a setting that clearly leads needs no more; a tie between the leaders needs five
// runs of each over at least two folds, and intervals narrower than a tenth of the scale on either side.
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

// Take returns the setting to take: the one that leads, or of several the one that is clearly safer than the others. There is none where nobody measured
// whether people are found, or where the folds are too few.
func (v *Verdict) Take() (Entrant, bool) {
	switch {
	case len(v.Finds) == 0 || len(v.Lead) == 0:
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

// Unfit returns the settings that let too many people be found, in the order of the entrants.
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
