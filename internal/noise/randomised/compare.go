package randomised

import (
	"math"

	"github.com/dither-data/dither/internal/portable"
)

// Scheme is an operator that is compared with others on the same records.
type Scheme struct {
	Name  string
	Of    string // what gamma bounds the odds of: an item, a value, a record
	Gamma float64
	// how it acts on itemsets of k items; none where it cannot be undone, or no record has so many
	Strata func(k int) []Stratum
}

// Figures are what is told of an operator beside others: how private it is, and how much can still be found.
type Figures struct {
	Name    string
	Of      string
	Gamma   float64
	Epsilon float64 // of local differential privacy, of what gamma bounds
	Items   []SizeFigures
}

// SizeFigures are those of itemsets of k items, NaN where there are none.
type SizeFigures struct {
	Condition float64 // number of the matrix that is undone, the largest of all strata
	Error     float64 // standard error of the estimate of an itemset of the support asked for
	Lowest    float64 // support that can be told from 0
	// probability that a record had an item of such an itemset if its release has all of it, in the stratum where it is
	// largest
	Breach float64
}

// Compare returns the figures of an operator for itemsets of 1 to most items, of that support in n records (ErrorAt,
// LowestAt, BreachAt).
func Compare(s Scheme, n, support float64, most int) Figures {
	f := Figures{Name: s.Name, Of: s.Of, Gamma: s.Gamma, Epsilon: portable.Log(s.Gamma)}
	for k := 1; k <= most; k++ {
		strata := s.Strata(k)
		x := SizeFigures{math.NaN(), math.NaN(), math.NaN(), math.NaN()}
		if len(strata) > 0 {
			x.Condition, x.Error, x.Lowest = strata[0].Condition, ErrorAt(strata, n, support), LowestAt(strata, n)
			x.Breach, _ = BreachAt(strata, support)
			for _, st := range strata {
				x.Condition = max(x.Condition, st.Condition)
			}
		}
		f.Items = append(f.Items, x)
	}
	return f
}
