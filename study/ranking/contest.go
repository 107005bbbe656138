package ranking

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/dither-data/dither/limit"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/study"
)

// Contest is a comparison made ready to be judged.
type Contest struct {
	*study.Comparison
	Scales  []Scale // one per measure
	Utility *Scale  // the axes of the map; nil when no such measure was taken
	Risk    *Scale  //
	Limits  *limit.Set
	// the limits that a comparison can judge, in every measure they are on; empty when none was measured
	Holds    []Hold
	Open     []string  // the limits, by measure, that it could judge and that no measure was taken for
	Entrants []Entrant // by utility, the best first, and then the baselines; without the original, which is setting 0
	at       map[[3]int]*study.Summary
}

// Entrant is a setting of the comparison.
type Entrant struct {
	Setting  int  // index in Comparison.Settings
	Baseline bool // not for release, so no candidate: by its card, or because it is Unfit
	Unfit    *Unfit
	Standing Standing
	BeatenBy int // a setting that dominates it, of several the one that stands best; 0 for none
}

// Options says what settings must keep, and names the measures of the map by label or published name. Empty takes of
// the measures of utility that have a value the one that leads, or else the first. Of those of risk it takes one that a
// limit is held against before the rest, then one that tells the candidates apart before one that only has a value for
// them, and the people found before what only speaks of them.
type Options struct {
	Utility, Risk string
	// Limits are what a setting must keep to be for release; nil takes the default ones. Those on what only a release has,
	// such as its columns, are left to anyone who makes it.
	Limits *limit.Set
	// Binding names the intruders against whom they hold, as in study.Evidence; nil for all.
	Binding []string
}

// UnknownMeasure is the error for an axis that names no measure of the comparison.
type UnknownMeasure struct {
	Name  string
	Known []string // labels
}

func (e *UnknownMeasure) Error() string {
	return fmt.Sprintf("the comparison has no measure %q, it has %s", e.Name, strings.Join(e.Known, ", "))
}

// New makes a comparison ready. It needs settings and data sets; an axis that names none of its measures is an
// *UnknownMeasure. Cost: O(cells + k^2) for k settings.
func New(c *study.Comparison, opt Options) (*Contest, error) {
	if c == nil || len(c.Settings) == 0 || len(c.Data) == 0 {
		return nil, errors.New("a comparison needs settings and data sets")
	}
	t := &Contest{Comparison: c, at: map[[3]int]*study.Summary{}}
	for i := range c.Summaries {
		if s := &c.Summaries[i]; s.Part == "" {
			t.at[[3]int{s.Data, s.Setting, s.Measure}] = s
		}
	}
	for k := range c.Measures {
		t.Scales = append(t.Scales, newScale(c, k))
	}
	for k := 1; k < len(c.Settings); k++ {
		m := c.Settings[k].Method
		t.Entrants = append(t.Entrants, Entrant{Setting: k, Baseline: m != nil && m.Baseline})
	}
	if err := t.hold(opt); err != nil {
		return nil, err
	}
	if err := t.choose(opt); err != nil {
		return nil, err
	}
	t.rank()
	return t, nil
}

// choose picks the measures of the map.
func (t *Contest) choose(opt Options) error {
	var err error
	if t.Utility, err = t.find(opt.Utility); err != nil {
		return err
	}
	if t.Risk, err = t.find(opt.Risk); err != nil {
		return err
	}
	for i := range t.Scales {
		s := &t.Scales[i]
		if opt.Utility == "" && s.Side == measure.Utility && (t.Utility == nil || t.useful(s) > t.useful(t.Utility)) {
			t.Utility = s
		}
		if opt.Risk == "" && s.Side == measure.Risk && (t.Risk == nil || t.worth(s) > t.worth(t.Risk)) {
			t.Risk = s
		}
	}
	if t.Risk != nil && !strings.EqualFold(t.Risk.Label, opt.Risk) {
		t.Risk = t.strongest(t.Risk)
	}
	return nil
}

// shown are the settings that the map is for: the candidates or, where nothing is for release, all.
func (t *Contest) shown() []Entrant {
	if out := t.Candidates(); len(out) > 0 {
		return out
	}
	return t.Entrants
}

// known reports whether a measure has a value for a setting that the map is for.
func (t *Contest) known(s *Scale) bool {
	return slices.ContainsFunc(t.shown(), func(e Entrant) bool { return t.Over(s, e.Setting).Known() })
}

// useful orders the measures of utility that the map may show: one without a value goes last, as that of rules does on
// a table without a class; then one that leads before the rest, one that heads a report, and one with a short scale.
func (t *Contest) useful(s *Scale) (n int) {
	for k, has := range []bool{s.Hi-s.Lo <= widest, !s.Figure.Says.Empty(), s.Leads, t.known(s)} {
		if has {
			n += 1 << k
		}
	}
	return n
}

// widest is how wide a scale may be for differences to be seen on it: that of a correlation in per cent.
const widest = 200

// LimitOf is the largest figure that the limits allow in a measure; NaN where they do not say, or do not hold against
// its intruder.
func (t *Contest) LimitOf(s *Scale) float64 {
	for _, h := range t.Holds {
		if h.By == s && h.Limit.Max != nil {
			return float64(*h.Limit.Max * s.Factor)
		}
	}
	return math.NaN()
}

// worth orders the measures of risk that the map may show: one without a value goes last, one with a limit first, then
// one that tells the candidates apart, and the share of the people who are found before what only speaks of them.
func (t *Contest) worth(s *Scale) (n int) {
	if !t.known(s) {
		return 0
	}
	n = 1
	if t.bound(s) {
		n += 4
	}
	if t.Apart(s) {
		n += 2
	}
	if s.Finds {
		n++
	}
	return n
}

// find returns the measure with a name or label; nil for an empty one.
func (t *Contest) find(name string) (*Scale, error) {
	if name == "" {
		return nil, nil
	}
	var known []string
	for i := range t.Scales {
		s := &t.Scales[i]
		if s.Answers(name) || strings.EqualFold(s.Label, name) {
			return s, nil
		}
		known = append(known, s.Label)
	}
	return nil, &UnknownMeasure{name, known}
}

// strongest returns a measure of risk as taken against the intruder to whom the settings expose most, of equal ones the
// last; one that a limit holds against goes before one that no limit binds, and one that tells candidates apart before
// one that does not.
func (t *Contest) strongest(s *Scale) *Scale {
	exposed := func(s *Scale) (sum float64) {
		for _, e := range t.shown() {
			if v := t.Over(s, e.Setting); v.Known() {
				sum += v.Mean
			}
		}
		return sum
	}
	best := s
	for i := range t.Scales {
		o := &t.Scales[i]
		if o.Name != s.Name || o.Varied != s.Varied {
			continue
		}
		if bound := t.bound(o); bound != t.bound(best) {
			if bound {
				best = o
			}
		} else if useful := t.Apart(o); useful != t.Apart(best) {
			if useful {
				best = o
			}
		} else if !s.Beats(exposed(o), exposed(best)) {
			best = o
		}
	}
	return best
}

func (t *Contest) bound(s *Scale) bool { return !math.IsNaN(t.LimitOf(s)) && t.known(s) }

// rank orders the settings by utility and finds where they stand on the map.
func (t *Contest) rank() {
	if t.Utility == nil {
		return
	}
	u := t.Utility
	slices.SortStableFunc(t.Entrants, func(a, b Entrant) int {
		x, y := t.Over(u, a.Setting), t.Over(u, b.Setting)
		switch {
		case a.Baseline != b.Baseline:
			return order(a.Baseline, b.Baseline)
		case !x.Known() || !y.Known():
			return order(y.Known(), x.Known())
		case u.Beats(x.Mean, y.Mean):
			return -1
		case u.Beats(y.Mean, x.Mean):
			return 1
		}
		return 0
	})
	if t.Risk == nil {
		return
	}
	m := t.Map(-1)
	standings := m.Standings()
	for n := range t.Entrants {
		e := &t.Entrants[n]
		i := e.Setting - 1
		e.Standing = standings[i]
		best := Unknown
		for k := range standings {
			if e.Standing == Dominated && standings[k] > best && m.Dominates(k, i) {
				best, e.BeatenBy = standings[k], k+1
			}
		}
	}
}

func order(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

// Map returns the risk-utility map of a data set, of the means over all for -1; both measures must have been taken. Its
// points are the settings in the order of the comparison, without the original.
func (t *Contest) Map(data int) Map {
	m := Map{X: t.Risk.Axis(), Y: t.Utility.Axis(), Points: make([]Point, len(t.Entrants))}
	for _, e := range t.Entrants {
		m.Points[e.Setting-1] = Point{
			X:     t.At(t.Risk, data, e.Setting),
			Y:     t.At(t.Utility, data, e.Setting),
			Aside: e.Baseline,
		}
	}
	return m
}

// At returns the figure of a setting on a data set, of the mean over all for -1.
func (t *Contest) At(s *Scale, data, setting int) Estimate {
	if data < 0 {
		return t.Over(s, setting)
	}
	sum := t.Figure(s, data, setting)
	if sum == nil {
		return Nothing()
	}
	return Estimate{Mean: float64(sum.Mean * s.Factor), Lo: float64(sum.Lo * s.Factor), Hi: float64(sum.Hi * s.Factor)}
}

// Figure returns the summary of a setting on one data set, before the factor; nil when there is none.
func (t *Contest) Figure(s *Scale, data, setting int) *study.Summary {
	return t.at[[3]int{data, setting, s.Index}]
}

// Over returns the mean of a setting over the data sets, each with the same weight. Its interval treats them as given
// and their errors as independent. A setting that failed on one has none: it would be compared over other data sets
// than the rest.
func (t *Contest) Over(s *Scale, setting int) Estimate {
	var sum, square float64
	for d := range t.Data {
		e := t.At(s, d, setting)
		if !e.Known() {
			return Nothing()
		}
		sum += e.Mean
		square += (e.Hi - e.Lo) / 2 * (e.Hi - e.Lo) / 2
	}
	n := float64(len(t.Data))
	half := math.Sqrt(square) / n
	return Estimate{Mean: sum / n, Lo: sum/n - half, Hi: sum/n + half}
}

// Candidates returns the settings of which one may be chosen: all but the baselines.
func (t *Contest) Candidates() []Entrant {
	return slices.DeleteFunc(slices.Clone(t.Entrants), func(e Entrant) bool { return e.Baseline })
}

// Apart reports whether a measure tells at least two candidates apart.
func (t *Contest) Apart(s *Scale) bool {
	all := t.Candidates()
	for _, a := range all {
		for _, b := range all {
			if s.Clearly(t.Over(s, a.Setting), t.Over(s, b.Setting)) {
				return true
			}
		}
	}
	return false
}

// Best returns the candidate with the best mean on a data set, over all for -1, as its place among the entrants; -1
// when none has a mean. It is clear when it is clearly better than at least one of the others.
func (t *Contest) Best(s *Scale, data int) (best int, clear bool) {
	best = -1
	for k, e := range t.Entrants {
		if v := t.At(s, data, e.Setting); v.Known() && !e.Baseline &&
			(best < 0 || s.Beats(v.Mean, t.At(s, data, t.Entrants[best].Setting).Mean)) {
			best = k
		}
	}
	for _, e := range t.Entrants {
		clear = clear ||
			best >= 0 && !e.Baseline && s.Clearly(t.At(s, data, t.Entrants[best].Setting), t.At(s, data, e.Setting))
	}
	return best, clear
}

// Strong reports whether a setting is on the frontier or, without a map, not clearly behind the best.
func (t *Contest) Strong(e Entrant) bool {
	if e.Standing != Unknown {
		return e.Standing == Frontier
	}
	return t.Utility != nil && t.Risk == nil && !e.Baseline && t.Over(t.Utility, e.Setting).Known() &&
		!t.Utility.Clearly(t.Over(t.Utility, t.Entrants[0].Setting), t.Over(t.Utility, e.Setting))
}
