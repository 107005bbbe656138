package prediction

import (
	"context"
	"fmt"
	"slices"

	"github.com/dither-data/dither/internal/portable/exact"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/rng"
)

// Every stands for all classifiers, one after another.
const Every = "every"

// learners are the classifiers.
var learners = []string{KNN, C45, SysFor, Credal, NaiveBayes, NeuralNet}

// every takes the mean loss of all classifiers: what is known as training on the release and testing on real records.
// Lo and Hi are the means of theirs, which holds whatever the losses have to do with each other. Parts are the
// accuracies of each, and the ClassifierDetail is that of the one that loses most.
func (m *ClassifierMeter) every(ctx context.Context, r *measure.Release, src rng.Source) (measure.Value, error) {
	var out measure.Value
	var scores, lo, hi []float64
	for _, name := range learners {
		one := *m
		one.Learner = name
		v, err := one.Measure(ctx, r, src)
		if err != nil {
			return measure.Value{}, fmt.Errorf("%s: %w", name, err)
		}
		if len(scores) == 0 || v.Score > slices.Max(scores) {
			out.Detail, out.Notes = v.Detail, v.Notes
		}
		scores, lo, hi = append(scores, v.Score), append(lo, v.Lo), append(hi, v.Hi)
		d := v.Detail.(ClassifierDetail)
		out.Parts = append(out.Parts,
			measure.Part{Key: "accuracy-original", Of: name, Name: message.Say("measure.classifier.part.everyOriginal").
				Name("learner", name), Score: d.Original.Accuracy},
			measure.Part{Key: "accuracy-released", Of: name, Name: message.Say("measure.classifier.part.everyReleased").
				Name("learner", name), Score: d.Released.Accuracy})
	}
	out.Score, out.Lo, out.Hi = exact.Mean(scores), exact.Mean(lo), exact.Mean(hi)
	return out, nil
}
