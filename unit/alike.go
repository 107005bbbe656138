package unit

import (
	"cmp"
	"context"
	"math"
	"slices"
)

const (
	// starts is from how many columns, those that tell most, sets of columns are grown, mostTogether how large.
	starts, mostTogether = 6, 6
	// togetherLift is how many times as often as by chance the columns of a set agree, where people have several records.
	togetherLift = 4
	// sure is by how many standard deviations the agreement of a column inside a set is beyond chance.
	sure = 5
)

// resembling grows a set of columns that agree in the records of one person, where no two of them tell people apart:
// few waves of a panel without a key. Where some records are one person's, each of the columns that stay agrees in
// them, by which it agrees more often than by chance among records that agree in others: the one that does most is
// taken in, until the records that agree in the set agree in a further column, too. Nil where there is no such set.
// Cost: that of a key for each of about 40 sets.
func (f *finder) resembling(ctx context.Context) (best *Key) {
	at := f.codes(0)
	slices.SortStableFunc(at, func(a, b int) int { return cmp.Compare(f.cols[b].bits, f.cols[a].bits) })
	for _, start := range at[:min(starts, len(at))] {
		if f.cols[start].values < few { // many agree for other reasons, such as what they are a kind of
			continue
		}
		set := []int{start}
		for len(set) <= mostTogether && ctx.Err() == nil {
			g := f.group(set, f.records)
			if k := f.agreeing(g, set); k != nil {
				if best == nil || k.Bits > best.Bits {
					best = k
				}
				break
			}
			next := f.next(g, set, at)
			if next < 0 {
				break
			}
			set = append(set, next)
		}
	}
	return best
}

// agreeing is the key of a set of columns whose records agree far more often than by chance, and then in a further
// column, too, which none of the set holds alone; nil where they do not.
func (f *finder) agreeing(g *trial, set []int) *Key {
	if len(set) < 3 || f.lift(g, set) < togetherLift {
		return nil
	}
	k, _ := f.tried(g, set, nearly, 0)
	k.held = slices.DeleteFunc(k.held, func(h held) bool { return f.bound(set, h.column) })
	if k.Bits = 0; f.kindsOf(&k) == 0 {
		return nil
	}
	k.Holds = f.names(nil)
	for _, h := range k.held {
		if k.Holds = append(k.Holds, f.t.Attr(h.column).Name); h.kind {
			k.Bits += h.bits
		}
	}
	return &k
}

// next is the column of those at that agrees most among records that agree in a set, surely more often than by chance;
// below 0 where none does.
func (f *finder) next(g *trial, set, at []int) int {
	next, most := -1, 0.0
	for _, j := range at {
		c := &f.cols[j]
		if slices.Contains(set, j) {
			continue
		}
		pairs, same := f.agreement(g, j)
		by := float64(float64(pairs) * (1 - c.chance))
		if by < differ {
			continue
		}
		kappa := 1 - float64(pairs-same)/by
		if kappa > most && kappa > sure*math.Sqrt(c.chance/by) && !f.bound(set, j) {
			next, most = j, kappa
		}
	}
	return next
}

// bound reports whether a column is held by one of a set, or holds one.
func (f *finder) bound(set []int, j int) bool {
	return slices.ContainsFunc(set, func(i int) bool { return f.holds(i, j) || f.holds(j, i) })
}
