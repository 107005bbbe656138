// Package classes sorts the records of a release into equivalence classes: what measures of anonymity count.
//
// Records are in one class when an intruder sees them as equal: when they agree in every column the intruder knows, as
// coarsely as it is known. A number known within w is compared by the band of width 2w it lies in (bands begin at the
// multiples of 2w), one of which bands are known by its band, a category by its group. Without known columns all
// records are one class. The grouping is exact: keys are compared, not their hashes.
//
// A missing value is by default a value of its own, as in ARX and pyCANON: records that miss the same values are alike,
// and no others. The parameter missing=any makes it agree with every value, as sdcMicro counts NA. Compatibility is
// then no equivalence: a class is still the records of the same values, and its candidates the records of all classes
// compatible with it. A column suppressed in single cells is seen fairly only so; but a record suppressed altogether
// then hides all others, which no intruder would grant.
//
// What a release shows as suppressed (*; Suppressed of a table.Column) is never a gap: by default it is a value of its
// own, apart from that of the missing ones, as ARX counts it; with missing=any it agrees with every value, as the NA
// does by which sdcMicro suppresses.
//
// Cost: O(n p) expected time for n records and p columns, on all cores, O(n) memory. Compatible classes take O(n k p)
// besides for k patterns of missing columns, or n² p where patterns are as many as records, and a step for every
// compatible pair of classes. Classes are numbered by first appearance, whatever the number of cores.
//
// References: P. Samarati, "Protecting respondents' identities in microdata release", IEEE TKDE 13(6), 2001; L.
// Sweeney, "k-anonymity: a model for protecting privacy", IJUFKS 10(5), 2002.
package classes

import (
	"context"
	"errors"
	"math"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/table"
)

// Classes are the equivalence classes of the records of one or several tables, which share their numbers.
type Classes struct {
	Of    [][]int32 // by table and record: its class
	Sizes [][]int32 // by table and class: its records in that table

	codes []int32 // of a class one after the other, 0 for missing; nil where classes are compatible with themselves alone
	width int     // codes of a class
}

// Exactly returns knowledge of columns as they are.
func Exactly(columns ...int) []intruder.Known {
	out := make([]intruder.Known, len(columns))
	for k, j := range columns {
		out[k].Column = j
	}
	return out
}

// Of returns the classes of the records of tables that have the same attributes, as seen by one who knows these
// columns. With anything, a missing value agrees with every value. It is an error when the tables have 2^31 records or
// more.
func Of(ctx context.Context, known []intruder.Known, anything bool, tables ...*table.Table) (*Classes, error) {
	n := 0
	for _, t := range tables {
		n += t.Rows()
	}
	if n > math.MaxInt32 {
		return nil, errors.New("there are more than 2^31-1 records, which is the most that classes can be formed of")
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	k := keys{ctx: ctx, packed: make([]uint64, n), bound: 1, codes: make([]int32, n)}
	kept := make([][]int32, 0, len(known))
	for _, column := range known {
		distinct, err := k.encode(column, tables)
		if err != nil {
			return nil, err
		}
		if anything {
			kept = append(kept, slices.Clone(k.codes))
		} else {
			distinct = k.suppressed(column.Column, tables, distinct)
		}
		if err := k.pack(distinct); err != nil {
			return nil, err
		}
	}
	classes, err := k.number()
	if err != nil {
		return nil, err
	}
	c := &Classes{}
	at := 0
	for _, t := range tables {
		of := k.codes[at : at+t.Rows() : at+t.Rows()]
		sizes := make([]int32, classes)
		for _, class := range of {
			sizes[class]++
		}
		c.Of, c.Sizes = append(c.Of, of), append(c.Sizes, sizes)
		at += len(of)
	}
	c.keep(kept, k.codes, classes)
	return c, nil
}

// keep holds what tells which classes are compatible: the codes of every class, unless none misses a value.
func (c *Classes) keep(columns [][]int32, of []int32, classes int) {
	c.width = len(columns)
	codes := make([]int32, classes*c.width)
	for j, column := range columns {
		for i, class := range of {
			codes[int(class)*c.width+j] = column[i]
		}
	}
	if slices.Contains(codes, 0) {
		c.codes = codes
	}
}

// row returns the codes of a class.
func (c *Classes) row(class int32) []int32 { return c.codes[int(class)*c.width:][:c.width] }

// Len returns the number of classes.
func (c *Classes) Len() int {
	if len(c.Sizes) == 0 {
		return 0
	}
	return len(c.Sizes[0])
}

// Alike reports whether an intruder may take a record of class a for one of class b.
func (c *Classes) Alike(a, b int32) bool {
	if a == b {
		return true
	}
	if c.codes == nil {
		return false
	}
	other := c.row(b)
	for j, x := range c.row(a) {
		if y := other[j]; x != y && x != 0 && y != 0 {
			return false
		}
	}
	return true
}

// Candidates returns by table and class how many records of the table an intruder may take for one of the class: those
// of the class and of the classes compatible with it. The slices are shared and must not be written.
func (c *Classes) Candidates(ctx context.Context) ([][]int32, error) {
	if c.codes == nil {
		return c.Sizes, ctx.Err()
	}
	out := make([][]int32, len(c.Sizes))
	for k := range out {
		out[k] = make([]int32, c.Len())
	}
	err := c.Each(ctx, func() func(int32, []int32) {
		return func(class int32, near []int32) {
			for k, sizes := range c.Sizes {
				for _, other := range near {
					out[k][class] += sizes[other]
				}
			}
		}
	})
	return out, err
}

// each runs tasks 0..n-1 on all cores; every worker starts once. It ends early with its context.
func each(ctx context.Context, n int, start func() func(task int)) error {
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(n, runtime.GOMAXPROCS(0)) {
		wg.Go(func() {
			work := start()
			for task := int(next.Add(1) - 1); task < n && ctx.Err() == nil; task = int(next.Add(1) - 1) {
				work(task)
			}
		})
	}
	wg.Wait()
	return ctx.Err()
}
