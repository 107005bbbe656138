// Package unit finds whose a record is: the columns whose values tell which records are one person's, or one
// household's, whatever their headings say.
//
// A column whose values repeat is the key of a unit where other columns stay the same in all records of a value. For
// every other column the agreement of pairs of records with the same key is set against that of any two records (kappa:
// 1 is always the same, 0 is chance). A person holds columns of several kinds, such as sex, birth and origin; a
// postcode holds its town and what the town determines: one kind, so it is a relation and no unit.
//
// Find looks at values alone. It takes no name into account, and no date, number with fractions, ordered category or
// set for a key. What it says is a finding to be asked about, and as confidential as the table: the choice of a person
// among the levels is the caller's.
//
// Cost: one pass over the records for every column that may be a key, which takes whole groups of at most about 20,000
// records (5,000 in a table of more than 60 columns), then as many look-ups as that for every pair of columns, with a
// quick look at a few first; and a pass with a hash table for every key that is found. 10^6 records of 15 columns take
// 0.4 seconds of a core, 20,000 of 300 columns one second (BenchmarkFind). The result does not depend on the number of
// cores.
//
// References: Cohen 1960 (kappa); Dasu, Johnson, Muthukrishnan & Shkapenyuk 2002 (keys found by values).
package unit

import (
	"context"
	"slices"

	"github.com/dither-data/dither/table"
)

const (
	// constant is the kappa from which a column is the same in all records of a unit but for errors, nearly the one from
	// which it may be a level that units change at times, alternate the one from which two columns tell the same units
	// apart.
	constant, nearly, alternate = 0.99, 0.8, 0.9
	// differ is how many pairs at least would differ by chance, without which agreement says nothing.
	differ = 20
	// few is the fewest values of a key, and the fewest of them that repeat; most the records of one in the median.
	few, most = 20, 200
	// repeated is the share of the records that share their key with another one, at least: a few records entered twice
	// are no unit.
	repeated = 0.05
	// kinds is how many kinds of columns a unit holds at least, bits how much they tell together.
	kinds, bits = 2, 3
	// tie is the share of the bits of the best key from which another one may be meant instead.
	tie = 0.8
)

// Units is what Find finds; its lists are empty where there is nothing.
type Units struct {
	// Levels are the keys of units, each inside one of the next: records of a person, people of a household.
	Levels []Key `json:"levels"`
	// Ties are keys that are not nested with the first level, hold mostly what it holds, and tell nearly as much.
	Ties []Key `json:"ties"`
	// Others are keys of units that a record belongs to besides, with columns of their own: a record of a mother and a
	// child, of a sender and a receiver.
	Others []Key `json:"others"`
	// Alike is nil where a key is found, or no records are suspiciously alike.
	Alike *Alike `json:"alike"`
	// Mixed are the columns whose values repeat as those of a key, but hold nothing: for each the columns that clearly
	// differ between records of a value.
	Mixed map[string][]string `json:"-"`
}

// Key is the key of a unit: one column, or two that tell it apart together.
type Key struct {
	Columns []string `json:"columns"`
	Values  int      `json:"values"`  // different ones: the number of units
	Records int      `json:"records"` // that have a value
	// Least, Median and Most are numbers of records of a unit.
	Least  int `json:"least"`
	Median int `json:"median"`
	Most   int `json:"most"`
	// Holds are the columns that stay the same inside a unit, those that tell most first.
	Holds []string `json:"holds"`
	// Varies are the columns that differ between records of a unit, clearly.
	Varies []string `json:"varies"`
	// Same are the columns that tell the same units apart, all but a few.
	Same []string `json:"same"`
	Bits float64  `json:"bits"` // what the columns it holds tell together
	// Counts are the columns that it holds which are how many records a unit has, in nearly all records.
	Counts []string `json:"counts"`
	// Astray is how many units of the level below lie in several of this one: they are not nested.
	Astray int `json:"astray"`
	// Suspects is how many units agree with another one in all they hold, under a key that differs in one place.
	Suspects int `json:"suspects"`
	// Slips are, for each of them, a record of its and one of the other unit's. They are as confidential as the table.
	Slips [][2]table.RecordID `json:"-"`

	at     []int // the columns
	varies []int // columns of which units hold nothing
	held   []held
}

// Alike says of a table without a key that many records agree in some columns, which may be those of one person each.
type Alike struct {
	Columns []string `json:"columns"`
	Groups  int      `json:"groups"`  // of several records that agree
	Records int      `json:"records"` // in such groups
}

// Find finds the units of a table. A table of fewer than 40 records has none: nothing could be told from chance. The
// only error is that of the context.
func Find(ctx context.Context, t *table.Table) (*Units, error) { return FindAmong(ctx, t, nil) }

// FindAmong is Find with only those columns as keys that the caller allows; nil allows all.
func FindAmong(ctx context.Context, t *table.Table, may func(j int) bool) (*Units, error) {
	u := &Units{Levels: []Key{}, Ties: []Key{}, Others: []Key{}}
	f, err := newFinder(ctx, t, may)
	if err != nil || t.Rows() < 2*few {
		return u, err
	}
	keys, mixed, err := f.singles(ctx)
	if err != nil {
		return nil, err
	}
	u.Mixed = mixed
	u.arrange(f, keys)
	if err := u.pairs(ctx, f); err != nil {
		return nil, err
	}
	for k := range u.Levels {
		f.count(&u.Levels[k])
	}
	for k := range u.Ties {
		f.count(&u.Ties[k])
	}
	for k := range u.Others {
		f.count(&u.Others[k])
	}
	for k := 1; k < len(u.Levels); k++ {
		u.Levels[k].Astray = f.astray(u.Levels[k-1].at, u.Levels[k].at)
	}
	switch len(u.Levels) {
	case 0:
	case 1:
		f.suspects(&u.Levels[0], nil)
	default:
		f.suspects(&u.Levels[0], &u.Levels[1])
	}
	return u, ctx.Err()
}

// arrange puts keys, the best first, into levels, ties and others.
func (u *Units) arrange(f *finder, keys []Key) {
	for _, k := range keys {
		if len(u.Levels) == 0 {
			u.Levels = append(u.Levels, k)
			continue
		}
		top := &u.Levels[len(u.Levels)-1]
		inside, known := f.kappa(f.grouped(top.at), k.at[0])
		switch {
		case known && inside >= nearly:
			u.Levels = append(u.Levels, k)
		case f.apart(&u.Levels[0], &k):
			u.Others = append(u.Others, k)
		case k.Bits >= tie*u.Levels[0].Bits:
			u.Ties = append(u.Ties, k)
		}
	}
}

// holds reports whether column j stays the same inside a unit.
func (k *Key) holds(j int) bool {
	return slices.ContainsFunc(k.held, func(h held) bool { return h.column == j })
}

// apart reports whether a key holds kinds of its own, of which the first level holds nothing.
func (f *finder) apart(first, k *Key) bool {
	own := 0
	for _, h := range k.held {
		if h.kind && !first.holds(h.column) {
			own++
		}
	}
	return own >= kinds
}
