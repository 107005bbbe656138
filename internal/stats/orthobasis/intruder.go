package orthobasis

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/dither-data/dither/internal/portable/linalg"
	"github.com/dither-data/dither/internal/system/mmap"
)

// Unmask reads a release as original plus noise, as an intruder does who knows that released residuals are a times the
// original ones plus noise, a above 0: columns u are those released, the first k in place of X. The regression of X on
// S is that of the release, for it has the moments of the original. Values are NaN in records with a missing one. Cost:
// O(n p^2).
func Unmask(u [][]float64, k int, a float64) (z [][]float64, noise *mat.SymDense, err error) {
	if k == 0 {
		return nil, nil, nil
	}
	n := len(u[0])
	z, noise = mmap.Columns(nil, k, n), mat.NewSymDense(k, nil)
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
	whole, gaps, infinite := complete(nil, cols)
	if infinite >= 0 {
		return nil, nil, errInfinite
	}
	to := out
	if gaps != nil {
		cols, to = gather(nil, cols, whole), mmap.Columns(nil, present, len(whole))
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
				m := linalg.Dot(root.ColView(i), root.ColView(l)) / max(1, float64(d.N-1))
				noise.SetSym(j, at[l], float64((1-float64(a*a))/(a*a)*m))
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
