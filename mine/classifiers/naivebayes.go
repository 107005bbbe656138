package classifiers

import (
	"context"
	"errors"
	"slices"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/internal/system/parallel"
	"github.com/dither-data/dither/mine"
	"github.com/dither-data/dither/mine/internal/reconstructed"
	"github.com/dither-data/dither/noisemodel/modelfile"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// NaiveBayes predicts classes by Bayes' rule as if attributes were independent within a class.
//
// The probability of a class given a record is proportional to the class's share of the training records times, for
// every attribute, the probability of the record's value within the class. That of a category is (n + a)/(N + a v): n
// of the class's N records have it, v categories occur at all, and a is the parameter laplace (1: Laplace's rule of
// succession). Numbers are normal within a class (numeric=gaussian, John & Langley 1995), or categories by bins of
// equal frequency (numeric=bins, Dougherty, Kohavi & Sahami 1995). The most probable class is predicted; of equally
// probable ones the most frequent, then the first.
//
// Of a release whose law is published (ByLaw; dither mine model --noise-model) the columns that the law names have the
// counts of reconstructed distributions, for every class by itself: of numbers in intervals of the same width, of
// categories those of the original. The class is not randomised then, and sampling weights are refused. All that naive
// Bayes needs of an original are these distributions, so nothing is lost besides what the noise hides. The model is for
// records that are not randomised.
//
// What an intruder learns from a model: counts of every category by class, which single out people where they are 1;
// means and variances by class, which of a class of one record are its values. A model of confidential records is
// itself confidential.
//
// Missing values are ignored: a record lacks the factor in prediction and does not count for the attribute in training.
// So is a category that no training record has. Records whose class is missing are left out.
//
// Cost: O(n p) for n records of p attributes, on all cores, in training and, times the classes, in prediction; with
// bins a sort per numeric attribute. A million records like Adult's take less than sorting as many numbers once.
//
// Readings: variances have divisor n, are at least those of the grid's rounding (step^2/12) and one billionth of the
// attribute's variance over all classes, so that a class of one value keeps a density; a number that a class's records
// all lack follows the law of all classes there. A number that never varies says nothing. With laplace=0 a category
// that a class lacks excludes the class; where all are excluded the most frequent class is predicted.
//
// Reference: P. Domingos and M. Pazzani, "On the optimality of the simple Bayesian classifier under zero-one loss",
// Machine Learning 29, 1997; G. H. John and P. Langley, "Estimating continuous distributions in Bayesian classifiers",
// UAI 1995; J. Dougherty, R. Kohavi and M. Sahami, "Supervised and unsupervised discretization of continuous features",
// ICML 1995.
var NaiveBayes = mine.Miner{
	Card: card.Card{
		Name:    "naivebayes",
		Title:   "Naive Bayes",
		Aliases: []string{"naive Bayesian classifier", "simple Bayes"},
		Summary: "Predicts the most probable class as if attributes were independent within a class.",
		Paper:   "Domingos & Pazzani 1997; John & Langley 1995",
		Needs: "a categorical class; all other attributes except identifiers and weights are inputs; sampling " +
			"weights are used",
		Exposes: "counts, means and variances by class, including single records",
		Missing: "ignored, in training and in prediction; records without a class are omitted",
		Cost:    "O(n p); a sort per numeric attribute with bins",
		Shards:  mine.FromCounts,
	},
	New: func() mine.Learner { return NaiveBayesNew() },
}

// Values of the parameter "numeric".
const (
	Gaussian = "gaussian"
	Bins     = "bins"
)

// NaiveBayesLearner counts. The zero value is not usable; take New.
type NaiveBayesLearner struct {
	Laplace float64 // added to the count of every category in every class
	Numeric string  // Gaussian or Bins
	Bins    int     // of a numeric attribute
	reconstructed.Estimates

	law *modelfile.Model
}

var _ mine.LawLearner = (*NaiveBayesLearner)(nil)

// ByLaw tells the law of the tables that are fitted from now on.
func (l *NaiveBayesLearner) ByLaw(law *modelfile.Model) { l.law = law }

// NeedsLaw reports that a table may be no release.
func (l *NaiveBayesLearner) NeedsLaw() bool { return false }

// NaiveBayesNew returns a learner with the defaults.
func NaiveBayesNew() *NaiveBayesLearner { return param.Default(&NaiveBayesLearner{}) }

// Params declares the parameters.
func (l *NaiveBayesLearner) Params() param.Set {
	return append(param.Set{
		param.Float(&l.Laplace, "laplace", 1, 0, 1e6, "records", "added to the count of every category in every "+
			"class; at 0, a single value that never occurs in a class excludes it"),
		param.Choice(&l.Numeric, "numeric", Gaussian, []string{Gaussian, Bins}, "numbers within a class: a normal "+
			"distribution, or counts in bins of equal frequency"),
		param.Int(&l.Bins, "bins", 10, 1, 10_000, "bins", "bins of a numeric attribute under numeric=bins; fewer "+
			"if its values repeat"),
	}, l.Estimates.Params()...)
}

// Fit returns a *Model of the records of t whose class, the column with the role Class, is known. It draws no random
// numbers.
func (l *NaiveBayesLearner) Fit(ctx context.Context, t *table.Table, _ rng.Source) (mine.Model, error) {
	m, err := begin(t)
	if err != nil {
		return nil, err
	}
	weights, err := weigh(t)
	if err != nil {
		return nil, err
	}
	if err := m.count(t, weights); err != nil {
		return nil, err
	}
	m.Laplace = l.Laplace
	err = parallel.Each(ctx, len(m.Columns), func(k int) error {
		s := scan{t: t, class: t.Cat(m.Class), classes: len(m.Weights), weights: weights}
		return l.learn(&m.Columns[k], &s)
	})
	if err != nil {
		return nil, err
	}
	return m, l.reconstruct(ctx, m, t, weights != nil)
}

// reconstruct puts reconstructed counts in the place of those of the columns that the law names.
func (l *NaiveBayesLearner) reconstruct(ctx context.Context, m *NaiveBayesModel, t *table.Table, weighted bool) error {
	if l.law == nil {
		return nil
	}
	if weighted {
		return errors.New("the distributions of an original are not reconstructed from weighted records; take the role " +
			"weight off the column")
	}
	found, err := l.Marginals(ctx, t, m.Class, l.law)
	for _, r := range found {
		k := slices.IndexFunc(m.Columns, func(c NaiveBayesColumn) bool { return c.Attribute == r.Attr })
		m.Columns[k] = NaiveBayesColumn{Attribute: r.Attr, Cuts: r.Cuts, Counts: r.Counts}
	}
	return err
}
