package privacy

import "math"

// Interval privacy (Agrawal & Srikant 2000): a released value tells that the original one lies, with confidence c, in the central interval of the
// noise around it; the width of that interval is the privacy.

// UniformWidth returns the interval privacy of uniform noise on [-half, half] with confidence c in [0, 1].
func UniformWidth(half, c float64) float64 { return 2 * half * c }

// NormalWidth returns the interval privacy of normal noise with a standard deviation and confidence c in [0, 1).
func NormalWidth(sd, c float64) float64 { return 2 * sd * math.Sqrt2 * math.Erfinv(c) }
