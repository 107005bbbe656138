package swapping

import (
	"context"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/internal/named"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// Record is targeted record swapping, as in the censuses of the United Kingdom (Dalenius & Reiss 1982;
// Shlomo, Tudor & Groom 2010): records that stand out swap their geography with similar records elsewhere.
//
// A record is risky when fewer than k people share its combination of the keys and the columns to swap. Every risky
// record exchanges its values of the columns to swap, all of them together, with one that has others of them and agrees
// in the similar columns; the partner is drawn from those that have not been swapped. Where there is none, the similar
// columns are given up one by one, the last named first, until there is. Further records, drawn at random, are swapped
// likewise until the given rate of all is, so that no swap tells of a risk. In between, nothing changes.
//
// What an informed intruder learns: a released combination is the person's own with a probability of one less the rate,
// for records that are not rare; for a risky one it is not, unless no partner was found (the plan notes how many): then
// what looks unique is the place of somebody like the partner. An intruder who knows that unique records are always
// swapped can look for who was there before. Measures are offered no law: it depends on all records, and is estimated
// from pairs.
//
// Where it is told whose the records are (table.Table.People) and some people have several, several records of a person
// are one person, whose partner is somebody else's record. Who is swapped in one record need not be in another: a
// person's records stay apart.
//
// Cost: O(n (s + log n)) for n records and s similar columns, in fact less, for most records find a partner at once.
// All records meet: the plan is a protect.Grouper.
//
// Departures: sdcMicro and the British census swap households and levels of geography one by one; here every record is
// its own household and all levels are swapped at once. A value outside the declared domain counts as the nearest end.
//
// References: T. Dalenius & S. Reiss, "Data-swapping: a technique for disclosure control", J. of Statistical Planning
// and Inference 6, 1982; N. Shlomo, C. Tudor & P. Groom, "Data swapping for protecting census tables", PSD 2010; A.
// Hundepool et al., "Statistical disclosure control", Wiley, 2012.
var Record = protect.Method{
	Card: card.Card{
		Name:    "recordswap",
		Title:   "Targeted record swapping",
		Aliases: []string{"targetRecordSwap", "record-swapping", "recordSwap", "TRS"},
		Summary: "Swaps the geography, or other columns, of rare records with similar records elsewhere.",
		Paper:   "Shlomo, Tudor & Groom 2010; Dalenius & Reiss 1982",
		Needs:   "columns to swap, usually geography, and keys",
		Changes: "the columns to swap",
		Preserves: "exactly the joint distribution of the swapped columns (types A and D) and of all others; " +
			"nearly that of swapped and similar columns",
		Biases: "relations of the swapped columns with others weaken by the share of swapped records (types B, C and DM)",
		Exposes: "the place of a record that is not rare, with probability 1 minus the rate; rare records " +
			"without a partner",
		Missing: "stay missing; a record with a missing column to swap is not swapped",
		People: "a record is risky if fewer than k people share its combination of keys; its partner belongs to " +
			"another person; the rate is of records",
		Cost: "O(n (s + log n)) for s similar columns",
	},
	Purpose: protect.Swaps,
	Growth:  1,
	New:     func() protect.Technique { return NewRecord() },
	Plan:    func() protect.Plan { return &RecordPlan{} },
	Claims:  []protect.Claim{protect.Groups, protect.Notes, protect.Describes, protect.Checks, protect.TakesNumbers},
}

// RecordTechnique holds the parameters.
type RecordTechnique struct {
	Swap    []string // columns
	Keys    []string // columns
	Similar []string // columns, the most important first
	K       int      // people
	Rate    float64  // share of the records
	Exact   bool     // release rare numbers as they are
	Common  int      // people who have a number that is released as it is, at least
}

// NewRecord returns the technique with its defaults.
func NewRecord() *RecordTechnique { return param.Default(&RecordTechnique{}) }

// Params declares the parameters.
func (q *RecordTechnique) Params() param.Set {
	return param.Set{
		param.Names(&q.Swap, "swap", "columns to swap together; none: the categorical key with most values, unless "+
			"most are rare"),
		param.Names(&q.Keys, "keys", "columns that make a record stand out, in addition to those to swap; none: "+
			"the quasi-identifiers"),
		param.Names(&q.Similar, "similar", "columns in which partners match, most important first; none: the keys "+
			"that are not swapped"),
		param.Int(&q.K, "k", 3, 1, 1_000_000, "people", "records are risky if fewer share their combination of "+
			"keys; 1: none"),
		param.Float(&q.Rate, "rate", 0.05, 0, 1, "of the records", "smallest share of records to swap, risky ones "+
			"first").Noisier(0.01, 1),
		protect.ExactParam(&q.Exact),
		protect.CommonParam(&q.Common),
	}
}

// Fit lists the columns, and counts the risky records and those of them that find no partner when they are swapped
// once. It is an error when no column to swap is named and no key suits.
func (q *RecordTechnique) Fit(ctx context.Context, t *table.Table, src rng.Source) (protect.Plan, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	open, err := protect.Open(t, nil)
	if err != nil {
		return nil, err
	}
	p := &RecordPlan{Counted: protect.CountedIn(t), Attrs: t.Attrs(), K: q.K, Rate: q.Rate,
		Exactly: protect.ExactlyOf(q.Exact, q.Common)}
	if p.Keys, err = positions(t, "keys", q.Keys); err != nil {
		return nil, err
	}
	if len(q.Keys) == 0 {
		p.Keys = protect.QuasiIdentifiers(t, open, open)
	}
	if p.Columns, err = named.Columns(t, "swap", q.Swap, open); err != nil {
		return nil, err
	}
	if len(q.Swap) == 0 {
		if p.Columns, err = finest(t, p.Keys); err != nil {
			return nil, err
		}
	}
	if p.Similar, err = positions(t, "similar", q.Similar); err != nil {
		return nil, err
	}
	if len(q.Similar) == 0 {
		p.Similar = without(p.Keys, p.Columns)
	}
	if err := p.Check(); err != nil {
		return nil, err
	}
	p.Rows = t.Rows()
	_, err = protect.InOrder(t, func(t *table.Table) (*table.Table, error) { p.count(t, src); return t, ctx.Err() })
	return p, err
}

// count counts the risky records, and those of them without a partner. They choose first, so the others need not be
// swapped for it.
func (p *RecordPlan) count(t *table.Table, src rng.Source) {
	s := p.swapper(t, src)
	s.first()
	for i, r := range s.risky {
		if r {
			p.Risky++
			if int(s.from[i]) == i {
				p.Alone++
			}
		}
	}
}
