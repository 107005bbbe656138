package gadp

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/dither-data/dither/internal/portable/linalg"
	"github.com/dither-data/dither/protect"
)

// want sets the covariances that the owner of the table wants the release to have (Muralidhar, Parsa & Sarathy 1999:
// those of Y, with each other and with S, are the owner's to specify). Those that nothing is said of are the
// original's. It is an error where a column is not perturbed, or where all of them together are those of no table.
func (q *GADPTechnique) want(p *GADPPlan) error {
	if len(q.Correlations)+len(q.Covariances) == 0 {
		return nil
	}
	if p.Least() < 1 {
		return fmt.Errorf("parameter %q: expected 1 where covariances are wanted, since what is let through of the "+
			"original brings its covariances along", "security")
	}
	names := protect.Names(p.Attrs, slices.Concat(p.Columns, p.Others))
	wanted := p.cov()
	if err := q.covariances(wanted, names, len(p.Columns)); err != nil {
		return err
	}
	for _, text := range q.Correlations {
		i, j, v, err := pair("correlations", text, names, len(p.Columns))
		if err != nil {
			return err
		}
		if i == j || !(math.Abs(v) <= 1) {
			return fmt.Errorf("parameter %q: %q is not a correlation of two columns; expected column~column=value from -1 "+
				"to 1", "correlations", text)
		}
		wanted.SetSym(i, j, float64(v*math.Sqrt(float64(wanted.At(i, i)*wanted.At(j, j)))))
	}
	if bad := contradicting(wanted, names); bad != nil {
		return fmt.Errorf("parameters %q and %q: no table has the covariances wanted: together with the others those of "+
			"%s are not positive definite; want less of them", "correlations", "covariances", quoted(bad))
	}
	p.Wanted = triangle(wanted)
	return nil
}

// covariances sets the wanted covariances. A wanted variance scales the covariances of its column, so that its
// correlations stay.
func (q *GADPTechnique) covariances(wanted *mat.SymDense, names []string, k int) error {
	type entry struct {
		i, j int
		v    float64
	}
	var apart []entry
	for _, text := range q.Covariances {
		i, j, v, err := pair("covariances", text, names, k)
		switch {
		case err != nil:
			return err
		case i != j:
			apart = append(apart, entry{i, j, v})
			continue
		case !(v > 0):
			return fmt.Errorf("parameter %q: %q is no variance; expected a number above 0", "covariances", text)
		}
		by := math.Sqrt(v / wanted.At(i, i))
		for c := range wanted.SymmetricDim() {
			if c != i {
				wanted.SetSym(i, c, float64(by*wanted.At(i, c)))
			}
		}
		wanted.SetSym(i, i, v)
	}
	for _, e := range apart { // by the wanted variances
		wanted.SetSym(e.i, e.j, e.v)
	}
	return nil
}

// pair reads "column~column=value": positions among the names, of which the first k are perturbed; one of the two
// columns must be.
func pair(param, text string, names []string, k int) (i, j int, v float64, err error) {
	cut := strings.LastIndexByte(text, '=') // a name may hold one
	if cut < 0 {
		return 0, 0, 0, fmt.Errorf("parameter %q: %q has no \"=\"; expected column~column=value", param, text)
	}
	if v, err = strconv.ParseFloat(strings.TrimSpace(text[cut+1:]), 64); err != nil || math.IsInf(v, 0) || v != v {
		return 0, 0, 0, fmt.Errorf("parameter %q: %q is not a number", param, text[cut+1:])
	}
	both := text[:cut]
	for at := range len(both) { // a name may hold a tilde
		if both[at] != '~' {
			continue
		}
		i, j = slices.Index(names, strings.TrimSpace(both[:at])), slices.Index(names, strings.TrimSpace(both[at+1:]))
		switch {
		case i < 0 || j < 0:
		case i >= k && j >= k:
			return 0, 0, 0, fmt.Errorf("parameter %q: neither of the columns %q and %q is perturbed", param, names[i], names[j])
		default:
			return i, j, v, nil
		}
	}
	return 0, 0, 0, fmt.Errorf("parameter %q: %q does not name two numeric columns that vary; expected "+
		"column~column=value", param, both)
}

// contradicting returns the columns whose covariances make a matrix that is not positive definite: those with the
// largest parts of the direction whose variance would not be above 0; nil where the matrix is positive definite.
func contradicting(c *mat.SymDense, names []string) (out []string) {
	r := mat.NewSymDense(len(names), nil)
	for i := range names {
		for j := range i + 1 {
			r.SetSym(i, j, c.At(i, j)/math.Sqrt(c.At(i, i))/math.Sqrt(c.At(j, j)))
		}
	}
	values, vectors, ok := linalg.Eigen(r)
	if !ok || len(values) == 0 || values[0] > 1e-9 {
		return nil
	}
	most := 0.0
	for i := range names {
		most = max(most, math.Abs(vectors.At(i, 0)))
	}
	for i, name := range names {
		if math.Abs(vectors.At(i, 0)) > 0.3*most {
			out = append(out, name)
		}
	}
	return out
}

func quoted(names []string) string {
	all := make([]string, len(names))
	for i, n := range names {
		all[i] = strconv.Quote(n)
	}
	return strings.Join(all, ", ")
}
