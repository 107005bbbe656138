package unit

import (
	"context"
	"math"
	"slices"

	"github.com/dither-data/dither/internal/portable"
	"github.com/dither-data/dither/internal/stats/rank"
	"github.com/dither-data/dither/internal/system/parallel"
	"github.com/dither-data/dither/table"
)

const (
	// wide is the number of columns from which fewer records are looked at.
	wide = 60
	// glance is how many records a first look takes, at most how many of one unit are compared.
	glance, atMost = 2000, 16
	// cut is how many times as many records as are looked at a key of few values may draw.
	cut = 8
)

// finder is a table that is looked through.
type finder struct {
	t       *table.Table
	cols    []column
	records int      // to look at, about
	seen    []*trial // groupings by one column, once made
}

// column is what pairs of records are compared by.
type column struct {
	num    []float64
	cat    []int32
	set    bool
	may    bool    // it may be a key
	chance float64 // that two records agree
	bits   float64 // the entropy
	values int     // different ones among the records looked at
}

// code is a value as a number, ok false where it is missing.
func (c *column) code(i int) (v uint64, ok bool) {
	if c.cat != nil {
		return uint64(c.cat[i]), c.cat[i] >= 0
	}
	x := c.num[i]
	return math.Float64bits(x + 0), x == x // minus zero is zero
}

func newFinder(ctx context.Context, t *table.Table, may func(j int) bool) (*finder, error) {
	f := &finder{t: t, cols: make([]column, t.Width()), records: 20_000, seen: make([]*trial, t.Width())}
	if t.Width() > wide {
		f.records = 5_000
	}
	rows := f.anyRows()
	err := parallel.Each(ctx, t.Width(), func(j int) error {
		c := t.Column(j)
		f.cols[j] = column{num: c.Num, cat: c.Cat, set: !c.Kind.Scalar()}
		if !f.cols[j].set {
			f.cols[j].describe(rows)
			f.cols[j].may = (may == nil || may(j)) && numbers(&c, &f.cols[j])
		}
		return nil
	})
	return f, err
}

// anyRows are rows to describe a column by: all of them, or as many as are looked at, at random.
func (f *finder) anyRows() []int32 {
	n := f.t.Rows()
	var out []int32
	for i := range n {
		if within(mix(uint64(i)), f.records, n) {
			out = append(out, int32(i))
		}
	}
	return out
}

// describe counts how often values occur.
func (c *column) describe(rows []int32) {
	codes := make([]uint64, 0, len(rows))
	for _, i := range rows {
		if v, ok := c.code(int(i)); ok {
			codes = append(codes, v)
		}
	}
	slices.Sort(codes)
	n, pairs := float64(len(codes)), 0.0
	for from := 0; from < len(codes); {
		to := from + 1
		for to < len(codes) && codes[to] == codes[from] {
			to++
		}
		c.values++
		size := float64(to - from)
		pairs += float64(size * (size - 1))
		c.bits -= float64(size / n * portable.Log2(size/n))
		from = to
	}
	c.chance = pairs / max(1, n*(n-1))
}

// numbers reports whether the values of a column may number or name units: texts without an order, or whole numbers
// that are no dates.
func numbers(c *table.Column, values *column) bool {
	switch {
	case values.values < few:
		return false
	case c.Kind == table.Categorical:
		return !c.Ordered
	}
	return c.Dates == "" && c.Step >= 1
}

// mix scatters a number over all 64 bits (the finaliser of SplitMix64).
func mix(v uint64) uint64 {
	v += 0x9e3779b97f4a7c15
	v = (v ^ v>>30) * 0xbf58476d1ce4e5b9
	v = (v ^ v>>27) * 0x94d049bb133111eb
	return v ^ v>>31
}

// within draws so many of n by a scattered number.
func within(v uint64, some, n int) bool {
	return some >= n || v>>11 < uint64(float64(some)/float64(n)*(1<<53))
}

// key is the code of one or two columns in a row, ok false where a value is missing.
func (f *finder) key(at []int, i int) (v uint64, ok bool) {
	for _, j := range at {
		c, has := f.cols[j].code(i)
		if !has {
			return 0, false
		}
		v = mix(v ^ c)
	}
	return v, true
}

// trial is a grouping of records by a key: whole groups, of which at most atMost records each are kept.
type trial struct {
	rows  []int32
	ends  []int32 // of the groups in rows
	sizes []int32 // of the groups, all their records
}

// keyed is a row and its key.
type keyed struct {
	key uint64
	row int32
}

// inOrder sorts rows by key, those of a key in the order in which they come.
func inOrder(all []keyed) []keyed {
	keys, out := make([]uint64, len(all)), make([]keyed, len(all))
	for k, a := range all {
		keys[k] = a.key
	}
	for r, k := range rank.Words(keys) {
		out[r] = all[k]
	}
	return out
}

// group takes all records whose key is drawn, about so many of them, and groups them. A key of few values may draw
// many; then it is cut off.
func (f *finder) group(at []int, some int) *trial {
	n := f.t.Rows()
	var all []keyed
	for i := range n {
		if v, ok := f.key(at, i); ok && within(v, some, n) {
			if all = append(all, keyed{v, int32(i)}); len(all) >= cut*some {
				break
			}
		}
	}
	all = inOrder(all)
	g := &trial{}
	for from := 0; from < len(all); {
		to := from + 1
		for to < len(all) && all[to].key == all[from].key {
			to++
		}
		g.add(all[from:to])
		from = to
	}
	return g
}

// add adds a group, of which it keeps atMost rows.
func (g *trial) add(all []keyed) {
	kept := min(len(all), atMost)
	for k := range kept {
		g.rows = append(g.rows, all[k*len(all)/kept].row)
	}
	g.ends, g.sizes = append(g.ends, int32(len(g.rows))), append(g.sizes, int32(len(all)))
}

// head is the first groups of about so many records, which are any of them: groups stand in the order of their
// scattered keys.
func (g *trial) head(some int) *trial {
	k := 0
	for k < len(g.ends) && int(g.ends[k]) < some {
		k++
	}
	k = min(k+1, len(g.ends))
	return &trial{g.rows, g.ends[:k], g.sizes[:k]}
}

// grouped is group of as many records as are looked at, remembered for one column.
func (f *finder) grouped(at []int) *trial {
	if len(at) > 1 {
		return f.group(at, f.records)
	}
	if f.seen[at[0]] == nil {
		f.seen[at[0]] = f.group(at, f.records)
	}
	return f.seen[at[0]]
}

// repeats reports whether enough values repeat, and none too often, for a key.
func (g *trial) repeats() bool {
	if len(g.sizes) < few {
		return false
	}
	several, shared, records := g.shared()
	return several >= few && float64(shared) >= repeated*float64(records) && median(g.sizes) <= most
}

// shared counts the groups of several records, the records in them, and all records.
func (g *trial) shared() (several, shared, records int) {
	for _, s := range g.sizes {
		records += int(s)
		if s > 1 {
			several++
			shared += int(s)
		}
	}
	return several, shared, records
}

func median(sizes []int32) int {
	s := slices.Sorted(slices.Values(sizes))
	return int(s[len(s)/2])
}

// groups calls back with the rows of every group.
func (g *trial) groups(do func(rows []int32)) {
	from := int32(0)
	for _, to := range g.ends {
		do(g.rows[from:to])
		from = to
	}
}

// firsts is one row of every group.
func (g *trial) firsts() (rows []int32) {
	g.groups(func(r []int32) { rows = append(rows, r[0]) })
	return rows
}
