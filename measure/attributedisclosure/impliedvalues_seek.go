package attributedisclosure

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"github.com/dither-data/dither/internal/portable/exact"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/relation"
	"github.com/dither-data/dither/table"
)

// seeker looks for values that are given away.
type seeker struct {
	*ImpliedValuesMeter
	r       *measure.Release
	exact   *table.Table // the original as it was
	given   []Given
	tallies []tally
	targets map[string]*target
}

func newSeeker(m *ImpliedValuesMeter, r *measure.Release) *seeker {
	return &seeker{ImpliedValuesMeter: m, r: r, exact: cmp.Or(r.Exact, r.Original), targets: map[string]*target{}}
}

// target is a column of which values may be given away.
type target struct {
	was   table.Column // the exact original
	is    table.Column // the release, in the same codes where both are categories
	fate  []fate       // by record
	noise float64      // of a number: the root mean square of its changes
}

// fate is what became of a value.
type fate uint8

const (
	kept    fate = iota
	changed      // the release shows another value
	hidden       // the release lacks it, or shows a group
	absent       // the original lacks it
)

// target returns the column of a name; nil where it does not count.
func (s *seeker) target(name string) *target {
	if t, known := s.targets[name]; known {
		return t
	}
	j, k := s.exact.Find(name), s.r.Released.Find(name)
	var t *target
	if j >= 0 && k >= 0 && s.exact.Attr(j).Role&(table.Identifier|table.Weight) == 0 {
		t = compared(s.exact.Column(j), s.r.Released.Column(k))
	}
	s.targets[name] = t
	return t
}

// compared says what became of the values of a column.
func compared(was, is table.Column) *target {
	t := &target{was: was, is: shownAs(&was, &is), fate: make([]fate, max(len(was.Num), len(was.Cat)))}
	n := 0
	var squares exact.Sum
	for i := range t.fate {
		switch {
		case t.was.MissingAt(i):
			t.fate[i] = absent
		case t.is.MissingAt(i):
			t.fate[i] = hidden
		case t.was.Kind == table.Numeric && t.was.Num[i] != t.is.Num[i]:
			t.fate[i] = changed
			n++
			squares.Add(float64((t.was.Num[i] - t.is.Num[i]) * (t.was.Num[i] - t.is.Num[i])))
		case t.was.Kind != table.Numeric && t.was.Cat[i] != t.is.Cat[i]:
			t.fate[i] = changed
		}
	}
	if n > 0 {
		t.noise = math.Sqrt(squares.Mean(n))
	}
	return t
}

// shownAs returns a released column with the attribute of the original: what it shows that the original does not know,
// as a group of values, is missing.
func shownAs(was, is *table.Column) table.Column {
	if was.Kind == table.Numeric && is.Kind == table.Numeric {
		return *is
	}
	out := table.Column{Attribute: was.Attribute}
	if was.Kind == table.Categorical {
		codes := make([]int32, len(is.Labels))
		for c, l := range is.Labels {
			codes[c] = was.Code(l)
		}
		for _, c := range is.Cat {
			if c >= 0 {
				c = codes[c]
			}
			out.Cat = append(out.Cat, c)
		}
		return out
	}
	values := make([]float64, len(is.Labels))
	for c, l := range is.Labels {
		v, err := strconv.ParseFloat(l, 64)
		if err != nil {
			v = math.NaN()
		}
		values[c] = v
	}
	for _, c := range is.Cat {
		v := math.NaN()
		if c >= 0 {
			v = values[c]
		}
		out.Num = append(out.Num, v)
	}
	return out
}

// seek marks the records of which a derivation gives a value away. It reports whether it says what a column is that
// counts.
func (s *seeker) seek(d *relation.Derivation) bool {
	t := s.target(d.Target)
	if t == nil {
		return false
	}
	if !slices.ContainsFunc(t.fate, func(f fate) bool { return f == changed || f == hidden }) {
		return true // nothing was done to the column
	}
	says := d.Values(t.was.Attribute, s.r.Released)
	g := Given{Relation: d.Relation.String(), Column: d.Target}
	var hides, shows []int
	for i, f := range t.fate {
		if f == hidden {
			g.Hidden++
		}
		switch {
		case f == absent || says.MissingAt(i):
		case f == hidden:
			hides = append(hides, i)
		case !t.agrees(&says, i, &t.is, i, 0):
			shows = append(shows, i)
		}
	}
	for _, kind := range []struct {
		rows  []int
		near  float64
		count *int
	}{{hides, 0, &g.GivenHidden}, {shows, float64(s.Near * t.noise), &g.GivenChanged}} {
		if !s.sure(t, &says, kind.rows, kind.near) {
			continue
		}
		for _, i := range kind.rows {
			if t.fate[i] != kept && t.agrees(&says, i, &t.was, i, kind.near) {
				*kind.count++
				s.tally(measure.OfColumn, d.Target)[i] = true
				s.tally("relation", g.Relation)[i] = true
			}
		}
	}
	s.given = append(s.given, g)
	return true
}

// agrees reports whether a value of one column is that of another, both with the attribute of the original, or a
// number that is as near as that.
func (t *target) agrees(a *table.Column, i int, b *table.Column, k int, near float64) bool {
	if t.was.Kind != table.Numeric {
		return a.Cat[i] == b.Cat[k]
	}
	x, y := a.Num[i], b.Num[k]
	return math.Abs(x-y) <= max(near, t.was.Step/2, math.Abs(y)*1e-9)
}

// shifts are how far off the records are that chance is taken from.
const shifts = 7

// sure reports whether what is said of values is right of nearly all of them, beyond how often it is right of the
// values that other records have.
func (s *seeker) sure(t *target, says *table.Column, rows []int, near float64) bool {
	right, chance, tried := 0, 0, 0
	n := len(t.fate)
	for _, i := range rows {
		if t.agrees(says, i, &t.was, i, near) {
			right++
		}
		for shift := 1; shift <= min(shifts, n-1); shift++ {
			other := (i + max(1, shift*n/(shifts+1))) % n
			if t.fate[other] == absent {
				continue
			}
			if tried++; t.agrees(says, i, &t.was, other, near) {
				chance++
			}
		}
	}
	share, by := float64(right)/float64(max(len(rows), 1)), float64(chance)/float64(max(tried, 1))
	return right > 0 && by < 1 && (share-by)/(1-by) >= s.Sure
}
