package classes

import (
	"context"
	"fmt"
	"math"
	"math/bits"
	"slices"

	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/table"
)

// keys collects the values of the known columns of all records in one number each.
type keys struct {
	ctx    context.Context
	packed []uint64
	bound  uint64  // above every packed key
	codes  []int32 // of the column at hand; at last the classes
	floats []uint64
}

// narrow is how far apart whole numbers may be that are their own codes.
const narrow = 1 << 16

// pack appends the codes of the column at hand to the keys. Keys that would not fit are first replaced by the number of
// their class.
func (k *keys) pack(distinct uint64) error {
	if high, _ := bits.Mul64(k.bound, distinct); high != 0 {
		numbers := make([]int32, len(k.packed))
		classes, err := number(k.ctx, k.packed, k.bound, numbers)
		if err != nil {
			return err
		}
		for i, c := range numbers {
			k.packed[i] = uint64(c)
		}
		k.bound = uint64(classes)
	}
	k.bound *= distinct
	return k.blocks(func(lo, hi int) {
		codes := k.codes[lo:hi]
		for i, p := range k.packed[lo:hi] {
			k.packed[lo+i] = p*distinct + uint64(codes[i])
		}
	})
}

// number replaces the codes by the classes of the keys and returns how many there are.
func (k *keys) number() (int, error) { return number(k.ctx, k.packed, k.bound, k.codes) }

// blocks calls f for runs of records, on all cores.
func (k *keys) blocks(f func(lo, hi int)) error {
	n := len(k.codes)
	return each(k.ctx, (n+block-1)/block, func() func(int) {
		return func(b int) { f(b*block, min(n, (b+1)*block)) }
	})
}

// encode writes the codes of a column, 0 for missing, and returns a number above them all.
func (k *keys) encode(known intruder.Known, tables []*table.Table) (distinct uint64, err error) {
	if len(tables) == 0 {
		return 1, k.ctx.Err()
	}
	a := tables[0].Attr(known.Column)
	switch a.Kind {
	case table.Numeric:
		columns := make([][]float64, len(tables))
		for i, t := range tables {
			columns[i] = t.Num(known.Column)
		}
		distinct, _, err = k.numbers(known, columns)
		return distinct, err
	case table.Categorical:
		code, at := categories(known, len(a.Labels)), 0
		for _, t := range tables {
			for i, c := range t.Cat(known.Column) {
				k.codes[at+i] = code[c+1]
			}
			at += t.Rows()
		}
		return uint64(slices.Max(code)) + 1, k.ctx.Err()
	case table.SetValued:
	}
	return 0, fmt.Errorf("column %q is %s, expected numbers or categories", a.Name, a.Kind)
}

// suppressed gives what the tables show as suppressed a code of its own, above the given bound, and returns the new
// bound.
func (k *keys) suppressed(column int, tables []*table.Table, bound uint64) uint64 {
	own, at := bound, 0
	for _, t := range tables {
		c := t.Column(column)
		for i, yes := range c.Suppressed {
			if yes {
				k.codes[at+i], bound = int32(own), own+1
			}
		}
		at += t.Rows()
	}
	return bound
}

// categories returns the code of every category, that of a missing one first.
func categories(known intruder.Known, labels int) []int32 {
	code := make([]int32, labels+1)
	groups := map[int32]int32{}
	for c := range labels {
		code[c+1] = int32(c + 1)
		if known.Groups != nil {
			g := known.Groups[c]
			if _, ok := groups[g]; !ok {
				groups[g] = int32(len(groups) + 1)
			}
			code[c+1] = groups[g]
		}
	}
	return code
}

// numbers writes the codes of a numeric column. Whole numbers that are close together are their own codes, which then
// ascend with the values; others are numbered.
func (k *keys) numbers(known intruder.Known, columns [][]float64) (distinct uint64, ascending bool, err error) {
	if k.floats == nil {
		k.floats = make([]uint64, len(k.codes))
	}
	lo, hi, whole := math.Inf(1), math.Inf(-1), true
	at := 0
	for _, column := range columns {
		for i, v := range column {
			v = seen(&known, v)
			k.floats[at+i] = math.Float64bits(v)
			if v == v {
				lo, hi = min(lo, v), max(hi, v)
				whole = whole && v == math.Trunc(v)
			}
		}
		at += len(column)
	}
	switch {
	case lo > hi:
		clear(k.codes)
		return 1, true, k.ctx.Err()
	case whole && hi-lo < narrow:
		err = k.blocks(func(from, to int) {
			for i, b := range k.floats[from:to] {
				k.codes[from+i] = 0
				if v := math.Float64frombits(b); v == v {
					k.codes[from+i] = int32(v-lo) + 1
				}
			}
		})
		return uint64(hi-lo) + 2, true, err
	}
	classes, err := number(k.ctx, k.floats, 0, k.codes)
	for i, b := range k.floats {
		k.codes[i]++
		if b == missing {
			k.codes[i] = 0
		}
	}
	return uint64(classes) + 1, false, err
}

var missing = math.Float64bits(math.NaN())

// seen returns what the intruder sees of a number: itself, with one zero and one NaN, or the number of its band.
func seen(k *intruder.Known, v float64) float64 {
	switch {
	case v != v:
		return math.NaN()
	case k.Bands != nil:
		b, found := slices.BinarySearch(k.Bands, v)
		if found {
			b++
		}
		return float64(b)
	case k.Within > 0:
		v = math.Floor(v / (2 * k.Within))
	}
	if v == 0 {
		return 0 // not -0
	}
	return v
}
