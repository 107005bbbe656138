package study

import (
	"fmt"
	"math"
	"strings"

	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/accuracy"
	"github.com/dither-data/dither/measure/bias"
	"github.com/dither-data/dither/table"
)

// cutoff is from where on a loss, of which less is better, is called small enough to rely on the release, or too large to. Between the two, and where an
// interval straddles, nothing is said.
type cutoff struct{ good, bad float64 }

// The cut-offs. They are conventions of this program, chosen so that what is called good would hardly change a conclusion, and what is called bad would.
var (
	// ruleLoss is the share of the records, in per cent, under rules that did not survive. Trees as good as each other differ in a fifth easily.
	ruleLoss = cutoff{20, 50}
	// accuracyLoss is in points of per cent: two hardly show between folds of a cross-validation, five do.
	accuracyLoss = cutoff{2, 5}
	// meanLoss is a shift in standard deviations: 0.2 is what Cohen (1988) calls a small effect; half and a quarter of it are kept away from.
	meanLoss = cutoff{0.05, 0.1}
	// correlationLoss is the largest change of a correlation: 0.1 is what Cohen calls a small one.
	correlationLoss = cutoff{0.1, 0.2}
	// distributionLoss is the distance of two distributions, at most 1.
	distributionLoss = cutoff{0.05, 0.15}
	// clusterLoss is the share of the records in another cluster.
	clusterLoss = cutoff{0.1, 0.25}
)

// mostListed is how many columns a judgement names.
const mostListed = 4

// fitness says what the release is good for and not for, from the measures that were taken.
func fitness(o *Outcome, v *Verdict) {
	f := fit{v, "the class"}
	if o.Original != nil {
		if j := o.Original.WithRole(table.Class); j >= 0 {
			f.class = o.Original.Attr(j).Name
		}
	}
	told := false // of a tree that is one leaf
	if m := Find(o.Measures, "accuracy"); m != nil {
		d, ok := m.Value.Detail.(accuracy.Detail)
		if ok && d.LeavesOriginal == 1 {
			told = true
			v.NotFor = append(v.NotFor, "decision rules on "+f.class+": no rule predicts the class in the original, so figures about rules say nothing")
		} else if ok {
			f.accuracy(&d, m.Value)
		}
	}
	if m := Find(o.Measures, "treesimilarity"); m != nil && !told {
		f.rules(m.Value)
	}
	if m := Find(o.Measures, "bias"); m != nil {
		if d, ok := m.Value.Detail.(bias.Detail); ok {
			f.columns(&d)
		}
	}
	if m := Find(o.Measures, "misclassification"); m != nil {
		f.say("clustering", m.Value.Score, m.Value.Lo, m.Value.Hi, clusterLoss)
	}
}

// fit gathers what a release is good for.
type fit struct {
	*Verdict
	class string
}

// say judges one loss with its interval.
func (f *fit) say(what string, loss, lo, hi float64, c cutoff) {
	switch {
	case math.IsNaN(loss):
	case math.Max(loss, hi) <= c.good:
		f.GoodFor = append(f.GoodFor, what)
	case !math.IsNaN(lo) && math.Min(loss, lo) >= c.bad:
		f.NotFor = append(f.NotFor, what)
	}
}

// accuracy judges what a classifier that was learned from the release loses: on a hold-out where there is one, else on the original records.
func (f *fit) accuracy(d *accuracy.Detail, v measure.Value) {
	loss, half := d.OriginalOriginal-d.ReleasedOriginal, (v.Hi-v.Lo)/2
	if d.ReleasedHoldout == d.ReleasedHoldout && d.OriginalHoldout == d.OriginalHoldout {
		loss = d.OriginalHoldout - d.ReleasedHoldout
	}
	f.say("predicting "+f.class, loss, loss-half, loss+half, accuracyLoss)
}

// rules judges whether the rules survived; a tree that is one leaf has none.
func (f *fit) rules(v measure.Value) {
	leaves := func(name string) float64 {
		for _, p := range v.Parts {
			if p.Name == name {
				return p.Score
			}
		}
		return math.NaN()
	}
	if leaves("leaves of the original tree") == 1 {
		f.NotFor = append(f.NotFor, "decision rules on "+f.class+": no rule predicts the class in the original, so figures about rules say nothing")
		return
	}
	f.say("decision rules on "+f.class, 100-v.Score, 100-v.Hi, 100-v.Lo, ruleLoss)
}

// columns judges means, distributions and correlations.
func (f *fit) columns(d *bias.Detail) {
	means := map[string]float64{}
	var numeric, names []string
	for k, name := range d.Names {
		sd := d.SDOriginal[k]
		if sd == 0 || math.IsNaN(sd) || math.IsNaN(d.MeanReleased[k]) {
			continue
		}
		numeric = append(numeric, name)
		means[name] = math.Abs(d.MeanReleased[k]-d.MeanOriginal[k]) / sd
	}
	f.each("means", numeric, means, meanLoss)
	distances := map[string]float64{}
	for _, x := range d.Distances {
		if !math.IsNaN(x.Distance) {
			names = append(names, x.Name)
			distances[x.Name] = x.Distance
		}
	}
	f.each("distributions", names, distances, distributionLoss)
	if len(numeric) > 1 {
		f.say("correlations", d.LargestCorrDiff, d.LargestCorrDiff, d.LargestCorrDiff, correlationLoss)
	}
}

// each judges a figure of every column: good for all or for those that are named, not for those that are named.
func (f *fit) each(what string, names []string, loss map[string]float64, c cutoff) {
	var good, bad []string
	for _, n := range names {
		switch {
		case loss[n] <= c.good:
			good = append(good, n)
		case loss[n] >= c.bad:
			bad = append(bad, n)
		}
	}
	switch {
	case len(names) > 0 && len(good) == len(names):
		f.GoodFor = append(f.GoodFor, what+" of every column")
	case len(good) > len(bad) && len(good) > 0:
		f.GoodFor = append(f.GoodFor, what+" of "+someOf(good))
	}
	if len(bad) > 0 {
		f.NotFor = append(f.NotFor, what+" of "+someOf(bad))
	}
}

// someOf names a few columns, and says how many more there are.
func someOf(names []string) string {
	if len(names) <= mostListed {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:mostListed-1], ", "), len(names)-mostListed+1)
}
