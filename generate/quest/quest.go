// Package quest makes transactions as the generator of IBM's Quest project does (Agrawal & Srikant 1994): the
// T10I4D100K of the literature.
//
// What it does. Patterns are drawn first: sets of items that are bought together, each with a weight and with a
// confidence. A transaction is filled with patterns, the heavier the more often, until it is as long as was drawn for
// it; of a pattern items are dropped, one after the other, while a draw is above its confidence. A pattern that does
// not fit goes in nevertheless half of the time; else it ends the transaction and is tried again in the next.
//
//  1. Items have weights, exponential with mean 1.
//  2. A pattern has 1 + Poisson(I-1) items. Of these corr times an exponential number with mean 1, rounded, are taken
//     from the pattern before it; the others are drawn by their weights, so an item may stand in a pattern twice. Its
//     weight is exponential; its confidence is normal with mean conf and standard deviation spread, above 1 as good as
//     1, below 0 as good as 0.
//  3. A transaction is to have 1 + Poisson(T-1) items. An item counts once. A transaction that stays without items is
//     drawn anew.
//
// A transaction is, on average, about as long as T says: a little longer where patterns are long, as those go in that
// do not fit. A whole pattern survives with its confidence, so its support is about its weight times its confidence
// times the patterns of a transaction, some T/I.
//
// The parameters go by their published letters; the published D is the number of records. The law is IBM's, and the
// streams of random numbers are not: no seed gives a file that IBM's program made.
//
// Results. Transactions are drawn in blocks of 4096, each from a stream of its own, so they do not depend on the number
// of cores, and more transactions begin with fewer. A pattern that the last transaction of a block puts back is not
// tried again.
//
// Cost: O(items), on all cores; 12 bytes an item in memory at most, and 8 a transaction. Cancellation: between blocks.
//
// Departures: Nothing is carried from one block to the next. IBM's program does not end where a transaction is to have
// more different items than its patterns have; here it ends behind 100 patterns in a row that added none. IBM's program
// forgets its first pattern instead of putting it back. Defaults are those of the published T10I4D100K, with
// confidences of IBM's program (mean 0.75, standard deviation 0.1); the paper has a corruption of 0.5 with a variance
// of 0.1.
//
// Reference: R. Agrawal and R. Srikant, "Fast algorithms for mining association rules", VLDB 1994, section 2.4.3.
package quest

import (
	"context"
	"fmt"
	"strconv"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/generate"
	"github.com/dither-data/dither/internal/system/parallel"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// Generator is the catalogue entry.
var Generator = generate.Generator{
	Card: card.Card{
		Name:    "quest",
		Title:   "IBM Quest",
		Aliases: []string{"T10I4D100K", "IBMGenerator"},
		Summary: "Transactions as from IBM's Quest generator: itemsets with known recurring patterns, some incomplete.",
		Paper:   "Agrawal & Srikant 1994, section 2.4.3",
		Missing: "no value is missing, and no transaction is empty",
		Cost:    "O(items), on all cores",
	},
	Rows: 100_000,
	New:  func() generate.Maker { return New() },
}

// Column is the name of the column, that of files of transactions.
const Column = "items"

// Quest makes a table of one column of sets, the items of which are called 0 to N-1.
type Quest struct {
	T      float64 // mean length of a transaction
	I      float64 // mean length of a pattern
	L      int     // number of patterns
	N      int     // number of items
	Corr   float64 // mean share of a pattern that is taken from the one before it
	Conf   float64 // mean confidence of a pattern
	Spread float64 // standard deviation of the confidences
}

// New returns a generator with the defaults.
func New() *Quest { return param.Default(&Quest{}) }

// Params declares the parameters.
func (q *Quest) Params() param.Set {
	return param.Set{
		param.Float(&q.T, "T", 10, 1, 10_000, "items", "mean length of a transaction"),
		param.Float(&q.I, "I", 4, 1, 1000, "items", "mean length of a pattern"),
		param.Int(&q.L, "L", 2000, 1, 1_000_000, "patterns", "number of patterns"),
		param.Int(&q.N, "N", 1000, 1, 10_000_000, "items", "number of items; the published D is the number of records"),
		param.Float(&q.Corr, "corr", 0.25, 0, 1, "", "mean share of a pattern taken from the previous one"),
		param.Float(&q.Conf, "conf", 0.75, 0, 1, "", "mean confidence of a pattern: how often it stays complete, "+
			"and how often each further item stays"),
		param.Float(&q.Spread, "spread", 0.1, 0, 1, "", "standard deviation of the confidences"),
	}
}

// block is how many transactions are drawn one after the other, from one stream.
const block = 4096

// Make returns so many transactions. It refuses confidences that leave next to nothing of any pattern.
func (q *Quest) Make(ctx context.Context, rows int, src rng.Source) (*table.Table, error) {
	p, err := q.patterns(ctx, src.Fork("patterns").Rand())
	if err != nil {
		return nil, err
	}
	if k := p.kept(); k < leastKept {
		return nil, fmt.Errorf("parameter %q: %.2g per cent of the patterns keep any item, too few to fill transactions; a "+
			"higher confidence does", "conf", float64(100*k))
	}
	start := make([]int, rows+1)
	parts := make([][]int32, (rows+block-1)/block)
	stream := src.Fork("transactions").Stream()
	lengths := poisson(q.T - 1)
	_, err = parallel.With(
		ctx,
		len(parts),
		func() *filler { return newFiller(p, lengths, stream, q.N) },
		func(f *filler, k int) error {
			lo := k * block
			parts[k] = f.block(uint64(k), start[lo+1:min(rows, lo+block)+1])
			return nil
		},
	)
	if err != nil {
		return nil, err
	}
	for i := range rows { // lengths become ends
		start[i+1] += start[i]
	}
	codes := make([]int32, start[rows])
	err = parallel.Each(ctx, len(parts), func(k int) error {
		copy(codes[start[k*block]:], parts[k])
		parts[k] = nil
		return nil
	})
	if err != nil {
		return nil, err
	}
	labels := make([]string, q.N)
	for v := range labels {
		labels[v] = strconv.Itoa(v)
	}
	return table.New(table.SetColumn(Column, labels, &table.Sets{Present: table.Lists{Start: start, Codes: codes}}))
}
