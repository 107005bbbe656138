package kanonymise

import (
	"cmp"
	"context"
	"fmt"
	"math"
	mrand "math/rand/v2"
	"slices"
	"sync"

	"github.com/dither-data/dither/hierarchy"
	"github.com/dither-data/dither/internal/system/parallel"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// brood is how many offspring are made of a population before they join it. It is a constant, so that the cores that
// look at them decide nothing.
const brood = 16

// evolve searches the generalisations of whole columns, each into groups of its own, by a genetic algorithm (Iyengar
// 2002): a chromosome has a gene between every two neighbouring leaves of a column (strand), two parents, the better
// ones more often, cross at two places, a gene in all of them flips on average, and a child that is better than the
// worst of the population takes its place.
func (q *Technique) evolve(ctx context.Context, p *Plan, t *table.Table, src rng.Source) error {
	f, err := p.frame(ctx, t, nil, nil, "")
	if err != nil {
		return err
	}
	weights, err := q.weights(p, t)
	if err != nil {
		return err
	}
	f.weigh(weights) // of losses of cells, which cm does not look at
	b := &breeding{Technique: q, f: f, most: q.most(t), random: src.Fork("genetic").Rand()}
	for _, j := range p.Quasi {
		c := t.Column(j)
		s, err := newStrand(&c, q.hierarchies[c.Name], b.genes)
		if err != nil {
			return err
		}
		b.strands, b.genes = append(b.strands, s), b.genes+s.leaves-1
	}
	if q.Loss == CM {
		if err := b.label(t); err != nil {
			return err
		}
	}
	best, err := b.run(ctx)
	if err != nil {
		return err
	}
	if best.over > 0 {
		return fmt.Errorf("%w; or more of them (parameter %q)", q.beyond(b.most+best.over, p, t,
			fmt.Sprintf("the best of %d generalisations", q.Iterations)), "iterations")
	}
	if err := b.settle(p, t, best); err != nil {
		return err
	}
	_, p.Found, err = p.release(ctx, t)
	cells := f.rows * len(f.axes)
	if q.Loss == CM {
		cells = f.rows
	}
	p.Found.Loss = float64(best.loss) / unit / float64(max(1, cells))
	return err
}

// label reads the class of every record.
func (b *breeding) label(t *table.Table) error {
	j, err := protect.ClassOf(t)
	if err != nil {
		return fmt.Errorf("parameter %q: %w", "loss", err)
	}
	records, r := b.f.records(), b.f.newRoller()
	r.roll(make([]int, len(b.f.axes)), &records)
	b.base, b.labels = r.of, t.Cat(j)
	return nil
}

// breeding is a population and what it lives from.
type breeding struct {
	*Technique
	f       *frame
	most    int // records that may be suppressed
	strands []*strand
	genes   int
	base    []int32 // by record: its class among those of level 0; nil where losses are of cells
	labels  []int32 // by record: what the class column says of it
	random  *mrand.Rand
	members []member // the best first
}

// member is a generalisation of all columns.
type member struct {
	genes []bool
	over  int   // records suppressed beyond those that may be
	loss  int64 // in units
}

// better compares two members: one that may be released goes before others.
func better(a, b member) int { return cmp.Or(cmp.Compare(a.over, b.over), cmp.Compare(a.loss, b.loss)) }

// run returns the best generalisation that was met with. The first one joins all that can be joined; the others of the
// first population divide every column at places of which each has a share of its own.
func (b *breeding) run(ctx context.Context) (member, error) {
	pool := sync.Pool{New: func() any { return b.newBreeder() }}
	young := []member{{genes: make([]bool, b.genes)}}
	for len(young) < b.Population {
		m := member{genes: make([]bool, b.genes)}
		for _, s := range b.strands {
			share := b.random.Float64()
			for k := range s.leaves - 1 {
				m.genes[s.first+k] = b.random.Float64() < float64(share*share)
			}
		}
		young = append(young, m)
	}
	for tried := 0; ; tried += len(young) {
		if tried > 0 {
			young = young[:0]
			for range min(brood, b.Iterations-tried+b.Population) {
				young = append(young, b.child())
			}
		}
		if len(young) == 0 {
			return b.members[0], nil
		}
		err := parallel.Each(ctx, len(young), func(k int) error {
			w := pool.Get().(*breeder)
			w.look(&young[k])
			pool.Put(w)
			return nil
		})
		if err != nil {
			return member{}, err
		}
		for _, m := range young {
			b.join(m)
		}
	}
}

// parent draws a member; the r-th of n is drawn with a probability that falls with the square root of r/n.
func (b *breeding) parent() []bool {
	u := b.random.Float64()
	return b.members[int(float64(u*u)*float64(len(b.members)))].genes
}

// child crosses two parents and flips a gene in all, on average; in one of four children it joins all leaves from one
// to another of a column besides, or parts them.
func (b *breeding) child() member {
	x, y := slices.Clone(b.parent()), b.parent()
	if b.genes == 0 {
		return member{genes: x}
	}
	from, to := b.random.IntN(b.genes+1), b.random.IntN(b.genes+1)
	copy(x[min(from, to):max(from, to)], y[min(from, to):max(from, to)])
	for k := range x {
		if b.random.IntN(b.genes) == 0 {
			x[k] = !x[k]
		}
	}
	if b.random.IntN(4) == 0 {
		s, part := b.strands[b.random.IntN(len(b.strands))], b.random.IntN(2) == 0
		from, to := b.random.IntN(s.leaves), b.random.IntN(s.leaves)
		for k := min(from, to); k < max(from, to); k++ {
			x[s.first+k] = part
		}
	}
	return member{genes: x}
}

// join adds a member, in the place of the worst where there are enough; behind those that are as good, and not twice.
func (b *breeding) join(m member) {
	at, _ := slices.BinarySearchFunc(b.members, m, better)
	for ; at < len(b.members) && better(b.members[at], m) == 0; at++ {
		if slices.Equal(b.members[at].genes, m.genes) {
			return
		}
	}
	b.members = slices.Insert(b.members, at, m)
	b.members = b.members[:min(len(b.members), b.Population)]
}

// settle writes a member into the plan.
func (b *breeding) settle(p *Plan, t *table.Table, m member) error {
	p.Cut = true
	for k, j := range p.Quasi {
		s := b.strands[k]
		runs := s.divide(m.genes, nil)
		if s.special(runs) {
			continue
		}
		h, err := s.hierarchy(t.Attr(j), runs)
		if err != nil {
			return err
		}
		p.Columns = append(p.Columns, hierarchy.Raised{Column: j, Level: 1, Hierarchy: h})
	}
	return p.Recoding.Check()
}

// breeder is one core's part: it has axes of its own, whose only level is that of a member at a time.
type breeder struct {
	*breeding
	own    frame
	roller *roller
	judge  *judge
	factor []uint64
	levels []int
	runs   []run
	group  []int32   // by leaf
	cost   []int64   // by group
	counts [][]int32 // by class of records and class
	left   []int32   // by class of records: those yet to be suppressed
}

func (b *breeding) newBreeder() *breeder {
	w := &breeder{breeding: b, own: *b.f, levels: make([]int, len(b.f.axes))}
	w.own.axes = slices.Clone(b.f.axes)
	for k, a := range b.f.axes {
		n := len(a.counts)
		w.own.axes[k] = &axis{codes: a.codes, counts: a.counts, full: a.full, wide: []bool{true}, total: make([]int64, 1),
			groups: [][]int32{make([]int32, n)}, keys: [][]uint64{make([]uint64, n)}, cost: [][]int64{make([]int64, n)}}
		w.factor = append(w.factor, 0)
		for code, g := range a.groups[0] {
			if g == 1 { // level 0 has every code as its group
				w.factor[k] = a.keys[0][code]
			}
		}
	}
	w.roller, w.judge = w.own.newRoller(), w.own.newJudge(b.Goals)
	return w
}

// look works out what a member loses. It mends its genes.
func (w *breeder) look(m *member) {
	total := int64(0)
	for k, a := range w.own.axes {
		w.express(w.strands[k], a, w.factor[k], m.genes)
		for code, cost := range a.cost[0] {
			total += cost * int64(a.counts[code])
		}
	}
	c := w.roller.roll(w.levels, &w.f.base)
	w.roller.join(&w.f.base)
	lost := w.judge.goal(c, w.f.rows)
	m.over, m.loss = max(0, lost-w.most), total+w.judge.loss(w.levels, c)
	if w.base != nil {
		m.loss = unit * int64(w.impure(c))
	}
}

// express writes the groups that genes make of a column into its axis. Those that hold values are numbered from 1, so
// that no number is above the codes' (setKeys).
func (w *breeder) express(s *strand, a *axis, factor uint64, genes []bool) {
	w.runs = s.divide(genes, w.runs[:0])
	w.group, w.cost = slices.Grow(w.group[:0], s.leaves)[:s.leaves], w.cost[:0]
	special := s.special(w.runs)
	for _, r := range w.runs {
		if s.before[r.hi] == s.before[r.lo] {
			continue
		}
		lost := s.loss(r)
		if special {
			lost = 0
		}
		w.cost = append(w.cost, int64(math.Round(float64(float64(a.full)*min(1, max(0, lost))))))
		for leaf := r.lo; leaf < r.hi; leaf++ {
			w.group[leaf] = int32(len(w.cost))
		}
	}
	for v, leaf := range s.of {
		g := w.group[leaf]
		a.groups[0][v+1], a.keys[0][v+1], a.cost[0][v+1] = g, uint64(g)*factor, w.cost[g-1]
	}
}

// impure counts the records that are suppressed, those that lack all quasi-identifiers among them, and of the others
// those whose class is not that of most records which look alike (classification metric). Of a class that loses some of
// its records these are the first ones (frame.gone).
func (w *breeder) impure(c *classes) int {
	for len(w.counts) < len(c.rep) {
		w.counts = append(w.counts, nil)
	}
	for class := range c.rep {
		clear(w.counts[class])
	}
	sum := 0
	w.left = append(w.left[:0], w.judge.out...)
	for i, base := range w.base {
		class := w.roller.of[base]
		if w.left[class] > 0 {
			w.left[class]--
			sum++
			continue
		}
		if label := w.labels[i]; label >= 0 {
			for int(label) >= len(w.counts[class]) {
				w.counts[class] = append(w.counts[class], 0)
			}
			w.counts[class][label]++
		}
	}
	for class, n := range c.count {
		kept, most := int(n-w.judge.out[class]), 0
		if len(w.counts[class]) > 0 && c.rep[class] != w.judge.f.void {
			most = int(slices.Max(w.counts[class]))
		}
		sum += kept - most
	}
	return sum
}
