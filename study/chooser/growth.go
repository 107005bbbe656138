package chooser

import (
	"math"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// Operating is how a technique works, measured where the choice was made (seed of operational parameters: Nai Fovino & Masera 2008, chapter 2).
type Operating struct {
	Records   int     // of the largest table
	Seconds   float64 // to fit and apply it to that, the median
	Allocated float64 // bytes
	// Slope is how time grows with the records: that of the logarithms, with its 95 % interval. NaN where tables are too small to tell.
	Slope, Lo, Hi float64
	Declared      string // cost on the card
}

// Growth is the slope of log y on log x by least squares, with its 95 % interval by Student's t. It needs three points of two different x; else all are NaN.
func Growth(x, y []float64) (slope, lo, hi float64) {
	n := len(x)
	u, v := make([]float64, n), make([]float64, n)
	for k := range x {
		u[k], v[k] = math.Log(x[k]), math.Log(y[k])
	}
	if n < 3 || stat.Variance(u, nil) == 0 {
		return math.NaN(), math.NaN(), math.NaN()
	}
	at, slope := stat.LinearRegression(u, v, nil, false)
	rest := 0.0
	for k := range u {
		r := v[k] - at - slope*u[k]
		rest += r * r
	}
	t := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: float64(n - 2)}.Quantile(0.975)
	half := t * math.Sqrt(rest/float64(n-2)/(stat.Variance(u, nil)*float64(n-1)))
	return slope, slope - half, slope + half
}
