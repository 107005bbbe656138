// Package localsuppression is local suppression to k-anonymity (Hundepool et al. 2012, section 3.4.2; Templ, Kowarik &
// Meindl 2015): single cells of the keys are suppressed until no record stands out.
//
// Records whose keys fewer than k people share lose the values of some keys, as few cells as the search finds, each
// counted by the weight of its key (importance). What k-anonymity means where values are missing is the parameter
// missing, as in measure kanonymity:
//   - value (default): a missing value is a value of its own, so every released record misses the same keys, and shares
//     all others, with k-1 more. Records of smaller classes are suppressed together, where needed with records of
//     larger ones.
//   - any: a missing value agrees with every value, as sdcMicro counts. A suppressed record then hides all others that
//     agree with what is left of it, and few suppressions do for many records. Every suppressed record gives up the
//     least that makes k agree with itself; without this rule, k-1 records suppressed altogether would make any table
//     k-anonymous.
//
// What an informed intruder learns: with value, at least k released records fit every combination of keys that is
// shown. The class of the record is not protected if all k agree in what is confidential (see ldiversity). With any
// less: a record that is unique in what it shows remains so, and only an intruder who takes the suppressed ones for
// equally likely is in doubt. Which keys were suppressed tells that the person is rare in them. Other columns than the
// keys are taken to be unknown to the intruder.
//
// Combinations. k can be asked for in chosen combinations of keys, or in all of so many keys, in place of all keys
// together, and a k of its own in each (parameter combinations; package combined): those who know no more of a person
// than one of them find k. Those who know several may find fewer. They are taken one after the other, and again where
// another took cells away, until k holds in each.
//
// Where it is told whose the records are (table.Table.People) and some people have several, k counts people, with value
// and with any: records of k people fit what is shown.
//
// Cost: O(C M p) for C different combinations of p keys and M sets of keys to suppress, 2^p up to seven keys; besides
// the sets of violating records V, k M V with value and k M V times the number of patterns of missing keys with any,
// which is slow beyond a dozen keys: where 700 of 2,000 records give up cells, a second with 12 and some 50 with 24.
// With more than seven keys M stays below some 140: the smallest sets, up to a size that fits, and the sets of the
// least important keys of every size. Finding the fewest cells is NP-hard (Meyerson & Williams 2004): the search is
// greedy, and may suppress more. Over all tables of five records with two keys of three values it suppresses 8 % more
// than needed for k = 2 and the fewest for k = 3; with any, for the reason above, 6 and 24 % more.
//
// Departures: sdcMicro suppresses key by key in the order of importance; here each record gives up its cheapest set.
// Ties go by the number of values of a key, the one with most is given up first, then by identity; nothing is drawn.
// All records meet: the plan is a protect.Grouper.
//
// References: A. Hundepool et al., "Statistical disclosure control", Wiley, 2012; M. Templ, A. Kowarik & B. Meindl,
// "Statistical disclosure control for micro-data using the R package sdcMicro", J. of Statistical Software 67(4), 2015;
// A. Meyerson & R. Williams, "On the complexity of optimal k-anonymity", PODS 2004.
package localsuppression

import (
	"context"
	"fmt"
	"strconv"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/internal/combined"
	"github.com/dither-data/dither/protect/internal/named"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// Method is the catalogue entry.
var Method = protect.Method{
	Card: card.Card{
		Name:    "localsuppression",
		Title:   "Local suppression",
		Aliases: []string{"cell suppression", "localSupp", "local-suppression", "localSuppression", "kAnon"},
		Summary: "Suppresses single values of the keys, as few as it can, until every record shares its keys " +
			"with k-1 others.",
		Paper:     "Hundepool et al. 2012, section 3.4.2; Templ, Kowarik & Meindl 2015",
		Needs:     "keys (the quasi-identifiers), with numbers recoded to few values",
		Changes:   "the keys",
		Preserves: "the truth of every released value, and all other columns",
		Biases: "frequencies of rare values (types A and D), relations among the keys (types B and C), rules about rare " +
			"combinations (type DM)",
		Exposes: "that a person with a suppressed key is rare in it; what all records of a group have in common",
		Missing: "stay missing; they are a separate value, or match every value",
		People:  "the released keys are shared by records of k people",
		Cost:    "O(C M p) for C combinations of p keys and M < 140 sets of keys",
	},
	Purpose: protect.Generalises, Suppresses: true,
	New:    func() protect.Technique { return New() },
	Plan:   func() protect.Plan { return &Plan{} },
	Claims: []protect.Claim{protect.Groups, protect.Crowds, protect.Notes, protect.Describes, protect.Checks},
}

// What a missing value agrees with.
const (
	Value    = "value" // only a missing one, as if it were a value
	Anything = "any"   // every value
)

// Technique holds the parameters.
type Technique struct {
	K          int      // records that share a combination of keys
	Keys       []string // columns; none: the quasi-identifiers
	Importance []string // column=weight
	Missing    string   // Value or Anything
	// Combinations of keys that are asked for (package combined), as age+sex or 2:5; none: all keys together
	Combinations []string
}

// New returns the technique with its defaults.
func New() *Technique { return param.Default(&Technique{}) }

// Params declares the parameters.
func (q *Technique) Params() param.Set {
	return param.Set{
		param.Int(&q.K, "k", 3, 2, 1_000_000, "people", "fewest people who share the released keys").Noisier(2, 100),
		param.Names(&q.Keys, "keys", "columns the intruder knows; none: the quasi-identifiers, or all "+
			"non-confidential columns if there are none"),
		param.Names(&q.Importance, "importance", "cost of a suppressed cell of a key, as column=weight: "+
			"age=1,sex=5; 1 for others"),
		param.Choice(&q.Missing, "missing", Value, []string{Value, Anything},
			"what a missing key matches: only another missing one, as if it were a value, or anything"),
		combined.Param(&q.Combinations),
	}
}

// Fit lists the keys, and suppresses once to note how much.
func (q *Technique) Fit(ctx context.Context, t *table.Table, _ rng.Source) (protect.Plan, error) {
	open, err := protect.Open(t, nil)
	if err != nil {
		return nil, err
	}
	p := &Plan{Attrs: t.Attrs(), K: q.K, Missing: q.Missing}
	if p.Columns, err = named.Columns(t, "keys", q.Keys, open); err != nil {
		return nil, err
	}
	if len(q.Keys) == 0 {
		p.Columns = protect.QuasiIdentifiers(t, open, open)
	}
	if err := q.combine(p, t, open); err != nil {
		return nil, err
	}
	p.Cells = make([]int, len(p.Columns))
	if p.Weights, err = q.weights(t, p.Columns); err != nil {
		return nil, err
	}
	if err := p.Check(); err != nil {
		return nil, err
	}
	_, err = protect.InOrder(t, func(t *table.Table) (*table.Table, error) { return t, p.study(ctx, t) })
	return p, err
}

// weights returns what a cell of each key counts.
func (q *Technique) weights(t *table.Table, columns []int) ([]float64, error) {
	out := make([]float64, len(columns))
	for k := range out {
		out[k] = 1
	}
	items, err := named.Assign(t, "importance", q.Importance)
	if err != nil {
		return nil, err
	}
	for _, a := range items {
		if err := named.Check(t, "importance", a.Column, columns); err != nil {
			return nil, fmt.Errorf("parameter %q: column %q is not a key", "importance", t.Attr(a.Column).Name)
		}
		w, err := strconv.ParseFloat(a.Text, 64)
		if err != nil || !(w >= leastWeight && w <= mostWeight) {
			return nil, fmt.Errorf("parameter %q: the weight of %q is %q; expected a number from %v to %v", "importance",
				t.Attr(a.Column).Name, a.Text, leastWeight, mostWeight)
		}
		for k, j := range columns {
			if j == a.Column {
				out[k] = w
			}
		}
	}
	return out, nil
}
