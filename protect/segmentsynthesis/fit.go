package segmentsynthesis

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/dither-data/dither/internal/system/parallel"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/segment"
	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/wrap"
)

// wholeRows is how many records the trees of all records are grown on at most, which few records are drawn by.
const wholeRows = 8192

// levelRows is how many records tell, at most, whether a column is one for a person.
const levelRows = 1 << 17

// fitting is a plan in the making.
type fitting struct {
	*Technique
	plan      *Plan
	t, sample *table.Table
	src       rng.Source

	boxes   []segment.Segment // by segment
	rows    [][]int32         // of the sample: all that the tree of all records is grown on, by segment, by pool
	people  []int32           // by row of the sample; nil where every record is a person's
	all     []int32           // by row of the table
	persons int
	level   []table.Level // by column
	bins    [][]uint8     // by scale and row of the sample
}

// segments finds the segment of every record of the sample.
func (f *fitting) segments() error {
	key := make([]uint64, f.sample.Rows())
	if err := f.plan.Forest.Route(f.sample, key); err != nil {
		return err
	}
	number := make([]int32, len(key))
	if keys := tree.Number(key, number); len(f.plan.Forest.Trees) > 1 {
		f.plan.Keys = keys
		f.boxes = f.plan.Forest.Segments(keys...)
	} else {
		f.boxes = f.plan.Forest.Trees[0].Segments()
		for i, k := range key {
			number[i] = int32(k)
		}
	}
	f.all, _ = f.t.People()
	f.people, f.persons = f.sample.People()
	f.rows = make([][]int32, len(f.boxes)+1) // pools come behind
	every := max(1, (len(key)+wholeRows-1)/wholeRows)
	for i, s := range number {
		f.rows[s+1] = append(f.rows[s+1], int32(i))
		if i%every == 0 {
			f.rows[0] = append(f.rows[0], int32(i))
		}
	}
	for _, rows := range f.rows[1:] {
		if len(rows) > 0 && f.few(rows) {
			f.plan.Few++
		}
	}
	if len(f.plan.Forest.Trees) == 1 {
		f.pool()
	}
	return nil
}

// pool finds the nodes of the tree that lend donors to small leaves: of each the lowest one above it that has people
// enough, but for the root, which all records are under.
func (f *fitting) pool() {
	tr := f.plan.Forest.Trees[0]
	parent := parents(tr)
	under := make([][]int32, len(tr.Nodes))
	leaves := tr.Leaves()
	for l, n := range leaves {
		for up := parent[n]; up > 0; up = parent[up] {
			under[up] = append(under[up], f.rows[l+1]...)
		}
	}
	for l, n := range leaves {
		if !f.few(f.rows[l+1]) {
			continue
		}
		for n = parent[n]; n > 0 && f.few(under[n]); n = parent[n] {
		}
		if n > 0 {
			f.plan.Pools = append(f.plan.Pools, n)
		}
	}
	slices.Sort(f.plan.Pools)
	f.plan.Pools = slices.Compact(f.plan.Pools)
	for _, n := range f.plan.Pools {
		slices.Sort(under[n])
		f.rows = append(f.rows, under[n])
	}
}

// arrange puts the columns in the order in which they are drawn: those of households, then of persons, then of records,
// each from few values to many. What is released as it is, and the class, are at hand from the start.
func (f *fitting) arrange(columns []int) {
	f.level = make([]table.Level, f.t.Width())
	part := f.t.Slice(0, min(f.t.Rows(), levelRows))
	distinct := make([]int, f.t.Width())
	for j := range f.level {
		if a := f.t.Attr(j); a.Kind.Scalar() && a.Role&(table.Weight|table.Identifier) == 0 {
			f.level[j] = part.LevelOf(j)
			distinct[j] = distinctIn(f.sample, j)
			if !slices.Contains(columns, j) {
				f.scale(j)
			}
		}
	}
	slices.SortFunc(columns, func(a, b int) int {
		return cmp.Or(cmp.Compare(f.level[b], f.level[a]), cmp.Compare(distinct[a], distinct[b]), cmp.Compare(a, b))
	})
	f.plan.AtHand = len(f.plan.Scales)
	for _, j := range columns {
		f.scale(j)
	}
}

// distinctIn returns how many values a column has.
func distinctIn(t *table.Table, j int) int {
	if t.Attr(j).Kind == table.Numeric {
		return len(valuesOf(t.Num(j)))
	}
	seen, n := make([]bool, len(t.Attr(j).Labels)), 0
	for _, c := range t.Cat(j) {
		if c >= 0 && !seen[c] {
			seen[c] = true
			n++
		}
	}
	return n
}

// valuesOf returns the known values, ascending.
func valuesOf(v []float64) []float64 {
	known := slices.DeleteFunc(slices.Clone(v), func(v float64) bool { return v != v })
	slices.Sort(known)
	return slices.Compact(known)
}

// scale adds a column to what can be tested.
func (f *fitting) scale(j int) {
	s := scaleOf(f.sample, j)
	c, codes := f.sample.Column(j), make([]uint8, f.sample.Rows())
	s.code(&c, 0, len(codes), codes)
	f.plan.Scales, f.bins = append(f.plan.Scales, s), append(f.bins, codes)
}

// draw grows the trees of every column, several at a time.
func (f *fitting) draw(ctx context.Context) error {
	drawn := f.plan.Scales[f.plan.AtHand:]
	f.plan.Models, f.plan.Rare = make([]Model, len(drawn)), make([]Rare, len(drawn))
	fresh := func() *grower {
		g := &grower{least: f.Leaf, bins: f.bins, people: f.people}
		g.mine, g.yours = make([]int32, f.persons), make([]int32, f.persons)
		for _, s := range f.plan.Scales {
			g.ordered = append(g.ordered, f.t.Attr(s.Column).Kind == table.Numeric)
		}
		return g
	}
	_, err := parallel.With(ctx, len(drawn), fresh, func(g *grower, k int) error {
		f.plan.Models[k], f.plan.Rare[k] = f.model(ctx, g, f.plan.AtHand+k)
		return ctx.Err()
	})
	f.plan.Rare = slices.DeleteFunc(f.plan.Rare, func(r Rare) bool { return r.Values == 0 })
	return err
}

// few reports whether records are of fewer people than a leaf needs.
func (f *fitting) few(rows []int32) bool {
	if f.people == nil || len(rows) < f.Leaf {
		return len(rows) < f.Leaf
	}
	g := grower{people: f.people, mine: make([]int32, f.persons)}
	return g.count(rows) < f.Leaf
}

// model grows the trees of the column of a scale.
func (f *fitting) model(ctx context.Context, g *grower, scale int) (Model, Rare) {
	j := f.plan.Scales[scale].Column
	m, rare := Model{Column: j}, Rare{Column: j}
	of := &sought{codes: make([]int32, f.sample.Rows())}
	if f.t.Attr(j).Kind == table.Numeric {
		f.numbers(&m, of)
	} else {
		f.categories(&rare, of)
	}
	if f.Gaps == DrawGaps {
		for i := range of.codes {
			if f.sample.MissingAt(i, j) {
				of.codes[i] = int32(of.labels)
			}
		}
		of.labels++
	}
	if f.t.Attr(j).Kind == table.Numeric {
		of.ranks = middle(of.codes, of.labels)
	}
	var tests []int
	for s := range scale {
		if f.level[f.plan.Scales[s].Column] >= f.level[j] {
			tests = append(tests, s)
		}
	}
	g.out = nil
	g.out.put(len(f.rows))
	for _, rows := range f.rows {
		if ctx.Err() != nil {
			return m, rare
		}
		g.grow(of, tests, slices.Clone(rows))
	}
	m.Trees = g.out
	return m, rare
}

// numbers codes the values of a number by those of the donors, moved into the segment where they are outside the
// column's domain or grid.
func (f *fitting) numbers(m *Model, of *sought) {
	v := slices.Clone(f.sample.Num(m.Column))
	a := f.t.Attr(m.Column)
	for s, rows := range f.rows[1 : len(f.boxes)+1] {
		box := boxOf(a, m.Column, &f.boxes[s])
		for _, i := range rows {
			v[i] = box.Clip(v[i])
		}
	}
	m.Values = valuesOf(v)
	for i, x := range v {
		of.codes[i] = -1
		if x == x {
			k, _ := slices.BinarySearch(m.Values, x)
			of.codes[i] = int32(k)
		}
	}
	of.labels, of.limit = len(m.Values), int32(len(m.Values))
	of.rand = f.src.Fork("donors").Fork(a.Name).Rand()
	common := f.common(of.codes, of.labels, f.people)
	of.exact = func(c int32) bool { return int(c) >= len(common) || common[c] }
	m.Values = blurred(m.Values, common, wrap.On(a.Domain, a.Step), f.cuts(m.Column), of.rand)
}

// cuts returns where the segments divide a number, ascending.
func (f *fitting) cuts(j int) (out []float64) {
	for _, tr := range f.plan.Forest.Trees {
		for k := range tr.Nodes {
			if n := &tr.Nodes[k]; n.Attr == j {
				out = append(out, n.Cut)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// blurred returns the values, ascending, of which those that are not exact are moved: to any place that is nearer to
// their own than to another value, on the same side of every cut. So a plan has no rare value of a donor, and however
// often it is drawn from, none shows.
func blurred(values []float64, exact []bool, d wrap.Domain, cuts []float64, r *rand.Rand) []float64 {
	out := slices.Clone(values)
	for k, v := range values {
		if exact[k] {
			continue
		}
		lo, hi := v, v
		if k > 0 {
			lo = values[k-1] + (v-values[k-1])/2
		}
		if k+1 < len(values) {
			hi = v + (values[k+1]-v)/2
		}
		below, above := math.Inf(-1), math.Inf(1)
		c, _ := slices.BinarySearch(cuts, v)
		if c > 0 {
			below = cuts[c-1]
		}
		if c < len(cuts) {
			above = cuts[c]
		}
		lo, hi = max(lo, below), min(hi, above)
		if to := d.Clip(lo + float64(r.Float64()*(hi-lo))); to > below && to <= above {
			out[k] = to
		}
	}
	return out
}

// boxOf returns the values that a number may have in a segment.
func boxOf(a *table.Attribute, j int, in *segment.Segment) wrap.Domain {
	if sub, ok := in.Num[j]; ok {
		if d := wrap.On(sub, a.Step); d.Size() > 0 {
			return d
		}
	}
	return wrap.On(a.Domain, a.Step)
}

// categories codes the categories of a column: those that are rare, or that the conditions of the segment do not allow,
// make no donors. Where all are rare, all are donors.
func (f *fitting) categories(rare *Rare, of *sought) {
	copy(of.codes, f.sample.Cat(rare.Column))
	of.labels = len(f.t.Attr(rare.Column).Labels)
	of.exact = func(int32) bool { return true }
	all := f.t.Cat(rare.Column)
	common := f.common(all, of.labels, f.all)
	if !slices.Contains(common, true) {
		rare.All = true
		common = slices.Repeat([]bool{true}, of.labels)
	}
	seen := make([]bool, of.labels)
	for _, c := range all {
		if c >= 0 && (rare.All || !common[c]) {
			rare.Records++
			if !seen[c] {
				seen[c] = true
				rare.Values++
			}
		}
	}
	for s, rows := range f.rows[1 : len(f.boxes)+1] {
		allowed, tested := f.boxes[s].Cat[rare.Column]
		for _, i := range rows {
			if c := of.codes[i]; c >= 0 {
				_, in := slices.BinarySearch(allowed, c)
				if !common[c] || tested && !in {
					of.codes[i] = -1
				}
			}
		}
	}
}

// common returns, by code, whether enough people have it.
func (f *fitting) common(codes []int32, labels int, people []int32) []bool {
	count, out := make([]int, labels), make([]bool, labels)
	who := map[[2]int32]bool{} // of codes that few have so far
	for i, c := range codes {
		if c < 0 || out[c] {
			continue
		}
		if people != nil {
			if who[[2]int32{c, people[i]}] {
				continue
			}
			who[[2]int32{c, people[i]}] = true
		}
		count[c]++
		out[c] = count[c] >= f.Common
	}
	return out
}
