package main

import (
	"errors"
	"math"
	"strings"

	"github.com/dither-data/dither/internal/noise/randomised"
)

// randomisedBaskets are the operators on records of items, and what they tell.
var randomisedBaskets = map[string]answer{
	"mask_support": on(func(in maskSupport) (any, error) {
		in.Q = in.P
		return in.answer(), nil
	}),
	"emask_support": on(func(in maskSupport) (any, error) { return in.answer(), nil }),
	"mask_privacy":  on(maskPrivacy),
	"size_operator": on(sizeOperator),
	"cut_and_paste": on(func(in struct {
		M   int
		K   int
		Rho float64
	}) (any, error) {
		o := randomised.CutAndPaste(in.M, in.K, in.Rho)
		return object{"p": o.Kept, "gamma": finite(o.Gamma())}, nil
	}),
	"gamma_limited": on(gammaLimited),
	"frapp":         on(frapp),
	"amplification": on(amplification),
}

// finite is the number, "inf" if it is infinite, null if it is none.
func finite(x float64) any {
	switch {
	case math.IsInf(x, 1):
		return "inf"
	case x != x:
		return nil
	}
	return x
}

type maskSupport struct {
	P, Q     float64
	Patterns map[string]float64
}

func (in maskSupport) answer() object {
	var ones []float64
	n := 0.0
	for pattern, count := range in.Patterns {
		if ones == nil {
			ones = make([]float64, len(pattern)+1)
		}
		ones[strings.Count(pattern, "1")] += count
		n += count
	}
	b := randomised.Bits{One: in.P, Zero: in.Q}
	e := b.Support(ones)
	return object{
		"n":       n,
		"ones":    ones,
		"weights": b.Weights(len(ones) - 1),
		"support": e.Share,
		"clipped": e.Clipped(),
		"se":      e.Error,
	}
}

func maskPrivacy(in struct {
	P, Q, S0 float64
	A        []float64
}) (any, error) {
	b := randomised.Bits{One: in.P, Zero: in.Q}
	r1, r0 := b.Reconstruction(in.S0)
	mix := []object{}
	for _, a := range in.A {
		privacy := b.Privacy(in.S0, a)
		mix = append(mix, object{"a": a, "R": 1 - privacy/100, "P": privacy})
	}
	return object{
		"R1":      r1,
		"R0":      r0,
		"mix":     mix,
		"density": b.Density(in.S0),
		"gamma":   finite(b.Gamma()),
		"epsilon": finite(math.Log(b.Gamma())),
	}, nil
}

func sizeOperator(in struct {
	M, K        int
	P           []float64
	Rho, N      float64
	S, Observed []float64
	SItem       [][]float64 `json:"s_item"`
}) (any, error) {
	if len(in.P) != in.M+1 || len(in.S) != in.K+1 || len(in.Observed) != in.K+1 {
		return nil, errors.New("probabilities and partial supports do not fit m and k")
	}
	o := randomised.Sizes{Kept: in.P, Rho: in.Rho}
	p := o.Transition(in.K)
	q, err := randomised.Inverse(p)
	if err != nil {
		return nil, err
	}
	across := make([][]float64, len(p))
	for l := range p {
		for after := range p {
			across[after] = append(across[after], p[l][after])
		}
	}
	released := p.Expected(in.S)
	exact, guessed := randomised.Variance(q, released), randomised.Variance(q, in.Observed)
	items, worst := []float64{}, 0.0
	for _, with := range in.SItem {
		items = append(items, randomised.Breach(p, in.S, with))
		worst = max(worst, items[len(items)-1])
	}
	mean := make([]float64, len(in.S)) // of the items of an itemset
	for l := range mean {
		mean[l] = in.S[l] * float64(l) / float64(len(in.S)-1)
	}
	return object{
		"P":              across,
		"s_prime":        released,
		"Q":              q,
		"n_var":          exact,
		"sd":             math.Sqrt(exact / in.N),
		"estimate":       randomised.Undo(q, in.Observed),
		"n_var_estimate": guessed,
		"sd_estimate":    math.Sqrt(guessed / in.N),
		"breach_items":   items,
		"breach_worst":   worst,
		"breach_mean":    randomised.Breach(p, in.S, mean),
		"h":              o.Ratios(),
		"gamma":          finite(o.Gamma()),
	}, nil
}

func gammaLimited(in struct {
	M          int
	Rho, Gamma float64
	JStar      int `json:"j_star"`
	Scan       *struct {
		K     int
		S     []float64
		Steps int
	}
}) (any, error) {
	o := randomised.Limited(in.M, in.JStar, in.Rho, in.Gamma)
	out := object{"p": o.Kept, "gamma": finite(o.Gamma()), "kept_share": o.KeptShare()}
	if in.Scan != nil {
		best, from, variance, err := randomised.Choose(in.M, in.Gamma, in.Scan.S, in.Scan.Steps)
		if err != nil {
			return nil, err
		}
		out["scan"] = object{"j_star": from, "rho": best.Rho, "n_var": variance, "p": best.Kept}
	}
	return out, nil
}

func frapp(in struct {
	Domain            []float64
	Gamma, Rho1, Rho2 float64
	Subsets           []struct {
		Attributes  []int
		Observed, N float64
	}
}) (any, error) {
	d := randomised.Diagonal{Gamma: in.Gamma, Size: 1}
	if d.Gamma == 0 {
		d.Gamma = threshold(in.Rho1, in.Rho2)
	}
	for _, k := range in.Domain {
		d.Size *= k
	}
	subsets := []object{}
	for _, s := range in.Subsets {
		some := 1.0
		for _, j := range s.Attributes {
			if j < 0 || j >= len(in.Domain) {
				return nil, errors.New("a subset has an attribute that is not there")
			}
			some *= in.Domain[j]
		}
		diagonal, off := d.Subset(some)
		e := d.Support(s.Observed, s.N, some)
		subsets = append(
			subsets,
			object{"n_s": some, "diagonal": diagonal, "off": off, "estimate": e.Share, "clipped": e.Clipped(), "se": e.Error},
		)
	}
	diagonal, _ := d.Subset(d.Size)
	return object{
		"size":      d.Size,
		"gamma":     d.Gamma,
		"x":         d.Off(),
		"diagonal":  diagonal,
		"keep":      d.Keep(),
		"condition": d.Condition(),
		"subsets":   subsets,
	}, nil
}

func amplification(in struct {
	Matrix   [][]float64
	Priors   []float64
	Breaches [][2]float64
}) (any, error) {
	gamma := randomised.Gamma(in.Matrix)
	each, posteriors, breaches := []any{}, []object{}, []object{}
	for _, a := range randomised.Amplifications(in.Matrix) {
		each = append(each, finite(a))
	}
	for _, r := range in.Priors {
		down, up := randomised.Posterior(r, gamma)
		posteriors = append(posteriors, object{"prior": r, "up": up, "down": down})
	}
	for _, b := range in.Breaches {
		breaches = append(breaches, object{"threshold": threshold(b[0], b[1]), "safe": safe(gamma, b[0], b[1])})
	}
	return object{
		"per_output": each,
		"gamma":      finite(gamma),
		"epsilon":    finite(math.Log(gamma)),
		"posteriors": posteriors,
		"breaches":   breaches,
	}, nil
}
