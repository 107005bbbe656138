package budget

import (
	"fmt"
	"math"
	"math/big"
	"slices"

	"github.com/dither-data/dither/internal/noise/mechanism"
)

// View is a way to compose charges.
type View string

// Ways to compose. Each is valid for charges that were chosen in the light of earlier releases.
const (
	// Basic adds up epsilons (Dwork et al. 2006). It needs all of them pure.
	Basic View = "basic"
	// ZeroConcentrated adds up rho and converts the sum: a pure epsilon is epsilon^2/2, one of the exponential mechanism
	// epsilon^2/8, Gaussian noise mu^2/2 (Bun & Steinke 2016).
	ZeroConcentrated View = "zero-concentrated"
	// Mixed adds up the pure epsilons, and the converted sum of rho of all else: a loss that is bounded for certain shifts
	// the other one.
	Mixed View = "pure and zero-concentrated"
	// GaussianView adds up mu^2 and converts the sum (Dong, Roth & Su 2022). It needs all charges of Gaussian noise.
	GaussianView View = "Gaussian"
)

// Total is what charges promise together: (Epsilon, Delta) for the least of the views.
type Total struct {
	Epsilon float64 // infinite where no view holds, as of rho without a delta to convert at
	Delta   float64 // that of the limits where a view converts at it, else the sum of the charges' own
	View    View
	// Views are the epsilons of all that hold.
	Views map[View]float64
	Rho   float64 // of all charges, as ZeroConcentrated counts them
	exact *big.Rat
}

// Exact returns the epsilon; it is nil where that is infinite.
func (t Total) Exact() *big.Rat {
	if t.exact == nil {
		return nil
	}
	return new(big.Rat).Set(t.exact)
}

// sums are what views add up.
type sums struct {
	epsilon, delta, rho, mu2 *big.Rat
	restRho                  *big.Rat // without the pure charges
	pure, gaussian           bool     // all charges are
}

func added(entries []Entry) sums {
	s := sums{new(big.Rat), new(big.Rat), new(big.Rat), new(big.Rat), new(big.Rat), true, true}
	half, eighth := big.NewRat(1, 2), big.NewRat(1, 8)
	for i := range entries {
		a := entries[i].Amount.Rat()
		s.delta.Add(s.delta, entries[i].Delta.Rat())
		rho := new(big.Rat)
		switch entries[i].Kind {
		case Pure:
			rho.Mul(half, rho.Mul(a, a))
			s.epsilon.Add(s.epsilon, a)
		case Selection:
			rho.Mul(eighth, rho.Mul(a, a))
			s.epsilon.Add(s.epsilon, a)
		case Concentrated:
			rho, s.pure = a, false
		case Gaussian:
			rho.Mul(half, a)
			s.mu2.Add(s.mu2, a)
			s.pure = false
		}
		s.rho.Add(s.rho, rho)
		if entries[i].Kind != Pure {
			s.restRho.Add(s.restRho, rho)
		}
		s.gaussian = s.gaussian && entries[i].Kind == Gaussian
	}
	return s
}

// pureOnly is the sum of the epsilons of kind Pure.
func pureOnly(entries []Entry) *big.Rat {
	out := new(big.Rat)
	for i := range entries {
		if entries[i].Kind == Pure {
			out.Add(out, entries[i].Amount.rat)
		}
	}
	return out
}

// rounding is what the errors of converting in float64 stay below, relative to the result.
const rounding = 1e-11

// Compose returns the total of charges where a delta is allowed. Where the charges' own deltas leave nothing of it,
// only Basic holds, with a delta that may be above it.
func Compose(entries []Entry, delta Amount) Total {
	s := added(entries)
	own, _ := s.delta.Float64()
	out := Total{Epsilon: math.Inf(1), Delta: own, Views: map[View]float64{}}
	out.Rho, _ = s.rho.Float64()
	add := func(v View, exact *big.Rat, delta float64) {
		f, _ := exact.Float64()
		out.Views[v] = f
		if out.exact == nil || exact.Cmp(out.exact) < 0 {
			out.Epsilon, out.exact, out.View, out.Delta = f, exact, v, delta
		}
	}
	if s.pure {
		add(Basic, s.epsilon, own)
	}
	rest, _ := new(big.Rat).Sub(delta.Rat(), s.delta).Float64()
	if rest = float64(rest * (1 - rounding)); rest <= 0 {
		return out
	}
	convert := func(rho *big.Rat) *big.Rat { return up(mechanism.TightEpsilon(upFloat(rho), rest)) }
	if eps := convert(s.rho); eps != nil {
		add(ZeroConcentrated, eps, delta.Float())
	}
	if pure := pureOnly(entries); pure.Sign() > 0 && s.restRho.Sign() > 0 {
		if eps := convert(s.restRho); eps != nil {
			add(Mixed, eps.Add(eps, pure), delta.Float())
		}
	}
	if s.gaussian && len(entries) > 0 {
		if eps := up(mechanism.GaussianEpsilon(math.Sqrt(upFloat(s.mu2)), rest)); eps != nil {
			add(GaussianView, eps, delta.Float())
		}
	}
	return out
}

// upFloat is a float64 that is not below r.
func upFloat(r *big.Rat) float64 {
	f, _ := r.Float64()
	return float64(f * (1 + rounding))
}

// up is an epsilon that was converted, and a little more; nil where it is not finite.
func up(epsilon float64) *big.Rat { return new(big.Rat).SetFloat64(float64(epsilon * (1 + rounding))) }

// Beyond is the error of a charge that the budget does not allow.
type Beyond struct {
	Path           string
	Limits         Limits
	Spent, Charged Total // before, and with what was asked for
}

// Error says what is allowed and what it would have been.
func (b *Beyond) Error() string {
	if b.Charged.exact == nil {
		return fmt.Sprintf("%s: this release promises no epsilon without a delta, and the budget leaves a delta of %.3g: "+
			"ask for noise of a pure epsilon", b.Path, max(0, b.Limits.Delta.Float()-b.Charged.Delta))
	}
	return fmt.Sprintf("%s: the budget is epsilon %s at delta %s; %.6g is spent, and with this release it would be "+
		"%.6g at delta %.3g: ask for less, or release nothing", b.Path, decimal(b.Limits.Epsilon),
		decimal(b.Limits.Delta), b.Spent.Epsilon, b.Charged.Epsilon, b.Charged.Delta)
}

func decimal(a Amount) string { return fmt.Sprintf("%.6g", a.Float()) }

// allows returns a *Beyond where the charges are beyond the limits.
func (l *Ledger) allows(all []Entry) error {
	if _, ok := l.within(all); ok {
		return nil
	}
	return &Beyond{l.path, l.Limits(), l.Spent(), Compose(all, l.header.Delta)}
}

// within composes charges and says whether the limits hold: exactly, in rational numbers.
func (l *Ledger) within(all []Entry) (Total, bool) {
	t := Compose(all, l.header.Delta)
	own := added(all).delta
	return t, own.Cmp(l.header.Delta.Rat()) <= 0 && t.exact != nil && t.exact.Cmp(l.header.Epsilon.Rat()) <= 0
}

// Spent returns the total of the charges.
func (l *Ledger) Spent() Total { return Compose(l.entries, l.header.Delta) }

// Cost returns the total with the charges of a plan, and whether the budget allows it.
func (l *Ledger) Cost(plan ...Entry) (Total, bool) {
	return l.within(slices.Concat(l.entries, plan))
}

// Left returns the largest epsilon that one more pure release may have. A release of another kind may have more, see
// Affordable.
func (l *Ledger) Left() Amount {
	one := Entry{Amount: Amount{big.NewRat(1, 1)}, Kind: Pure}
	return Amount{l.Affordable(one)}
}

// Affordable returns the largest factor, at most 2^20, by which the noise of a plan may shrink, or, below 1, must grow,
// so that the budget allows it: epsilons are multiplied by it, rho and mu^2 by its square. It is 0 where nothing is
// left.
func (l *Ledger) Affordable(plan ...Entry) *big.Rat {
	allowed := func(factor *big.Rat) bool {
		_, ok := l.Cost(Scaled(plan, factor)...)
		return ok
	}
	best := new(big.Rat)
	// What basic composition leaves is known exactly.
	if s := added(slices.Concat(l.entries, plan)); s.pure {
		left := new(big.Rat).Sub(l.header.Epsilon.Rat(), added(l.entries).epsilon)
		if cost := added(plan).epsilon; left.Sign() > 0 && cost.Sign() > 0 {
			if f := left.Quo(left, cost); allowed(f) {
				best = f
			}
		}
	}
	lo, hi := int64(0), int64(1)<<40 // in 2^-20
	for hi-lo > 1 {
		if mid := lo + (hi-lo)/2; allowed(big.NewRat(mid, 1<<20)) {
			lo = mid
		} else {
			hi = mid
		}
	}
	if f := big.NewRat(lo, 1<<20); f.Cmp(best) > 0 {
		return f
	}
	return best
}

// Runs returns how often a plan may be carried out before the budget is spent, at most that often.
func (l *Ledger) Runs(most int, plan ...Entry) int {
	lo, hi := 0, most+1
	for hi-lo > 1 {
		mid := lo + (hi-lo)/2
		if _, ok := l.Cost(slices.Repeat(plan, mid)...); ok {
			lo = mid
		} else {
			hi = mid
		}
	}
	return lo
}

// Rho returns the largest rho that one more release may have, of zero-concentrated privacy; 0 where the budget has no
// delta left to convert it.
func (l *Ledger) Rho() *big.Rat {
	f := l.Affordable(Entry{Amount: Amount{big.NewRat(1, 1)}, Kind: Concentrated})
	return f.Mul(f, f)
}

// Scaled returns a plan of which the noise is a factor smaller: epsilons are multiplied by it, rho and mu^2 by its
// square.
func Scaled(plan []Entry, factor *big.Rat) []Entry {
	out := make([]Entry, len(plan))
	for i, e := range plan {
		a := new(big.Rat).Mul(e.Amount.Rat(), factor)
		if e.Kind == Concentrated || e.Kind == Gaussian {
			a.Mul(a, factor)
		}
		e.Amount = Amount{a}
		out[i] = e
	}
	return out
}
