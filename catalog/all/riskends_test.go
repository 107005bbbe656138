package all_test

import (
	"math"
	"slices"
	"testing"

	"github.com/dither-data/dither/catalog"
	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/table"
)

// expectation is what a measure of risk is held to where it differs from others. Without one, the original must have
// the worst value of all releases, uniform noise the good end of the range within 0.02 or inside its interval, and
// records risks in [0, 1].
type expectation struct {
	measure string
	set     map[string]string // parameters that differ from their defaults
	// chance returns the best value there can be, or what pure chance gives, and how far from it that of uniform noise may
	// be.
	chance func(s *scene) (best, far float64)
	slack  float64 // by which a technique may be worse than the original
	worst  string  // why a technique may be worse than the original by more
	best   string  // why uniform noise may have any value
	blind  bool    // nor need the original be worse than uniform noise or a suppressed table, for the reason in worst
	// records says what the risks of records are that are no shares or probabilities.
	records string
	labels  string             // why its detail names categories
	who     *intruder.Intruder // whom the measure is about; nil for the default ones
	never   string             // why the scene has nothing for the measure, which its own tests hold to both ends
	every   int                // only one technique of so many is asked outside a long test, for it takes long; 0 for all
}

// Reasons that several measures share.
const (
	unmoved = "it does not apply to values that were moved: they fall into classes by chance, and a class says nothing " +
		"of the persons in it"
	rules = "it is about the rules that are listed, or those of a tree: a technique may make one stronger, and how " +
		"much a rule says is a matter of the table"
	anybody  = "what a key says of the secret holds of anybody who has it: the figure of the hold-out stands beside it"
	halves   = "half of the quasi-identifiers is two columns or three, which single out few records even of the original"
	dealt    = "it is about the segments of a plan, in which values are dealt out: original and uniform noise have none"
	relative = "it is on additive noise only: the original and uniform noise have none to take out"
)

// expectations lists them by measure. What is expected of uniform noise fails by chance for less than one seed in
// 10,000, but of attributeinference, whose intervals for six secrets must all reach to 0, for one in 50.
var expectations = []expectation{
	{measure: "found", chance: byGaps, every: 4},
	{measure: "learned", every: 16},
	{measure: "bedr", worst: relative, best: relative},
	{measure: "pcadr", worst: relative, best: relative},
	{measure: "spectralfilter", worst: relative, best: relative},

	{measure: "kanonymity", best: unmoved},
	{measure: "ldiversity", best: unmoved},
	{measure: "tcloseness", worst: unmoved, best: unmoved},
	{measure: "alphak", worst: unmoved, best: unmoved},
	{measure: "deltadisclosure", worst: unmoved, best: unmoved, records: "logarithms of factors"},
	{measure: "betalikeness", worst: unmoved, best: unmoved, records: "gains of a share relative to it"},
	{measure: "enhancedbetalikeness", worst: unmoved, best: unmoved, records: "gains relative to those that are allowed"},
	{measure: "populationrisk", worst: unmoved, best: unmoved},
	{measure: "cap", best: anybody},
	{measure: "tcap", best: anybody, slack: 0.05},  // it is of those whose key occurs, who may be the easier ones
	{measure: "disco", best: anybody, slack: 0.01}, // where cells of one are suppressed, those of the others weigh more
	{measure: "linkability", worst: halves, blind: true, best: halves},

	{measure: "score", worst: "half of it is information loss, of which the original has none: a release may lose much " +
		"and disclose much",
		blind: true, best: "half of it is information loss, of which uniform noise has most"},
	{measure: "sers", worst: "similarities of unrelated records are far from 0, so it lies just below its bound for any " +
		"release, the original included",
		blind: true, chance: similarities},

	{measure: "classdisclosure", chance: oneBit,
		worst: "the class is that of a leaf of a tree grown on the release, and other values may give a tree with purer " +
			"leaves"},
	// Of people who look alike, some 40 of 240, in pairs mostly, a technique makes other pairs of equal and different
	// class: 20 pairs, of which each gives 2/240 bits or none with a standard deviation of half of that, in both releases:
	// 0.026 in the difference.
	{measure: "classdisclosure", set: map[string]string{"classFrom": "record"}, chance: oneBit, slack: 4 * 0.026},

	{measure: "conditionalprivacy", chance: wrapped, records: "bits that the released values give away, negative where " +
		"they mislead"},
	{measure: "reidentification", chance: allRecords},
	{measure: "knowledge", set: map[string]string{"targets": "100"}, chance: allRecords},
	// Two people who look alike are told apart when one of them loses a value: what the intruder believes of either, right
	// or wrong, rises from 1/2 to 1 at most, for some 40 of 240.
	{measure: "lambert", chance: perceived, slack: 20.0 / 240},
	{measure: "linkage", chance: guesses},
	// A technique that tells people apart who look alike settles by chance who of a pair is whose: both are right or none,
	// which for 39 pairs has a standard deviation of sqrt(39)/240 = 0.026.
	{measure: "linkage", set: map[string]string{"oneToOne": "true"}, chance: guesses, slack: 4 * 0.026},
	{measure: "linkage", set: map[string]string{"method": "probabilistic"}, chance: guesses},
	{measure: "intervaldisclosure", chance: intervals},
	{measure: "intervaldisclosure", set: map[string]string{"variant": "sd"}},
	{
		measure: "queryattack",
		set:     map[string]string{"queries": "1000"},
		chance:  questions,
		labels:  "S2 is a distribution for every secret category",
	},
	{measure: "queryattack", set: map[string]string{"queries": "1000", "values": "exact"}, chance: questions},
	{
		measure: "gaplinkage",
		who:     &intruder.Intruder{Name: "knows all", Knows: []string{"all"}, Secret: []string{"role:class"}},
		worst:   "it is about gaps, which uniform noise and nearly every technique keep",
		blind:   true,
		best:    "gaps are kept",
	},
	{
		measure: "roworder",
		worst:   "the records of the table are in no order that tells anything",
		blind:   true,
		chance:  orders,
	},
	{measure: "roworder", who: &intruder.Intruder{Name: "clerk", Order: true}, worst: "all releases keep the order, " +
		"noise too", blind: true, best: "rows are kept"},
	{measure: "leakedplan", who: &intruder.Intruder{Name: "thief", Knows: []string{"all"}, Plan: true},
		worst: "the original was not made by a plan", blind: true, best: "the plan of uniform noise has no segments"},
	{
		measure: "membership",
		who:     &intruder.Intruder{Name: "knows all", Knows: []string{"all"}, Secret: []string{"role:class"}},
		chance:  alarms,
	},
	{measure: "replicateduniques", worst: "the original shows everybody's row in their own record, which does not " +
		"count; a technique that exchanges rows shows it in another", blind: true},
	{measure: "repeatedrecords", never: "nobody in it has several records"},
	{measure: "earlierrelease", never: "it has no earlier release"},
	{measure: "impliedvalues", never: "nothing is known to hold between its columns"},
	{measure: "breachprobability", worst: dealt, blind: true, best: dealt},
	{measure: "kmanonymity", never: "it has no sets of items"},
	{measure: "shadowmembership", never: "its releases cannot be made again"},
	{
		measure: "hidingfailure",
		set: map[string]string{"sensitive": "diagnosis=injury,admission=emergency;diagnosis=asthma=>admission=emergency",
			"support": "0.03"}, // fewer patterns to count than by default
		every: 52,
	},
	{measure: "jmeasure", set: map[string]string{"rules": "tree"}, worst: rules, best: rules},
	{measure: "levelofprivacy", set: map[string]string{"rules": "tree"}, worst: rules, best: rules},
	{measure: "uniqueness"},
	{measure: "uniqueness", set: map[string]string{"missing": "any"}},
}

// goal returns what uniform noise must come near, and how near.
func (e *expectation) goal(s *scene, m measure.Measure) (best, far float64) {
	switch {
	case e.chance != nil:
		return e.chance(s)
	case m.Better == measure.Higher:
		return m.Range.Hi, 0.02
	}
	return m.Range.Lo, 0.02
}

// byGaps: noise is missing where the original is, which tells some 2.5 of 100 people from all others; of 120 who count,
// 11 or more are found in one of 10,000 tables.
func byGaps(*scene) (best, far float64) { return 0.025, 11./120 - 0.025 }

// oneBit: of two classes. The share of one among the released records, drawn with probability 1/2, has a standard
// deviation of 0.5/sqrt(n), and a deviation e from 1/2 costs 2 e²/ln 2 bits; 4 standard deviations.
func oneBit(s *scene) (best, far float64) { return 1, 2 / math.Ln2 * 16 * 0.25 / s.rows() }

// wrapped: RNAT releases one of D values as itself with probability 1/(2D-1), as each other one with 2/(2D-1). What
// that tells of a value is at most the capacity of this channel, log2 D - H bits, which is largest for D = 10, the
// smallest domain of the table.
func wrapped(*scene) (best, far float64) {
	h := (math.Log2(19) + 18*math.Log2(19./2)) / 19
	return 0, 1 - math.Exp2(h-math.Log2(10))
}

// weights returns the mean weight of a record in the intruder's eyes, relative to the largest: RNAT halves it in each
// numeric attribute where the record has the target's value, of D with probability 1/D.
func weights(s *scene) float64 {
	w := 1.0
	for _, a := range s.table.Attrs() {
		if a.Kind == table.Numeric {
			w *= 1 - a.Step/(2*(a.Domain.Hi-a.Domain.Lo+a.Step))
		}
	}
	return w
}

// allRecords: all are equally likely but for those that miss a value, which stays missing, and for RNAT's preference
// for other values. That costs the relative variance of the weights over 2 ln 2; weights in [0, 1] with mean w have at
// most the relative variance (1-w)/w.
func allRecords(s *scene) (best, far float64) {
	w := weights(s)
	return math.Log2(s.rows()), -math.Log2(s.complete()) + (1-w)/w/(2*math.Ln2)
}

// perceived: the likeliest record is hardly likelier than others, for the same reasons; 5 % for the mean weight of the
// records at hand.
func perceived(s *scene) (best, far float64) {
	return 1 / s.rows(), (1/(s.complete()*weights(s)*0.95) - 1) / s.rows()
}

// guesses: one person is linked on average; more than 8 are once in a million.
func guesses(s *scene) (best, far float64) { return 1 / s.rows(), 7 / s.rows() }

// intervals: those of 1 to 10 % of the records hold 5.5 % of values drawn at random, and about 10 % where a tenth of
// the records share a value, as in one attribute of six; 4 standard deviations of 3 n values, for there are three
// attributes at least.
func intervals(s *scene) (best, far float64) {
	return 0.055, 0.045/6 + 4*math.Sqrt(0.055*0.945/(3*s.rows()))
}

// questions: records have nothing to do with who is asked about, so a find is right with probability 1/n. Finds lie in
// [0, 1], so their variance is at most 1/n; 4 standard deviations of a mean over 150 questions, the fewest there are.
func questions(s *scene) (best, far float64) { return 1 / s.rows(), 4 * math.Sqrt(1/s.rows()/150) }

// orders: a value is told by the place for as many of 120 people in either order, half of them at most, with a standard
// deviation of the difference of sqrt(1/2/120) = 0.065; 4 of them.
func orders(*scene) (best, far float64) { return 0, 4 * 0.065 }

// alarms: of 160 others one may be called in, and the limit of the second nearest leaves as many members as others
// below it: 2 of 160, 8 are once in 1,000.
func alarms(*scene) (best, far float64) { return 2. / 160, 6. / 160 }

// similarities: with coefficient of variation c they have an entropy of some c²/(2 ln 2) less than log2 n. Those of six
// numbers are about 2/3 with a standard deviation of 0.24 each, those of six categories 1/3 with 0.47: their mean over
// the attributes has c = 0.22. Twice that.
func similarities(s *scene) (best, far float64) {
	return math.Log2(s.rows()), 2 * 0.22 * 0.22 / (2 * math.Ln2)
}

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
		if !slices.ContainsFunc(catalog.Measures(),
			func(m measure.Measure) bool { return m.Name == e.measure && m.Side == measure.Risk }) {
			t.Errorf("there is no measure of risk %q", e.measure)
		}
	}
}
