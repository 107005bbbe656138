package profile

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/dither-data/dither/internal/system/mmap"
	"github.com/dither-data/dither/table"
)

// Exposure says how far the quasi-identifiers tell the records apart before anything is done. Records that agree in all
// quasi-identifiers form an equivalence class; a record alone in its class is a sample unique, and an intruder who
// knows its quasi-identifiers and knows that the person is in the table has found it.
//
// The figures are about the table itself, not about a population: a sample unique need not be unique among all people.
// Numbers are compared exactly, so a continuous quasi-identifier makes nearly every record unique.
//
// A missing value is a category of its own: two records that miss the same value agree there, and a missing value never
// agrees with a present one. An intruder who knows the true value may think otherwise, so Missing and UniqueMissing
// count the records concerned; Uniques - UniqueMissing records are complete and unlike every other complete record.
//
// Where a column has the role Person, its records are taken once for every set of quasi-identifiers that they have, and
// Rows, K, Uniques, BelowFive and those of Worst count people: a person who is alone with any of theirs is unique.
// Sizes, Missing and UniqueMissing count sets: a person with several counts as often.
type Exposure struct {
	Rows             int      `json:"rows"`
	QuasiIdentifiers []string `json:"quasiIdentifiers"`
	Classes          int      `json:"classes"`       // equivalence classes
	K                int      `json:"k"`             // records in the smallest class; 0 for an empty table
	Uniques          int      `json:"uniques"`       // records alone in their class
	UniqueShare      float64  `json:"uniqueShare"`   // Uniques / Rows
	BelowFive        int      `json:"belowFive"`     // records in classes of one to four
	Missing          int      `json:"missing"`       // records that miss a quasi-identifier
	UniqueMissing    int      `json:"uniqueMissing"` // those of them that are alone in their class
	// Sizes is the distribution of the class sizes: 1, 2, 3-4, 5-9, 10 and more.
	Sizes []SizeBand `json:"sizes"`
	// Worst holds the single quasi-identifier that makes most sample uniques on its own, then a pair and a triple: the
	// worst single with the one that adds most, and that pair with the one that adds most again. The single is exact; the
	// greedy pair and triple may miss a worse one that does not hold the worst single.
	Worst []Combination `json:"worst"`
	// Sets is what a few items of a set-valued column tell; the set as a whole counts in Classes where the column is a
	// quasi-identifier.
	Sets []KnownItems `json:"sets"`
}

// SizeBand counts the equivalence classes of From to To records; To is 0 when there is no upper end.
type SizeBand struct {
	From    int `json:"from"`
	To      int `json:"to"`
	Classes int `json:"classes"`
	Records int `json:"records"`
}

// Combination is what a few quasi-identifiers do on their own.
type Combination struct {
	Columns []string `json:"columns"`
	Classes int      `json:"classes"`
	Uniques int      `json:"uniques"`
}

// maxCandidates bounds the search for the worst pair and triple: it looks at the quasi-identifiers with most uniques
// alone.
const maxCandidates = 64

// Expose measures the exposure on the columns with the role Quasi; without any, all records form one class.
// The only error is that of the context.
//
// Cost: that of KnownItems, and O(n q) expected time for n records and q quasi-identifiers, plus O(n min(q, 64)) for
// the search; each step looks only at records that are not yet alone. Memory: 4 bytes per record and quasi-identifier,
// plus about 40 per record and core. Classes are compared by value, never by a hash alone, so the counts are exact.
func Expose(ctx context.Context, t *table.Table) (*Exposure, error) {
	sets, err := exposeItems(ctx, t)
	if err != nil {
		return nil, err
	}
	rows, of, people := onceEach(t)
	if of != nil {
		t = t.Gather(rows)
	}
	room := t.Space()
	cols, err := quasi(ctx, t)
	defer func() {
		for _, c := range cols {
			mmap.Free(room, c.codes)
		}
	}()
	if err != nil {
		return nil, err
	}
	e := &Exposure{Rows: t.Rows(), QuasiIdentifiers: []string{}, Worst: []Combination{}, Sets: sets}
	for _, c := range cols {
		e.QuasiIdentifiers = append(e.QuasiIdentifiers, c.name)
	}
	slices.SortStableFunc(cols, func(a, b coded) int {
		return cmp.Or(cmp.Compare(b.uniques, a.uniques), cmp.Compare(b.distinct, a.distinct))
	})
	p, rest, err := e.search(ctx, room, t.Rows(), cols, of)
	if err != nil {
		return nil, err
	}
	r := newRefiner(room)
	defer r.free()
	for _, c := range rest {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		p = r.step(p, c)
	}
	defer p.free(room)
	e.count(room, p, missing(room, t.Rows(), cols))
	if of != nil {
		e.inPeople(p, of, people)
	}
	return e, nil
}

// Repeats counts the records that agree with an earlier one in every column, missing values included. Cost: O(n)
// expected time per column of n records, which looks only at records that have company so far.
func Repeats(ctx context.Context, t *table.Table) (int, error) {
	p := whole(t.Space(), t.Rows())
	r := newRefiner(t.Space())
	defer r.free()
	defer func() { p.free(t.Space()) }()
	for j := 0; j < t.Width() && len(p.rows) > 0; j++ {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		c := encode(t.Column(j), t.Rows(), &r.index)
		p = r.step(p, c)
		mmap.Free(t.Space(), c.codes)
	}
	return len(p.rows) - len(p.sizes), nil
}

// search fills Worst, in people where of says whose the records are. It returns the partition by the columns it chose,
// and those it did not.
func (e *Exposure) search(ctx context.Context, room *mmap.Space, rows int, cols []coded, of []int32) (partition,
	[]coded, error) {
	p := whole(room, rows)
	rest := slices.Clone(cols)
	var chosen []string
	r := newRefiner(room)
	defer r.free()
	for step := range min(3, len(cols)) {
		best := 0
		if step > 0 { // cols are sorted by their uniques alone
			candidates := rest[:min(len(rest), maxCandidates)]
			made := make([]partition, len(candidates))
			err := each(ctx, len(candidates), func() (func(k int), func()) {
				own := newRefiner(room)
				return func(k int) { made[k] = own.refine(p, candidates[k], false) }, own.free
			})
			if err != nil {
				return p, nil, err
			}
			for k, m := range made {
				if cmp.Or(cmp.Compare(m.uniques, made[best].uniques), cmp.Compare(m.classes, made[best].classes)) > 0 {
					best = k
				}
			}
		}
		p = r.step(p, rest[best])
		chosen = append(chosen, rest[best].name)
		rest = slices.Delete(rest, best, best+1)
		e.Worst = append(e.Worst, Combination{Columns: slices.Clone(chosen), Classes: p.classes, Uniques: p.alone(of)})
	}
	return p, rest, nil
}

// count reads the figures off the final partition, and frees missing.
func (e *Exposure) count(room *mmap.Space, p partition, missing []bool) {
	e.Classes, e.Uniques = p.classes, p.uniques
	e.Sizes = []SizeBand{{From: 1, To: 1}, {From: 2, To: 2}, {From: 3, To: 4}, {From: 5, To: 9}, {From: 10}}
	e.K = math.MaxInt
	add := func(size, classes int) {
		if classes == 0 {
			return
		}
		e.K = min(e.K, size)
		if size < 5 {
			e.BelowFive += size * classes
		}
		for k := len(e.Sizes) - 1; k >= 0; k-- {
			if b := &e.Sizes[k]; size >= b.From {
				b.Classes += classes
				b.Records += size * classes
				break
			}
		}
	}
	add(1, p.uniques)
	for _, size := range p.sizes {
		add(int(size), 1)
	}
	if e.K == math.MaxInt {
		e.K = 0
	}
	together := mmap.Make[bool](room, e.Rows)
	defer mmap.Free(room, together)
	defer mmap.Free(room, missing)
	for _, row := range p.rows {
		together[row] = true
	}
	for i, m := range missing {
		if m {
			e.Missing++
			if !together[i] {
				e.UniqueMissing++
			}
		}
	}
	if e.Rows > 0 {
		e.UniqueShare = float64(e.Uniques) / float64(e.Rows)
	}
}
