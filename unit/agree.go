package unit

import (
	"cmp"
	"context"
	"slices"

	"github.com/dither-data/dither/internal/system/parallel"
	"github.com/dither-data/dither/internal/system/sorting"
	"github.com/dither-data/dither/table"
)

// held is a column that stays the same inside a unit.
type held struct {
	column int
	bits   float64
	kind   bool // none that tells more determines it
}

// agreement counts the pairs of records of a group with a value, and those that agree.
func (f *finder) agreement(g *trial, j int) (pairs, same int) {
	c := &f.cols[j]
	var codes [atMost]uint64
	g.groups(func(rows []int32) {
		n := 0
		for _, i := range rows {
			v, ok := c.code(int(i))
			if !ok {
				continue
			}
			k := n
			for ; k > 0 && codes[k-1] > v; k-- {
				codes[k] = codes[k-1]
			}
			codes[k] = v
			n++
		}
		pairs += n * (n - 1) / 2
		for from := 0; from < n; {
			to := from + 1
			for to < n && codes[to] == codes[from] {
				to++
			}
			same += (to - from) * (to - from - 1) / 2
			from = to
		}
	})
	return pairs, same
}

// kappa is the agreement of column j inside groups beyond chance; known is false where chance alone would do.
func (f *finder) kappa(g *trial, j int) (k float64, known bool) {
	c := &f.cols[j]
	if c.set || c.values < 2 {
		return 0, false
	}
	pairs, same := f.agreement(g, j)
	by := float64(float64(pairs) * (1 - c.chance))
	if by < differ {
		return 0, false
	}
	return 1 - float64(pairs-same)/by, true
}

// promising is a quick look at whether a key may hold columns of several kinds.
func (f *finder) promising(g *trial, at []int) bool {
	n := 0
	for j := range f.cols {
		if c := &f.cols[j]; slices.Contains(at, j) || c.set || c.values < 2 {
			continue
		} else if pairs, same := f.agreement(g, j); pairs > 0 {
			if by := float64(float64(pairs) * (1 - c.chance)); float64(pairs-same) <= (1-nearly)*by {
				n++
			}
		}
		if n >= kinds {
			return true
		}
	}
	return false
}

// singles finds the keys of one column, the best first; of those that tell the same units apart only one. Mixed is as
// in Units.
func (f *finder) singles(ctx context.Context) (_ []Key, mixed map[string][]string, _ error) {
	may, varies := make([]bool, len(f.cols)), make([][]string, len(f.cols))
	err := parallel.Each(ctx, len(f.cols), func(j int) error {
		if at := []int{j}; f.cols[j].may {
			g := f.grouped(at)
			may[j] = g.repeats() && f.promising(g.head(glance/10), at) && f.promising(g.head(glance), at) && f.promising(g, at)
			if !may[j] && g.repeats() {
				varies[j] = f.varying(g.head(glance), j)
			}
		}
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	mixed = map[string][]string{}
	for j, names := range varies {
		if names != nil {
			mixed[f.t.Attr(j).Name] = names
		}
	}
	var out []Key
	for j := range f.cols {
		if at := []int{j}; may[j] {
			if k, ok := f.tried(f.grouped(at), at, constant, bits); ok {
				out = append(out, k)
			}
		}
	}
	sorting.Stable(out, better)
	return f.unlike(out), mixed, ctx.Err()
}

// varying returns the columns that clearly differ between records of one value of column key.
func (f *finder) varying(g *trial, key int) (out []string) {
	for j := range f.cols {
		if j == key {
			continue
		}
		if kappa, known := f.kappa(g, j); known && kappa < nearly {
			out = append(out, f.t.Attr(j).Name)
		}
	}
	return out
}

// better puts the key first that tells more.
func better(a, b Key) int { return cmp.Compare(b.Bits, a.Bits) }

// unlike keeps one key of each set of those that tell the same units apart, all but a few.
func (f *finder) unlike(keys []Key) (out []Key) {
	for _, k := range keys {
		at := slices.IndexFunc(out, func(o Key) bool {
			return slices.Contains(o.Same, k.Columns[0]) || slices.Contains(k.Same, o.Columns[0])
		})
		if at < 0 {
			out = append(out, k)
			continue
		}
		other := k
		if f.rather(&k, &out[at]) {
			out[at], other = k, out[at]
		}
		if name := other.Columns[0]; !slices.Contains(out[at].Same, name) {
			out[at].Same = append(out[at].Same, name)
		}
	}
	return out
}

// rather reports whether one of two keys of the same units is to be taken: the one of fewer values, such as the number
// of a person whose card was replaced, unless what it holds differs more often then, as where two households have one
// income; and texts before numbers.
func (f *finder) rather(a, b *Key) bool {
	f.count(a)
	f.count(b)
	switch {
	case a.Values > b.Values:
		return !f.rather(b, a)
	case a.Values < b.Values:
		return f.broken(a) <= f.broken(b)
	}
	return f.t.Attr(a.at[0]).Kind == table.Categorical && f.t.Attr(b.at[0]).Kind == table.Numeric
}

// broken counts the pairs of records of a unit that differ in what it holds.
func (f *finder) broken(k *Key) (n int) {
	for _, h := range k.held {
		pairs, same := f.agreement(f.grouped(k.at), h.column)
		n += pairs - same
	}
	return n
}

// tried is a key with what it holds, by a kappa of that at least; ok is false where that makes no unit, or tells less
// than so many bits.
func (f *finder) tried(g *trial, at []int, least, bits float64) (k Key, ok bool) {
	k = Key{Columns: f.names(at), Holds: []string{}, Varies: []string{}, Same: []string{}, at: at}
	for j := range f.cols {
		if slices.Contains(at, j) {
			continue
		}
		switch kappa, known := f.kappa(g, j); {
		case !known:
		case kappa < least:
			if kappa < nearly {
				k.varies, k.Varies = append(k.varies, j), append(k.Varies, f.t.Attr(j).Name)
			}
		case f.alike(at, j):
			k.Same = append(k.Same, f.t.Attr(j).Name)
		default:
			k.held = append(k.held, held{j, f.cols[j].bits, false})
		}
	}
	sorting.Stable(k.held, func(a, b held) int { return cmp.Compare(b.bits, a.bits) })
	rows := g.firsts()
	n := 0
	for i := range k.held {
		h := &k.held[i]
		h.kind = !slices.ContainsFunc(k.held[:i], func(o held) bool { return f.determines(rows, o.column, h.column) })
		if h.kind {
			n++
			k.Bits += h.bits
		}
		k.Holds = append(k.Holds, f.t.Attr(h.column).Name)
	}
	return k, n >= kinds && k.Bits >= bits
}

// alike reports whether the values of column j tell the units of a key apart, too: those that share a value are one
// unit, all but a few.
func (f *finder) alike(at []int, j int) bool {
	own := &f.cols[at[0]]
	if len(at) > 1 || f.cols[j].chance > 4*own.chance+1e-3 {
		return false
	}
	kappa, known := f.kappa(f.grouped([]int{j}), at[0])
	return known && kappa >= alternate
}

// determines reports whether column a determines column b among rows, one of each unit, but for errors and for towns of
// one name. With few pairs of rows that share a value of a, none may differ.
func (f *finder) determines(rows []int32, a, b int) bool {
	codes := make([]keyed, 0, len(rows))
	for _, i := range slices.Sorted(slices.Values(rows)) {
		if v, ok := f.cols[a].code(int(i)); ok {
			codes = append(codes, keyed{v, i})
		}
	}
	codes = inOrder(codes)
	pairs, broken := 0, 0
	for k := 1; k < len(codes); k++ {
		if codes[k].key != codes[k-1].key {
			continue
		}
		v, ok := f.cols[b].code(int(codes[k].row))
		w, has := f.cols[b].code(int(codes[k-1].row))
		if ok && has {
			pairs++
			if v != w {
				broken++
			}
		}
	}
	by := float64(float64(pairs) * (1 - f.cols[b].chance))
	return by >= differ/4 && broken == 0 || by >= differ && float64(broken) <= (1-nearly)*by
}

func (f *finder) names(at []int) (out []string) {
	for _, j := range at {
		out = append(out, f.t.Attr(j).Name)
	}
	return out
}
