package synthesis

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/dither-data/dither/internal/stats/correlation"
	"github.com/dither-data/dither/internal/stats/mvnorm"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/internal/donors"
	"github.com/dither-data/dither/protect/internal/newrecords"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/wrap"
)

// copulaFitting is a plan in the making.
type copulaFitting struct {
	*CopulaTechnique
	plan  *CopulaPlan
	t     *table.Table
	wide  *table.Table
	first []bool    // by row: of its unit
	of    []int32   // by row: whose it is; nil where every record is a unit of its own
	coded [][]int32 // by variable and row: the cell; -1 for none
}

// begin finds the cells of every column.
func (f *copulaFitting) begin() error {
	drawn, err := protect.Drawable(f.t, nil)
	if err != nil {
		return err
	}
	p := &CopulaPlan{Attrs: f.t.Attrs(), Rows: cmp.Or(f.Rows, f.t.Rows())}
	if p.Like, err = protect.ParseLike(f.Like, p.Attrs); err != nil {
		return err
	}
	f.plan, p.Units = p, newrecords.UnitsOf(f.t)
	var persons int
	if f.of, persons = f.t.People(); persons < f.Common {
		return fmt.Errorf("the table has %s, fewer than have a value that is released (common = %d)",
			protect.CountedPeople(f.t), f.Common)
	}
	if p.Alike, err = newrecords.Alike(f.t, p.Like, f.Common); err != nil {
		return err
	}
	if f.wide, f.first, err = p.Units.Widen(f.t); err != nil {
		return err
	}
	for j := len(p.Attrs); j < f.wide.Width(); j++ {
		drawn = append(drawn, j)
	}
	slices.SortStableFunc(drawn, func(a, b int) int { return cmp.Compare(p.rank(a), p.rank(b)) })
	for _, j := range drawn {
		f.column(j)
	}
	return nil
}

// column adds the variables of a column.
func (f *copulaFitting) column(j int) {
	c := f.wide.Column(j)
	unit, before := f.plan.Units.Level(f.plan.Attrs, j), f.plan.Units.Before(f.plan.Attrs, j) >= 0
	values := slices.Clone(c.Numbers())
	counts := func(i int) bool { return !(unit && !f.first[i] || before && f.first[i]) }
	known, gaps := 0, 0
	for i := range values {
		switch {
		case !counts(i):
			values[i] = math.NaN()
		case c.MissingAt(i):
			values[i] = math.NaN()
			gaps++
		default:
			known++
		}
	}
	if known == 0 {
		return
	}
	if gaps > 0 && !before {
		code := make([]int32, len(values))
		for i := range code {
			if code[i] = -1; counts(i) && values[i] == values[i] {
				code[i] = 0
			} else if counts(i) {
				code[i] = 1
			}
		}
		f.add(Variable{Column: j, Gap: true, Cells: []Cell{{Records: known}, {Records: gaps}}}, code)
	}
	v := Variable{Column: j}
	numeric := c.Kind == table.Numeric
	if numeric {
		d := wrap.On(c.Domain, c.Step)
		for i, x := range values {
			if x == x {
				values[i] = d.Clip(x)
			}
		}
		v.Cells = runs(values, f.of, f.Common, known)
	} else {
		var rare donors.Rare
		v.Cells, rare = categories(j, len(c.Labels), values, f.of, f.Common)
		if rare.Values > 0 && j < len(f.plan.Attrs) {
			f.plan.Rare = append(f.plan.Rare, rare)
		}
	}
	f.add(v, v.code(values, numeric))
}

// code returns by row the cell of a value; -1 for none.
func (v *Variable) code(values []float64, numeric bool) []int32 {
	out, at := make([]int32, len(values)), map[float64]int32{}
	for i, x := range values {
		if out[i] = -1; x != x {
			continue
		}
		k, ok := at[x]
		if !ok {
			k = int32(v.find(x, numeric))
			at[x] = k
		}
		out[i] = k
	}
	return out
}

func (f *copulaFitting) add(v Variable, code []int32) {
	v.ready()
	f.plan.Variables, f.coded = append(f.plan.Variables, v), append(f.coded, code)
}

// mostCells is how many runs a column of rare numbers is divided into, about.
const mostCells = 2000

// runs divides numbers into cells: a value that enough people have is one, and so is a run of others between these that
// so many share. What is left is too few for a run and counts for the nearest cell. The ends of a run lie between its
// numbers and the next ones, and at the ends of all in the middle of the run, so that no end is anybody's number.
func runs(values []float64, of []int32, common, known int) []Cell {
	d := &dividing{common: common, enough: max(common, known/mostCells), who: map[int32]bool{}}
	var rows []int
	for i, x := range values {
		if x == x {
			rows = append(rows, i)
		}
	}
	slices.SortFunc(rows, func(a, b int) int { return cmp.Or(cmp.Compare(values[a], values[b]), cmp.Compare(a, b)) })
	for _, i := range rows {
		d.values = append(d.values, values[i])
	}
	for from, to := 0, 0; from < len(rows); from = to {
		own := map[int32]bool{}
		for to = from; to < len(rows) && d.values[to] == d.values[from]; to++ {
			person := int32(rows[to])
			if of != nil {
				person = of[rows[to]]
			}
			if len(own) < common {
				own[person] = true
			}
		}
		if len(own) >= common {
			d.close(from)
			d.add(Cell{Records: to - from, Lo: d.values[from], Hi: d.values[from]})
			d.open = to
			continue
		}
		for person := range own {
			d.who[person] = true
		}
		if len(d.who) >= d.enough {
			d.close(to)
		}
	}
	d.close(len(rows))
	return d.cells
}

// dividing is a division of numbers into cells in the making.
type dividing struct {
	values         []float64 // ascending
	common, enough int       // people in a run: at least, and when it ends
	open           int       // where the run in the making begins
	who            map[int32]bool
	cells          []Cell
	before         int // records below the first cell, too few for one
}

// add adds a cell, the first with what was too few before it.
func (d *dividing) add(c Cell) {
	c.Records += d.before
	d.before, d.cells = 0, append(d.cells, c)
}

// close ends a run before the next value.
func (d *dividing) close(next int) {
	from := d.open
	d.open = next
	if from == next {
		return
	}
	c := Cell{Records: next - from, Lo: d.values[from], Hi: d.values[next-1]}
	few := len(d.who) < d.common
	clear(d.who)
	switch {
	case few && len(d.cells) > 0: // they count for the cell before
		d.cells[len(d.cells)-1].Records += c.Records
		return
	case few && next < len(d.values): // or for the one behind
		d.before = c.Records
		return
	}
	middle := c.Lo + (c.Hi-c.Lo)/2
	if from > 0 {
		c.Lo -= (c.Lo - d.values[from-1]) / 2
	} else {
		c.Lo = middle
	}
	if next < len(d.values) {
		c.Hi += (d.values[next] - c.Hi) / 2
	} else {
		c.Hi = middle
	}
	c.Hi = max(c.Hi, c.Lo)
	d.add(c)
}

// categories are the cells of those that enough people have, or of all where none is.
func categories(j, labels int, values []float64, of []int32, common int) (out []Cell, rare donors.Rare) {
	count, who := make([]int, labels), make([]map[int32]bool, labels)
	for i, v := range values {
		if v != v {
			continue
		}
		k := int(v)
		if who[k] == nil {
			who[k] = map[int32]bool{}
		}
		count[k]++
		if of != nil {
			i = int(of[i])
		}
		if len(who[k]) < common {
			who[k][int32(i)] = true
		}
	}
	rare.Column = j
	rare.All = !slices.ContainsFunc(who, func(w map[int32]bool) bool { return len(w) >= common })
	for k, n := range count {
		if n == 0 {
			continue
		}
		if few := len(who[k]) < common; few {
			rare.Values, rare.Records = rare.Values+1, rare.Records+n
		} else if rare.All {
			continue
		}
		if rare.All || len(who[k]) >= common {
			out = append(out, Cell{Records: n, Code: int32(k)})
		}
	}
	return out, rare
}

// correlate puts categories in order, and finds the correlations.
func (f *copulaFitting) correlate(ctx context.Context) error {
	p := f.plan
	n := len(p.Variables)
	if n > correlation.Limit {
		return fmt.Errorf("the table has %d columns and gaps to correlate, at most %d can be", n, correlation.Limit)
	}
	f.order()
	cols := make([][]float64, n)
	curves := make([]series, n)
	for k := range p.Variables {
		v := &p.Variables[k]
		scores := v.scores()
		curves[k] = v.series()
		cols[k] = make([]float64, f.wide.Rows())
		for i, c := range f.coded[k] {
			if cols[k][i] = math.NaN(); c >= 0 {
				cols[k][i] = scores[c]
			}
		}
	}
	s, err := correlation.Of(ctx, cols)
	if err != nil {
		return err
	}
	c := mat.NewSymDense(n, nil)
	for k := range n {
		c.SetSym(k, k, 1)
		for l := range k {
			c.SetSym(k, l, behind(&curves[k], &curves[l], s.Corr[k][l]))
		}
	}
	f.bridge(c)
	if c, _, err = mvnorm.Repair(c); err != nil {
		return err
	}
	p.Corr = make([][]float64, n)
	for k := range n {
		for l := range k {
			p.Corr[k] = append(p.Corr[k], table.Snap(float64(slack*c.At(k, l)), 1e-9))
		}
	}
	return nil
}

// bridge correlates each value with whether it is missing, which no record shows: as the other variable that goes most
// with both makes them go together. With none they would go against each other wherever that one is known.
func (f *copulaFitting) bridge(c *mat.SymDense) {
	p := f.plan
	for k := 1; k < len(p.Variables); k++ {
		if gap := k - 1; p.Variables[gap].Gap && p.Variables[gap].Column == p.Variables[k].Column {
			most := 0.0
			for l := range p.Variables {
				if both := float64(c.At(k, l) * c.At(gap, l)); l != k && l != gap && math.Abs(both) > math.Abs(most) {
					most = both
				}
			}
			c.SetSym(k, gap, most)
		}
	}
}

// slack keeps the correlations away from those that determine a variable by others.
const slack = 0.999

// order puts the cells of categories without an order into one: that of the mean score of the variable which they tell
// most about, of numbers, orders and gaps; of other categories the largest stands against the rest.
func (f *copulaFitting) order() {
	p := f.plan
	n := len(p.Variables)
	scores := make([][]float64, n)
	for k := range p.Variables {
		v := &p.Variables[k]
		if f.nominal(k) { // its largest category against the rest
			most := 0
			for c := range v.Cells {
				if v.Cells[c].Records > v.Cells[most].Records {
					most = c
				}
			}
			scores[k] = make([]float64, len(v.Cells))
			scores[k][most] = 1
			continue
		}
		scores[k] = v.scores()
	}
	type ordering struct {
		told  float64
		means []float64
	}
	best := make([]ordering, n)
	for k := range p.Variables {
		if !f.nominal(k) || len(p.Variables[k].Cells) < 3 {
			continue
		}
		for l := range p.Variables {
			if l == k || p.Variables[l].Column == p.Variables[k].Column {
				continue
			}
			if told, means := f.told(k, l, scores[l]); told > best[k].told {
				best[k] = ordering{told, means}
			}
		}
	}
	for k := range p.Variables {
		if best[k].means == nil {
			continue
		}
		v := &p.Variables[k]
		at := make([]int, len(v.Cells))
		for c := range at {
			at[c] = c
		}
		slices.SortStableFunc(at, func(a, b int) int { return cmp.Compare(best[k].means[a], best[k].means[b]) })
		cells, to := make([]Cell, len(at)), make([]int32, len(at))
		for c, was := range at {
			cells[c], to[was] = v.Cells[was], int32(c)
		}
		v.Cells = cells
		v.ready()
		for i, c := range f.coded[k] {
			if c >= 0 {
				f.coded[k][i] = to[c]
			}
		}
	}
}

// nominal reports whether a variable is of categories without an order.
func (f *copulaFitting) nominal(k int) bool {
	v := &f.plan.Variables[k]
	a := f.wide.Attr(v.Column)
	return !v.Gap && a.Kind == table.Categorical && !a.Ordered
}

// told returns the share of the variance of a variable's scores between the cells of another, and their means. Sums are
// of whole numbers, in steps of 2^-20, so that the order of the records does not matter.
func (f *copulaFitting) told(k, l int, scores []float64) (told float64, means []float64) {
	const unit = 1 << 20
	whole := make([]int64, len(scores))
	for c, s := range scores {
		whole[c] = int64(math.RoundToEven(s * unit))
	}
	sum, count := make([]int64, len(f.plan.Variables[k].Cells)), make([]int64, len(f.plan.Variables[k].Cells))
	var all, n int64
	squares := 0.0
	tally := make([]int64, len(scores))
	for i, c := range f.coded[k] {
		if d := f.coded[l][i]; c >= 0 && d >= 0 {
			sum[c] += whole[d]
			count[c]++
			all += whole[d]
			n++
			tally[d]++
		}
	}
	if n == 0 {
		return 0, nil
	}
	mean := float64(all) / float64(n)
	for d, m := range tally {
		x := float64(whole[d]) - mean
		squares += float64(float64(x*x) * float64(m))
	}
	means = make([]float64, len(sum))
	between := 0.0
	for c := range sum {
		if means[c] = mean; count[c] > 0 {
			means[c] = float64(sum[c]) / float64(count[c])
		}
		x := means[c] - mean
		between += float64(float64(x*x) * float64(count[c]))
	}
	if squares == 0 {
		return 0, nil
	}
	return between / squares, means
}
