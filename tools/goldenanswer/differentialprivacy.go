package main

import (
	"fmt"
	"math"

	"github.com/dither-data/dither/internal/noise/mechanism"
)

// differentialPrivacy are laws, calibration and composition of private mechanisms.
var differentialPrivacy = map[string]answer{
	"discrete_laplace":  on(discreteLaplace),
	"discrete_gaussian": on(discreteGaussian),
	"analytic_gaussian": on(analyticGaussian),
	"krr":               on(krr),
	"oue":               on(oue),
	"permute_and_flip":  on(permuteAndFlip),
	"zcdp":              on(composed),
	"poisson_sampling":  on(poissonSampling),
	"key_threshold":     on(keyThreshold),
}

// over applies a function to all of a list.
func over[X, Y any](list []X, f func(X) Y) []Y {
	out := make([]Y, len(list))
	for i, x := range list {
		out[i] = f(x)
	}
	return out
}

func discreteLaplace(in struct {
	S, T uint64
	X, K []int64
}) (any, error) {
	epsilon, err := mechanism.NewRatio(in.S, in.T)
	if err != nil {
		return nil, err
	}
	l, err := mechanism.NewLaplace(epsilon, 1)
	return map[string]any{"epsilon": epsilon.Float(), "pmf": over(in.X, l.P), "variance": l.Variance(),
		"upper_tail": over(in.K, l.Upper)}, err
}

func discreteGaussian(in struct {
	Sigma2 float64
	X, K   []int64
}) (any, error) {
	sigma2, err := mechanism.Decimal(in.Sigma2)
	if err != nil {
		return nil, err
	}
	g := mechanism.NewGaussian(sigma2)
	return map[string]any{"normaliser": g.Normaliser(), "pmf": over(in.X, g.P), "variance": g.Variance(),
		"upper_tail": over(in.K, g.Upper)}, nil
}

func analyticGaussian(in struct{ Epsilon, Delta, Sensitivity float64 }) (any, error) {
	sigma, err := mechanism.AnalyticSigma(in.Epsilon, in.Delta, in.Sensitivity)
	if err != nil {
		return nil, err
	}
	_, refused := mechanism.TextbookSigma(in.Epsilon, in.Delta, in.Sensitivity)
	// At an epsilon of 1 the formula is allowed, and its sigma goes with 1/epsilon.
	textbook, err := mechanism.TextbookSigma(1, in.Delta, in.Sensitivity)
	textbook /= in.Epsilon
	return map[string]any{"sigma": sigma, "textbook": textbook, "textbook_allowed": refused == nil,
		"textbook_delta": mechanism.GaussianDelta(in.Sensitivity/textbook, in.Epsilon)}, err
}

type reports struct {
	K, N    int
	Epsilon float64
	Counts  []int
}

func krr(in reports) (any, error) { return in.answers(mechanism.Responses(in.K, in.Epsilon)), nil }

func oue(in reports) (any, error) { return in.answers(mechanism.Encodings(in.Epsilon)), nil }

func (in reports) answers(r mechanism.Reports) any {
	share := func(c int) float64 { s, _ := r.Share(c, in.N); return s }
	deviation := func(c int) float64 { _, se := r.Share(c, in.N); return se }
	return map[string]any{"p": r.P, "q": r.Q, "n_var_rare": r.VarianceOfRare(), "estimate": over(in.Counts, share),
		"se": over(in.Counts, deviation)}
}

func permuteAndFlip(in struct {
	Epsilon     float64
	Sensitivity uint64
	Scores      []int64
}) (any, error) {
	epsilon, err := mechanism.Decimal(in.Epsilon)
	if err != nil {
		return nil, err
	}
	s, err := mechanism.NewSelection(epsilon, in.Sensitivity)
	if err != nil {
		return nil, err
	}
	loss := func(p []float64) (expected float64) {
		best := math.Inf(-1)
		for _, score := range in.Scores {
			best = max(best, float64(score))
		}
		for i, score := range in.Scores {
			expected += p[i] * (best - float64(score))
		}
		return expected
	}
	flipped, exponential := s.PermuteAndFlipLaw(in.Scores), s.ExponentialLaw(in.Scores)
	return map[string]any{"permute_and_flip": flipped, "exponential": exponential,
		"loss_permute_and_flip": loss(flipped), "loss_exponential": loss(exponential)}, nil
}

type released struct {
	Kind                        string
	Epsilon, Sensitivity, Sigma float64
	Times                       int
}

// composed composes releases in every way that the case asks for.
func composed(in struct {
	Mechanisms []released
	Delta      float64
}) (any, error) {
	var each []float64
	rho, epsilon, mu2 := 0.0, 0.0, 0.0
	pure, gaussian := true, true
	for _, m := range in.Mechanisms {
		n, one := float64(max(m.Times, 1)), 0.0
		switch m.Kind {
		case "pure":
			one = mechanism.RhoOfPure(m.Epsilon)
		case "exponential":
			one = mechanism.RhoOfSelection(m.Epsilon)
		case "gaussian":
			one, pure = mechanism.RhoOfGaussian(m.Sensitivity, m.Sigma), false
		default:
			return nil, fmt.Errorf("a release of kind %q", m.Kind)
		}
		gaussian = gaussian && m.Kind == "gaussian"
		each, rho, epsilon, mu2 = append(each, one), rho+n*one, epsilon+n*m.Epsilon, mu2+2*n*one
	}
	out := map[string]any{"rho_each": each, "rho": rho, "simple": mechanism.SimpleEpsilon(rho, in.Delta),
		"tight": mechanism.TightEpsilon(rho, in.Delta), "basic": nil, "advanced": nil, "mu": nil, "exact_gaussian": nil}
	if pure {
		out["basic"] = epsilon
	}
	if m := in.Mechanisms[0]; len(in.Mechanisms) == 1 && m.Kind == "pure" {
		out["advanced"] = mechanism.Advanced(m.Epsilon, max(m.Times, 1), in.Delta)
	}
	if gaussian {
		out["mu"], out["exact_gaussian"] = math.Sqrt(mu2), mechanism.GaussianEpsilon(math.Sqrt(mu2), in.Delta)
	}
	best := math.Inf(1)
	for _, name := range []string{"simple", "tight", "basic", "advanced", "exact_gaussian"} {
		if v, ok := out[name].(float64); ok {
			best = min(best, v)
		}
	}
	out["best"] = best
	return out, nil
}

func poissonSampling(in struct{ Q, Epsilon, Delta, Target float64 }) (any, error) {
	epsilon, delta := mechanism.Sampled(in.Epsilon, in.Delta, in.Q)
	return map[string]any{"epsilon": epsilon, "delta": delta,
		"epsilon_before": mechanism.BeforeSampling(in.Target, in.Q)}, nil
}

func keyThreshold(in struct{ Epsilon, Delta float64 }) (any, error) {
	epsilon, err := mechanism.Decimal(in.Epsilon)
	if err != nil {
		return nil, err
	}
	l, err := mechanism.NewLaplace(epsilon, 1)
	return map[string]any{"laplace": mechanism.LaplaceThreshold(in.Epsilon, in.Delta),
		"integer": l.Threshold(in.Delta, 1, 1)}, err
}
