package orthogonal

import (
	"context"
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/gonum/mat"
)

// Unmask reads a release as original plus noise, as an intruder does who knows that released residuals are a times the original ones plus
// noise, a above 0: columns u are those released, the first k in place of X. The regression of X on S is that of the release, for it has the
// moments of the original. Values are NaN in records with a missing one. Cost: O(n p^2).
func Unmask(u [][]float64, k int, a float64) (z [][]float64, noise *mat.SymDense, err error) {
	if k == 0 {
		return nil, nil, nil
	}
	n := len(u[0])
	z, noise = columns(k, n), mat.NewSymDense(k, nil)
	for _, c := range z {
		for i := range c {
			c[i] = math.NaN()
		}
	}
	at, present := present(u, k)
	if present == 0 {
		return z, noise, nil
	}
	cols, out := pick(u, at), pick(z, at[:present])
	whole, gaps, infinite := complete(cols)
	if infinite >= 0 {
		return nil, nil, errInfinite
	}
	to := out
	if gaps != nil {
		cols, to = gather(cols, whole), columns(present, len(whole))
	}
	d, err := NewDesign(context.Background(), cols, nil, present)
	if err != nil {
		return nil, nil, err
	}
	t := d.Fitted()
	if root, rows := d.Roots(); root != nil {
		for r, i := range rows {
			for j := range present {
				t.Set(i, j, root.At(r, j)/a)
			}
		}
		for i, j := range at[:present] {
			for l := range i + 1 {
				m := mat.Dot(root.ColView(i), root.ColView(l)) / max(1, float64(d.N-1))
				noise.SetSym(j, at[l], (1-a*a)/(a*a)*m)
			}
		}
	}
	if err := d.Map(context.Background(), to, d.Means(), t); err != nil {
		return nil, nil, err
	}
	if gaps != nil {
		scatter(out, to, whole)
	}
	return z, noise, nil
}

// Corrections says how a user of the release works out the means of groups of records, where released residuals are a times the original ones plus
// noise: from the release and a alone. Others are the columns S.
func Corrections(others []string, a float64) []string {
	out := []string{"means, variances and covariances over all records need no correction"}
	f := "the column's mean in the whole release"
	if len(others) > 0 {
		f = "the group's mean of the column's regression on " + strings.Join(others, ", ") + ", fitted to the whole release"
	}
	switch {
	case a == 0:
		out = append(out, "mean of a group: nothing more of it is released than "+f)
	case a < 1:
		out = append(out, fmt.Sprintf("mean of a group: (m - %.6g f) / %.6g, where m is the column's mean there and f %s", 1-a, a, f))
	}
	return out
}
