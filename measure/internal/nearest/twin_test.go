package nearest

import (
	"context"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/table"
)

// twin takes distances one by one, by their definition. Only the standard deviations are those of the space: their last
// bits decide ties.
type twin struct {
	original, released *table.Table
	space              *Space
}

// part returns what column a.known adds to the squared distance of what is known of original i and released record j.
func (w *twin) part(a *axis, i, j int) float64 {
	k := a.known
	if w.original.MissingAt(i, k.Column) || w.released.MissingAt(j, k.Column) {
		return 1
	}
	if x, y := w.original.Cat(k.Column), w.released.Cat(k.Column); x != nil {
		switch {
		case k.Groups != nil:
			return unequal(k.Groups[x[i]] != k.Groups[y[j]])
		case !w.original.Attr(k.Column).Ordered:
			return unequal(x[i] != y[j])
		}
		d := (float64(x[i])-a.centre)/a.scale - (float64(y[j])-a.centre)/a.scale
		return d * d
	}
	x, y := w.original.Num(k.Column)[i], w.released.Num(k.Column)[j]
	iv := k.Range(x)
	if k.Exact() {
		iv = table.Interval{Lo: x, Hi: x}
	}
	end := y // the nearest value that is left open
	switch {
	case iv.Contains(y):
	case y < iv.Lo:
		end = iv.Lo
	case iv.OpenHi:
		end = math.Nextafter(iv.Hi, math.Inf(-1))
	default:
		end = iv.Hi
	}
	d := (end-a.centre)/a.scale - (y-a.centre)/a.scale
	return d * d
}

func unequal(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// distance first adds what the record that is asked about lacks: the index does so, and another order may round
// otherwise.
func (w *twin) distance(i, j int, reverse bool) float64 {
	sum := 0.0
	for _, lacking := range []bool{true, false} {
		for k := range w.space.axes {
			a := &w.space.axes[k]
			lacks := w.original.MissingAt(i, a.known.Column)
			if reverse {
				lacks = w.released.MissingAt(j, a.known.Column)
			}
			if lacks == lacking {
				sum += w.part(a, i, j)
			}
		}
	}
	return sum
}

// links returns the chances of a person's own record among all, or of the person among all originals.
func (w *twin) links(i int, reverse bool) (first, second float64) {
	n := w.released.Rows()
	d := make([]float64, n)
	for j := range d {
		if d[j] = w.distance(i, j, false); reverse {
			d[j] = w.distance(j, i, true)
		}
	}
	nearer, ties := 0, 0
	for _, v := range d {
		if v < d[i] {
			nearer++
		} else if v == d[i] {
			ties++
		}
	}
	for place := range ties { // every place among the ties is equally likely
		if nearer+place == 0 {
			first += 1 / float64(ties)
		}
		if nearer+place < 2 {
			second += 1 / float64(ties)
		}
	}
	return first, second
}

// perturb draws a release: values are moved, exchanged and suppressed.
func perturb(r *rapid.T, t *table.Table) *table.Table {
	for j := range t.Width() {
		pick := func(i int) int {
			switch rapid.IntRange(0, 3).Draw(r, "what") {
			case 0:
				return rapid.IntRange(0, t.Rows()-1).Draw(r, "from")
			case 1:
				return -1
			}
			return i
		}
		num, cat := slices.Clone(t.Num(j)), slices.Clone(t.Cat(j))
		for i := range t.Rows() {
			from := pick(i)
			switch {
			case num != nil && from < 0:
				num[i] = math.NaN()
			case num != nil:
				num[i] = t.Num(j)[from]
			case from < 0:
				cat[i] = -1
			default:
				cat[i] = t.Cat(j)[from]
			}
		}
		if num != nil {
			t = t.WithNum(j, num)
		} else {
			t = t.WithCat(j, cat)
		}
	}
	return t
}

// knowledge draws what is known of every column.
func knowledge(r *rapid.T, t *table.Table, exact bool) (known []intruder.Known) {
	for j := range t.Width() {
		k := intruder.Known{Column: j}
		switch how := rapid.IntRange(0, 3).Draw(r, "how"); {
		case exact || how == 0:
		case how == 1 && t.Num(j) != nil:
			k.Within = float64(rapid.IntRange(1, 3).Draw(r, "within"))
		case how == 2 && t.Num(j) != nil:
			k.Bands = []float64{-3, 0, 4}
		case how == 3 && t.Cat(j) != nil:
			for range t.Attr(j).Labels {
				k.Groups = append(k.Groups, int32(rapid.IntRange(0, 1).Draw(r, "group")))
			}
		}
		known = append(known, k)
	}
	return known
}

// ordered makes some categories ordered.
func ordered(r *rapid.T, t *table.Table) *table.Table {
	for j := range t.Width() {
		if a := *t.Attr(j); a.Kind == table.Categorical {
			a.Ordered = rapid.Bool().Draw(r, "ordered")
			t = t.WithAttr(j, a)
		}
	}
	return t
}

// TestDistanceTwin compares links by distance with those of the twin, ties, duplicates and missing values included.
func TestDistanceTwin(t *testing.T) {
	long.Check(t, func(r *rapid.T) {
		original := ordered(r, protecttest.RandomTable(r))
		released := perturb(r, original)
		reverse := rapid.Bool().Draw(r, "reverse")
		known := knowledge(r, original, reverse)
		space := must.Get(NewSpace(context.Background(), original, known))(r)
		l, err := Distance{Pairs: math.MaxInt, Reverse: reverse}.Link(context.Background(), original, released, known, nil)
		must.NoError(r, err)
		w := &twin{original, released, space}
		for i := range original.Rows() {
			first, second := w.links(i, reverse)
			if math.Abs(l.First[i]-first) > 1e-12 || math.Abs(l.Second[i]-second) > 1e-12 {
				r.Fatalf("person %d: %v and %v, expected %v and %v", i, l.First[i], l.Second[i], first, second)
			}
		}
	})
}
