package unit

import (
	"cmp"
	"context"
	"slices"

	"github.com/dither-data/dither/table"
)

const (
	// narrow is how many values the second column of a key has at most that numbers people in a household.
	narrow = 50
	// mostPairs is how many pairs of columns are tried, mostWork how many records they are tried on, all in all.
	mostPairs, mostWork = 200, 20_000_000
	// lift is how many times as often as by chance two columns agree together, where people have several records.
	lift = 10
)

// pairs looks for keys of two columns: one that tells members of the first level apart, such as a number in a
// household; or, where there is no level, one of which neither column suffices.
func (u *Units) pairs(ctx context.Context, f *finder) error {
	if f.t.Width() > wide {
		return nil
	}
	if len(u.Levels) > 0 {
		if k, ok := f.finer(&u.Levels[0]); ok {
			u.Levels = slices.Insert(u.Levels, 0, k)
		}
		return ctx.Err()
	}
	at := f.codes(0)
	slices.SortStableFunc(at, func(a, b int) int { return cmp.Compare(f.cols[b].bits, f.cols[a].bits) })
	left := min(mostPairs, max(10, mostWork/max(1, f.t.Rows())))
	var best *Key
	for i, a := range at {
		for _, b := range at[:i] {
			if left--; left < 0 || ctx.Err() != nil {
				break
			}
			if k, ok := f.together(b, a); ok && (best == nil || k.Bits > best.Bits) {
				best = &k
			}
		}
	}
	switch {
	case best == nil:
		if best = f.resembling(ctx); best != nil {
			u.Alike = f.many(best)
		}
	case f.kindsOf(best) >= kinds && best.Bits >= bits:
		u.Levels = append(u.Levels, *best)
	default:
		u.Alike = f.many(best)
	}
	return ctx.Err()
}

// codes are the columns that may be part of a key of two: categories and whole numbers of not more values than that,
// where it is not 0.
func (f *finder) codes(values int) (out []int) {
	for j := range f.cols {
		a, c := f.t.Attr(j), &f.cols[j]
		whole := a.Kind == table.Numeric && a.Dates == "" && a.Step >= 1
		if c.values > 1 && (values == 0 || c.values <= values) && (whole || a.Kind == table.Categorical) {
			out = append(out, j)
		}
	}
	return out
}

// finer is the best key of the column of a unit and another, whose units hold kinds of columns that the unit does not.
func (f *finder) finer(u *Key) (best Key, ok bool) {
	for _, j := range f.codes(narrow) {
		if !slices.Contains(u.varies, j) {
			continue
		}
		at := []int{u.at[0], j}
		g := f.group(at, f.records)
		if !g.repeats() || !f.promising(g.head(glance), at) {
			continue
		}
		k, has := f.tried(g, at, constant, bits)
		own := 0
		for _, h := range k.held {
			if h.kind && slices.Contains(u.varies, h.column) {
				own++
			}
		}
		if has && own >= kinds && k.Bits > best.Bits {
			best, ok = k, true
		}
	}
	return best, ok
}

// together is the key of two columns that agree far more often than by chance, and hold what neither holds, but where
// two people share both.
func (f *finder) together(a, b int) (k Key, ok bool) {
	at := []int{a, b}
	g := f.group(at, f.records)
	if !g.repeats() || f.lift(g, at) < lift || f.holds(a, b) || f.holds(b, a) {
		return k, false
	}
	k, _ = f.tried(g, at, alternate, 0)
	k.held = slices.DeleteFunc(k.held, func(h held) bool {
		c := h.column
		return f.holds(a, c) || f.holds(b, c) || f.holds(c, a) || f.holds(c, b)
	})
	k.Bits, k.Holds = 0, []string{}
	for _, h := range k.held {
		k.Holds = append(k.Holds, f.t.Attr(h.column).Name)
		if h.kind {
			k.Bits += h.bits
		}
	}
	return k, f.kindsOf(&k) > 0
}

// lift is how many times as often as by chance two records agree in columns.
func (f *finder) lift(g *trial, at []int) float64 {
	by := float64(f.t.Rows())
	for _, j := range at {
		by = float64(by * f.cols[j].chance)
	}
	if by == 0 {
		return 0
	}
	pairs, records := 0.0, 0.0
	for _, s := range g.sizes {
		pairs += float64(float64(s) * float64(s-1))
		records += float64(s)
	}
	return pairs / records / by
}

// holds reports whether one column holds another constant.
func (f *finder) holds(a, b int) bool {
	kappa, known := f.kappa(f.grouped([]int{a}), b)
	return known && kappa >= constant
}

func (f *finder) kindsOf(k *Key) (n int) {
	for _, h := range k.held {
		if h.kind {
			n++
		}
	}
	return n
}

// many says how many records agree in the columns of a key and in what they hold.
func (f *finder) many(k *Key) *Alike {
	at := slices.Clone(k.at)
	for _, h := range k.held {
		at = append(at, h.column)
	}
	slices.Sort(at)
	out := &Alike{Columns: f.names(at)}
	number := map[uint64]int{}
	for i := range f.t.Rows() {
		if v, ok := f.key(at, i); ok {
			number[v]++
		}
	}
	for _, n := range number {
		if n > 1 {
			out.Groups++
			out.Records += n
		}
	}
	return out
}
