// Package association derives association rules from frequent itemsets (Agrawal, Imielinski & Swami 1993; Agrawal &
// Srikant 1994): if a record has X, it has Y.
package association

import (
	"context"
	"encoding/binary"
	"math"
	"slices"

	"github.com/dither-data/dither/internal/mining/itemset"
	"github.com/dither-data/dither/internal/portable"
)

// Rule is the rule If => Then with the numbers of records that have its items. Its slices are valid until the visitor
// returns.
type Rule struct {
	If, Then []int32 // ascending
	Records  int     // in all
	With     int     // that have all items of If
	Wanted   int     // that have all items of Then
	Both     int     // that have all items of both
}

// Support returns the share of the records that have all items of the rule.
func (r *Rule) Support() float64 { return float64(r.Both) / float64(r.Records) }

// Confidence returns the share of the records with If that have Then.
func (r *Rule) Confidence() float64 { return float64(r.Both) / float64(r.With) }

// Lift returns how many times as common Then is among the records with If as among all: 1 where the two have nothing to
// do with each other.
func (r *Rule) Lift() float64 {
	return float64(r.Both) * float64(r.Records) / (float64(r.With) * float64(r.Wanted))
}

// Leverage returns by how much the support exceeds that of two independent sides.
func (r *Rule) Leverage() float64 {
	return r.Support() - float64(float64(r.With)/float64(r.Records)*(float64(r.Wanted)/float64(r.Records)))
}

// Conviction returns how many times as often the rule would be wrong if its sides were independent; infinite for a rule
// that is never wrong.
func (r *Rule) Conviction() float64 {
	if r.Both == r.With {
		return math.Inf(1)
	}
	return (1 - float64(r.Wanted)/float64(r.Records)) / (1 - r.Confidence())
}

// J returns the J-measure (Smyth & Goodman 1992), the information in nats that the rule gives of Then, times how often
// it is asked: P(If) times the divergence of the confidence from the share of Then.
func (r *Rule) J() float64 {
	return float64(float64(r.With) / float64(r.Records) * Divergence(r.Confidence(), float64(r.Wanted)/float64(r.Records)))
}

// Divergence returns x ln(x/a) + (1-x) ln((1-x)/(1-a)), 0 where x is a; infinite where x is possible and a not.
func Divergence(x, a float64) float64 {
	part := func(x, a float64) float64 {
		if x == 0 {
			return 0
		}
		return float64(x * portable.Log(x/a))
	}
	return max(0, part(x, a)+part(1-x, 1-a))
}

// Prime returns b (ln(x/a) - ln((1-x)/(1-a))) for a rule of confidence x whose end has the share a of the records and
// whose beginning the share b (Bertino, Nai Fovino & Parasiliti Provenza 2005, equation 3.14), in nats. It is no
// number, or infinite, where x or a is 0 or 1.
func Prime(a, b, x float64) float64 {
	return float64(b * (portable.Log(x/a) - portable.Log((1-x)/(1-a))))
}

// ChiSquare returns the chi-square of the table of If and Then without correction, and its p with one degree of
// freedom: how likely so large a one is where the sides are independent. Of many rules some have a small p by chance.
// NaN where a side is in all records.
func (r *Rule) ChiSquare() (chi, p float64) {
	x, y := float64(r.With)/float64(r.Records), float64(r.Wanted)/float64(r.Records)
	l := r.Leverage()
	chi = float64(r.Records) * l * l / (x * y * (1 - x) * (1 - y))
	return chi, portable.Erfc(math.Sqrt(chi / 2))
}

// Supports are the counts of all frequent itemsets, for look-up.
type Supports struct {
	records int
	count   map[string]int32
	sets    []int32 // every set as its length, its count and its items
	key     []byte
}

// Gather keeps the counts of all frequent itemsets of so many records, which find visits. Cost: that of finding them,
// and memory for all of them.
func Gather(
	ctx context.Context,
	find func(ctx context.Context, visit itemset.Visit) (itemset.Tally, error),
	records int,
) (*Supports, error) {
	s := &Supports{records: records, count: map[string]int32{}}
	_, err := find(ctx, func(items []int32, count int) bool {
		s.count[string(s.keyOf(items))] = int32(count)
		s.sets = append(append(s.sets, int32(len(items)), int32(count)), items...)
		return true
	})
	return s, err
}

func (s *Supports) keyOf(items []int32) []byte {
	s.key = s.key[:0]
	for _, k := range items {
		s.key = binary.AppendUvarint(s.key, uint64(k))
	}
	return s.key
}

// Len returns the number of itemsets.
func (s *Supports) Len() int { return len(s.count) }

// Of returns in how many records a frequent itemset is; 0 for another. The items ascend.
func (s *Supports) Of(items []int32) int { return int(s.count[string(s.keyOf(items))]) }

// Options say which rules are wanted.
type Options struct {
	Confidence float64
	Then       func(item int32) bool // which items Then may have; nil for all
	MostThen   int                   // items that Then has at most; 0 for no limit
	// Plain leaves out what others say as well: rules whose Then could be larger, or whose If could be smaller, at the
	// same records.
	Plain bool
}

// Rules visits the rules of the itemsets of a confidence, those of one itemset after those of another in the order of
// the miner, until the visitor returns false. For an itemset, sides Then grow item by item: where a rule is too weak,
// so is every one with a larger Then (Agrawal & Srikant 1994). Cost: a look-up for each rule tried.
func (s *Supports) Rules(ctx context.Context, o Options, visit func(r *Rule) bool) error {
	m := &maker{Supports: s, o: o, visit: visit}
	if o.Plain {
		m.closed = s.closed()
	}
	for at, k := 0, 0; at < len(s.sets); k++ {
		if k%4096 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		n, count := int(s.sets[at]), int(s.sets[at+1])
		items := s.sets[at+2 : at+2+n]
		if n > 1 && (m.closed == nil || m.closed[k]) && !m.from(items, count) {
			break
		}
		at += 2 + n
	}
	return ctx.Err()
}

// closed marks the itemsets, in the order in which they were found, that no larger one shares all records with.
func (s *Supports) closed() []bool {
	open := make(map[string]bool)
	part := []int32{}
	for at := 0; at < len(s.sets); {
		n, count := int(s.sets[at]), int(s.sets[at+1])
		items := s.sets[at+2 : at+2+n]
		for leave := range items {
			part = append(append(part[:0], items[:leave]...), items[leave+1:]...)
			if len(part) > 0 && s.Of(part) == count {
				open[string(s.keyOf(part))] = true
			}
		}
		at += 2 + n
	}
	var out []bool
	for at := 0; at < len(s.sets); {
		n := int(s.sets[at])
		out = append(out, !open[string(s.keyOf(s.sets[at+2:at+2+n]))])
		at += 2 + n
	}
	return out
}

// maker makes the rules of an itemset.
type maker struct {
	*Supports
	o      Options
	visit  func(r *Rule) bool
	closed []bool
	rule   Rule
	part   []int32
}

// from makes the rules of an itemset, those with one item in Then first. It returns false when the visitor has enough.
func (m *maker) from(items []int32, count int) bool {
	var strong [][]int32
	for _, k := range items {
		if m.o.Then == nil || m.o.Then(k) {
			strong = append(strong, []int32{k})
		}
	}
	for size := 1; len(strong) > 0 && size < len(items); size++ {
		var kept [][]int32
		for _, then := range strong {
			ok, more := m.try(items, then, count)
			if !more {
				return false
			}
			if ok {
				kept = append(kept, then)
			}
		}
		if size == m.o.MostThen {
			break
		}
		strong = joined(kept)
	}
	return true
}

// joined returns the sets of one item more whose first two subsets are among the sets, which are in ascending order.
func joined(sets [][]int32) (out [][]int32) {
	for i, a := range sets {
		n := len(a)
		for _, b := range sets[i+1:] {
			if !slices.Equal(a[:n-1], b[:n-1]) {
				break
			}
			out = append(out, append(slices.Clone(a), b[n-1]))
		}
	}
	return out
}

// try visits the rule with a side Then, where it is strong enough.
func (m *maker) try(items, then []int32, count int) (strong, more bool) {
	r := &m.rule
	r.If = r.If[:0]
	for _, k := range items {
		if !slices.Contains(then, k) {
			r.If = append(r.If, k)
		}
	}
	r.Then, r.Records, r.Both = then, m.records, count
	r.With = m.Of(r.If)
	if r.Confidence() < m.o.Confidence {
		return false, true
	}
	if m.o.Plain && !m.shortest(r.If, r.With) {
		return true, true
	}
	r.Wanted = m.Of(then)
	return true, m.visit(r)
}

// shortest reports whether no item of a set could be left out at the same records.
func (m *maker) shortest(items []int32, count int) bool {
	if len(items) < 2 {
		return count < m.records || len(items) == 0
	}
	for leave := range items {
		m.part = append(append(m.part[:0], items[:leave]...), items[leave+1:]...)
		if m.Of(m.part) == count {
			return false
		}
	}
	return true
}
