package synthesis

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/dither-data/dither/internal/portable"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/wrap"
)

// Variable is a normal variable and what is read off it.
type Variable struct {
	Column int `json:"column"` // of the wider table of units
	// Gap says that it tells whether the value is missing: the first cell holds those that are not, the second those that
	// are.
	Gap   bool   `json:"gap,omitempty"`
	Cells []Cell `json:"cells"` // in the order of the variable, at least one

	upTo []float64 // by cell, the end of its share
}

// Cell is a value, or a run of numbers.
type Cell struct {
	Records int     `json:"records"`        // that have it
	Code    int32   `json:"code,omitempty"` // of a category
	Lo      float64 `json:"lo,omitempty"`   // of numbers: from here
	Hi      float64 `json:"hi,omitempty"`   // to here; Lo for a single value
}

// ready works out the shares.
func (v *Variable) ready() {
	all, sum := 0, 0
	for _, c := range v.Cells {
		all += c.Records
	}
	v.upTo = make([]float64, len(v.Cells))
	for k, c := range v.Cells {
		sum += c.Records
		v.upTo[k] = float64(sum) / float64(all)
	}
}

// scores returns by cell the mean of a standard normal variable in it.
func (v *Variable) scores() []float64 {
	out, lo := make([]float64, len(v.Cells)), 0.0
	for k, hi := range v.upTo {
		if out[k] = 0; hi > lo {
			out[k] = (density(lo) - density(hi)) / (hi - lo)
		}
		lo = hi
	}
	return out
}

// density is that of the standard normal distribution at its quantile.
func density(p float64) float64 {
	if p <= 0 || p >= 1 {
		return 0
	}
	z := portable.Quantile(p)
	return portable.Exp(-float64(z*z)/2) / math.Sqrt(2*math.Pi)
}

// terms is how many powers of a correlation are taken of the correlation of scores.
const terms = 24

// series are the scores of a variable as a function of it.
type series struct {
	of [terms]float64 // coefficients of the normalised Hermite polynomials of degree 1 to terms
	sd float64        // standard deviation, of all degrees
}

// series returns that of the scores.
func (v *Variable) series() (out series) {
	last, lo, squares := hermite(0), 0.0, 0.0
	for k, score := range v.scores() {
		next := hermite(v.upTo[k])
		for n := range terms {
			out.of[n] += float64(score*(last[n]-next[n])) / math.Sqrt(float64(n+1))
		}
		squares += float64(float64(score*score) * (v.upTo[k] - lo))
		last, lo = next, v.upTo[k]
	}
	out.sd = math.Sqrt(squares)
	return out
}

// hermite returns the normalised Hermite polynomials of degree 0 to terms-1 at a quantile, times the density there.
func hermite(p float64) (out [terms]float64) {
	if p <= 0 || p >= 1 {
		return out
	}
	z := portable.Quantile(p)
	out[0] = density(p)
	out[1] = float64(z * out[0])
	for n := 2; n < terms; n++ {
		out[n] = (float64(z*out[n-1]) - float64(math.Sqrt(float64(n-1))*out[n-2])) / math.Sqrt(float64(n))
	}
	return out
}

// strongest is the largest correlation of two variables, in size.
const strongest = 0.99

// behind returns the correlation of two variables at which their scores have the given one: by bisection of the series,
// which grows in the correlation where the scores do in their variables.
func behind(a, b *series, of float64) float64 {
	scale := float64(a.sd * b.sd)
	if scale == 0 || of != of {
		return 0
	}
	at := func(rho float64) float64 {
		sum, power := 0.0, 1.0
		for n := range terms {
			power = float64(power * rho)
			sum += float64(float64(a.of[n]*b.of[n]) * power)
		}
		return sum / scale
	}
	lo, hi := -strongest, strongest
	for range 40 {
		if mid := (lo + hi) / 2; at(mid) < of {
			lo = mid
		} else {
			hi = mid
		}
	}
	return (lo + hi) / 2
}

// cell returns the cell of a share in [0, 1), and how far into it that is.
func (v *Variable) cell(u float64) (k int, into float64) {
	k, _ = slices.BinarySearch(v.upTo, u)
	if k < len(v.upTo)-1 && v.upTo[k] == u {
		k++
	}
	k = min(k, len(v.upTo)-1)
	lo := 0.0
	if k > 0 {
		lo = v.upTo[k-1]
	}
	if width := v.upTo[k] - lo; width > 0 {
		into = min(max((u-lo)/width, 0), 1)
	}
	return k, into
}

// find returns the cell of a number or of the code of a category; -1 for none.
func (v *Variable) find(x float64, numeric bool) int {
	if !numeric {
		return slices.IndexFunc(v.Cells, func(c Cell) bool { return float64(c.Code) == x })
	}
	k, _ := slices.BinarySearchFunc(v.Cells, x, func(c Cell, x float64) int {
		switch {
		case c.Hi < x:
			return -1
		case c.Lo > x:
			return 1
		}
		return 0
	})
	if k == len(v.Cells) || k > 0 && v.Cells[k].Lo > x && x-v.Cells[k-1].Hi < v.Cells[k].Lo-x {
		k--
	}
	return k
}

// put reads a value off a share.
func (v *Variable) put(c *table.Column, i int, u float64, d *wrap.Domain) {
	k, into := v.cell(u)
	cell := &v.Cells[k]
	if c.Kind == table.Numeric {
		c.Num[i] = d.Clip(cell.Lo + float64(into*(cell.Hi-cell.Lo)))
	} else {
		c.Cat[i] = cell.Code
	}
}

// check refuses a decoded variable that nothing could be read off.
func (v *Variable) check(attrs []table.Attribute) error {
	if v.Column < 0 || v.Column >= len(attrs) || !attrs[v.Column].Kind.Scalar() {
		return errors.New("a variable is of no column of numbers or categories")
	}
	a, sum := &attrs[v.Column], 0
	for k := range v.Cells {
		if err := v.checkCell(k, a); err != nil {
			return err
		}
		if sum += v.Cells[k].Records; sum > math.MaxInt32 {
			return fmt.Errorf("column %q has too many records", a.Name)
		}
	}
	switch {
	case len(v.Cells) == 0 || v.Gap && len(v.Cells) != 2:
		return fmt.Errorf("column %q lacks cells", a.Name)
	case a.Kind == table.Numeric && !wrap.Fits(a.Domain, a.Step):
		return fmt.Errorf("column %q has an unusable domain or step", a.Name)
	}
	return nil
}

func (v *Variable) checkCell(k int, a *table.Attribute) error {
	c := &v.Cells[k]
	switch {
	case c.Records < 1 || c.Records > math.MaxInt32:
		return fmt.Errorf("column %q has a cell of no records", a.Name)
	case v.Gap:
	case a.Kind == table.Categorical && (c.Code < 0 || int(c.Code) >= len(a.Labels)):
		return fmt.Errorf("column %q has a cell of no category of it", a.Name)
	case a.Kind == table.Numeric && !(c.Lo <= c.Hi && c.Hi-c.Lo < math.Inf(1) && (k == 0 || v.Cells[k-1].Hi <= c.Lo)):
		return fmt.Errorf("column %q has cells that do not ascend", a.Name)
	}
	return nil
}
