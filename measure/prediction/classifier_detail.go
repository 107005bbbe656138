package prediction

import (
	"math"

	"github.com/dither-data/dither/internal/portable"
	"github.com/dither-data/dither/internal/portable/vector"
	"github.com/dither-data/dither/internal/stats/mannwhitney"
	"github.com/dither-data/dither/internal/stats/quantile"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
)

// ClassifierDetail is what a classifier makes of the original and of the release.
type ClassifierDetail struct {
	Learner  string   `json:"learner"`
	Tests    string   `json:"tests"` // cross-validation or hold-out
	Runs     int      `json:"runs"`
	Learned  int      `json:"learned"` // records of the original that the first run learned from
	Tested   int      `json:"tested"`  // records with a class that it tested
	Original Side     `json:"original"`
	Released Side     `json:"released"`
	Figures  []Figure `json:"figures"` // acc, pd, prec, pf
}

// Side is the classifier learned from the original or from the release.
type Side struct {
	Accuracy float64 `json:"accuracy"` // mean over the runs of the share of the records predicted right, per cent
	// of the values of every figure: run by run, the classes that the records tested have
	Classes []string `json:"classes"`
}

// Figure is one figure of every class and run, for the classifiers of the original and of the release.
type Figure struct {
	Name     string    `json:"name"`
	Title    string    `json:"title"`
	Lower    bool      `json:"lower"` // is better
	P        float64   `json:"p"`     // of the two-sided Mann-Whitney test that the two do not differ
	Original Treatment `json:"original"`
	Released Treatment `json:"released"`
}

// Treatment is a sample of a figure with its quartiles, in per cent.
type Treatment struct {
	Values []float64 `json:"values"`
	quantile.Summary
	Rank int `json:"rank"` // 1 or 2: a lower rank is better, an equal one tells of no difference
}

// Samples returns the values of the release, figure by figure.
func (d ClassifierDetail) Samples() []mannwhitney.Sample {
	var out []mannwhitney.Sample
	for _, f := range d.Figures {
		out = append(out, mannwhitney.Sample{Name: f.Name, Title: f.Title, Lower: f.Lower, Values: f.Released.Values})
	}
	return out
}

// detail gathers the runs, and the loss of accuracy of every run that tests a record with a class, in percentage
// points.
func (m *ClassifierMeter) detail(p *plan, runs []run) (d ClassifierDetail, loss []float64) {
	d = ClassifierDetail{
		Learner: m.Learner,
		Tests:   p.tests,
		Runs:    len(runs),
		Learned: runs[0].learned,
		Tested:  runs[0].records,
	}
	for _, r := range runs {
		if r.records > 0 {
			loss = append(loss, 100*float64(r.lost-r.won)/float64(r.records))
		}
	}
	var before, after [len(metrics)][]float64
	d.Original, before = gather(runs, func(r run) *outcome { return r.before })
	d.Released, after = gather(runs, func(r run) *outcome { return r.after })
	for k, metric := range metrics {
		samples := [][]float64{before[k], after[k]}
		ranks := mannwhitney.Ranks(samples, !metric.lower, mannwhitney.Alpha)
		d.Figures = append(d.Figures, Figure{Name: metric.name, Title: metric.title, Lower: metric.lower,
			P:        mannwhitney.Test(before[k], after[k], false).P,
			Original: Treatment{before[k], quantile.Of(before[k]), ranks[0]},
			Released: Treatment{after[k], quantile.Of(after[k]), ranks[1]}})
	}
	return d, loss
}

func gather(runs []run, of func(run) *outcome) (s Side, values [len(metrics)][]float64) {
	n := 0.0
	for _, r := range runs {
		o := of(r)
		s.Classes = append(s.Classes, o.classes...)
		for _, f := range o.figures {
			for k, v := range f {
				values[k] = append(values[k], v)
			}
		}
		if o.known == 0 {
			continue
		}
		n++
		right := 0
		for _, ok := range o.right {
			if ok {
				right++
			}
		}
		s.Accuracy += 100 * float64(right) / float64(o.known)
	}
	s.Accuracy /= n
	return s, values
}

// parts lists the accuracies, the medians, the other quartiles and the ranks.
func (d *ClassifierDetail) parts() []measure.Part {
	out := []measure.Part{
		{
			Key:   "accuracy-original",
			Name:  message.Say("measure.classifier.part.accuracy-original"),
			Score: d.Original.Accuracy,
		},
		{
			Key:   "accuracy-released",
			Name:  message.Say("measure.classifier.part.accuracy-released"),
			Score: d.Released.Accuracy,
		},
	}
	add := func(key measure.Key, of func(*Treatment) float64) {
		for k := range d.Figures {
			f := &d.Figures[k]
			out = append(
				out,
				measure.Part{
					Key:   key + "-original",
					Of:    f.Name,
					Name:  message.Say("measure.classifier.part."+string(key)+"-original").Name("figure", f.Name),
					Score: of(&f.Original),
				},
				measure.Part{
					Key:   key + "-released",
					Of:    f.Name,
					Name:  message.Say("measure.classifier.part."+string(key)+"-released").Name("figure", f.Name),
					Score: of(&f.Released),
				},
			)
		}
	}
	add(measure.Key("median"), func(t *Treatment) float64 { return t.Median })
	add(measure.Key("lower"), func(t *Treatment) float64 { return t.Q1 })
	add(measure.Key("upper"), func(t *Treatment) float64 { return t.Q3 })
	add(measure.Key("rank"), func(t *Treatment) float64 { return float64(t.Rank) })
	return out
}

const classifierConfidence = 0.95

// interval returns the mean loss of the runs and its interval, in percentage points.
func interval(loss []float64, runs []run, folds int) (mean, lo, hi float64) {
	mean = vector.Mean(loss)
	if len(runs) == 1 {
		lo, hi = matched(runs[0])
	} else {
		half := resampled(loss, folds)
		lo, hi = mean-half, mean+half
	}
	return mean, max(-100, min(lo, mean)), min(100, max(hi, mean))
}

// resampled returns half the interval of a mean over the runs of repeated cross-validation, whose training tables
// overlap: the variance of the mean is s^2 (1/J + n2/n1) for J runs that test n2 and learn from n1 records (Nadeau &
// Bengio 2003, section 3).
func resampled(v []float64, folds int) float64 {
	n := float64(len(v))
	if n < 2 {
		return math.Inf(1)
	}
	t := portable.StudentQuantile(n-1, (1+classifierConfidence)/2)
	return float64(t * math.Sqrt(vector.Variance(v)*(1/n+1/float64(folds-1))))
}

// matched returns the interval of the difference of two proportions of the same records, half a record added to every
// way the two can fall out (Agresti & Min 2005).
func matched(r run) (lo, hi float64) {
	n, lost, won := float64(r.records)+2, float64(r.lost)+0.5, float64(r.won)+0.5
	d := (lost - won) / n
	half := portable.Quantile((1+classifierConfidence)/2) * math.Sqrt((lost+won)-(lost-won)*(lost-won)/n) / n
	return float64(100 * (d - half)), float64(100 * (d + half))
}
