// Package kmanonymise is k^m-anonymisation of sets of items (Terrovitis, Mamoulis & Kalnis 2008): any m known items of
// a record are in at least k released records, or in none.
//
// All sets of up to m items that some records have, but fewer than k, are found and broken. An item that has a
// hierarchy is generalised, in all records at once, to a group of items, with all items of the group (full-subtree
// recoding); the root, one group of everything, is the suppression of the item. Where there is no hierarchy, and where
// it costs less, items are suppressed:
//   - suppress=local (default): single occurrences are deleted, only in records with a rare set, from each the item
//     that stands in most of its rare sets; deleting may make other sets rare, so it goes on until there is none.
//   - suppress=global: an item of the set, the rarest one, leaves all records.
//
// On retail.dat (16,470 items), k = 5, local deletes 67 % of the occurrences for m = 2 and 76 % for m = 3, global 75 %
// and 83 %; on mushroom (119 items) 0.07 % and 0.45 % against 0.9 % and 9.6 %.
//
// Generalising is the greedy search of the paper (apriori-based anonymisation): single items first, then pairs, to m.
// Of every rare set the generalisation of its items of the least loss (NCP: the share of the listed items that a group
// covers, for every occurrence) that k records have is taken, unless suppressing the set loses less: globally its
// cheapest item; locally so many occurrences as all rare sets with the same rarest item have together, but no more than
// that item has.
//
// What an informed intruder learns: of whom up to m items are known, k records that fit, or that none does; with
// suppress=local the person's record need not be among those k. What the k have in common besides is not hidden: an
// item that all of them have is learned (no diversity is asked for). Who knows more than m items, or that an item is
// not there, or other columns, may find fewer than k. Two set-valued columns are protected each apart: items of both
// together may tell a person.
//
// Where it is told whose the records are (table.Table.People) and some people have several, k counts people, twice: a
// set of up to m items of a record is in records of k people, and one of what a person's records have together, which
// kmanonymity counts, is in the records of k people as well. Items are generalised for the sake of the latter, and what
// is suppressed for it goes from all of a person's records. The more records people have, the more goes.
//
// Missing sets stay missing. An item that may or may not be there leaves the release, for one who takes it to be there
// would find fewer than k records.
//
// Cost: a round over the sets of up to m items of every record, O(sum of l^m / m!) for l items of a record; more than
// 2^34 are refused. Local suppression takes 5 to 30 rounds. Memory is O(items) and what is rare of 4,000,000 sets. All
// records meet: the plan is a protect.Grouper with one group, and suppresses what the records need that it is applied
// to. No random number is drawn. The benchmark has the ratios to the yardstick.
//
// Departures: the paper has no suppression but that of everything above the root. Counts are made anew in rounds by the
// rarest item instead of kept in a tree. Its partitioning (LRA, VPA) is left out.
//
// Reference: M. Terrovitis, N. Mamoulis and P. Kalnis, "Privacy-preserving anonymization of set-valued data", PVLDB
// 1(1), 2008; J. Xu and others, KDD 2006, for NCP.
package kmanonymise

import (
	"context"
	"fmt"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/hierarchy"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/internal/named"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// Method is the catalogue entry.
var Method = protect.Method{
	Card: card.Card{
		Name:    "kmanonymise",
		Title:   "k^m-anonymisation of sets of items",
		Short:   "k^m-anonymisation",
		Aliases: []string{"kmanonymize", "km-anonymity", "k^m-anonymity", "apriori anonymisation"},
		Summary: "Generalises or deletes items until any m known items of a record match records of at least k " +
			"people, or none.",
		Paper:   "Terrovitis, Mamoulis & Kalnis 2008",
		Needs:   "set-valued columns; hierarchies of items to generalise them",
		Changes: "the given columns, or every set-valued column",
		Preserves: "the truth of every remaining item; with suppress=global the supports of all sets of these; " +
			"scalar columns",
		Biases: "with suppress=local supports are too low, most for rare items (type D); rules about rare items are lost " +
			"(type DM)",
		Exposes: "records of k people that match up to m known items, and what these have in common; someone who " +
			"knows more than m items may find fewer",
		Missing: "sets stay missing; uncertain items are removed",
		People:  "k counts people twice: for sets of items within a record, and for sets across all records of a person",
		Cost:    "O(sets of up to m items of every record) per round",
	},
	Purpose: protect.Items,
	NoModel: "it generalises or deletes items by what all the records hold, with no probabilities",
	New:     func() protect.Technique { return New() },
	Plan:    func() protect.Plan { return &Plan{} },
	Claims: []protect.Claim{protect.Recodes, protect.Groups, protect.Notes, protect.Describes, protect.Checks,
		protect.TakesHierarchies},
	Sets: true,
}

// How items are suppressed.
const (
	Local  = "local"  // occurrences in records with a rare set
	Global = "global" // in all records
)

// Technique holds the parameters.
type Technique struct {
	K, M     int
	Suppress string // local or global
	named.SetColumns

	hierarchies hierarchy.Set
}

// New returns the technique with its defaults.
func New() *Technique { return param.Default(&Technique{}) }

// Params declares the parameters.
func (q *Technique) Params() param.Set {
	return append(param.Set{
		param.Int(&q.K, "k", 5, 2, 1_000_000, "people", "fewest that share any set of items that occurs"),
		param.Int(&q.M, "m", 2, 1, 5, "items", "number of items of a record that an intruder may know"),
		param.Choice(&q.Suppress, "suppress", Local, []string{Local, Global}, "delete single occurrences of items "+
			"in records with a rare set, or delete items from all records"),
	}, q.SetColumns.Params()...)
}

// UseHierarchies gives the hierarchies.
func (q *Technique) UseHierarchies(h hierarchy.Set) { q.hierarchies = h }

// Fit generalises the items that have a hierarchy, and makes the release once, for the notes and for a release of the
// same table. Cost: that of a release, and of the rounds that generalise.
func (q *Technique) Fit(ctx context.Context, t *table.Table, _ rng.Source) (protect.Plan, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	columns, err := q.SetColumns.Of(t)
	if err != nil {
		return nil, err
	}
	p := &Plan{Counted: protect.CountedIn(t), Attrs: t.Attrs(), Columns: columns, K: q.K, M: q.M, Suppress: q.Suppress}
	out, err := protect.InOrder(t, func(t *table.Table) (*table.Table, error) {
		whose, _ := t.People()
		for _, j := range columns {
			c := t.Column(j)
			if whose != nil {
				c.Sets = together(c.Sets, whose)
			}
			g, err := generalised(ctx, &c, q)
			if err != nil {
				return nil, fmt.Errorf("column %q: %w", c.Name, err)
			}
			p.Groups = append(p.Groups, g)
		}
		out, found, err := p.release(ctx, t)
		p.Found = found
		return out, err
	})
	if err != nil {
		return nil, err
	}
	p.fitted, p.made = t, out
	return p, nil
}
