package gadp

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/dither-data/dither/internal/portable/linalg"
	"github.com/dither-data/dither/internal/stats/mvnorm"
	"github.com/dither-data/dither/internal/stats/orthobasis"
	"github.com/dither-data/dither/internal/system/mmap"
)

// EGADPReplace writes to y what is released of records that keep their moments together: a whole table, or those of one
// segment. Columns of u are the original ones, the first k = len(dial) confidential; z are k columns of independent
// standard normals, and y k columns to fill. The share dial[j], 0 to 1, of what the others leave open of column j
// passes into the release (a = 1 - security). It is an error when no joint law has different dials, or a value is
// infinite. The last digits depend on the order of the records. Missing values: see the package comment. What it needs
// for each record is in a space, nil for the heap. Cost: O(n (k + q)²).
func EGADPReplace(in *mmap.Space, y, u, z [][]float64, dial []float64) error {
	for _, a := range dial {
		if !(a >= 0 && a <= 1) {
			return errors.New("a dial of security is not between 0 and 1")
		}
	}
	return orthobasis.Replace(in, y, u, z, dial, turn)
}

// turn makes the release of complete records: the residuals of X on S, scaled by the dial, and noise of the covariance
// that they lack. The noise needs a space of more dimensions than it takes, or it would be the residuals or their
// mirror image.
func turn(d *orthobasis.Design, dial []float64) (*orthobasis.Release, error) {
	if !d.Turned() {
		return nil, nil
	}
	kept, rows := d.Roots()
	root, err := lacking(kept, dial)
	if err != nil {
		return nil, err
	}
	noise := 0
	if root != nil {
		noise, _ = root.Dims()
	}
	if d.Free()-d.Residuals() <= noise && noise > 0 {
		if d, err = d.Apart(); err != nil {
			return nil, err
		}
		root, dial = kept, make([]float64, len(dial))
	}
	t := d.Fitted()
	for r, i := range rows {
		for j, a := range dial {
			if a > 0 {
				t.Set(i, j, float64(a*kept.At(r, j)))
			}
		}
	}
	if root == nil {
		return &orthobasis.Release{Design: d, T: t, Dial: dial}, nil
	}
	at := d.Noise()
	if noise, _ = root.Dims(); len(at) < noise {
		return nil, errors.New("the columns of noise depend on each other")
	}
	for r := range noise {
		copy(t.RawRowView(at[r]), root.RawRowView(r))
	}
	return &orthobasis.Release{Design: d, T: t, Dial: dial}, nil
}

// lacking returns a matrix whose product C with its transpose, transpose first, is what the covariance M of the
// residuals loses by the dial: M - D M D. Root is such a matrix for M; nil is one for 0.
func lacking(root *mat.Dense, dial []float64) (*mat.Dense, error) {
	if root == nil {
		return nil, nil
	}
	same := true
	for _, a := range dial {
		same = same && a == dial[0]
	}
	if same {
		if dial[0] == 1 {
			return nil, nil
		}
		var out mat.Dense
		out.Scale(math.Sqrt((1-dial[0])*(1+dial[0])), root)
		return &out, nil
	}
	_, k := root.Dims()
	norm := make([]float64, k) // residuals of length 1, whatever the scales of the columns
	for j := range norm {
		norm[j] = linalg.Norm(root.ColView(j))
	}
	c := mat.NewSymDense(k, nil)
	for i := range k {
		for j := range i + 1 {
			if m := linalg.Dot(root.ColView(i), root.ColView(j)); m != 0 {
				c.SetSym(i, j, (1-float64(dial[i]*dial[j]))*m/norm[i]/norm[j])
			}
		}
	}
	l, err := mvnorm.Root(c)
	if err != nil {
		return nil, err
	}
	var out mat.Dense
	linalg.Mul(&out, l.T(), mat.NewDiagDense(k, norm))
	return &out, nil
}
