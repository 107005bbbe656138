package classifiers

import (
	"context"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/mine"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// NeuralNet predicts classes by a multilayer perceptron, the second classifier with which Islam 2007, chapter
// 9, evaluates perturbed tables.
//
// An input neuron per number, scaled to mean 0 and standard deviation 1, and per category, 1 where the record has it
// and else 0; hidden layers of neurons with a threshold, whose output is the hyperbolic tangent; an output neuron per
// class, whose outputs are made probabilities (softmax). The weights start at random (Glorot & Bengio 2010) and go down
// the gradient of the mean cross-entropy, which back-propagation finds (Rumelhart, Hinton & Williams 1986), in small
// batches, each weight by its own step (Adam, Kingma & Ba 2015). A share of the records is held out; when their
// cross-entropy has not fallen for some epochs, training ends, and the best weights are kept.
//
// What an intruder learns from a model: means and standard deviations; and networks remember records, those much
// trained on few records most, so that one can often tell whether a record was among them. A model of confidential
// records is itself confidential.
//
// Missing values give 0 at all inputs of the attribute, which for a number is the mean and for categories none; so does
// a category that the model does not know. Records whose class is missing are left out.
//
// Cost: O(w) per record and epoch for w weights that carry something: of an attribute's categories a record has one,
// and the others cost nothing. An epoch of 30,162 records of Adult (104 inputs) takes a sixth of the time of sorting a
// million numbers, with one layer of 64 neurons 0.4 of it. Memory: 8 bytes a weight, thrice, and an order of the
// records.
//
// Where it departs from Islam 2007 and why: he used a commercial program of which the training method but not its
// settings are known; two hidden layers of four neurons are his, the rest is chosen to train reliably. Outputs are one
// per class where he has one in all, so that there may be more than two classes.
//
// Reference: D. E. Rumelhart, G. E. Hinton and R. J. Williams, "Learning representations by back-propagating errors",
// Nature 323, 1986; X. Glorot and Y. Bengio, "Understanding the difficulty of training deep feedforward neural
// networks", AISTATS 2010; D. P. Kingma and J. Ba, "Adam: a method for stochastic optimization", ICLR 2015.
var NeuralNet = mine.Miner{
	Card: card.Card{
		Name:    "neuralnet",
		Title:   "Neural network",
		Aliases: []string{"multilayer perceptron", "MLP", "back-propagation network"},
		Summary: "Predicts classes by layers of neurons, trained by back-propagation.",
		Paper:   "Rumelhart, Hinton & Williams 1986; Islam 2007, section 9.2",
		Needs:   "a categorical class; all other attributes except identifiers and weights are inputs",
		Exposes: "means and standard deviations, and often whether a record was in the training data",
		Missing: "0 at all inputs of the attribute; records without a class are omitted",
		Cost:    "O(w) per record and epoch for w weights",
	},
	New: func() mine.Learner { return NeuralNetNew() },
}

// NeuralNetLearner trains networks. The zero value is not usable; take New.
type NeuralNetLearner struct {
	Layers   int     // hidden ones
	Hidden   int     // neurons of each
	Epochs   int     // at most so many passes over the training records
	Rate     float64 // Adam's step
	Batch    int     // records per step
	Holdout  float64 // per cent of the records that training stops by; 0: it never stops early
	Patience int     // epochs without progress after which it stops
}

// NeuralNetNew returns a learner with the defaults.
func NeuralNetNew() *NeuralNetLearner { return param.Default(&NeuralNetLearner{}) }

// Params declares the parameters.
func (l *NeuralNetLearner) Params() param.Set {
	return param.Set{
		param.Int(&l.Layers, "layers", 2, 1, 4, "layers", "hidden layers"),
		param.Int(&l.Hidden, "hidden", 4, 1, 4096, "neurons", "neurons of each hidden layer"),
		param.Int(&l.Epochs, "epochs", 100, 1, 100_000, "epochs", "most passes over the training records"),
		param.Float(&l.Rate, "rate", 0.01, 1e-6, 10, "", "learning rate: roughly how far a weight moves in a step"),
		param.Int(&l.Batch, "batch", 32, 1, 65_536, "records", "records per step; above 64, a step uses several cores"),
		param.Float(&l.Holdout, "holdout", 10, 0, 90, "%", "share of the records held out for early stopping; 0: "+
			"train on all, to the last epoch"),
		param.Int(&l.Patience, "patience", 10, 1, 100_000, "epochs", "stop after this many epochs without progress "+
			"on the held-out records"),
	}
}

// Fit trains a *Model on the records of t whose class, the column with the role Class, is known. It fails when training
// diverges.
func (l *NeuralNetLearner) Fit(ctx context.Context, t *table.Table, src rng.Source) (mine.Model, error) {
	m, err := l.begin(ctx, t)
	if err != nil {
		return nil, err
	}
	tr, err := l.prepare(m, t, src)
	if err != nil {
		return nil, err
	}
	if err := tr.run(ctx); err != nil {
		return nil, err
	}
	return m, nil
}
