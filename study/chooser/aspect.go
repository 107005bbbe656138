package chooser

import (
	"maps"
	"math"
	"slices"

	"github.com/dither-data/dither/catalog"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/iqm"
	"github.com/dither-data/dither/quality"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/table"
)

// scale says how a measured value becomes a loss from 0, nothing, to 1, all.
type scale struct {
	measure string            // by which it is measured
	set     map[string]string // its parameters that differ from their defaults
	what    string            // in words
	loss    func(v measure.Value, base Base) float64
	numbers bool // of numbers: a column that the release has no numbers of is lost
}

// Base is what the aspects are measured against.
type Base struct {
	// Guess is the share of the records, in per cent, whose class is right when the commonest is always guessed.
	Guess float64
}

// NewBase looks at the class of a table. Cost: O(n).
func NewBase(t *table.Table) (b Base) {
	j := t.WithRole(table.Class)
	if j < 0 || t.Attr(j).Kind != table.Categorical {
		return b
	}
	counts, all := map[int32]int{}, 0
	for _, c := range t.Cat(j) {
		if c >= 0 {
			counts[c]++
			all++
		}
	}
	for _, n := range counts {
		b.Guess = max(b.Guess, 100*float64(n)/float64(max(1, all)))
	}
	return b
}

// leastGain is how many per cent a tree must be better than guessing for its accuracy to be something that can be lost.
const leastGain = 2

// aspects are what a release may lose, by name.
var aspects = map[string]scale{
	"accuracy": {"accuracy", nil, "of what the original's decision tree predicts better than guessing, the tree of the release loses",
		func(v measure.Value, b Base) float64 {
			had, has := part(v, "original tree on original")-b.Guess, part(v, "released tree on original")-b.Guess
			if had < leastGain {
				return math.NaN()
			}
			return (had - has) / had
		}, false},
	"rules": {"treesimilarity", nil, "of the records under decision rules that the original has too, but for numeric limits, is missing",
		func(v measure.Value, _ Base) float64 { return 1 - v.Score/100 }, false},
	"associations": {"rulesurvival", nil, "of the association rules that original or release have, is not in both",
		func(v measure.Value, _ Base) float64 { return 1 - v.Score }, false},
	"correlations": {"bias", noTree, "is the largest change of a correlation",
		func(v measure.Value, _ Base) float64 { return v.Score }, true},
	"means": {"bias", noTree, "of a standard deviation is the largest shift of a mean",
		func(v measure.Value, _ Base) float64 {
			return part(v, "largest shift of a mean, in standard deviations")
		}, true},
	"spreads": {"bias", noTree, "is the largest relative change of a standard deviation",
		func(v measure.Value, _ Base) float64 {
			return part(v, "type A: largest relative change of a standard deviation")
		}, true},
	"distributions": {"bias", noTree, "is the mean distance of the columns' distributions",
		func(v measure.Value, _ Base) float64 { return part(v, "type D: mean distance of distributions") }, false},
	"misses": {"missescost", nil, "of the patterns that are not to be hidden is lost",
		func(v measure.Value, _ Base) float64 { return v.Score }, false},
	"artefacts": {"artifactualpatterns", nil, "of the patterns of the release is new",
		func(v measure.Value, _ Base) float64 { return v.Score }, false},
	"dissimilarity": {"dissimilarity", nil, "is how far the counts of items are from what they were",
		func(v measure.Value, _ Base) float64 { return v.Score }, false},
	"iqm-accuracy": {"iqm", nil, "of what the values that matter to the purposes weigh is of values that were changed",
		lack(func(s quality.Shares) *float64 { return s.Accuracy }), false},
	"iqm-completeness": {"iqm", nil, "of what the values that matter to the purposes weigh is of values that are missing",
		lack(func(s quality.Shares) *float64 { return s.Completeness }), false},
	"iqm-consistency": {"iqm", nil, "of what the constraints of the purposes weigh is of records that break them, or in which they cannot be judged",
		lack(func(s quality.Shares) *float64 { return s.Most }), false},
}

// lack is one of the three of an information quality model, over all its purposes; NaN where nothing there weighs for it.
func lack(of func(quality.Shares) *float64) func(measure.Value, Base) float64 {
	return func(v measure.Value, _ Base) float64 {
		d, ok := v.Detail.(iqm.Detail)
		if !ok {
			return math.NaN()
		}
		if share := of(d.Share); share != nil {
			return *share
		}
		return math.NaN()
	}
}

// Modelled reports whether an aspect is measured by the information quality model that the owner gives.
func Modelled(name string) bool { return aspects[name].measure == iqm.Measure.Name }

var noTree = map[string]string{"dm": "false"}

// detail is the aspect that no measure of a release that generalises shows: what of the values cannot be told any more.
const detail = "detail"

// AspectNames returns what a release can be judged by, in order.
func AspectNames() []string {
	names := append(slices.Collect(maps.Keys(aspects)), detail)
	slices.Sort(names)
	return names
}

// AspectText says in words what a loss of an aspect is a share of.
func AspectText(name string) string {
	if name == detail {
		return "of the values is left open by groups, intervals and gaps"
	}
	return aspects[name].what
}

// Specs returns the measures that the aspects are measured by, each once.
func Specs(list []Aspect) (out []study.Spec) {
	for _, a := range list {
		name := aspects[a.Name].measure
		if a.Name == detail {
			name = "ncp"
		}
		if slices.ContainsFunc(out, func(s study.Spec) bool { return s.Measure.Name == name }) {
			continue
		}
		m, err := catalog.Measure(name)
		if err != nil {
			panic("chooser: " + err.Error()) // the names are those of the catalogue
		}
		set := maps.Clone(m.Bounds)
		if set == nil {
			set = map[string]string{}
		}
		maps.Copy(set, aspects[a.Name].set)
		out = append(out, study.Spec{Measure: m, Set: set})
	}
	return out
}

// Losses works out what a release loses by what was measured of it. What cannot be measured of a release, though it can of the original, is lost.
func Losses(list []Aspect, taken []study.Measured, r *measure.Release, b Base) []float64 {
	out := make([]float64, len(list))
	for k, a := range list {
		if a.Name == detail {
			out[k] = lostDetail(taken, r)
			continue
		}
		s := aspects[a.Name]
		out[k] = 1
		if m := study.Find(taken, s.measure); m != nil {
			if v := s.loss(m.Value, b); v == v {
				out[k] = min(max(v, 0), 1)
			}
			if s.numbers {
				out[k] = 1 - (1-out[k])*numbersLeft(r)
			}
		}
	}
	return out
}

// Applicable returns the aspects that a table can lose, by what was measured of the table released as it is, and the names of the others.
func Applicable(list []Aspect, taken []study.Measured, b Base) (can []Aspect, cannot []string) {
	for _, a := range list {
		s := aspects[a.Name]
		m := study.Find(taken, s.measure)
		if a.Name == detail || m != nil && !math.IsNaN(s.loss(m.Value, b)) {
			can = append(can, a)
		} else {
			cannot = append(cannot, a.Name)
		}
	}
	return can, cannot
}

func part(v measure.Value, name string) float64 {
	for _, p := range v.Parts {
		if p.Name == name {
			return p.Score
		}
	}
	return math.NaN()
}

// numbersLeft is the share of the numeric columns that still are in the release.
func numbersLeft(r *measure.Release) float64 {
	exact := r.Original
	if r.Exact != nil {
		exact = r.Exact
	}
	all, left := 0, 0
	for j := range exact.Width() {
		a := exact.Attr(j)
		if a.Kind != table.Numeric || a.Role&table.Weight != 0 {
			continue
		}
		all++
		if k := r.Released.Find(a.Name); k >= 0 && r.Released.Attr(k).Kind == table.Numeric {
			left++
		}
	}
	if all == 0 {
		return 1
	}
	return float64(left) / float64(all)
}

// lostDetail is the normalised certainty penalty of a release that generalises, and of any other the share of the values that are missing and were not.
func lostDetail(taken []study.Measured, r *measure.Release) float64 {
	if r.Exact != nil {
		if m := study.Find(taken, "ncp"); m != nil {
			return min(max(m.Value.Score, 0), 1)
		}
		return 1
	}
	of := r.OfThose()
	if of.Original.Rows() != of.Released.Rows() {
		return 1
	}
	there, gone := 0, 0
	for j := range of.Original.Width() {
		for i := range of.Original.Rows() {
			if of.Original.MissingAt(i, j) {
				continue
			}
			there++
			if of.Released.MissingAt(i, j) {
				gone++
			}
		}
	}
	if there == 0 {
		return 0
	}
	return float64(gone) / float64(there)
}
