// Package ranking judges a comparison: which settings are on the frontier of risk and utility, which lead, which cannot
// be distinguished, and what favours one of them. It returns data; a report puts it into words and charts.
//
// Two figures are told apart only where their 95 % intervals over the folds do not meet, and never by less than a
// hundredth of the scale.
package ranking

import "math"

// Estimate is a mean and its interval. Lo and Hi are NaN when the interval is not known, all three when there is no
// value.
type Estimate struct{ Mean, Lo, Hi float64 }

// Nothing is the estimate of what was not measured.
func Nothing() Estimate { return Estimate{math.NaN(), math.NaN(), math.NaN()} }

// Known reports whether there is a finite value.
func (e Estimate) Known() bool { return !math.IsNaN(e.Mean) && !math.IsInf(e.Mean, 0) }

// Ends returns the interval, the mean twice when it is not known.
func (e Estimate) Ends() (lo, hi float64) {
	if !(e.Lo <= e.Mean && e.Mean <= e.Hi) || math.IsInf(e.Hi-e.Lo, 0) {
		return e.Mean, e.Mean
	}
	return e.Lo, e.Hi
}

// Above reports whether e is clearly higher than f: their intervals, each at least margin wide, do not meet. For one
// margin the relation is an interval order (Fishburn 1970): it has no cycles, so among any estimates one is below no
// other.
func (e Estimate) Above(f Estimate, margin float64) bool {
	lo, _ := e.Ends()
	_, hi := f.Ends()
	return math.Min(lo, e.Mean-margin/2) > math.Max(hi, f.Mean+margin/2)
}
