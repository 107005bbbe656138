package geometric_test

import (
	"math"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/protect/geometric"
	"github.com/dither-data/dither/protect/internal/fence"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// undeclared returns the mixed table without declared domains.
func undeclared(rows int) *table.Table {
	tab := protecttest.Mixed(rows)
	for j := range tab.Width() {
		a := *tab.Attr(j)
		a.Declared = false
		tab = tab.WithAttr(j, a)
	}
	return tab
}

// Oliveira & Zaiane 2003: one number is added to all values of an attribute. On a grid it is a whole number of steps,
// so every difference of two records stays what it is, and with it every distance; a continuous attribute moves by the
// number to half a step of its implied grid, 2^-34 of its width. The shift is between 5 and 50 % of the range, which
// rounding to the grid may exceed by half a step.
func TestOneShiftForAll(t *testing.T) {
	tab := undeclared(200)
	out := apply(t, plan(t, geometric.Translation, tab, 1), tab)
	shifted := 0
	for j := range tab.Width() {
		a, x, y := tab.Attr(j), tab.Num(j), out.Num(j)
		if a.Kind != table.Numeric || a.Role&table.Weight != 0 {
			continue
		}
		width, first := a.Domain.Hi-a.Domain.Lo, math.NaN()
		for i := range x {
			if x[i] != x[i] {
				continue
			}
			by := y[i] - x[i]
			if a.Step > 0 {
				by = math.Round(by / a.Step)
			}
			if first != first {
				first = by
			}
			if math.Abs(by-first) > 0x1p-33*width {
				t.Fatalf("column %q: one record moves by %v, another by %v", a.Name, first, by)
			}
		}
		share := math.Abs(first) / width
		if a.Step > 0 {
			share *= a.Step
		}
		if slack := a.Step/width/2 + 1e-9; share < 0.05-slack || share > 0.5+slack {
			t.Errorf("column %q moves by %v of its range", a.Name, share)
		}
		shifted++
	}
	if shifted != 6 {
		t.Errorf("%d columns are shifted", shifted)
	}
}

// The privacy measure of the authors, Var(X - Y) / Var(X), is 0; and one known record gives the map.
func TestSecurityIsZero(t *testing.T) {
	tab := undeclared(200)
	p, err := fit(geometric.Translation, tab, protecttest.Seed(1), func(q *geometric.Technique) { q.ShiftLeast = 0.3 })
	must.NoError(t, err)
	out := apply(t, p, tab)
	for k, j := range p.Columns {
		if p.Security[k] != 0 {
			t.Errorf("column %d has security %v", j, p.Security[k])
		}
		known := 0
		for tab.MissingAt(known, j) {
			known++
		}
		shift := out.Num(j)[known] - tab.Num(j)[known]
		for i, y := range out.Num(j) {
			if x := tab.Num(j)[i]; math.Abs(y-shift-x) > 1e-8 {
				t.Fatalf("column %d: the intruder finds %v, the value is %v", j, y-shift, x)
			}
		}
	}
}

// An attribute of two values has one step to move by, whatever its range asks for.
func TestAtLeastOneStep(t *testing.T) {
	tab := tabletest.Of(t, table.NumColumn("sex", 1, []float64{0, 1, 1, 0}))
	if by := plan(t, geometric.Translation, tab, 1).Steps[0].By; math.Abs(by) != 1 {
		t.Errorf("it moves by %v", by)
	}
}

// Oliveira & Zaiane 2003: one number multiplies all values of an attribute, scaled to the unit interval. So the
// smallest stays, distances from it are multiplied, to half a step of the finer grid, and Var(X - Y) / Var(X) is (1 -
// factor)². Normalised anew, attributes are as they were, to a step at either end and one at the value, over the
// released width.
func TestOneFactorForAll(t *testing.T) {
	tab := protecttest.Mixed(300)
	for j := range tab.Width() {
		a := *tab.Attr(j)
		if a.Declared = false; a.Kind == table.Numeric {
			a.Domain.Lo, a.Domain.Hi = table.Range(tab.Num(j))
		}
		tab = tab.WithAttr(j, a)
	}
	p := plan(t, geometric.Scaling, tab, 1)
	out := apply(t, p, tab)
	if len(p.Steps) != 6 {
		t.Errorf("there are %d steps", len(p.Steps))
	}
	for k, s := range p.Steps {
		j := s.Columns[0]
		a, x, y := tab.Attr(j), tab.Num(j), out.Num(j)
		if s.By < 0.5 || s.By > 1.5 {
			t.Errorf("column %q is multiplied by %v", a.Name, s.By)
		}
		if want := (1 - s.By) * (1 - s.By); math.Abs(p.Security[k]-want) > 1e-9 {
			t.Errorf("column %q has security %v, expected %v", a.Name, p.Security[k], want)
		}
		half := max(out.Attr(j).Step/2, 1e-9) * (1 + 1e-6)
		lo, hi := table.Range(x)
		newLo, newHi := table.Range(y)
		for i := range x {
			if x[i] != x[i] {
				continue
			}
			if want := lo + s.By*(x[i]-lo); math.Abs(y[i]-want) > half {
				t.Fatalf("column %q: %v becomes %v, expected %v", a.Name, x[i], y[i], want)
			}
			if was, is := (x[i]-lo)/(hi-lo), (y[i]-newLo)/(newHi-newLo); math.Abs(was-is) > 6*half/(newHi-newLo) {
				t.Fatalf("column %q: normalised anew %v becomes %v", a.Name, was, is)
			}
		}
	}
}

// distance of two records, every column by its width in the original.
func distance(t, original *table.Table, i, k int) float64 {
	s := 0.0
	for j := range t.Width() {
		d := original.Attr(j).Domain
		u := (t.Num(j)[i] - t.Num(j)[k]) / (d.Hi - d.Lo)
		s += u * u
	}
	return math.Sqrt(s)
}

// Oliveira & Zaiane 2003: rotations keep all distances. A released value is at most half a step from the exact image,
// so a difference of two is one step off at most and a distance sqrt(sum of (step/width)²); an odd column is rotated
// with two others.
func TestDistancesAreKept(t *testing.T) {
	for _, p := range []int{2, 3, 4, 5, 7} {
		for grid, finer := range map[string]float64{fence.GridKeep: 1, fence.GridFiner: 0.01} {
			tab := people(60, p, 1)
			rotated := must.Get(fit(geometric.Rotation, tab, protecttest.Seed(byte(p)),
				func(q *geometric.Technique) { q.Grid = grid }))(t)
			out := apply(t, rotated, tab)
			bound := 0.0
			for j := range p {
				d := tab.Attr(j).Domain
				bound += math.Pow(finer/(d.Hi-d.Lo), 2)
			}
			bound, most := math.Sqrt(bound)+1e-12, 0.0
			for i := range tab.Rows() {
				for k := range i {
					most = max(most, math.Abs(distance(out, tab, i, k)-distance(tab, tab, i, k)))
				}
			}
			if most > bound || most == 0 {
				t.Errorf("%d columns, grid %s: a distance changes by %v, the bound is %v", p, grid, most, bound)
			}
		}
	}
}

// Oliveira & Zaiane 2003: each attribute is shifted, scaled or rotated, each as likely, with the ranges of the three
// techniques. Of 6 attributes in 500 plans 1000 are expected of each kind; but a single one to be rotated, as one of 6
// is with probability 6 (1/3) (2/3)^5 = 0.263, goes to the others: 132 of 1000. 5 standard deviations of sqrt(3000 *
// 2/9) = 26, and those of the rotated, which come in groups, twice that; a right program fails less than once in a
// million.
func TestEveryKindIsAsLikely(t *testing.T) {
	tab := protecttest.Mixed(60)
	count := map[string]float64{}
	for seed := range 500 {
		p := must.Get(fit(geometric.Hybrid, tab, protecttest.Seed(1).Fork(string(rune(seed))), nil))(t)
		kind := map[int]string{}
		for _, s := range p.Steps {
			for _, j := range s.Columns {
				kind[j] = s.Kind
			}
			if s.Kind == geometric.Scale && (s.By < 0.5 || s.By > 1.5) {
				t.Errorf("a factor is %v", s.By)
			}
		}
		for k, j := range p.Columns {
			count[kind[j]]++
			if kind[j] == geometric.Rotate && p.Security[k] < 1-1e-6 {
				t.Errorf("a rotated column has security %v", p.Security[k])
			}
		}
	}
	for kind, want := range map[string]float64{geometric.Rotate: 1000 - 132, geometric.Shift: 1000 + 66,
		geometric.Scale: 1000 + 66} {
		if got := count[kind]; got < want-260 || got > want+260 {
			t.Errorf("%v of 3000 attributes get a %s, expected about %v", got, kind, want)
		}
	}
}

// TestOddColumnTurnsFreely: of three columns the one that is rotated twice need not be secure after the first turn. It
// varies ten times as much as the others, so alone it would be secure between 150 and 210 degrees only; the seeds are
// fixed.
func TestOddColumnTurnsFreely(t *testing.T) {
	wide, narrow, third := make([]float64, 400), make([]float64, 400), make([]float64, 400)
	for i := range wide {
		wide[i], narrow[i], third[i] = float64(i%2), 0.5, 0.5
	}
	narrow[0], narrow[1], third[2], third[3] = 0, 1, 0, 1
	tab := tabletest.Of(t, table.NumColumn("wide", 0.001, wide), table.NumColumn("narrow", 0.001, narrow),
		table.NumColumn("third", 0.001, third))
	first, free := 0, 0
	for seed := range 60 {
		src := protecttest.Seed(1).Fork(string(rune(seed)))
		p, err := fit(geometric.Rotation, tab, src, func(q *geometric.Technique) { q.Rho = 3.5 })
		if err != nil {
			continue
		}
		if turn := p.Steps[0]; turn.Columns[0] == 0 {
			first++
			if turn.By < 150 || turn.By > 210 {
				free++
			}
		}
	}
	if first < 10 || free < 5 {
		t.Errorf("of %d first turns of the wide column %d are free", first, free)
	}
}
