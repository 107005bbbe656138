// Package kimwinkler is the masking of Kim & Winkler 1995: correlated noise, swaps of the records it does not hide, and
// exact totals.
//
// What it does, in four steps:
//
//  1. Noise: the numeric values of a record get normal noise whose covariance matrix is d times that of the attributes,
//     with a small d: Y = X + e, e ~ N(0, d C).
//  2. Controlled distortion (totals): in every subdomain, which is a combination of values of the key columns, the
//     noise that the sum of an attribute has gathered is taken back in equal parts from all of its records, so the
//     total is the original one to the last grid step. Subdomains of fewer than "smallest" values have a common total,
//     or none when they are too few together.
//  3. Re-identification: a record is at risk when its own masked numbers are the only nearest ones to its original
//     numbers among those of all records, the attributes standardised, missing values taken for the mean.
//  4. Swapping: every record at risk exchanges all its masked numbers with a random record of the same keys that misses
//     the same values and, in the first round, is of about the same size: the same quantile class of its mean
//     standardised value. Steps 3 and 4 are repeated, up to three rounds, until the share of records at risk is at most
//     "target".
//
// What an informed intruder learns: swapping parts the numbers of a person from the rest of the row, not from each
// other. Anyone who knows some of a person's numbers still finds their row, and in it the person's other numbers up to
// the noise, but beside the values of a stranger with the same keys, who differs from them in two other columns at
// least. Between people who differ in fewer a swap would hide nothing: all of a row, or all but one column of it, would
// stand in another record (the measure replicateduniques). So where fewer than two columns stay behind no rows are
// exchanged, and fewer where these have few values; only noise protects the rest. A record without a partner is
// released with its noise only, too. An exact total lets anyone who knows all other values of a subdomain work out the
// last one.
//
// Missing values stay missing: partners miss the same values; covariances are taken pairwise and repaired, with a note.
// A value outside a declared domain becomes its nearest end; an observed domain is left (outside=allow). The distortion
// keeps to the domains and counts an original off the grid, or outside its domain, as the nearest value inside.
//
// Cost: O(n log n) for few attributes, with the search for nearest neighbours in a k-d tree; O(n²) for many. A million
// records of six attributes take some 25 times a slices.Sort of as many random float64.
//
// Departures: re-identification is by distance, not by probabilities of agreement, and all of the noise is compensated,
// not only that of swapped records. The distortion comes before the swaps, which leave totals as they are, so that the
// risk is that of what is released. The transform of other distributions to normal ones beforehand (Sullivan & Fuller
// 1989) is left to package sullivanfuller. The share at risk after three rounds may exceed the target where records
// have no partner; the distance linkage of the release tells. The paper lets any two records of a subdomain swap,
// whatever stays behind.
//
// Reference: Kim & Winkler 1995; Islam 2007, section 3.2.1.
package kimwinkler

import (
	"context"
	"fmt"
	"slices"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/internal/stats/aggregate"
	"github.com/dither-data/dither/internal/stats/rank"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/internal/additive"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// Method is the catalogue entry.
var Method = protect.Method{
	Card: card.Card{
		Name:    "kimwinkler",
		Title:   "Masking of Kim and Winkler",
		Short:   "Kim-Winkler",
		Aliases: []string{"kim and winkler 1995", "noise addition with swapping"},
		Summary: "Adds a little correlated noise with exact totals, and swaps every record that the noise does not hide.",
		Paper:   "Kim & Winkler 1995; Islam 2007, section 3.2.1",
		Needs:   "numeric attributes; categorical keys",
		Changes: "all numeric attributes that vary",
		Preserves: "means, and for every combination of the keys the totals of the perturbed attributes and " +
			"relations among them",
		Biases: "variances and covariances grow a little (type A), relations with non-key columns are lost for " +
			"swapped records (types C and DM), distributions that are not normal are blurred (type D)",
		Exposes: "to someone who knows some numbers of a person, the others up to the noise, but not the rest of " +
			"the row if the record is swapped; only records that differ in two unswapped columns are swapped, so " +
			"none with fewer than two such columns; exact totals for combinations of the keys",
		Missing: "stay missing; records are swapped with records that have the same values missing",
		Cost:    "O(n log n) for few attributes",
	},
	Purpose: protect.NoiseNumbers,
	NoModel: "records that the noise does not hide are swapped, and which they are depends on all the records",
	Growth:  1,
	New:     func() protect.Technique { return New() },
	Plan:    func() protect.Plan { return &Plan{} },
	Claims: []protect.Claim{protect.AddsNoise, protect.Groups, protect.Corrects, protect.Notes, protect.Describes,
		protect.Checks},
}

// Technique holds the parameters.
type Technique struct {
	additive.Settings
	Noise    float64  // covariance of the noise, as a share of the attributes'
	Keys     []string // columns that make the subdomains
	Bins     int      // quantile classes of records by size
	Target   float64  // share of the records that may be at risk, in per cent
	Totals   bool     // keep the totals of the subdomains
	Smallest int      // fewest values that have a total of their own
}

// New returns the technique with its defaults.
func New() *Technique { return param.Default(&Technique{}) }

// Params declares the parameters.
func (q *Technique) Params() param.Set {
	return append(param.Set{
		param.Float(&q.Noise, "noise", 0.01, 0.0001, additive.MaxNoise, "of the variance",
			"variance of the noise, as a share of each attribute's variance").Noisier(0.001, 20),
		param.Names(&q.Keys, "keys",
			"categorical columns: totals are kept and records swapped within their combinations; none: the "+
				"categorical quasi-identifiers and class"),
		param.Int(&q.Bins, "bins", 10, 1, 1000, "", "quantile classes of records by size; the first round swaps "+
			"within them"),
		param.Float(&q.Target, "target", 1, 0, 100, "% of the records",
			"swapping stops at this share of records that are nearest to their own masked numbers"),
		param.Bool(&q.Totals, "totals", true, "keep the totals of every combination of the keys exact"),
		param.Int(&q.Smallest, "smallest", 10, 3, 1_000_000, "values", "combinations of the keys with fewer are "+
			"pooled into one total"),
	}, q.Settings.Params()...)
}

// Fit measures the covariances, and the quantiles of the records' sizes.
func (q *Technique) Fit(ctx context.Context, t *table.Table, src rng.Source) (protect.Plan, error) {
	noise, err := q.Correlated(ctx, aggregate.Over(t, src), q.Noise, 1)
	if err != nil {
		return nil, err
	}
	p := &Plan{Plan: *noise, Target: q.Target, Totals: q.Totals, Smallest: q.Smallest}
	if p.Keys, err = q.keys(t); err != nil || len(p.Columns) == 0 {
		return p, err
	}
	p.Cuts = quantiles(p.sizes(t), q.Bins)
	g := p.group(t)
	for _, members := range g.alike {
		if members == 1 {
			p.Alone++
		}
	}
	return p, ctx.Err()
}

// keys returns the positions of the key columns.
func (q *Technique) keys(t *table.Table) ([]int, error) {
	var keys []int
	for j := range t.Width() {
		a := t.Attr(j)
		if a.Kind == table.Categorical && len(q.Keys) == 0 && a.Role&(table.Quasi|table.Class) != 0 {
			keys = append(keys, j)
		}
	}
	for _, name := range q.Keys {
		switch j := t.Find(name); {
		case j < 0:
			return nil, fmt.Errorf("parameter %q: there is no column %q", "keys", name)
		case t.Attr(j).Kind != table.Categorical:
			return nil, fmt.Errorf("parameter %q: column %q is %s; expected a categorical one", "keys", name, t.Attr(j).Kind)
		default:
			keys = append(keys, j)
		}
	}
	slices.Sort(keys)
	return slices.Compact(keys), nil
}

// quantiles returns at most bins-1 ascending limits between as many classes of the numbers; missing ones belong to
// none.
func quantiles(numbers []float64, bins int) []float64 {
	known := rank.Ascending(numbers)
	if len(known) == 0 {
		return nil
	}
	var cuts []float64
	for b := 1; b < bins; b++ {
		cuts = append(cuts, known[b*len(known)/bins])
	}
	return slices.Compact(cuts)
}
