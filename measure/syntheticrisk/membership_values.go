package syntheticrisk

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/bits"
	"slices"

	"github.com/dither-data/dither/internal/portable"
	"github.com/dither-data/dither/internal/system/parallel"
	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/internal/channel"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// lookups is the attack by values: which exact values of a person stand anywhere in the release, column by column.
type lookups struct {
	release *measure.Release
	targets measure.Targets
	others  measure.Targets // of the hold-out, where there is one
	held    bool
}

// found is what is found of people in a column: by person the rarity of the value in the release, the logarithm of how
// many records there are for one that has it; 0 where none has it.
type found struct {
	column          int
	members, others []float64
}

// detect tells members by all columns that are known, and by some: it chooses on one half of the people the columns
// that tell members best, and whether a value counts by its rarity, and tells the other half by them. By all columns
// there is nothing to choose, so everybody is told. Of these attacks it returns the one that tells the most; ok is
// false where none tells more than so many, or by all columns no more members than others.
func (l *lookups) detect(
	ctx context.Context,
	known []intruder.Known,
	more float64,
	src rng.Source,
) (d channel.Detection, columns []int, ok bool, err error) {
	var exact []int
	for _, k := range known {
		if k.Exact() {
			exact = append(exact, k.Column)
		}
	}
	all := make([]found, len(exact))
	err = parallel.Each(ctx, len(exact), func(k int) (err error) {
		key := fmt.Sprintf("membership: values of column %d, of %d and %d", exact[k], l.targets.Tried, l.others.Tried)
		all[k], err = measure.PerReading(l.release, key, func(*measure.Release) (found, error) {
			return l.column(exact[k]), nil
		})
		return err
	})
	if err != nil || len(exact) == 0 {
		return d, nil, false, err
	}
	choosing := channel.Halves(src.Fork("members"), l.targets.Tried)
	others := choosing // the same people
	if l.held {
		others = channel.Halves(src.Fork("others"), l.others.Tried)
	}
	d, order, ok := tell(all, choosing, others, more)
	for _, rarity := range []bool{false, true} {
		if a := told(all, every(all), rarity); a.AtOne > max(d.AtOne, more, a.FalseAt) {
			d, order, ok = a, every(all), true
		}
	}
	for _, k := range order {
		columns = append(columns, all[k].column)
	}
	slices.Sort(columns)
	return d, columns, ok, nil
}

// tell chooses the columns on the people who are marked, and tells the others by them; ok is false where nothing told
// more than so many of those who are marked.
func tell(all []found, choosing, others []bool, more float64) (d channel.Detection, columns []int, ok bool) {
	first, second := make([]found, len(all)), make([]found, len(all))
	for k, f := range all {
		first[k] = found{f.column, half(f.members, choosing, true), half(f.others, others, true)}
		second[k] = found{f.column, half(f.members, choosing, false), half(f.others, others, false)}
	}
	order := byGain(first)
	best, area, n, rarity := more, 0.0, 0, false
	for _, m := range prefixes(len(order)) {
		for _, by := range []bool{false, true} {
			a := told(first, order[:m], by)
			if a.AtOne > best || n > 0 && a.AtOne == best && a.AUC > area {
				best, area, n, rarity = a.AtOne, a.AUC, m, by
			}
		}
	}
	if n == 0 {
		return d, nil, false
	}
	return told(second, order[:n], rarity), order[:n], true
}

// every returns the places of all columns.
func every(all []found) (places []int) {
	for k := range all {
		places = append(places, k)
	}
	return places
}

// half returns the figures of one half of the people.
func half(figures []float64, choosing []bool, which bool) (out []float64) {
	for i, v := range figures {
		if choosing[i] == which {
			out = append(out, v)
		}
	}
	return out
}

// byGain returns the columns in which more is found of members than of others, the one with the largest difference
// first.
func byGain(all []found) (order []int) {
	gain := make([]float64, len(all))
	for k, f := range all {
		gain[k] = share(f.members) - share(f.others)
		if gain[k] > 0 {
			order = append(order, k)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(gain[b], gain[a]) })
	return order
}

func share(figures []float64) float64 {
	n := 0
	for _, v := range figures {
		if v > 0 {
			n++
		}
	}
	return float64(n) / float64(max(1, len(figures)))
}

// prefixes returns how many of n columns are tried: few one by one, more in growing steps.
func prefixes(n int) (out []int) {
	for m := 1; m < n; m += 1 + m/8 {
		out = append(out, m)
	}
	if n > 0 {
		out = append(out, n)
	}
	return out
}

// told tells members by what is found in some columns: by how many values, or by their rarity.
func told(all []found, columns []int, rarity bool) channel.Detection {
	sum := func(of func(f *found) []float64) []float64 {
		var out []float64
		for _, k := range columns {
			figures := of(&all[k])
			if out == nil {
				out = make([]float64, len(figures))
			}
			for i, v := range figures {
				switch {
				case rarity:
					out[i] -= v
				case v > 0:
					out[i]--
				}
			}
		}
		return out
	}
	return channel.Detect(sum(func(f *found) []float64 { return f.members }),
		sum(func(f *found) []float64 { return f.others }))
}

// column looks the values of a column up.
func (l *lookups) column(j int) found {
	r := l.release
	was, is := r.Original.Column(j), r.Released.Column(j)
	members := valuesAt(&was, l.targets.Rows)
	others := members
	if l.held {
		held := r.Holdout.Column(j)
		others = valuesAt(&held, l.others.Rows)
	} else {
		others = l.strangers(&was, members)
	}
	asked := askedOf(members, others)
	count := make([]float64, asked.n)
	membershipEach(&is, func(_ int, v float64) {
		if k, ok := asked.find(v); ok {
			count[k]++
		}
	})
	rarity := func(values []float64) []float64 {
		out := make([]float64, len(values))
		for i, v := range values {
			if k, ok := asked.find(v); ok && count[k] > 0 {
				out[i] = portable.Log1p(float64(is.Len()) / count[k])
			}
		}
		return out
	}
	whose := &l.targets // the same people
	if l.held {
		whose = &l.others
	}
	return found{column: j, members: l.targets.Most(rarity(members)), others: whose.Most(rarity(others))}
}

// strangers returns the values of people who are not in the file, one for each target: the value itself where another
// person has it, too; else a number near it on the grid (as round as it is), and no category, since nobody else has
// one.
func (l *lookups) strangers(was *table.Column, own []float64) []float64 {
	of, _ := l.release.People()
	who := func(i int) int32 {
		if of == nil {
			return int32(i)
		}
		return of[i]
	}
	asked := askedOf(own)
	first, shared := make([]int32, asked.n), make([]bool, asked.n)
	membershipEach(was, func(i int, v float64) {
		if k, ok := asked.find(v); ok {
			p := who(i) + 1
			if first[k] == 0 {
				first[k] = p
			}
			shared[k] = shared[k] || first[k] != p
		}
	})
	random := rng.New([32]byte{}).Fork("strangers").Rand()
	out := slices.Clone(own)
	for i, v := range own {
		steps := float64(1 + random.IntN(membershipNear))
		if random.IntN(2) == 0 {
			steps = -steps
		}
		k, known := asked.find(v)
		switch {
		case !known || shared[k]:
		case was.Kind == table.Numeric && was.Step > 0:
			out[i] = table.Snap(v+float64(steps*roundness(v, was.Step)), was.Step)
		default:
			out[i] = math.NaN()
		}
	}
	return out
}

// asked are the values that are looked for, numbered as they come, in a table with open addressing.
type asked struct {
	values []float64 // by slot; NaN where it is free
	place  []int32   // by slot
	n      int
	shift  uint
}

func askedOf(lists ...[]float64) *asked {
	all := slices.Concat(lists...)
	size := bits.Len(uint(len(all))) + 2 // a quarter full at most, so a search ends soon
	a := &asked{values: make([]float64, 1<<size), place: make([]int32, 1<<size), shift: uint(64 - size)}
	for k := range a.values {
		a.values[k] = math.NaN()
	}
	for _, v := range all {
		if k := a.slot(v); v == v && a.values[k] != v {
			a.values[k], a.place[k] = v, int32(a.n)
			a.n++
		}
	}
	return a
}

// slot returns where a value is, or where there would be room for it.
func (a *asked) slot(v float64) int {
	k := int(math.Float64bits(v+0) * 0x9e3779b97f4a7c15 >> a.shift)
	for a.values[k] != v && a.values[k] == a.values[k] {
		k = (k + 1) & (len(a.values) - 1)
	}
	return k
}

// find returns the place of a value; ok is false for one that is not looked for, or missing.
func (a *asked) find(v float64) (k int32, ok bool) {
	at := a.slot(v)
	return a.place[at], a.values[at] == v
}

// membershipNear is by how many steps at most the value of a stranger differs.
const membershipNear = 5

// roundness returns the largest power of ten times the step that a number is a multiple of, as people round.
func roundness(v, step float64) float64 {
	n, unit := math.Abs(math.Round(v/step)), 1.0
	for n > 0 && unit < 1e15 && math.Mod(n, 10*unit) == 0 {
		unit = float64(unit * 10)
	}
	return float64(unit * step)
}

// valuesAt returns the values of some rows as numbers: of categories their codes; NaN where missing.
func valuesAt(c *table.Column, rows []int) []float64 {
	out := make([]float64, len(rows))
	for k, i := range rows {
		out[k] = membershipValue(c, i)
	}
	return out
}

func membershipValue(c *table.Column, i int) float64 {
	switch {
	case c.MissingAt(i):
		return math.NaN()
	case c.Kind == table.Numeric:
		return c.Num[i] + 0 // minus zero is zero
	}
	return float64(c.Cat[i])
}

// membershipEach calls do for all known values of a column.
func membershipEach(c *table.Column, do func(row int, v float64)) {
	if c.Kind == table.Numeric {
		for i, v := range c.Num {
			if v == v {
				do(i, v+0)
			}
		}
		return
	}
	for i, code := range c.Cat {
		if code >= 0 {
			do(i, float64(code))
		}
	}
}
