// Package fence keeps drawn numbers where they belong.
//
// A drawn value may lie outside its attribute's domain. The parameter "outside" says what becomes of it: it is allowed,
// clipped to the nearest end, or the record is drawn again. A declared domain always holds; an observed one is widened
// when values may leave it, and the released attribute says so. What is allowed keeps its sign where the column has
// one: a rent does not become negative, unless it may go anywhere. A Fence is the one place that does this, for every
// technique that draws numbers from a law. The functions beside it say how many values are expected to leave a domain,
// or to be forced into it, for the notes of a plan and the corrections of its users.
package fence

import (
	"fmt"
	"math"
	"slices"

	"github.com/dither-data/dither/internal/portable"
	"github.com/dither-data/dither/internal/system/mmap"
	"github.com/dither-data/dither/internal/system/parallel"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/wrap"
)

// What becomes of a drawn value outside the interval it belongs in.
const (
	// it is released, unless the domain is declared: then it becomes the nearest end; and 0 for one that would have a sign
	// that no value of the column has
	OutsideAllow    = "allow"
	OutsideClip     = "clip"     // it becomes the nearest end
	OutsideRedraw   = "redraw"   // the record is drawn again, up to redraws times, and clipped then
	OutsideAnywhere = "anywhere" // it is released whatever its sign, unless the domain is declared
)

const redraws = 32

// Margin is by how many widths an observed domain that values may leave is widened on either side; farther values are
// clipped.
const Margin = 16

// OutsideParam declares the parameter "outside".
func OutsideParam(p *string, def string) param.Param {
	return param.Choice(p, "outside", def, []string{OutsideAllow, OutsideClip, OutsideRedraw, OutsideAnywhere},
		"a value outside its domain: allow it, if the domain is not declared (numbers that are never negative stay so); "+
			"clip it to the nearest end; redraw the record; or let it go anywhere, with any sign")
}

// Check refuses what OutsideParam does not offer.
func Check(outside string) error {
	switch outside {
	case OutsideAllow, OutsideClip, OutsideRedraw, OutsideAnywhere:
		return nil
	}
	return fmt.Errorf("outside is %q; expected allow, clip, redraw or anywhere", outside)
}

// Leaves reports whether values may lie outside the observed domain of an attribute.
func Leaves(a *table.Attribute, outside string) bool {
	return (outside == OutsideAllow || outside == OutsideAnywhere) && !a.Declared && a.Kind == table.Numeric
}

// Signs reports whether the released values of an attribute are never negative, or never positive, for those that are
// there are not. Days have no sign.
func Signs(a *table.Attribute, outside string) (up, down bool) {
	if outside != OutsideAllow || !Leaves(a, outside) || a.Dates != "" {
		return false, false
	}
	return a.Domain.Lo >= 0, a.Domain.Lo < 0 && a.Domain.Hi <= 0
}

// Widened returns an attribute as it is released: an observed domain that values may leave is widened, as far as their
// sign goes; a declared one never is.
func Widened(a table.Attribute, outside string) table.Attribute {
	wide := widened(a, outside)
	wide.Domain = Signed(wide.Domain, &a, outside)
	return wide
}

// Signed is an interval without the values that would have a sign that the attribute lacks.
func Signed(iv table.Interval, a *table.Attribute, outside string) table.Interval {
	if up, down := Signs(a, outside); up {
		iv.Lo = max(iv.Lo, 0)
	} else if down {
		iv.Hi = min(iv.Hi, 0)
	}
	return iv
}

// widened is Widened whatever the sign.
func widened(a table.Attribute, outside string) table.Attribute {
	if !Leaves(&a, outside) {
		return a
	}
	w := Margin * max(a.Domain.Hi-a.Domain.Lo, a.Step)
	wide := table.Interval{Lo: a.Domain.Lo - w, Hi: a.Domain.Hi + w}
	if wrap.Fits(wide, a.Step) {
		a.Domain = wide
	}
	return a
}

// beyond is the share of values outside an observed domain from which it is noted.
const beyond = 0.001

// Beyond returns the expected share of the released values of an attribute, normal with the mean and the standard
// deviation given, that lie outside its observed domain; 0 where values are kept inside, and for a declared domain.
func Beyond(a *table.Attribute, outside string, mean, sd float64) float64 {
	if !Leaves(a, outside) {
		return 0
	}
	return crossing(a, a.Domain, mean, sd) - Forced(a, outside, mean, sd)
}

// Forced returns the expected share of the values drawn for an attribute, normal with the mean and the standard
// deviation given, that are forced into its domain or would lose its sign; 0 where they are released as they are.
func Forced(a *table.Attribute, outside string, mean, sd float64) float64 {
	if !Leaves(a, outside) {
		return crossing(a, a.Domain, mean, sd)
	}
	return crossing(a, Signed(table.Everything(), a, outside), mean, sd)
}

// crossing returns the share of normal values outside an interval.
func crossing(a *table.Attribute, within table.Interval, mean, sd float64) float64 {
	if !(sd > 0) {
		return 0
	}
	// rounded values reach half a step farther
	tail := func(d float64) float64 { return portable.Erfc((d+a.Step/2)/sd/math.Sqrt2) / 2 }
	return tail(mean-within.Lo) + tail(within.Hi-mean)
}

// BeyondNotes says of which of some columns values will lie outside the observed domain, given the shares (Beyond).
func BeyondNotes(names []string, shares []float64) []message.Sentence {
	list := above(beyond, names, shares)
	if list == nil {
		return nil
	}
	return []message.Sentence{message.Say("plan.domain.beyond").Part("columns", message.Listed(list))}
}

// much is the share of values forced into a domain from which it is noted.
const much = 0.01

// ForcedNotes says of which of some columns values will be forced into their domain, given the shares (Forced).
func ForcedNotes(names []string, shares []float64) []message.Sentence {
	list := above(much, names, shares)
	if list == nil {
		return nil
	}
	return []message.Sentence{message.Say("plan.domain.forced").Part("columns", message.Listed(list))}
}

// ForcedCorrection completes a correction that says that moments need none: it leaves out the columns of which values
// were forced into their domain.
func ForcedCorrection(names []string, shares []float64) message.Sentence {
	var list []string
	for k, share := range shares {
		if share > much {
			list = append(list, names[k])
		}
	}
	if list == nil {
		return message.Sentence{}
	}
	return message.Say("correct.noise.forced").Quoted("columns", list)
}

// Fence keeps drawn values legal: on the grid of their attribute and inside the domain of their cell.
type Fence struct {
	Outside string
	// Domain returns the domain of row i in the k-th column drawn. The zero Domain allows everything.
	Domain func(k, i int) *wrap.Domain
	// Whole holds the domains of the columns drawn where they are the same in all rows; it is used where Domain is nil.
	Whole []wrap.Domain
	// Together are the columns by whose values the draws are keyed where people recur (table.Table.Draws); none: by the
	// records.
	Together []int
}

// Domains prepares the domains inside which the columns of a schema are released, for Fence.Whole.
func Domains(schema []table.Attribute, columns []int, outside string) []wrap.Domain {
	out := make([]wrap.Domain, len(columns))
	for k, j := range columns {
		a := &schema[j]
		out[k] = Keep(wrap.On(widened(*a, outside).Domain, a.Step), a, outside)
	}
	return out
}

// Keep is Signed of a domain on a grid, which stays, so that all other values are released as they would be without.
func Keep(d wrap.Domain, a *table.Attribute, outside string) wrap.Domain {
	up, down := Signs(a, outside)
	switch {
	case d.Size() == 0: // everything is allowed
	case up:
		return d.FromZero()
	case down:
		return d.ToZero()
	}
	return d
}

// Draw fills columns by a law and keeps them legal. Column k draws from src.Fork(names[k]); law writes to y the values
// of the given rows of the table (all when nil), one slice per name, from as many columns of independent standard
// normals z; a row's values depend on nothing but the table and its z. Missing values (NaN) stay. With OutsideRedraw a
// row of which a value lies outside its domain is drawn again. Columns are drawn on all cores, in the space of the
// table. Cost: that of the law and about 15 ns a value.
func (f *Fence) Draw(
	t *table.Table,
	src rng.Source,
	names []string,
	law func(rows []int, y, z [][]float64) error,
) ([][]float64, error) {
	in := t.Space()
	y, z := mmap.Columns(in, len(names), t.Rows()), mmap.Columns(in, len(names), t.Rows())
	defer mmap.Release(in, z...)
	streams := make([]rng.Source, len(names))
	ids, first := t.NoiseKeys(f.Together...)
	parallel.Do(len(names), func(k int) {
		streams[k] = src.Fork(names[k])
		rng.Normals(streams[k].Stream(), z[k], ids, first)
	})
	if err := law(nil, y, z); err != nil {
		return nil, err
	}
	if f.Outside == OutsideRedraw {
		if err := f.redraw(t, ids, first, streams, y, law); err != nil {
			return nil, err
		}
	}
	f.clip(y)
	return y, nil
}

// clip moves the values onto their grids and into their domains. Adding 0 turns the negative zero that a rounded value
// may be, and that would tell its sign, into 0.
func (f *Fence) clip(y [][]float64) {
	parallel.Do(len(y), func(k int) {
		col := y[k]
		if f.Domain != nil {
			for i, v := range col {
				col[i] = f.Domain(k, i).Clip(v) + 0
			}
		} else if d := f.Whole[k]; d.Size() > 0 {
			for i, v := range col {
				col[i] = d.Clip(v) + 0
			}
		}
	})
}

// redraw draws the rows again that lie outside, from fresh streams.
func (f *Fence) redraw(
	t *table.Table,
	all []table.RecordID,
	first table.RecordID,
	streams []rng.Source,
	y [][]float64,
	law func(rows []int, y, z [][]float64) error,
) error {
	in, n := t.Space(), 0
	for i := range t.Rows() {
		if !f.inside(y, i) {
			n++
		}
	}
	rows := mmap.Make[int](in, n)[:0]
	defer mmap.Free(in, rows)
	for i := range t.Rows() {
		if !f.inside(y, i) {
			rows = append(rows, i)
		}
	}
	for range redraws {
		if len(rows) == 0 {
			return nil
		}
		if err := f.again(in, rows, all, first, streams, y, law); err != nil {
			return err
		}
		rows = slices.DeleteFunc(rows, func(i int) bool { return f.inside(y, i) })
	}
	return nil
}

// again draws rows again.
func (f *Fence) again(
	in *mmap.Space,
	rows []int,
	all []table.RecordID,
	first table.RecordID,
	streams []rng.Source,
	y [][]float64,
	law func(rows []int, y, z [][]float64) error,
) error {
	ids := mmap.Make[table.RecordID](in, len(rows))
	defer mmap.Free(in, ids)
	for r, i := range rows {
		if ids[r] = first + table.RecordID(i); all != nil {
			ids[r] = all[i]
		}
	}
	again, z := mmap.Columns(in, len(y), len(rows)), mmap.Columns(in, len(y), len(rows))
	defer mmap.Release(in, slices.Concat(again, z)...)
	for k := range z {
		streams[k] = streams[k].Fork("again")
		rng.Normals(streams[k].Stream(), z[k], ids, 0)
	}
	if err := law(rows, again, z); err != nil {
		return err
	}
	for r, i := range rows {
		for k := range y {
			y[k][i] = again[k][r]
		}
	}
	return nil
}

// inside reports whether row i of y lies inside its domains.
func (f *Fence) inside(y [][]float64, i int) bool {
	for k := range y {
		if d := f.at(k, i); d.Size() > 0 && y[k][i] == y[k][i] && !d.Contains(y[k][i]) {
			return false
		}
	}
	return true
}

func (f *Fence) at(k, i int) *wrap.Domain {
	if f.Domain != nil {
		return f.Domain(k, i)
	}
	return &f.Whole[k]
}

func Columns(k, n int) [][]float64 {
	flat := make([]float64, k*n)
	out := make([][]float64, k)
	for i := range out {
		out[i] = flat[i*n : (i+1)*n : (i+1)*n]
	}
	return out
}

// above names the columns with shares above a limit.
func above(limit float64, names []string, shares []float64) (list []message.Sentence) {
	for k, share := range shares {
		if share > limit {
			list = append(list, message.Column(names[k], message.Say("list.percent").Digits("n", float64(100*share), 2)))
		}
	}
	return list
}
