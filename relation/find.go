package relation

import (
	"cmp"
	"context"
	"math"
	"slices"
	"sync"

	"github.com/dither-data/dither/internal/portable"
	"github.com/dither-data/dither/internal/system/parallel"
	"github.com/dither-data/dither/internal/system/sorting"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// Options say what Find looks for. The zero Options look for relations of all kinds.
type Options struct {
	// Kinds are those to look for; nil for all. Of relations that say the same, one of a kind that is not looked for
	// replaces none.
	Kinds []Kind
	// Doubted is told, at the end, the orders that hold in every record though chance would break them in at least 10,
	// but not in 20: too few to take them for relations, too many to be silent. Of 1,000 tables of independent columns
	// none had one. Nil for nobody.
	Doubted func(orders []Relation)
}

// Widest is the largest number of columns among which relations are looked for: work grows with its cube.
const Widest = 400

// Find returns the relations of a table that hold in all records but as many as are Tolerated, and that chance would
// break. If one of its columns were independent of the others, a relation is expected to be broken in at least 20
// records, and NeverTogether in at least 10; and the chance that any relation of its kind were then broken as rarely as
// it is, is below 1 in 10,000. So fewer than 1 in 1,000 tables of independent columns have a relation. What is broken,
// is so in at most a hundredth of the records expected (NeverTogether: in MostBroken of them).
//
// Records are not independent where they are of one unit, such as a person: of columns that a further one determines,
// an identifier too, chance has as many records as that has values. Where no column tells whose the records are, it
// takes them for independent. Nor are they where a few were repeated over and over: there each different record counts
// once.
//
// Identifiers, sets of items, and what others imply are left out:
//
//   - Linear: at most eight columns on grids, with small rational coefficients. Of columns that follow from each other
//     a basis, each written as the column that seems to be derived.
//   - Product, Ratio: with factors 1, 100 and 10,000. Elapsed: to another date, or to the one day that fits.
//   - Order: of numbers, or of dates; without those that follow from two others, or, of numbers, from a sum
//     whose other parts are not negative.
//   - OnlyTogether, NeverTogether: of categories, and of numbers of at most ten values.
//   - Determines: by one column or, in tables of at most 60 columns, by two that are crossed and repeat in a sample;
//     without those that follow from others. Of several columns that determine each other, the first stands for all.
//
// The relations come by kind in the order of the constants, then by the positions of their columns; the result is the
// same whatever the number of cores. All are first looked for in a sample of 2,000 records, the same at every call, and
// those that hold there are held against all. The error is that of the context.
//
// Cost on two cores: 10^6 records of 15 columns take about one sort of a million numbers where they are independent,
// and two and a half with six relations; 5,000 records of 300 columns some seconds. Memory: 2 bytes per record and
// column of categories, and 4 per record and column that determines another.
//
// Sources: null spaces modulo a prime, as Langsrud 2024 has them for suppression; Huhtala et al. 1999 (functional
// dependencies); Boyer and Moore 1991 (majority vote); Chernoff 1952 (the bound on chance).
func Find(ctx context.Context, t *table.Table, opt Options) ([]Found, error) {
	if t.Width() > Widest {
		return nil, ctx.Err()
	}
	f := newFinder(ctx, t)
	if err := f.dependencies(); err != nil {
		return nil, err
	}
	var all []Found
	for _, s := range []struct {
		kinds []Kind
		find  func() ([]Found, error)
	}{
		{[]Kind{Linear}, f.linear},
		{[]Kind{Product, Ratio}, f.products},
		{[]Kind{Elapsed}, f.elapsed},
		{[]Kind{Order}, f.orders},
		{[]Kind{Determines}, f.determines},
		{[]Kind{Determines}, f.determinedByTwo},
		{[]Kind{OnlyTogether}, f.onlyTogether},
		{[]Kind{NeverTogether}, f.neverTogether},
	} {
		if opt.Kinds != nil && !slices.ContainsFunc(s.kinds, func(k Kind) bool { return slices.Contains(opt.Kinds, k) }) {
			continue
		}
		more, err := s.find()
		if err != nil {
			return nil, err
		}
		for _, r := range more {
			if opt.Kinds == nil || slices.Contains(opt.Kinds, r.Kind) {
				all = append(all, r)
			}
		}
		f.known = f.minimal(all)
	}
	f.sort(f.known)
	if opt.Doubted != nil {
		opt.Doubted(f.doubts())
	}
	return f.known, ctx.Err()
}

const (
	sampled    = 2000 // records that relations are looked for in
	mostPairs  = 60   // columns of a table in which pairs are tried as what determines a third
	fewValues  = 10   // of a number that counts as a category
	leastBreak = 20   // records that a relation must be expected to be broken in if columns were independent
	falseAlarm = 1e-4 // chance that a table of independent columns has a relation of a kind
)

// finder looks for relations.
type finder struct {
	ctx context.Context
	t   *table.Table
	// rows is the sample in random order, so that a column against another one shifted is one of independent columns.
	rows  []int
	slack int // wrong records that a relation may have in the sample
	cols  []sample
	place map[string]int // in cols, by name
	// depends are the columns that alone determine another, whether it is worth saying or not, by places in cols.
	depends map[[2]int]dependency
	share   float64 // of the records that tell something, see different
	known   []Found // so far, without what others imply
	doubted []Found // orders that chance might explain

	lock     sync.Mutex
	numbered map[int]func() numbering // see number
}

// sample is a column in the sample.
type sample struct {
	j      int // position in the table
	a      *table.Attribute
	num    []float64 // numbers, of dates in days; nil for categories
	code   []int32   // the values numbered from 0; -1 for a missing one
	count  []int32   // records by code
	values []float64 // numbers by code
	gaps   int       // records without a value
	step   float64   // of numbers, dates in days
	grid   float64   // on which the values stand, dates in units of their notation; 0 for none
	// hidden says of an identifier that no relation is about it: it tells only whose records are one unit's.
	hidden bool
}

func (c *sample) date() bool { return c.a.Dates != "" }

// varies reports whether the sample has two values.
func (c *sample) varies() bool { return len(c.count) > 1 }

func newFinder(ctx context.Context, t *table.Table) *finder {
	f := &finder{ctx: ctx, t: t, place: map[string]int{}, numbered: map[int]func() numbering{}}
	n := t.Rows()
	f.rows = t.First(sampled, rng.New([32]byte{}).Fork("relations"))
	if n <= sampled {
		f.slack = int(MostBroken * float64(n))
		if n >= oneWrong {
			f.slack = max(1, f.slack)
		}
	} else {
		f.slack = 10 // two are expected
	}
	for j := range t.Width() {
		if a := t.Attr(j); a.Kind.Scalar() {
			f.cols = append(f.cols, sample{j: j, a: a, hidden: a.Role&table.Identifier != 0})
		}
	}
	parallel.Do(len(f.cols), func(k int) { f.cols[k].take(t, f.rows) })
	f.cols = slices.DeleteFunc(f.cols, func(c sample) bool { return !c.varies() && c.gaps == 0 })
	for k := range f.cols {
		f.place[f.cols[k].a.Name] = k
	}
	f.share = f.different()
	return f
}

// take fills the sample of a column.
func (c *sample) take(t *table.Table, rows []int) {
	c.code = make([]int32, len(rows))
	if c.a.Kind == table.Categorical {
		number := make([]int32, len(c.a.Labels))
		v := t.Cat(c.j)
		for k, i := range rows {
			code := v[i]
			if code >= 0 && number[code] == 0 {
				c.count = append(c.count, 0)
				number[code] = int32(len(c.count))
			}
			if code >= 0 {
				code = number[code] - 1
			}
			c.put(k, code)
		}
		return
	}
	c.step = stepOf(t, c.j)
	c.num = make([]float64, len(rows))
	read := reader(t, c.j)
	for k, i := range rows {
		c.num[k] = read(i)
		if c.num[k] == c.num[k] {
			c.values = append(c.values, c.num[k])
		}
	}
	slices.Sort(c.values)
	c.values = slices.Compact(c.values)
	c.count = make([]int32, len(c.values))
	for k, v := range c.num {
		code, ok := slices.BinarySearch(c.values, v)
		if !ok {
			code = -1
		}
		c.put(k, int32(code))
	}
	if c.grid = c.a.Step; c.grid == 0 { // decimals held as floating-point numbers
		for d := 0; d <= 6 && c.grid == 0; d++ {
			off := func(v float64) bool { v = float64(v * math.Pow10(d)); return math.Abs(v-math.Round(v)) > 1e-6 }
			if !slices.ContainsFunc(c.values, off) {
				c.grid = math.Pow10(-d)
			}
		}
	}
}

// unit returns the grid of numbers, of dates in days.
func (c *sample) unit() float64 {
	if c.date() {
		return c.grid / c.a.Dates.PerDay()
	}
	return c.grid
}

func (c *sample) put(k int, code int32) {
	if c.code[k] = code; code < 0 {
		c.gaps++
	} else {
		c.count[code]++
	}
}

// numbers returns the columns of numbers of two values and more, by their places in cols.
func (f *finder) numbers(keep func(c *sample) bool) (out []int) {
	for k := range f.cols {
		if c := &f.cols[k]; c.num != nil && c.varies() && !c.hidden && keep(c) {
			out = append(out, k)
		}
	}
	return out
}

// nats bounds how improbable it is that at most seen of many rare events come when so many are expected: the chance is
// below exp(-nats).
func nats(expected, seen float64) float64 {
	switch {
	case seen >= expected:
		return 0
	case seen == 0:
		return expected
	}
	return expected - seen - float64(seen*portable.Log(expected/seen))
}

// beyondChance reports whether a relation that is broken so rarely is one: chance would break it in so many records
// expected, it takes so many nats of chance that it does not, and so many relations of its kind were tried.
func beyondChance(expected float64, checked, broken int, surprise, tried float64) bool {
	b := float64(broken)
	return Tolerated(broken, checked) && b <= expected/100 && expected >= leastBreak &&
		surprise >= portable.Log(tried/falseAlarm)
}

// sort orders relations by kind, then by the positions of their columns.
func (f *finder) sort(all []Found) {
	kinds := []Kind{Determines, Linear, Product, Ratio, Order, Elapsed, OnlyTogether, NeverTogether}
	sorting.Stable(all, func(a, b Found) int {
		if c := cmp.Compare(slices.Index(kinds, a.Kind), slices.Index(kinds, b.Kind)); c != 0 {
			return c
		}
		if c := slices.CompareFunc(a.Columns, b.Columns, func(x, y string) int {
			return cmp.Compare(f.t.Find(x), f.t.Find(y))
		}); c != 0 {
			return c
		}
		return cmp.Or(cmp.Compare(a.Other, b.Other), cmp.Compare(a.Value, b.Value))
	})
}

// name returns the names of columns by their places in cols.
func (f *finder) name(cols ...int) []string {
	out := make([]string, len(cols))
	for k, c := range cols {
		out[k] = f.cols[c].a.Name
	}
	return out
}
