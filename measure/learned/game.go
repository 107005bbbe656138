package learned

import (
	"cmp"
	"context"
	"slices"

	"github.com/dither-data/dither/internal/portable"
	"github.com/dither-data/dither/internal/system/sorting"
	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/internal/nearest"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// control is what the attack is held against.
type control string

const (
	heldOut control = "heldOut" // people of the hold-out
	leftOut control = "leftOut" // the same people, each without the own record
	common  control = "common"  // the guess of the commonest value
)

// game is one intruder's game against one release.
type game struct {
	*Meter
	r         *measure.Release
	view      *intruder.View
	control   control
	owned     owned  // whose the released records are
	axes      []axis // the least changed first
	steps     []int  // how many axes the subsets have, ascending
	stretches []stretch
	secrets   []*secret
	choose    crowd // the half that attacks are chosen by
	count     crowd // the half that they are counted on
	attacks   []attack
	training  *training
}

// crowd is a part of the people tried.
type crowd struct{ inside, outside *people }

// people are rows of a table and what the intruder knows of them.
type people struct {
	t      *table.Table
	rows   []int
	lo, hi []float64 // by person and axis: what is known leaves these values and those between them open
}

// axis is what is known of one column: its value, or whether it is missing.
type axis struct {
	column  int
	gap     bool // whether it is missing
	nominal bool
	records []float64 // by released record; NaN is missing
	// mean squared distance of a person from the own record; of unpaired tables the share of values that are not released
	change float64
	differ float64 // what a record that differs loses, in the logarithm of its odds
	absent float64 // the same of one that lacks the value
}

// newGame makes a game; it returns nil when nobody has a value in a secret column.
func (m *Meter) newGame(ctx context.Context, r *measure.Release, view *intruder.View) (*game, error) {
	g := &game{Meter: m, r: r, view: view, control: common}
	switch {
	case r.Holdout != nil && r.Holdout.Rows() > 0:
		g.control = heldOut
	case r.Paired && r.Released.Rows() > 1:
		g.control, g.owned = leftOut, ownedBy(r)
	}
	for _, j := range view.Secret {
		q, err := newSecret(ctx, r, j, m.Tolerance)
		if err != nil {
			return nil, err
		}
		if q != nil {
			g.secrets = append(g.secrets, q)
		}
	}
	if g.secrets == nil {
		return nil, nil
	}
	space, err := nearest.NewSpace(ctx, r.Original, view.Known)
	if err != nil {
		return nil, err
	}
	g.setAxes(space)
	g.draw(space)
	g.setAttacks()
	return g, ctx.Err()
}

// setAxes orders what is known by how much the release changed it, what it did not change first.
func (g *game) setAxes(space *nearest.Space) {
	columns := space.Columns()
	for k, j := range columns {
		g.axes = append(g.axes, axis{column: j, nominal: space.Nominal(k), records: space.Axis(k, g.r.Released)})
	}
	rows := measure.DrawnOf(g.r.Original, sampled)
	lo, hi := ends(space, g.r.Original, rows)
	for k := range g.axes {
		g.axes[k].compare(rows, lo[k:], hi[k:], len(columns), g.r.Paired)
	}
	if g.view.Gaps {
		g.addGaps(rows)
	}
	sorting.Stable(g.axes, func(a, b axis) int {
		if c := cmp.Compare(a.change, b.change); c != 0 || a.gap == b.gap {
			return c
		} else if a.gap {
			return 1
		}
		return -1
	})
	unchanged := 0
	for unchanged < len(g.axes) && g.axes[unchanged].change == 0 {
		unchanged++
	}
	g.steps = []int{len(g.axes), unchanged}
	for s := 1; s < len(g.axes); s += max(1, s/2) {
		g.steps = append(g.steps, s)
	}
	slices.Sort(g.steps)
	g.steps = slices.Compact(g.steps)
	if len(g.steps) > 1 && g.steps[0] == 0 {
		g.steps = g.steps[1:]
	}
	g.setStretches()
}

// sampled is how many people say how much a column changed.
const sampled = 5000

// ends returns what is known of people leaves open, by person and axis.
func ends(space *nearest.Space, t *table.Table, rows []int) (lo, hi []float64) {
	axes := len(space.Columns())
	p := max(1, axes)
	questions := space.Questions(t, rows)
	lo, hi = make([]float64, len(rows)*axes), make([]float64, len(rows)*axes)
	for i := range rows {
		copy(lo[i*axes:], questions[i*2*p:i*2*p+axes])
		copy(hi[i*axes:], questions[i*2*p+p:i*2*p+p+axes])
	}
	return lo, hi
}

// addGaps adds an axis for every column that lacks some values: who lacks them is kept by almost every technique.
func (g *game) addGaps(rows []int) {
	for j, a := range g.r.Original.Attrs() {
		if !a.Kind.Scalar() || a.Role&(table.Identifier|table.Weight) != 0 {
			continue
		}
		x := axis{column: j, gap: true, nominal: true, records: gaps(g.r.Released, j, nil)}
		known := gaps(g.r.Original, j, rows)
		if lo, hi := table.Range(known); lo == hi {
			continue
		}
		x.compare(rows, known, known, 1, g.r.Paired)
		g.axes = append(g.axes, x)
	}
}

// gaps returns 1 where a value is missing and 0 where it is not; of all rows when rows is nil.
func gaps(t *table.Table, j int, rows []int) []float64 {
	n := t.Rows()
	if rows != nil {
		n = len(rows)
	}
	out := make([]float64, n)
	for i := range out {
		row := i
		if rows != nil {
			row = rows[i]
		}
		if t.MissingAt(row, j) {
			out[i] = 1
		}
	}
	return out
}

// part returns the squared distance of a released value from what is known, at most 1 where categories differ.
func (a *axis) part(v, lo, hi float64) float64 {
	switch {
	case v != v || lo != lo:
		return 1
	case a.nominal:
		if v != lo {
			return 1
		}
		return 0
	case v < lo:
		return float64((lo - v) * (lo - v))
	case v > hi:
		return float64((v - hi) * (v - hi))
	}
	return 0
}

// compare sets how much the release changed what is known, and what that tells of a record that differs: with m the
// share of people whose own record agrees and u the share of the records that agree with anybody, log(m/u) -
// log((1-m)/(1-u)) (Fellegi & Sunter 1969). The intruder is taken to know both. Of unpaired tables m is not known, and
// 0.9 stands for it.
func (a *axis) compare(rows []int, lo, hi []float64, stride int, paired bool) {
	n, agree, chance, moved := 0.0, 0.0, 0.0, 0.0
	values := map[float64]bool{}
	if !paired {
		for _, v := range a.records {
			values[v] = true
		}
	}
	other := rng.New([32]byte{}).Fork("others").Rand()
	for i, row := range rows {
		l, h := lo[i*stride], hi[i*stride]
		if l != l {
			continue
		}
		n++
		if a.part(a.records[other.IntN(len(a.records))], l, h) == 0 {
			chance++
		}
		switch {
		case paired:
			d := a.part(a.records[row], l, h)
			if moved += d; d == 0 {
				agree++
			}
		case !values[l] && l == h:
			moved++
		}
	}
	if n == 0 {
		return
	}
	a.change = moved / n
	m, u := 0.9, (chance+0.5)/(n+1)
	if paired {
		m = (agree + 0.5) / (n + 1)
	}
	if m > u {
		a.absent = portable.Log(m / u)
		a.differ = a.absent - portable.Log((1-m)/(1-u))
	}
}

// draw draws the people who are tried and divides them into the two halves.
func (g *game) draw(space *nearest.Space) {
	each := 0.0 // values compared to choose by one person
	for range metrics {
		each += float64(float64(g.r.Released.Rows()) * float64(len(g.axes)+len(g.steps)))
	}
	half := g.People / 2
	a := min(half, max(least, int(float64(g.Values)/each)))
	b := min(g.People-half, max(least, int(float64(g.Values)/(each*2*float64(len(g.secrets))/float64(len(metrics))))))
	g.choose.inside, g.count.inside = g.halves(space, g.r.Original, a, b)
	if g.control == heldOut {
		g.choose.outside, g.count.outside = g.halves(space, g.r.Holdout, a, b)
	}
}

// least is how many people a half has at least, where there are so many.
const least = 50

// halves draws a and b people of a table; where it has fewer, the second half is not the smaller one by more than its
// due. Who is drawn depends on the numbers and the records' identities alone.
func (g *game) halves(space *nearest.Space, t *table.Table, a, b int) (first, second *people) {
	n := t.Rows()
	if a+b > n {
		b = min(b, max(n-n/2, n-a))
		a = n - b
	}
	rows := t.First(a+b, rng.New([32]byte{}).Fork("halves"))
	slices.Sort(rows[:a])
	slices.Sort(rows[a:])
	return g.people(space, t, rows[:a]), g.people(space, t, rows[a:])
}

// people returns what is known of people in the order of the axes.
func (g *game) people(space *nearest.Space, t *table.Table, rows []int) *people {
	w := len(g.axes)
	p := &people{t: t, rows: rows, lo: make([]float64, len(rows)*w), hi: make([]float64, len(rows)*w)}
	columns := space.Columns()
	lo, hi := ends(space, t, rows)
	for k := range g.axes {
		a := &g.axes[k]
		if a.gap {
			for i, v := range gaps(t, a.column, rows) {
				p.lo[i*w+k], p.hi[i*w+k] = v, v
			}
			continue
		}
		at := slices.Index(columns, a.column)
		for i := range rows {
			p.lo[i*w+k], p.hi[i*w+k] = lo[i*len(columns)+at], hi[i*len(columns)+at]
		}
	}
	return p
}
