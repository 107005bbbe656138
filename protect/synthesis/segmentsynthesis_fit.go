package synthesis

import (
	"cmp"
	"context"
	"slices"

	"github.com/dither-data/dither/internal/stats/aggregate"
	"github.com/dither-data/dither/internal/system/parallel"
	"github.com/dither-data/dither/protect/internal/donors"
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

// segmentFitting is a plan in the making.
type segmentFitting struct {
	*SegmentTechnique
	plan   *SegmentPlan
	schema *table.Table // without records
	sample *table.Table
	head   *table.Table          // the first records, which tell the level of columns
	counts *aggregate.Categories // of all records
	src    rng.Source

	boxes   []segment.Segment // by segment
	rows    [][]int32         // of the sample: all that the tree of all records is grown on, by segment, by pool
	people  []int32           // by row of the sample; nil where every record is a person's
	persons int
	level   []table.Level // by column
	bins    [][]uint8     // by scale and row of the sample
}

// take takes of all records what is needed besides the segments.
func (f *segmentFitting) take(ctx context.Context, r *aggregate.Records) (err error) {
	if f.counts, err = r.Common(ctx, f.Common); err != nil {
		return err
	}
	f.head = r.Schema
	if r.Told() {
		if f.head, err = r.Head(ctx, levelRows); err != nil {
			return err
		}
	}
	f.sample, err = f.Sample(ctx, r)
	return err
}

// segments finds the segment of every record of the sample.
func (f *segmentFitting) segments() error {
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
func (f *segmentFitting) pool() {
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
func (f *segmentFitting) arrange(columns []int) {
	f.level = make([]table.Level, f.schema.Width())
	distinct := make([]int, f.schema.Width())
	for j := range f.level {
		if a := f.schema.Attr(j); a.Kind.Scalar() && a.Role&(table.Weight|table.Identifier) == 0 {
			f.level[j] = f.head.LevelOf(j)
			distinct[j] = donors.Distinct(f.sample, j)
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

// scale adds a column to what can be tested.
func (f *segmentFitting) scale(j int) {
	s := donors.ScaleOf(f.sample, j)
	c, codes := f.sample.Column(j), make([]uint8, f.sample.Rows())
	s.Code(&c, 0, len(codes), codes)
	f.plan.Scales, f.bins = append(f.plan.Scales, s), append(f.bins, codes)
}

// draw grows the trees of every column, several at a time.
func (f *segmentFitting) draw(ctx context.Context) error {
	drawn := f.plan.Scales[f.plan.AtHand:]
	f.plan.Models, f.plan.Rare = make([]donors.Model, len(drawn)), make([]donors.Rare, len(drawn))
	ordered := make([]bool, len(f.plan.Scales))
	for s := range ordered {
		ordered[s] = f.schema.Attr(f.plan.Scales[s].Column).Kind == table.Numeric
	}
	fresh := func() *donors.Grower { return donors.NewGrower(f.Leaf, f.bins, ordered, f.people, f.persons) }
	_, err := parallel.With(ctx, len(drawn), fresh, func(g *donors.Grower, k int) error {
		f.plan.Models[k], f.plan.Rare[k] = f.model(ctx, g, f.plan.AtHand+k)
		return ctx.Err()
	})
	f.plan.Rare = slices.DeleteFunc(f.plan.Rare, func(r donors.Rare) bool { return r.Values == 0 })
	return err
}

// few reports whether records are of fewer people than a leaf needs.
func (f *segmentFitting) few(rows []int32) bool {
	if f.people == nil || len(rows) < f.Leaf {
		return len(rows) < f.Leaf
	}
	return donors.NewGrower(f.Leaf, nil, nil, f.people, f.persons).Count(rows) < f.Leaf
}

// model grows the trees of the column of a scale.
func (f *segmentFitting) model(ctx context.Context, g *donors.Grower, scale int) (donors.Model, donors.Rare) {
	j := f.plan.Scales[scale].Column
	m, rare := donors.Model{Column: j}, donors.Rare{Column: j}
	var of *donors.Sought
	if f.schema.Attr(j).Kind == table.Numeric {
		of = f.numbers(&m)
	} else {
		of, rare = f.categories(j)
	}
	if f.Gaps == DrawGaps {
		of.WithGaps(f.sample, j)
	}
	var tests []int
	for s := range scale {
		if f.level[f.plan.Scales[s].Column] >= f.level[j] {
			tests = append(tests, s)
		}
	}
	m.Trees = g.Trees(ctx, of, tests, f.rows)
	return m, rare
}

// numbers codes the values of a number by those of the donors, moved into the segment where they are outside the
// column's domain or grid.
func (f *segmentFitting) numbers(m *donors.Model) *donors.Sought {
	v := slices.Clone(f.sample.Num(m.Column))
	a := f.schema.Attr(m.Column)
	for s, rows := range f.rows[1 : len(f.boxes)+1] {
		box := boxOf(a, m.Column, &f.boxes[s])
		for _, i := range rows {
			v[i] = box.Clip(v[i])
		}
	}
	of, values := f.coder().Numbers(a, v, f.cuts(m.Column))
	m.Values = values
	return of
}

// coder codes the values of donors.
func (f *segmentFitting) coder() *donors.Coder {
	return &donors.Coder{Sample: f.sample, All: f.counts, People: f.people, Common: f.Common, Source: f.src}
}

// cuts returns where the segments divide a number, ascending.
func (f *segmentFitting) cuts(j int) (out []float64) {
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
func (f *segmentFitting) categories(j int) (*donors.Sought, donors.Rare) {
	of, rare := f.coder().Categories(j)
	for s, rows := range f.rows[1 : len(f.boxes)+1] {
		allowed, tested := f.boxes[s].Cat[j]
		for _, i := range rows {
			if c := of.Codes[i]; tested && c >= 0 {
				if _, in := slices.BinarySearch(allowed, c); !in {
					of.Codes[i] = -1
				}
			}
		}
	}
	return of, rare
}
