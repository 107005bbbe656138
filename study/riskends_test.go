package study_test

import (
	"math"
	"slices"
	"testing"

	"github.com/dither-data/dither/catalog"
	"github.com/dither-data/dither/measure"
)

// expectation is what a measure of risk is held to where it differs from others. Without one, the original must have the worst value of all
// releases, uniform noise the good end of the range within 0.02 or inside its interval, and records risks in [0, 1].
type expectation struct {
	measure string
	set     map[string]string // parameters that differ from their defaults
	// chance returns the best value there can be, or what pure chance gives, and how far from it that of uniform noise may be.
	chance func(s *scene) (best, far float64)
	slack  float64 // by which a technique may be worse than the original
	worst  string  // why a technique may be worse than the original by more
	best   string  // why uniform noise may have any value
	blind  bool    // the original may be as good as uniform noise, for the reason given in worst
	// records says what the risks of records are that are no shares or probabilities.
	records string
	labels  string // why its detail names categories
}

// Reasons that several measures share.
const (
	releaseOnly = "it looks at the release only: perturbed values fall into classes by chance, and a class says nothing of the persons in it"
	relative    = "it is relative to the noise: the original has none, and of noise that hides everything most can be told apart from the data"
)

// expectations lists them by measure. Counts are taken for Poisson ones; bounds are exceeded less than once in 10,000 seeds.
var expectations = []expectation{
	{measure: "bedr", worst: relative, best: relative},
	{measure: "pcadr", worst: relative, best: relative},
	{measure: "spectralfilter", worst: relative, best: relative},

	{measure: "kanonymity", best: releaseOnly},
	{measure: "ldiversity", best: releaseOnly},
	{measure: "tcloseness", worst: releaseOnly, best: releaseOnly},
	{measure: "populationrisk", worst: releaseOnly, best: releaseOnly},

	{measure: "score", worst: "half of it is information loss, of which the original has none: a release may lose much and disclose much",
		best: "half of it is information loss, of which uniform noise has most"},
	{measure: "sers", worst: "similarities of unrelated records are far from 0, so it lies just below its bound for any release, the original included",
		blind: true, chance: similarities},

	{measure: "classdisclosure", chance: oneBit,
		worst: "the class is that of a leaf of a tree grown on the release, and other values may give a tree with purer leaves"},
	// Of people who look alike, some 40 of 240, in pairs mostly, a technique makes other pairs of equal and different class: 20 pairs, of which each
	// gives 2/240 bits or none with a standard deviation of half of that, in both releases: 0.026 in the difference.
	{measure: "classdisclosure", set: map[string]string{"classFrom": "record"}, chance: oneBit, slack: 4 * 0.026},

	{measure: "conditionalprivacy", chance: wrapped, records: "bits that the released values give away, negative where they mislead"},
	{measure: "reidentification", chance: allRecords},
	{measure: "knowledge", set: map[string]string{"targets": "100"}, chance: allRecords},
	{measure: "lambert", chance: perceived},
	{measure: "linkage", chance: guesses},
	{measure: "linkage", set: map[string]string{"oneToOne": "true"}, chance: guesses},
	{measure: "linkage", set: map[string]string{"method": "probabilistic"}, chance: guesses},
	{measure: "intervaldisclosure", chance: intervals},
	{measure: "intervaldisclosure", set: map[string]string{"variant": "sd"}},
	{measure: "queryattack", set: map[string]string{"queries": "1000"}, chance: questions, labels: "S2 is a distribution for every secret category"},
	{measure: "queryattack", set: map[string]string{"queries": "1000", "values": "exact"}, chance: questions},
	{measure: "uniqueness"},
	{measure: "uniqueness", set: map[string]string{"missing": "any"}},
}

// oneBit: of two classes. The share of one among the released records, drawn with probability 1/2, has a standard deviation of 0.5/sqrt(n), and a
// deviation e from 1/2 costs 2 e²/ln 2 bits; 4 standard deviations.
func oneBit(s *scene) (best, far float64) { return 1, 2 / math.Ln2 * 16 * 0.25 / s.rows() }

// wrapped: RNAT releases one of D values as itself with probability 1/(2D-1), as each other one with 2/(2D-1). With D = 10, the least of the table, that
// tells of a value log2 10 - H bits at most, which is the capacity of the channel, and 1 - 2^-0.0213 of its privacy is lost.
func wrapped(*scene) (best, far float64) {
	h := (math.Log2(19) + 18*math.Log2(19./2)) / 19
	return 0, 1 - math.Exp2(h-math.Log2(10))
}

// weights is the mean weight of a record in the intruder's eyes relative to the largest: RNAT's halves it in each numeric attribute of D values where it has the
// target's, with probability 1/D. The domains have 10, 30, 79, 136, 266 and 351 values.
func weights() float64 {
	w := 1.0
	for _, d := range []float64{10, 30, 79, 136, 266, 351} {
		w *= 1 - 1/(2*d)
	}
	return w
}

// allRecords: all are equally likely but for those that miss a value, which stays missing, and for RNAT's preference for other values (weights): it costs
// their relative variance, at most 1-w of these, over 2 ln 2.
func allRecords(s *scene) (best, far float64) {
	return math.Log2(s.rows()), -math.Log2(s.complete()) + (1-weights())/(2*math.Ln2)
}

// perceived: the likeliest record is as likely as the others, but for the same reasons.
func perceived(s *scene) (best, far float64) {
	return 1 / s.rows(), (1/(s.complete()*weights()*0.95) - 1) / s.rows()
}

// guesses: one person is linked on average, more than 8 once in a million.
func guesses(s *scene) (best, far float64) { return 1 / s.rows(), 7 / s.rows() }

// intervals: those of 1 to 10 % of the records hold 5.5 % of other values on average, and 10 % of those of prior_admissions, where tenths of the records
// share a value; the mean of three attributes at least, 4 standard deviations of 3 n values.
func intervals(s *scene) (best, far float64) {
	return 0.055, 0.045/3 + 4*math.Sqrt(0.055*0.945/(3*s.rows()))
}

// questions: records have nothing to do with who is asked about, so a find is right with probability 1/n; a mean over 150 questions at least, whose values
// lie in [0, 1] and so have at most the variance 1/n; 4 standard deviations.
func questions(s *scene) (best, far float64) {
	return 1 / s.rows(), 4 * math.Sqrt(1/s.rows()/150)
}

// similarities: similarities with coefficient of variation c have an entropy of some c²/(2 ln 2) less than log2 n. Those of six numbers are 2/3 with a standard
// deviation of 0.24 each, those of six categories about 1/3 with 0.47: their means have c = 0.22.
func similarities(s *scene) (best, far float64) { return math.Log2(s.rows()), 0.22 * 0.22 / math.Ln2 }

// expectationsOf returns what a measure is held to; what others are where none is listed.
func expectationsOf(name string) []expectation {
	var out []expectation
	for _, e := range expectations {
		if e.measure == name {
			out = append(out, e)
		}
	}
	if out == nil {
		out = []expectation{{measure: name}}
	}
	return out
}

// TestExpectationsAreOfMeasures finds those of measures that are no more.
func TestExpectationsAreOfMeasures(t *testing.T) {
	for _, e := range expectations {
		if !slices.ContainsFunc(catalog.Measures(), func(m measure.Measure) bool { return m.Name == e.measure && m.Side == measure.Risk }) {
			t.Errorf("there is no measure of risk %q", e.measure)
		}
	}
}
