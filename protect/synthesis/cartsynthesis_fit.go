package synthesis

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/dither-data/dither/internal/stats/aggregate"
	"github.com/dither-data/dither/internal/system/parallel"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/internal/donors"
	"github.com/dither-data/dither/protect/internal/newrecords"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/wrap"
)

// cartFitting is a plan in the making.
type cartFitting struct {
	*CARTTechnique
	plan      *CARTPlan
	t, sample *table.Table // the sample is widened (newrecords.Units.Widen)
	src       rng.Source

	persons int
	counts  *aggregate.Categories // of all records
	of      []int32               // by row of the sample: whose the record is; nil where each is a unit's
	lists   [2][]int32            // rows of the sample that trees are grown on: all, and the first ones of units
	bins    [][]uint8             // by scale and row of the sample
	scale   map[int]int           // by column of the wide table: its scale
}

// begin decides what is drawn in which order, and takes the sample.
func (f *cartFitting) begin(ctx context.Context) error {
	drawn, err := protect.Drawable(f.t, f.Except)
	if err != nil {
		return err
	}
	p := &CARTPlan{Attrs: f.t.Attrs(), Partial: len(f.Except) > 0, Rows: cmp.Or(f.Rows, f.t.Rows())}
	f.plan, f.scale = p, map[int]int{}
	switch like, err := protect.ParseLike(f.Like, p.Attrs); {
	case err != nil:
		return err
	case p.Partial && (len(like) > 0 || f.Rows > 0):
		return errors.New("columns are left alone, so that every record stands for its person: leave out rows and like, or " +
			"columns and except")
	default:
		p.Like = like
	}
	if !p.Partial {
		if p.Units = newrecords.UnitsOf(f.t); p.Units != nil {
			drawn = append(drawn, p.Units.Records(p.Attrs))
		}
	}
	if err := f.take(ctx); err != nil {
		return err
	}
	if p.Alike, err = newrecords.Alike(f.t, p.Like, f.Common); err != nil {
		return err
	}
	f.arrange(drawn)
	return nil
}

// take takes the sample: whole units, and widens it.
func (f *cartFitting) take(ctx context.Context) (err error) {
	t := f.t
	of, n := t.People()
	most := f.FitRows
	if t.Rows() > most {
		units := n * most / t.Rows()
		chosen := make([]bool, n)
		for _, u := range rng.Sample(f.src.Fork("sample").Stream(), units, n, t.Identities(of, n), 0) {
			chosen[u] = true
		}
		var rows []int
		for i := range t.Rows() {
			if of == nil && chosen[i] || of != nil && chosen[of[i]] {
				rows = append(rows, i)
			}
		}
		t = t.Gather(rows)
	}
	if f.counts, err = aggregate.Over(f.t, f.src).Common(ctx, f.Common); err != nil {
		return err
	}
	f.of, f.persons = t.People()
	if f.persons < f.Leaf {
		return fmt.Errorf("the table has %s, fewer than a leaf has donors (leaf = %d)", protect.CountedPeople(t), f.Leaf)
	}
	var first []bool
	if f.sample, first, err = f.plan.Units.Widen(t); err != nil {
		return err
	}
	for i := range first {
		f.lists[0] = append(f.lists[0], int32(i))
		if first[i] {
			f.lists[1] = append(f.lists[1], int32(i))
		}
	}
	return nil
}

// arrange puts the columns in the order in which they are drawn: what is one for a unit first, then what conditions are
// on, then by the number of values. What is left alone is at hand from the start, and so is the record before.
func (f *cartFitting) arrange(drawn []int) {
	p, u := f.plan, f.plan.Units
	distinct := make([]int, f.sample.Width())
	for _, j := range drawn {
		if distinct[j] = j; f.Order == ByValues {
			distinct[j] = donors.Distinct(f.sample, j)
		}
	}
	records := -1
	if u != nil {
		records = u.Records(p.Attrs)
	}
	slices.SortFunc(drawn, func(a, b int) int {
		return cmp.Or(-compare(u.Level(p.Attrs, a), u.Level(p.Attrs, b)),
			-compare(p.Like.On(f.sample.Attr(a).Name), p.Like.On(f.sample.Attr(b).Name)),
			-compare(a == records, b == records), cmp.Compare(distinct[a], distinct[b]), cmp.Compare(a, b))
	})
	for j := range f.sample.Width() {
		a := f.sample.Attr(j)
		if a.Kind.Scalar() && !slices.Contains(drawn, j) && a.Role&table.Identifier == 0 {
			f.grade(j)
		}
	}
	p.AtHand = len(p.Scales)
	for _, j := range drawn {
		f.grade(j)
	}
}

func compare(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// grade adds a column to what can be tested.
func (f *cartFitting) grade(j int) {
	s := donors.ScaleOf(f.sample, j)
	c, codes := f.sample.Column(j), make([]uint8, f.sample.Rows())
	s.Code(&c, 0, len(codes), codes)
	f.scale[j] = len(f.plan.Scales)
	f.plan.Scales, f.bins = append(f.plan.Scales, s), append(f.bins, codes)
}

// draw grows the trees of every column, several at a time.
func (f *cartFitting) draw(ctx context.Context) error {
	p := f.plan
	n := len(p.Scales) - p.AtHand
	p.Models = make([]donors.Model, n)
	rare := make([]donors.Rare, n)
	ordered := make([]bool, len(p.Scales))
	for s := range ordered {
		ordered[s] = f.sample.Attr(p.Scales[s].Column).Kind == table.Numeric
	}
	fresh := func() *donors.Grower { return donors.NewGrower(f.Leaf, f.bins, ordered, f.of, f.persons) }
	_, err := parallel.With(ctx, n, fresh, func(g *donors.Grower, k int) error {
		p.Models[k], rare[k] = f.model(ctx, g, n-1-k+p.AtHand)
		return ctx.Err()
	})
	slices.Reverse(p.Models) // those with most columns before them are grown first: they take longest
	slices.Reverse(rare)
	p.Rare = slices.DeleteFunc(rare, func(r donors.Rare) bool { return r.Values == 0 })
	return err
}

// model grows the tree of the column of a scale.
func (f *cartFitting) model(ctx context.Context, g *donors.Grower, scale int) (donors.Model, donors.Rare) {
	p := f.plan
	j := p.Scales[scale].Column
	m, rare := donors.Model{Column: j}, donors.Rare{Column: j}
	c := donors.Coder{Sample: f.sample, All: f.counts, People: f.of, Common: f.Common, Source: f.src}
	a := f.sample.Attr(j)
	unit := p.Units.Level(p.Attrs, j)
	list := f.lists[0]
	if unit {
		list = f.lists[1]
	}
	var of *donors.Sought
	if a.Kind == table.Numeric {
		d := wrap.On(a.Domain, a.Step)
		v := make([]float64, f.sample.Rows())
		for i, x := range f.sample.Num(j) {
			v[i] = d.Clip(x)
		}
		of, m.Values = c.Numbers(a, v, nil)
	} else {
		of, rare = c.Categories(j)
	}
	of.WithGaps(f.sample, j)
	var tests []int
	for s := range scale {
		if !unit || p.Units.Level(p.Attrs, p.Scales[s].Column) {
			tests = append(tests, s)
		}
	}
	m.Trees = g.Trees(ctx, of, tests, [][]int32{list})
	return m, rare
}
