package itemset

import (
	"context"
	"math/bits"

	"github.com/dither-data/dither/internal/system/parallel"
)

// Judge is told how many transactions of every stratum have which items of a set of k: exact[s<<k|b] are those of
// stratum s that have exactly the items k whose bits are set in b. It says whether larger sets with these items are
// looked at. Both are valid until it returns.
type Judge func(set []int32, exact []int) Verdict

// Verdict is what a judge says of a set.
type Verdict int

// The verdicts.
const (
	Drop  Verdict = iota // no larger set is looked at
	Doubt                // larger sets are looked at unless too many sets of this length are in doubt
	Keep                 // larger sets are looked at
)

// Strata are transactions that are counted apart. A transaction's stratum is Of[i], below Number; a nil Of is one
// stratum.
type Strata struct {
	*Transactions
	Of     []int32
	Number int
}

// of returns the stratum of a transaction.
func (s *Strata) of(i int) int {
	if s.Of == nil {
		return 0
	}
	return int(s.Of[i])
}

// mostCounters is how many counters a pass over the transactions has at most; candidates that need more take another
// pass.
const mostCounters = 1 << 26

// EachJudged shows sets to a judge by length, those of a length ascending: every item, and then what the sets that were
// kept make, as Apriori joins them. It serves searches that decide by more than a count: all that is known of a set is
// counted, and its subsets have all been kept. Where more than so many sets of a length are in doubt, all these are
// dropped. It returns how many were, by length less one. Sets that are kept are held. Cost: a pass over the
// transactions a length, on all cores; 2^k steps for every stratum and set of k items.
func EachJudged(ctx context.Context, s *Strata, mostDoubts int, judge Judge) (dropped []int, err error) {
	rows := *s.Transactions
	sizes := make([]int32, s.Number)
	single := candidates{}
	for c := range rows.Labels {
		single.sets = append(single.sets, int32(c))
	}
	counts := make([]int32, rows.Labels*s.Number) // by stratum, and then by set
	for i := range rows.Len() {
		at := s.of(i)
		sizes[at]++
		for _, c := range rows.Row(i) {
			counts[at*rows.Labels+int(c)]++
		}
	}
	j := &judging{judge: judge, strata: s.Number, sizes: sizes}
	j.start()
	j.layers = append(j.layers, j.settle(j.take(layer{single.sets, counts, 1}), mostDoubts))
	if ctx.Err() != nil || j.layers[0].len() == 0 {
		return j.dropped, ctx.Err()
	}
	only := &Strata{rows.only(j.layers[0].sets), s.Of, s.Number}
	for k := 2; ; k++ {
		last := j.layers[k-2]
		next, err := (&candidates{sets: last.sets, counts: make([]int32, last.len())}).join(ctx, k-1)
		if err != nil || len(next.sets) == 0 {
			return j.dropped, err
		}
		l := layer{k: k}
		j.start()
		for block := max(1, mostCounters/s.Number) * k; len(next.sets) > 0; {
			part := candidates{sets: next.sets[:min(block, len(next.sets))]}
			next.sets = next.sets[len(part.sets):]
			counts, err := only.count(ctx, &part, k)
			if err != nil {
				return j.dropped, err
			}
			l.append(j.take(layer{part.sets, counts, k}), s.Number)
		}
		if l = j.settle(l, mostDoubts); l.len() == 0 {
			return j.dropped, nil
		}
		j.layers = append(j.layers, l)
	}
}

// only returns the transactions with those of their items that are in a list, which ascends.
func (t *Transactions) only(items []int32) *Transactions {
	in := make([]bool, t.Labels)
	for _, c := range items {
		in[c] = true
	}
	out := &Transactions{Start: make([]int, 1, len(t.Start)), Labels: t.Labels}
	for i := range t.Len() {
		for _, c := range t.Row(i) {
			if in[c] {
				out.Items = append(out.Items, c)
			}
		}
		out.Start = append(out.Start, len(out.Items))
	}
	return out
}

// layer is the sets of k items that were kept, ascending, and their counts, by stratum and then by set.
type layer struct {
	sets, counts []int32
	k            int
}

func (l *layer) len() int { return len(l.sets) / l.k }

// append adds sets that come after those that are there.
func (l *layer) append(o layer, strata int) {
	was, more := l.len(), o.len()
	counts := make([]int32, 0, (was+more)*strata)
	for s := range strata {
		counts = append(counts, l.counts[s*was:(s+1)*was]...)
		counts = append(counts, o.counts[s*more:(s+1)*more]...)
	}
	l.sets, l.counts = append(l.sets, o.sets...), counts
}

// judging is a search.
type judging struct {
	judge   Judge
	strata  int
	sizes   []int32 // transactions of every stratum
	layers  []layer // by length - 1
	doubts  []bool  // by kept set of the length at hand
	dropped []int
	exact   []int
	part    []int32
}

// take shows all sets to the judge and returns those that are kept.
func (j *judging) take(all layer) layer {
	n := all.len()
	var kept []int
	for i := range n {
		set := all.sets[i*all.k : (i+1)*all.k]
		if v := j.judge(set, j.exactly(set, func(s int) int32 { return all.counts[s*n+i] })); v != Drop {
			kept, j.doubts = append(kept, i), append(j.doubts, v == Doubt)
		}
	}
	return all.of(kept, j.strata)
}

// of returns some of the sets.
func (l *layer) of(kept []int, strata int) layer {
	out, n := layer{k: l.k}, l.len()
	for _, i := range kept {
		out.sets = append(out.sets, l.sets[i*l.k:(i+1)*l.k]...)
	}
	for s := range strata {
		for _, i := range kept {
			out.counts = append(out.counts, l.counts[s*n+i])
		}
	}
	return out
}

// start begins a length.
func (j *judging) start() { j.doubts = j.doubts[:0] }

// settle ends a length: it drops the sets that are in doubt where they are too many.
func (j *judging) settle(l layer, most int) layer {
	var kept []int
	for i, doubt := range j.doubts {
		if !doubt {
			kept = append(kept, i)
		}
	}
	lost := len(j.doubts) - len(kept)
	if lost <= most {
		j.dropped = append(j.dropped, 0)
		return l
	}
	j.dropped = append(j.dropped, lost)
	return l.of(kept, j.strata)
}

// exactly returns by stratum and subset how many transactions have of the set exactly the subset, from how many have
// its subsets at least: those of less items are of the layers before.
func (j *judging) exactly(set []int32, whole func(s int) int32) []int {
	k := len(set)
	j.exact = resized(j.exact, j.strata<<k)
	for b := range 1 << k {
		switch {
		case b == 0:
			for s, n := range j.sizes {
				j.exact[s<<k] = int(n)
			}
		case b == 1<<k-1:
			for s := range j.strata {
				j.exact[s<<k|b] = int(whole(s))
			}
		default:
			l, at := j.find(set, b)
			for s := range j.strata {
				j.exact[s<<k|b] = int(l.counts[s*l.len()+at])
			}
		}
	}
	for s := range j.strata {
		own := j.exact[s<<k : (s+1)<<k]
		for bit := 1; bit < len(own); bit <<= 1 {
			for b := range own {
				if b&bit == 0 {
					own[b] -= own[b|bit]
				}
			}
		}
	}
	return j.exact
}

// find returns where the items of a set whose bits are set are.
func (j *judging) find(set []int32, b int) (*layer, int) {
	j.part = j.part[:0]
	for i, c := range set {
		if b>>i&1 > 0 {
			j.part = append(j.part, c)
		}
	}
	l := &j.layers[bits.OnesCount(uint(b))-1]
	at, _ := (&candidates{sets: l.sets}).find(j.part, l.k)
	return l, at
}

func resized(x []int, n int) []int {
	if cap(x) < n {
		return make([]int, n)
	}
	return x[:n]
}

// count counts candidates of k items by stratum.
func (s *Strata) count(ctx context.Context, c *candidates, k int) ([]int32, error) {
	n := len(c.sets) / k
	c.counts = make([]int32, n)
	const grain = 4096
	tries, out := c.trie(k), make([]int32, n*s.Number)
	states, err := parallel.With(
		ctx,
		(s.Len()+grain-1)/grain,
		func() []int32 { return make([]int32, len(out)) },
		func(counts []int32, p int) error {
			for i := p * grain; i < min(s.Len(), (p+1)*grain); i++ {
				if row := s.Row(i); len(row) >= k {
					at := s.of(i)
					tries.visit(0, 0, row, counts[at*n:(at+1)*n])
				}
			}
			return nil
		},
	)
	for _, counts := range states {
		for i, n := range counts {
			out[i] += n
		}
	}
	return out, err
}
