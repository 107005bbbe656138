// Package sample is sampling (Willenborg & de Waal 2001; Hundepool et al. 2012, section 3.4.1): a simple random sample
// of the records is released instead of all.
//
// Of N records, f N are drawn without replacement, every set of as many with the same probability. With columns in
// "strata" the records of each combination of their values are a stratum, and the sample is shared out among strata in
// proportion to their sizes, by the largest remainders. Sampling weights, where the table has some, are multiplied by
// N/n of the record's stratum.
//
// What an informed intruder learns: of a person in the sample everything that is released, so sampling alone protects
// nobody who is known to be in it. Otherwise a person unique in the sample is unique in the table with a probability
// that measure populationrisk estimates, and is in the sample with probability f. It protects records in numbers, not
// in kind: a person known to be unique in the population is found where present.
//
// Cost: O(n). A record's draw depends on its identity; which are lowest depends on all, so the plan is a
// protect.Grouper with one group. The release has one record at least, if the table has any.
//
// Departures: weights whose domain is declared are left alone, as no value may leave that. A stratum may be left out
// where its share is less than a record; the plan says how many are.
//
// References: L. Willenborg & T. de Waal, "Elements of statistical disclosure control", Springer, 2001; A. Hundepool et
// al., "Statistical disclosure control", Wiley, 2012.
package sample

import (
	"context"
	"fmt"
	"slices"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// Method is the catalogue entry.
var Method = protect.Method{
	Card: card.Card{
		Name:      "sample",
		Title:     "Simple random sampling",
		Aliases:   []string{"random sampling", "sampling", "subsampling"},
		Summary:   "Releases a random sample of the records, optionally stratified, and multiplies sampling weights.",
		Paper:     "Willenborg & de Waal 2001; Hundepool et al. 2012, section 3.4.1",
		Needs:     "nothing",
		Changes:   "the set of records, and sampling weights",
		Preserves: "all distributions and relations without bias (types A to D)",
		Biases:    "precision only; counts must be scaled up, and rules need a lower support (type DM)",
		Exposes:   "everything about people known to be in the sample; of others with a unique record, that it may be theirs",
		Missing:   "stay missing; missing is a separate stratum",
		Cost:      "O(n)",
	},
	Purpose: protect.Samples,
	Growth:  1,
	New:     func() protect.Technique { return New() },
	Plan:    func() protect.Plan { return &Plan{} },
	Claims:  []protect.Claim{protect.Groups, protect.Notes, protect.Describes, protect.Checks},
}

// Technique holds the parameters.
type Technique struct {
	Share  float64
	Strata []string
}

// New returns the technique with its defaults.
func New() *Technique { return param.Default(&Technique{}) }

const leastShare = 1e-6

// Params declares the parameters.
func (q *Technique) Params() param.Set {
	return param.Set{
		param.Float(&q.Share, "share", 0.1, leastShare, 1, "of the records", "share of the records that is released"),
		param.Names(&q.Strata, "strata", "columns that define strata: their combinations keep their share of the records"),
	}
}

// fewStrata are never too many.
const fewStrata = 20

// finest returns the name of the column that makes the most strata by itself.
func (p *Plan) finest(t *table.Table) (name string) {
	most := 0
	for _, j := range p.Strata {
		alone := Plan{Attrs: p.Attrs, Strata: []int{j}}
		if n := len(alone.strata(t).sizes); n > most {
			name, most = p.Attrs[j].Name, n
		}
	}
	return name
}

// Fit lists the strata and counts those that are left out. It fails where there are more than 20 and more than a tenth
// of the records.
func (q *Technique) Fit(ctx context.Context, t *table.Table, _ rng.Source) (protect.Plan, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if _, err := protect.Open(t, nil); err != nil { // identifiers must be gone
		return nil, err
	}
	p := &Plan{Attrs: t.Attrs(), Share: q.Share}
	for _, n := range q.Strata {
		j := t.Find(n)
		if j < 0 {
			return nil, fmt.Errorf("parameter %q: there is no column %q", "strata", n)
		}
		if a := t.Attr(j); !a.Kind.Scalar() {
			return nil, fmt.Errorf("parameter %q: column %q is %s, expected numbers or categories", "strata", n, a.Kind)
		}
		if slices.Contains(p.Strata, j) {
			return nil, fmt.Errorf("parameter %q: column %q stands there twice", "strata", n)
		}
		p.Strata = append(p.Strata, j)
	}
	sizes := p.strata(t).sizes
	p.Rows, p.Groups = t.Rows(), len(sizes)
	if p.Groups > max(fewStrata, p.Rows/10) {
		return nil, fmt.Errorf("parameter %q: %d strata of %d records, most of them by column %q; expected a tenth of the "+
			"records at most: "+
			"leave it out, or group its values", "strata", p.Groups, p.Rows, p.finest(t))
	}
	for _, n := range p.shares(sizes) {
		if n == 0 {
			p.Empty++
		}
	}
	return p, nil
}
