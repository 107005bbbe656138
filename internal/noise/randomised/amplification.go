package randomised

import "math"

// Amplifications returns for every released value y the largest ratio of P(y|x) for two originals x, the rows of the
// matrix: infinite where y rules an original out, NaN where no original is released as y. The matrix need not be
// square.
func Amplifications(matrix [][]float64) []float64 {
	if len(matrix) == 0 {
		return nil
	}
	out := make([]float64, len(matrix[0]))
	for y := range out {
		least, most := math.Inf(1), 0.0
		for _, row := range matrix {
			least, most = min(least, row[y]), max(most, row[y])
		}
		out[y] = most / least
	}
	return out
}

// Gamma returns the largest of Amplifications, from 1 on: an operator of which it is gamma is at most gamma-amplifying
// (Evfimievski, Gehrke & Srikant 2003, definition 3).
func Gamma(matrix [][]float64) float64 {
	gamma := 1.0
	for _, a := range Amplifications(matrix) {
		if a > gamma { // not for NaN
			gamma = a
		}
	}
	return gamma
}

// Posterior returns between which bounds the probability of a property lies after any release by an operator of that
// amplification, if it was prior before: up = gamma r/(gamma r + 1 - r), down = r/(r + gamma (1-r)). For an infinite
// gamma they are 1 and 0.
func Posterior(prior, gamma float64) (down, up float64) {
	if math.IsInf(gamma, 1) {
		return 0, 1
	}
	return prior / (prior + float64(gamma*(1-prior))), gamma * prior / (float64(gamma*prior) + 1 - prior)
}
