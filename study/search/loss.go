package search

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"sync"

	"github.com/dither-data/dither/catalog"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/dataquality"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/table"
)

// loss is one thing that a release may lose, with the measure that shows it.
type loss struct {
	measure.Loss
	by measure.Measure
}

// lossesByName are what a release may lose, by name: all that the measures of the catalogue bring.
var lossesByName = sync.OnceValue(func() map[string]loss { return lossesOf(catalog.Measures()) })

func lossesOf(ms []measure.Measure) map[string]loss {
	out := map[string]loss{}
	for _, m := range ms {
		for _, l := range m.Losses {
			out[l.Name] = loss{l, m}
		}
	}
	return out
}

// NewBase looks at the class of a table. Cost: O(n).
func NewBase(t *table.Table) (b measure.Base) {
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

// Modelled reports whether an aspect is measured by the information quality model that the owner gives.
func Modelled(name string) bool { return lossesByName()[name].by.Name == dataquality.IQM.Name }

// LossNames returns what a release can be judged by, in order.
func LossNames() []string { return sortedKeys(lossesByName()) }

// LossSays says what a loss of an aspect is a share of.
func LossSays(name string) message.Sentence { return lossesByName()[name].Says }

// weightings are the purposes that have a name: what the losses count in each, in the order that the measures give.
func weightings() map[string][]WeightedLoss {
	places := map[string]measure.Place{}
	out := map[string][]WeightedLoss{}
	for _, name := range LossNames() {
		for _, w := range lossesByName()[name].Weights {
			places[w.Purpose+" "+name] = w.Place
			out[w.Purpose] = append(out[w.Purpose], WeightedLoss{name, w.Weight})
		}
	}
	for purpose, of := range out {
		slices.SortStableFunc(of, func(a, b WeightedLoss) int {
			return cmp.Compare(places[purpose+" "+a.Name], places[purpose+" "+b.Name])
		})
	}
	return out
}

// Specs returns the measures that the aspects are measured by, each once.
func Specs(list []WeightedLoss) (out []study.Spec) {
	for _, a := range list {
		l := lossesByName()[a.Name]
		if slices.ContainsFunc(out, func(s study.Spec) bool { return s.Measure.Name == l.by.Name }) {
			continue
		}
		set := maps.Clone(l.by.Bounds)
		if set == nil {
			set = map[string]string{}
		}
		maps.Copy(set, l.Set)
		out = append(out, study.Spec{Measure: l.by, Set: set})
	}
	return out
}

// Losses works out what a release loses by what was measured of it. What cannot be measured of a release, though it can
// of the original, is lost.
func Losses(list []WeightedLoss, taken []study.Measured, r *measure.Release, b measure.Base) []float64 {
	out := make([]float64, len(list))
	for k, a := range list {
		l := lossesByName()[a.Name]
		out[k] = l.lost(taken, r, b)
		if l.Numbers {
			out[k] = 1 - float64((1-out[k])*numbersLeft(r))
		}
	}
	return out
}

// Unmeasured returns the aspects that count and that nothing tells of a release, though the table can lose them: those
// of measures that do not apply to it, as such of single records do not where none is anybody's.
func Unmeasured(list []WeightedLoss, taken []study.Measured) (names []string) {
	for _, a := range list {
		l := lossesByName()[a.Name]
		skipped := func(m study.Measured) bool { return m.Name == l.by.Name && m.Skip }
		if a.Weight > 0 && l.Else == nil && slices.ContainsFunc(taken, skipped) {
			names = append(names, a.Name)
		}
	}
	return names
}

// lost is one loss, in [0, 1].
func (l *loss) lost(taken []study.Measured, r *measure.Release, b measure.Base) float64 {
	v := math.NaN()
	switch m := study.Find(taken, l.by.Name); {
	case m != nil && l.applies(r):
		v = l.Of(m.Value, b)
	case l.Else != nil:
		v = l.Else(r)
	}
	if v != v {
		return 1
	}
	return min(max(v, 0), 1)
}

// applies reports whether the measure shows the loss of a release: one of generality shows that of releases that
// generalise.
func (l *loss) applies(r *measure.Release) bool { return l.Else == nil || r.Exact != nil }

// Applicable returns the aspects that a table can lose, by what was measured of the table released as it is, and the
// names of the others.
func Applicable(list []WeightedLoss, taken []study.Measured, b measure.Base) (can []WeightedLoss, cannot []string) {
	for _, a := range list {
		l := lossesByName()[a.Name]
		m := study.Find(taken, l.by.Name)
		if l.Else != nil || m != nil && !math.IsNaN(l.Of(m.Value, b)) {
			can = append(can, a)
		} else {
			cannot = append(cannot, a.Name)
		}
	}
	return can, cannot
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
