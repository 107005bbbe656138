package multiplicativenoise

import (
	"fmt"
	"math"

	"github.com/dither-data/dither/internal/portable"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/table"
)

// maxSpread is the largest spread of scheme 1: beyond it a factor could be negative.
const maxSpread = 0.5

// truncation is where the factor is cut off, in spreads.
const truncation = 2

// covered is the probability of a standard normal within the truncation.
var covered = portable.Erf(truncation / math.Sqrt2)

// shrunk is the variance of a standard normal truncated there: 1 - 2aφ(a)/P(|z|<a), 0.774.
var shrunk = 1 - 2*truncation*portable.Exp(-truncation*truncation/2)/math.Sqrt(2*math.Pi)/covered

// Factor is scheme 1: Y = X f with f normal around 1, truncated to 1-2s..1+2s.
type Factor struct {
	Spread float64 `json:"spread"` // s: the standard deviation before truncation
}

// Variance returns the variance of the truncated factor.
func (f *Factor) Variance() float64 { return float64(f.Spread * f.Spread * shrunk) }

func (f *Factor) check([]table.Attribute) error {
	if !(f.Spread > 0 && f.Spread <= maxSpread) {
		return fmt.Errorf("the spread is %v; expected more than 0, at most %v", f.Spread, maxSpread)
	}
	return nil
}

func (f *Factor) relative(int) (shift, twice float64) { return 0, truncation * f.Spread }

// law brings the normals, whose distribution function is (1+erf(z/√2))/2, to the truncated law by its inverse.
func (f *Factor) law(y, x, z [][]float64) {
	for k, out := range y {
		for i, v := range x[k] {
			out[i] = float64(v * (1 + float64(f.Spread*math.Sqrt2*portable.Erfinv(covered*portable.Erf(z[k][i]/math.Sqrt2)))))
		}
	}
}

// reach is exact: the smallest and the largest product.
func (f *Factor) reach(_ int, a *table.Attribute) table.Interval {
	lo, hi, iv := 1-truncation*f.Spread, 1+truncation*f.Spread, a.Domain
	iv.Lo, iv.Hi = a.Snap(min(iv.Lo*lo, iv.Lo*hi)), a.Snap(max(iv.Hi*lo, iv.Hi*hi))
	return iv
}

func (f *Factor) corrections([]string) []message.Sentence {
	v := f.Variance()
	return []message.Sentence{
		message.Say("correct.factors.means"),
		message.Say("correct.factors.variance").Term("v", v, 6).Term("whole", 1+v, 6),
		message.Say("correct.factors.covariances"),
	}
}
