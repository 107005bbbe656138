package prediction

import (
	"context"
	"errors"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/internal/system/parallel"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/internal/trees"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/mine/classifiers"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// Classifier measures what a classifier loses by learning from the release instead of the original (Peters
// 2011, section 4.2).
//
// The records are dealt into folds, stratified by class, anew for every repeat: five times five, as in the paper. A
// classifier learned from the released records outside a fold, and one learned from the original records outside it,
// both predict the class of the original records inside it. The score is the mean, over folds and repeats, of the
// accuracy lost: that of the classifier of the original less that of the classifier of the release, in percentage
// points; negative where the release teaches better. A loss, not a ratio, because it is the share of people who are
// classified worse, and the same loss weighs the same however accurate the classifier is.
//
// Accuracy says little of a rare class. So every class in turn is the one to be found, and of every class and run the
// measure has accuracy (acc), probability of detection or recall (pd), precision (prec) and probability of false alarm
// (pf), the values whose quartiles a report draws. Two treatments, the original and the release, have one rank where a
// two-sided Mann-Whitney test at 95 % does not tell them apart.
//
// It needs a categorical class, and all attributes but identifiers and weights. Where the records are paired, one
// record is never learned from and tested. Where they are not, the folds of the original and of the release are dealt
// apart, so a person who is tested may be among those learned from, which flatters the release; a note says so. With a
// hold-out nothing is dealt: the classifiers are learned from all records and tested on the hold-out, in one run. Where
// the release generalises, the classifier of the original learns and is tested on exact records, that of the release on
// records as general as the release. Every record tested counts once, whatever its sampling weight.
//
// Uncertainty. Runs share records, so their variance understates that of the mean: Lo and Hi are the 95 % interval by
// Student's t with the variance corrected for it (Nadeau & Bengio 2003). Of one run they are that of a difference of
// paired proportions (Agresti & Min 2005). The ranks have no such correction, as in the paper, and tell small
// differences apart too easily.
//
// Missing values are the learner's to deal with. A record whose class is missing, or suppressed, is not learned from;
// one whose original class is missing is not tested. A class that no record of a run has gives that run no value. Where
// nobody is predicted to have a class its precision is 0.
//
// Cost: repeats x folds times learning and testing, twice. More than sample records are sampled. Five times five,
// 30,162 records of three attributes take as long as sorting a million numbers with naivebayes, 4 times as long with
// c45, 9 times with knn; a million take 27 times with naivebayes.
//
// Departures from the paper: it tests the release on itself; an analyst's classifier is of use if it predicts real
// people. Its kNN compares suppressed values as a number far away; here they are missing.
//
// Reference: F. Peters, "SAP: Suppressing attribute values for privacy", 2011, section 4.2; C. Nadeau and Y. Bengio,
// "Inference for the generalization error", Machine Learning 52, 2003; A. Agresti and Y. Min, "Simple improved
// confidence intervals for comparing matched proportions", Statistics in Medicine 24, 2005.
var Classifier = measure.Measure{
	Card: card.Card{
		Name:  "classifier",
		Title: "Classifier loss",
		Aliases: []string{"classifier utility", "pd-pf", "1-NN accuracy", "train on synthetic, test on real", "TSTR",
			"machine learning efficacy"},
		Summary: "Accuracy that a classifier loses by learning from the release instead of the original.",
		Paper:   "Peters 2011, section 4.2",
		Needs: "a categorical class; all attributes except identifiers and weights; paired records or a " +
			"hold-out for an honest figure",
		Preserves: "0 when a classifier learns as much from the release as from the original",
		Missing:   "as in the learner; records with a missing class are neither learned from nor tested",
		Cost:      "repeats × folds times learning and testing, twice",
	},
	Facts:  measure.Facts{About: measure.Worth, Effort: measure.Slow},
	Side:   measure.Utility,
	Better: measure.Lower,
	Range:  table.Interval{Lo: -100, Hi: 100},
	Unit:   measure.In(measure.Percent, message.Say("unit.points")),
	Exact:  true,
	New:    func() measure.Meter { return param.Default(&ClassifierMeter{}) },
}

// What learns.
const (
	KNN        = "knn"
	C45        = "c45"
	SysFor     = "sysfor"
	Credal     = "credal"
	NaiveBayes = "naivebayes"
	NeuralNet  = "neuralnet"
)

// ClassifierMeter measures the loss. Its parameters are those of the runs, of knn, and of c45, from which sysfor takes
// cf and minLeaf.
type ClassifierMeter struct {
	Learner string // knn | c45 | sysfor | credal | naivebayes | neuralnet | every
	Repeats int
	Folds   int
	Sample  int
	KNN     classifiers.KNNLearner
	C45     trees.Learner
}

// Params declares the parameters.
func (m *ClassifierMeter) Params() param.Set {
	return param.Merge(param.Set{
		param.Choice(&m.Learner, "learner", KNN, append(learners, Every),
			"classifier, or the mean of every one; k, distance, scale and bins apply to knn, cf and minLeaf to c45 "+
				"and sysfor, the parameters after them to c45; the other classifiers use their defaults"),
		param.Int(&m.Repeats, "repeats", 5, 1, 1000, "times", "how often to divide the records into folds; not "+
			"used with a hold-out"),
		param.Int(&m.Folds, "folds", 5, 2, 1000, "folds", "folds for cross-validation; not used with a hold-out"),
		param.Int(&m.Sample, "sample", 50_000, 100, 100_000_000, "records", "draw this many at random if there are more"),
	}, m.KNN.Params(), m.C45.Params())
}

// Measure returns the mean loss of accuracy in percentage points with a ClassifierDetail. It fails when there is no
// categorical class or no record with a class to test, when there are fewer records than folds, and when nothing can be
// learned from a table.
func (m *ClassifierMeter) Measure(ctx context.Context, r *measure.Release, src rng.Source) (measure.Value, error) {
	if err := check(r); err != nil {
		return measure.Value{}, err
	}
	if m.Learner == Every {
		return m.every(ctx, r, src)
	}
	p, err := m.plan(r, src)
	if err != nil {
		return measure.Value{}, err
	}
	runs := make([]run, p.runs)
	err = parallel.Each(ctx, p.runs, func(i int) (err error) {
		runs[i], err = m.run(ctx, p, i)
		return err
	})
	if err != nil {
		return measure.Value{}, err
	}
	d, loss := m.detail(p, runs)
	if len(loss) == 0 {
		return measure.Value{}, errors.New("no record that is tested has a class, so there is no accuracy")
	}
	v := measure.Value{Parts: d.parts(), Notes: p.notes, Detail: d}
	v.Score, v.Lo, v.Hi = interval(loss, runs, m.Folds)
	return v, nil
}
