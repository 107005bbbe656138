// Package reconstruct is the contract of the reconstructions: from a release that was randomised by a public law, and
// that law, comes the distribution of every attribute of the original, with its error (Agrawal & Srikant 2000; Agrawal
// & Aggarwal 2001): distributions, not records.
package reconstruct

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/internal/noise/reconstruction"
	"github.com/dither-data/dither/noisemodel/modelfile"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/table"
)

// Reconstruction is a catalogue entry.
type Reconstruction struct {
	card.Card
	New func() Method
}

// Method reconstructs distributions. A value serves one call at a time.
type Method interface {
	Params() param.Set
	// Takes reports whether it reconstructs columns with such a law.
	Takes(p *modelfile.Part) bool
	// Reconstruct returns the distribution of the k-th column of a part, which it takes. The release is not written to;
	// Fits has found that the law is one of its columns.
	Reconstruct(ctx context.Context, release *table.Table, p *modelfile.Part, k int) (*Distribution, error)
}

// Distribution is that of one attribute of the original. All slices are by interval or category.
type Distribution struct {
	Column     string
	Edges      []float64     // of the intervals of a number, ascending, one more than there are shares; nil of categories
	Labels     []string      // of the categories; those that the release does not show have no name
	Observed   []float64     // shares of the released values; of a number what is outside the intervals is in none
	Shares     []float64     // estimated; they sum to 1, none negative
	Errors     []float64     // their standard errors, or those of Unbiased
	Unbiased   []float64     // estimates that may be negative, where the method has them
	Covariance *mat.SymDense // of Unbiased; nil where there is none
	Values     int           // released values, without missing ones
	Outside    float64       // share of these that are outside the intervals
	Impossible float64       // share that no original explains
	Rounds     int           // of an iteration; 0 of a formula
	Settled    bool          // the iteration ended by its rule
}

// Band returns the estimate of a share less and plus two standard errors, within 0 and 1.
func (d *Distribution) Band(k int) (lo, hi float64) {
	f := d.Shares[k]
	if d.Unbiased != nil {
		f = d.Unbiased[k]
	}
	return min(max(0, f-2*d.Errors[k]), d.Shares[k]), max(min(1, f+2*d.Errors[k]), d.Shares[k])
}

// Count returns the shares of a column in the intervals or categories of the distribution, and which share is in none.
func (d *Distribution) Count(t *table.Table) (shares []float64, outside float64, err error) {
	j := t.Find(d.Column)
	if j < 0 {
		return nil, 0, fmt.Errorf("there is no column %q", d.Column)
	}
	a := t.Attr(j)
	shares = make([]float64, len(d.Shares))
	n, in := 0.0, 0.0
	add := func(k int) {
		if n++; k >= 0 {
			shares[k]++
			in++
		}
	}
	switch {
	case a.Kind == table.Numeric && d.Edges != nil:
		find := reconstruction.Finder(d.Edges)
		for _, v := range t.Num(j) {
			if v == v {
				add(find(v))
			}
		}
	case a.Kind == table.Categorical && d.Edges == nil:
		at := map[string]int{}
		for k, l := range d.Labels {
			if l != "" {
				at[l] = k
			}
		}
		for _, c := range t.Cat(j) {
			if c < 0 {
				continue
			}
			k, ok := at[a.Labels[c]]
			if !ok {
				k = -1
			}
			add(k)
		}
	default:
		return nil, 0, fmt.Errorf("column %q is %s; it is not the one that was reconstructed", d.Column, a.Kind)
	}
	for k := range shares {
		shares[k] /= max(1, n)
	}
	return shares, 1 - in/max(1, n), nil
}

// Check returns an error unless the distribution is one: the conformance suite and anyone who prints it rely on that.
func (d *Distribution) Check() error {
	m := len(d.Shares)
	switch {
	case m == 0 || len(d.Observed) != m || len(d.Errors) != m:
		return fmt.Errorf("column %q: there are %d shares, %d observed ones and %d errors", d.Column, m, len(d.Observed),
			len(d.Errors))
	case (d.Edges == nil) == (d.Labels == nil),
		d.Edges != nil && len(d.Edges) != m+1,
		d.Labels != nil && len(d.Labels) != m:
		return fmt.Errorf("column %q: there are %d edges and %d labels for %d shares", d.Column, len(d.Edges), len(d.Labels),
			m)
	}
	sum := 0.0
	for k, f := range d.Shares {
		if !(f >= 0) || !(d.Errors[k] >= 0) || math.IsInf(d.Errors[k], 1) {
			return fmt.Errorf("column %q: a share is %v +- %v", d.Column, f, d.Errors[k])
		}
		sum += f
	}
	if math.Abs(sum-1) > 1e-9 {
		return fmt.Errorf("column %q: the shares sum to %v", d.Column, sum)
	}
	return nil
}

// Fits returns an error unless the law is one of the release: its columns, their kinds, categories and number of
// records.
func Fits(release *table.Table, l *modelfile.Model) error {
	if n := l.Release.Records; n != release.Rows() {
		return fmt.Errorf("the noise model is for a release of %d records, but there are %d", n, release.Rows())
	}
	for i := range l.Parts {
		p := &l.Parts[i]
		for k, name := range p.Columns {
			j := release.Find(name)
			if j < 0 {
				return fmt.Errorf("the noise model names column %q, which is not in the release", name)
			}
			if err := fits(release.Attr(j), p, k); err != nil {
				return fmt.Errorf("column %q: %w", name, err)
			}
		}
	}
	return nil
}

func fits(a *table.Attribute, p *modelfile.Part, k int) error {
	kind := table.Categorical
	switch {
	case p.Items != nil, p.Sizes != nil:
		kind = table.SetValued
	case p.Number != nil:
		kind = table.Numeric
	}
	if a.Kind != kind {
		return fmt.Errorf("it is %s, but its noise model is for %s", a.Kind, kind)
	}
	if m, ok := p.Marginal(k, nil); ok && len(a.Labels) > len(m) {
		return fmt.Errorf("it has %d categories, but its noise model has %d", len(a.Labels), len(m))
	}
	return nil
}

// Labels returns the labels of a categorical column, with an empty one for every category of its law that the release
// does not show.
func Labels(a *table.Attribute, categories int) []string {
	out := make([]string, max(categories, len(a.Labels)))
	copy(out, a.Labels)
	return out
}
