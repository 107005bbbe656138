package additive

import (
	"fmt"
	"math"
	"strings"

	"github.com/dither-data/dither/protect/internal/fence"
)

// Corrections says how a user of the release works out the moments of the original from those of a release with correlated noise, from
// the figures of the noise alone: neither means nor variances of the original are given away. A group is a subpopulation
// (Kim 1986; Tendick & Matloff 1994; Brand 2002).
func (p *Plan) Corrections() []string {
	if len(p.Columns) == 0 {
		return nil
	}
	c, d := p.Shrink, p.Noise
	whole := c * c * (1 + d) // by this factor the release's covariances differ from the original's
	forced := p.Forcing()
	out := []string{
		"means need no correction" + forced + "; a group below is one chosen by columns that were left alone",
		fmt.Sprintf("divide variances and covariances of perturbed columns by %.6g; correlations among them need no correction", whole),
		fmt.Sprintf("multiply a correlation of a perturbed column with one left alone by sqrt(1 + %.6g) = %.6g", d, math.Sqrt(1+d)),
		fmt.Sprintf("covariances in a group: take those of the group in the release%s, minus those of the whole release times %.6g",
			times(1/(c*c)), d/whole),
	}
	if math.Abs(whole-1) < 1e-12 {
		out[1] = "variances, covariances and correlations of perturbed columns need no correction over all records"
	}
	if c < 1 {
		out[0] = "means over all records need no correction" + forced + "; a group below is one chosen by columns that were left alone"
		out[2] += fmt.Sprintf(", and their covariance by %.6g", 1/c)
		out = append(out, fmt.Sprintf("mean of a group: M + (m - M) / c with c = %.6g, "+
			"M the column's mean in the whole release and m that in the group", c))
	}
	return append(out, p.Exactness()...)
}

// IndependentCorrections says the same of noise drawn for every attribute apart.
func (p *Plan) IndependentCorrections() []string {
	if len(p.Columns) == 0 {
		return nil
	}
	d := p.Noise
	return append([]string{
		"means need no correction, nor do covariances of two columns" + p.Forcing() + "; a group below is one chosen by columns that were left alone",
		fmt.Sprintf("divide the variance of a perturbed column by 1 + %.6g = %.6g", d, 1+d),
		fmt.Sprintf("multiply a correlation of two perturbed columns by %.6g, that of a perturbed column with one left alone by %.6g",
			1+d, math.Sqrt(1+d)),
		fmt.Sprintf("variance in a group: that of the group in the release minus %.6g times that of the whole release", d/(1+d)),
	}, p.Exactness()...)
}

// Forcing completes a correction that says that moments need none: it leaves out the columns of which many values were forced into their domain.
func (p *Plan) Forcing() string {
	return fence.ForcedCorrection(p.Changes(), p.crossings(fence.Forced))
}

// times says to multiply by a factor that is not printed as 1.
func times(f float64) string {
	if s := fmt.Sprintf("%.6g", f); s != "1" {
		return ", times " + s
	}
	return ""
}

// Exactness says of which columns the corrections are wrong, for rounding to the grid takes most of their noise away, and of which they are
// approximate, for their values are kept inside a domain; nothing where there are none. Rounding adds step²/12 to a variance only where the
// noise is wide against the step.
func (p *Plan) Exactness() []string {
	var narrow, kept, out []string
	for k, j := range p.Columns {
		a := &p.Attrs[j]
		if p.narrow(k) {
			narrow = append(narrow, fmt.Sprintf("%q", a.Name))
		}
		if a.Declared {
			kept = append(kept, fmt.Sprintf("%q", a.Name))
		}
	}
	if narrow != nil {
		out = append(out, "do not correct columns whose noise is narrower than half a step of their grid, for rounding takes most of it away: "+
			strings.Join(narrow, ", "))
	}
	switch {
	case p.Outside != fence.OutsideAllow:
		out = append(out, fmt.Sprintf("values were kept inside the domains of their columns (outside=%s), "+
			"which these corrections leave out of account", p.Outside))
	case kept != nil:
		out = append(out, "the corrections are approximate for columns with a declared domain, where values outside became its ends: "+
			strings.Join(kept, ", "))
	}
	return out
}
