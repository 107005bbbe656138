// Package classifiers holds miners that predict the class of a record without a tree: by the nearest records (KNN), by
// Bayes' rule (NaiveBayes), and by a multilayer perceptron (NeuralNet).
package classifiers

import "github.com/dither-data/dither/mine"

// Miners are the catalogue entries.
func Miners() []mine.Miner {
	return []mine.Miner{KNN, NaiveBayes, NeuralNet}
}
