package gadp

import (
	"fmt"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/dither-data/dither/internal/mvnorm"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/table"
)

// Additive reads a release as original plus noise (measure.Additive), for the columns of which something is let through: an intruder who has the
// plan and S takes away (1 - a) F and divides by a. The covariance of the noise is that of records without missing values of S.
// Without such columns it returns nothing.
func (p *Plan) Additive(released *table.Table) (names []string, z [][]float64, noise *mat.SymDense, err error) {
	var at []int // positions in X
	for k, a := range p.Dial {
		if a > 0 {
			at, names = append(at, k), append(names, p.Attrs[p.X[k]].Name)
		}
	}
	if len(at) == 0 {
		return nil, nil, nil, nil
	}
	if released, err = released.Conform(p.Attrs, false); err != nil {
		return nil, nil, nil, err
	}
	f, err := p.fitted(released)
	if err != nil {
		return nil, nil, nil, err
	}
	all, err := mvnorm.Noise(full(p.Cov, p.width()), p.Dial)
	if err != nil {
		return nil, nil, nil, err
	}
	noise = mat.NewSymDense(len(at), nil)
	for r, k := range at {
		a := p.Dial[k]
		col := make([]float64, released.Rows())
		for i, y := range released.Num(p.X[k]) {
			col[i] = (y - (1-a)*f[k][i]) / a
		}
		z = append(z, col)
		for c, l := range at[:r+1] {
			noise.SetSym(r, c, all.At(k, l)/a/p.Dial[l])
		}
	}
	return names, z, noise, nil
}

// fitted returns F, what S tells of every column X.
func (p *Plan) fitted(t *table.Table) ([][]float64, error) {
	law, err := mvnorm.NewLaw(p.Mean, full(p.Cov, p.width()), make([]float64, len(p.X)))
	if err != nil {
		return nil, err
	}
	f, none := make([][]float64, len(p.X)), make([]float64, t.Rows())
	z := make([][]float64, len(p.X))
	for k := range f {
		f[k], z[k] = make([]float64, t.Rows()), none
	}
	return f, law.Draw(f, p.records(t), z)
}

// Corrections says how a user of the release works out means in groups of records that were not given. F is worked out from the release, whose
// means and covariances are those of the original.
func (p *Plan) Corrections() []string {
	if len(p.X) == 0 {
		return nil
	}
	f := "its mean in the whole release"
	if others := protect.Names(p.Attrs, append(append([]int{}, p.S...), p.Given...)); len(others) > 0 {
		f = "the group's mean of its regression on " + strings.Join(others, ", ") + ", fitted to the whole release"
	}
	out := []string{"means, variances and covariances over all records need no correction"}
	for k, j := range p.X {
		switch a, name := p.Dial[k], p.Attrs[j].Name; {
		case a == 0:
			out = append(out, fmt.Sprintf("mean of %q in a group: nothing more of it is released than %s", name, f))
		case a < 1:
			out = append(out, fmt.Sprintf("mean of %q in a group: (m - %.6g f) / %.6g, where m is its mean there and f %s", name, 1-a, a, f))
		}
	}
	if p.Outside != protect.OutsideAllow || slices.ContainsFunc(p.X, func(j int) bool { return p.Attrs[j].Declared }) {
		out = append(out, "values were kept inside their domains, declared ones or all (outside), which this leaves out of account")
	}
	return out
}
