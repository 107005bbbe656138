// Package generate is the contract of the generators: what makes tables of nobody, to try things on. It holds those
// that take no parameters: the two synthetic data sets of Islam 2007, section 6.7, and a hospital's table. The others
// have a folder each.
//
// A record depends on the seed and on its number only, so a longer table starts with the records of a shorter one,
// and the number of cores does not matter. Cost: O(rows).
//
// The two data sets of Islam 2007 are drawn from a finite set of equally likely outcomes: every random choice of the
// published pseudo-code is one coordinate, a die with as many faces as the smallest common denominator of its
// probabilities asks for. So the same function that makes a record gives every probability exactly, by counting
// outcomes.
package generate

import (
	"context"
	"math/big"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// Generator is a catalogue entry.
type Generator struct {
	card.Card
	Rows int // number of records unless another is asked for
	New  func() Maker
	// Export, where set, writes the table as the file that it is meant to be, a CSV file with ways of its own; other
	// formats get the table.
	Export func(t *table.Table) []byte
}

// Maker makes tables. A value serves one call at a time.
type Maker interface {
	Params() param.Set
	// Make returns a table of so many records, at least 0. A longer one starts with the records of a shorter one.
	Make(ctx context.Context, rows int, src rng.Source) (*table.Table, error)
}

// Make makes a table after it has looked at the parameters, which a program may have set to anything: one out of range
// is the same error as on the command line. Maker.Make takes parameters as they are.
func Make(ctx context.Context, m Maker, rows int, src rng.Source) (*table.Table, error) {
	if err := m.Params().Check(); err != nil {
		return nil, err
	}
	return m.Make(ctx, rows, src)
}

// fixed is a maker without parameters.
type fixed func(rows int, src rng.Source) *table.Table

func (f fixed) Params() param.Set { return nil }

func (f fixed) Make(ctx context.Context, rows int, src rng.Source) (*table.Table, error) {
	return f(rows, src), ctx.Err()
}

// Generators returns the generators of this package, by name; those of all folders are in the catalogue.
func Generators() []Generator {
	return []Generator{creditRisk, customerStatus, hospitalExport, patients}
}

// each calls record for every record with its own random blocks, one per label. Calls come from several goroutines.
func each(rows int, src rng.Source, labels []string, record func(i int, b []rng.Block)) {
	const chunk = 4096
	streams := make([]rng.Stream, len(labels))
	for k, l := range labels {
		streams[k] = src.Fork(l).Stream()
	}
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), (rows+chunk-1)/chunk) {
		wg.Go(func() {
			blocks := make([][]rng.Block, len(labels))
			for k := range blocks {
				blocks[k] = make([]rng.Block, chunk)
			}
			b := make([]rng.Block, len(labels))
			for {
				lo := int(next.Add(chunk)) - chunk
				if lo >= rows {
					return
				}
				n := min(chunk, rows-lo)
				for k, s := range streams {
					s.Fill(blocks[k][:n], uint64(lo))
				}
				for i := range n {
					for k := range b {
						b[k] = blocks[k][i]
					}
					record(lo+i, b)
				}
			}
		})
	}
	wg.Wait()
}

// law counts how often each answer occurs among the equally likely outcomes 0..n-1. Calls come from several goroutines.
func law(n int, answer func(outcome int) string) map[string]*big.Rat {
	parts := make([]map[string]int64, runtime.GOMAXPROCS(0))
	var wg sync.WaitGroup
	for k := range parts {
		wg.Go(func() { parts[k] = count(k*n/len(parts), (k+1)*n/len(parts), answer) })
	}
	wg.Wait()
	out := map[string]*big.Rat{}
	for _, part := range parts {
		for a, times := range part {
			if out[a] == nil {
				out[a] = new(big.Rat)
			}
			out[a].Add(out[a], big.NewRat(times, int64(n)))
		}
	}
	return out
}

// count counts the answers of the outcomes lo..hi-1. Equal answers come in runs; the map is written at their ends.
func count(lo, hi int, answer func(outcome int) string) map[string]int64 {
	times := map[string]int64{}
	last, run := "", int64(0)
	for i := lo; i < hi; i++ {
		a := answer(i)
		if a != last && run > 0 {
			times[last] += run
			run = 0
		}
		last = a
		run++
	}
	if run > 0 {
		times[last] += run
	}
	return times
}

// integers returns a numeric column of the closed range lo..hi.
func integers(name string, lo, hi float64, values []float64) table.Column {
	c := table.NumColumn(name, 1, values)
	c.Domain, c.Declared = table.Interval{Lo: lo, Hi: hi}, true
	return c
}

// whole returns a table of columns that fit together by construction.
func whole(cols []table.Column) *table.Table {
	t, err := table.New(cols...)
	if err != nil {
		panic("generate: " + err.Error())
	}
	return t
}
