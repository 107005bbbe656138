package geometric

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/dither-data/dither/internal/portable"
	"github.com/dither-data/dither/internal/portable/linalg"
)

// retries is how often a pair is rotated anew that leaves an odd third column without a secure angle.
const retries = 100

// rotate draws rotations of columns, paired in their order, by angles that are uniform among those that leave each
// column of the pair a variance of released less original value of Rho times its own. An odd column is paired with the
// first of the last pair, whose security is that of both rotations together.
func (g *geometry) rotate(order []int) error {
	if len(order) == 1 {
		return fmt.Errorf("column %q has no other one to be rotated with; expected two numeric columns that vary, or none: "+
			"mark a second one "+
			"(--role column=confidential)", g.Attrs[order[0]].Name)
	}
	for len(order) > 3 {
		if err := g.turns([2]int{order[0], order[1]}); err != nil {
			return err
		}
		order = order[2:]
	}
	if len(order) == 0 {
		return nil
	}
	if len(order) == 2 {
		return g.turns([2]int{order[0], order[1]})
	}
	var err error
	for range retries {
		before := len(g.Steps)
		if err = g.turns([2]int{order[0], order[1]}, [2]int{order[0], order[2]}); err == nil {
			return nil
		}
		g.Steps = g.Steps[:before]
	}
	return err
}

// turns draws one angle after the other. A column that a later pair rotates again need not be secure before.
func (g *geometry) turns(pairs ...[2]int) error {
	for n, pair := range pairs {
		t := g.between(pair)
		if n+1 < len(pairs) {
			t[0].least = 0
		}
		angle, ok := t.draw(g.rand.Float64())
		if !ok {
			return fmt.Errorf("parameter %q: no angle leaves columns %q and %q a security of %v; expected at most %.4g for "+
				"them", "rho",
				g.Attrs[pair[0]].Name, g.Attrs[pair[1]].Name, g.q.Rho, t.most())
		}
		g.Steps = append(g.Steps, Transform{Rotate, []int{pair[0], pair[1]}, angle})
	}
	return nil
}

// turning is a pair of columns to be rotated.
type turning [2]turned

// turned is one of them: with the original X, what it is now A, and its partner now B, it becomes A cos t + B sin t,
// and gram holds the covariances of X, A and B. With X = A this is Var(X - Y) = (1-cos t)² Var(A) + sin² t Var(B) - 2
// (1-cos t) sin t Cov(A, B).
type turned struct {
	gram  [3][3]float64
	least float64
}

// between works out the covariances of a pair. The second becomes B cos t - A sin t, so its partner is -A.
func (g *geometry) between(pair [2]int) turning {
	p := len(g.Columns)
	a, _ := slices.BinarySearch(g.Columns, pair[0])
	b, _ := slices.BinarySearch(g.Columns, pair[1])
	m := g.linear()
	now := [2]*mat.VecDense{mat.NewVecDense(p, m[a]), mat.NewVecDense(p, m[b])}
	var out turning
	for n, k := range []int{a, b} {
		x, partner := mat.NewVecDense(p, nil), mat.NewVecDense(p, nil)
		x.SetVec(k, 1)
		partner.ScaleVec(float64(1-2*n), now[1-n])
		v := [3]*mat.VecDense{x, now[n], partner}
		for i := range v {
			for l := range v {
				out[n].gram[i][l] = linalg.Inner(v[i], g.cov, v[l])
			}
		}
		out[n].least = g.q.Rho
	}
	return out
}

// security returns Var(X - Y) / Var(X) after a rotation by an angle in degrees.
func (t *turned) security(angle float64) float64 {
	sin, cos := portable.Sincos(angle * math.Pi / 180)
	w, sum := [3]float64{1, -cos, -sin}, 0.0
	for i := range w {
		for l := range w {
			sum += float64(w[i] * t.gram[i][l] * w[l])
		}
	}
	return sum / t.gram[0][0]
}

// ok reports whether both columns are secure, but for rounding.
func (t *turning) ok(angle float64) bool {
	return t[0].security(angle) >= t[0].least-1e-9 && t[1].security(angle) >= t[1].least-1e-9
}

// most returns the largest security that both columns have at one angle, of those that are to be secure.
func (t *turning) most() float64 {
	best := 0.0
	for k := range scans {
		least := math.Inf(1)
		for n := range t {
			if t[n].least > 0 {
				least = min(least, t[n].security(degrees(k)))
			}
		}
		best = max(best, least)
	}
	return best
}

// scans is the number of angles that are tried, a tenth of a degree apart: a range of angles that is narrower may be
// missed, and between two that are secure the security may fall short by a millionth of the larger variance.
const scans = 3600

func degrees(k int) float64 { return 360 * float64(k) / scans }

// arc is a range of angles, in degrees.
type arc struct{ lo, hi float64 }

// secure returns the security range: the angles that leave both columns secure. Its limits are found by bisection.
func (t *turning) secure() []arc {
	var out []arc
	was := t.ok(0)
	if was {
		out = append(out, arc{0, 0})
	}
	for k := 1; k <= scans; k++ {
		switch is := t.ok(degrees(k)); {
		case is && !was:
			out = append(out, arc{t.limit(degrees(k-1), degrees(k)), degrees(k)})
			was = true
		case is:
			out[len(out)-1].hi = degrees(k)
		case was:
			out[len(out)-1].hi = t.limit(degrees(k), degrees(k-1))
			was = false
		}
	}
	return out
}

// limit returns a secure angle between an insecure and a secure one, next to the insecure ones.
func (t *turning) limit(bad, good float64) float64 {
	for range 50 {
		if middle := (bad + good) / 2; t.ok(middle) {
			good = middle
		} else {
			bad = middle
		}
	}
	return good
}

// draw returns the angle at a share of the security range; false where that is empty.
func (t *turning) draw(share float64) (angle float64, ok bool) {
	arcs := t.secure()
	if len(arcs) == 0 {
		return 0, false
	}
	total := 0.0
	for _, a := range arcs {
		total += a.hi - a.lo
	}
	at := float64(share * total)
	for _, a := range arcs {
		if width := a.hi - a.lo; at <= width {
			return a.lo + at, true
		} else {
			at -= width
		}
	}
	return arcs[len(arcs)-1].hi, true
}
