// Package operators compares operators that release records at random: MASK, EMASK, select-a-size, cut-and-paste,
// FRAPP, randomised response, PRAM. Each is seen through its matrix (Agrawal & Haritsa 2005): how far it moves odds,
// how much undoing it blows up, what error that leaves in given records, and what a released itemset tells of its items
// (Evfimievski et al. 2002; Nai Fovino & Masera 2008, section 1.1).
package operators

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/dither-data/dither/internal/mining/itemset"
	"github.com/dither-data/dither/internal/noise/randomised"
	"github.com/dither-data/dither/internal/portable"
	"github.com/dither-data/dither/noisemodel/modelfile"
	"github.com/dither-data/dither/noisemodel/transition"
	"github.com/dither-data/dither/table"
)

// Of returns the operator of the law of columns of a table, under a name; false where there is nothing to compare.
func Of(name string, p *modelfile.Part, t *table.Table) (randomised.Scheme, bool) {
	s := randomised.Scheme{Name: name}
	j := t.Find(p.Columns[0])
	if j < 0 {
		return s, false
	}
	switch {
	case p.Number != nil:
		return s, false // has no items
	case p.Items != nil:
		b := p.Items.Bits()
		prior := prior(t, j)
		s.Of, s.Gamma = "an item", b.Gamma()
		s.Strata = func(k int) []randomised.Stratum { return one(b.Act(k), prior, b.One+b.Zero != 1) }
	case p.Sizes != nil:
		counts := Sizes(t, j)
		s.Of, s.Gamma = "a record among those of its size", 1
		for _, o := range p.Sizes.Operators {
			s.Gamma = max(s.Gamma, o.Sizes().Gamma())
		}
		s.Strata = func(k int) []randomised.Stratum { return bySize(p.Sizes, counts, len(t.Attr(j).Labels), k) }
	case p.Record != nil:
		s.Of, s.Gamma = "a record", p.Record.Gamma
		s.Strata = func(k int) []randomised.Stratum { return diagonal(p.Record, k) }
	case p.Category != nil:
		b := p.Category.Bits()
		s.Of, s.Gamma = "a value", randomised.Gamma(transition.Uniform(p.Category.Categories, p.Category.Keep))
		s.Strata = func(k int) []randomised.Stratum {
			return one(b.Act(k), 1/float64(p.Category.Categories), b.One+b.Zero != 1)
		}
	case p.Group != nil:
		s.Of, s.Gamma = "a group of values", max(p.Group.Theta, 1-p.Group.Theta)/min(p.Group.Theta, 1-p.Group.Theta)
		s.Strata = func(k int) []randomised.Stratum { return exchanged(p.Group, len(p.Columns), k) }
	}
	return s, true
}

// one is the stratum of all records.
func one(a randomised.Acting, prior float64, told bool) []randomised.Stratum {
	if !told {
		return nil
	}
	return []randomised.Stratum{{Share: 1, Prior: prior, Acting: a}}
}

// diagonal returns how FRAPP acts on a value for each of the k columns with the fewest categories.
func diagonal(r *modelfile.Record, k int) []randomised.Stratum {
	d := randomised.Diagonal{Gamma: r.Gamma, Size: 1}
	sizes := slices.Sorted(slices.Values(r.Categories))
	for _, c := range sizes {
		d.Size = min(1e300, d.Size*float64(c))
	}
	if k > len(sizes) {
		return nil
	}
	combinations := 1.0
	for _, c := range sizes[:k] {
		combinations = float64(combinations * float64(c))
	}
	return one(d.Act(k, combinations), portable.Pow(combinations, -1/float64(k)), d.Keep() > 1e-12)
}

// exchanged returns how a group of binary columns that are exchanged together acts on values of k of them.
func exchanged(g *modelfile.Group, columns, k int) []randomised.Stratum {
	w := g.Weights()
	if k > columns {
		return nil
	}
	a := randomised.Acting{Second: make([]float64, k+1), Whole: make([]float64, k+1), Condition: 1 / math.Abs(2*g.Theta-1)}
	a.Whole[k], a.Second[k] = g.Theta, float64(g.Theta*w[0]*w[0])+float64((1-g.Theta)*w[1]*w[1])
	a.Whole[0], a.Second[0] = 1-g.Theta, float64((1-g.Theta)*w[0]*w[0])+float64(g.Theta*w[1]*w[1])
	return one(a, 0.5, g.Theta != 0.5)
}

// Sizes returns how many records have so many items in a column of sets that are not missing.
func Sizes(t *table.Table, j int) map[int]int {
	out, s := map[int]int{}, t.Sets(j)
	for i := range t.Rows() {
		if !s.MissingAt(i) {
			out[len(s.Present.Row(i))]++
		}
	}
	return out
}

// bySize returns how an operator that goes by the number of items acts on itemsets of k items.
func bySize(s *modelfile.Sizes, counts map[int]int, labels, k int) (out []randomised.Stratum) {
	all := 0
	for _, n := range counts {
		all += n
	}
	for _, o := range s.Operators {
		if a, ok := o.Sizes().Act(k); ok && counts[o.Items] > 0 {
			out = append(
				out,
				randomised.Stratum{
					Share:  float64(counts[o.Items]) / float64(all),
					Prior:  min(1, float64(o.Items)/float64(labels)),
					Acting: a,
				},
			)
		}
	}
	return out
}

// prior returns the mean support of the items of a column.
func prior(t *table.Table, j int) float64 {
	cells := float64(float64(t.Rows()) * float64(len(t.Attr(j).Labels)))
	return float64(len(t.Sets(j).Present.All())) / max(1, cells)
}

// Breach is what released itemsets of the data at hand tell of their items.
type Breach struct {
	Items    int // of an itemset
	Itemsets int // looked at
	Worst    float64
	Mean     float64 // of the worst items, over the itemsets
	Of       []int32 // the itemset of the worst
}

// few is how many records of one size have an itemset at least that is looked at.
const few = 25

// Breaches returns, by size of itemsets, the probability that a record had an item if its release has the whole
// itemset: of the worst item of each itemset that has the support among the records of one size, and in at least 25 of
// them, where the operator goes by size (Evfimievski et al. 2002, section 5). The probabilities are those of the law
// and the original, not counted in one release.
func Breaches(ctx context.Context, p *modelfile.Part, t *table.Table, support float64, most int) ([]Breach, error) {
	j := t.Find(p.Columns[0])
	sets := t.Sets(j)
	rows := &itemset.Transactions{Start: sets.Present.Start, Items: sets.Present.Codes, Labels: len(t.Attr(j).Labels)}
	if rows.Start == nil {
		return nil, nil
	}
	s := &itemset.Strata{Transactions: rows, Of: make([]int32, t.Rows())}
	b := breaches{support: support, acting: map[[2]int]randomised.Acting{}}
	at := map[int]int32{}
	if p.Sizes != nil {
		for _, o := range p.Sizes.Operators {
			at[o.Items] = int32(len(b.act))
			b.act = append(b.act, o.Sizes().Act)
		}
	} else {
		b.act = []func(k int) (randomised.Acting, bool){
			func(k int) (randomised.Acting, bool) { return p.Items.Bits().Act(k), true }}
	}
	s.Number = len(b.act) + 1 // the last are those of which the set is missing
	for i := range s.Of {
		if s.Of[i] = at[len(sets.Present.Row(i))]; sets.MissingAt(i) {
			s.Of[i] = int32(len(b.act))
		}
	}
	_, err := itemset.EachJudged(ctx, s, 0, func(set []int32, exact []int) itemset.Verdict {
		if b.add(set, exact) && len(set) < most {
			return itemset.Keep
		}
		return itemset.Drop
	})
	for k := range b.out {
		b.out[k].Mean /= float64(b.out[k].Itemsets)
	}
	return b.out, err
}

// breaches collects the breaches of itemsets.
type breaches struct {
	act     []func(k int) (randomised.Acting, bool) // by stratum
	acting  map[[2]int]randomised.Acting            // the results of act, by stratum and k
	support float64
	out     []Breach // by size of the itemset less 1; the means are sums
}

// add looks at an itemset, from how many records of each stratum have exactly which of its items; false where none of
// the strata has it often enough.
func (b *breaches) add(set []int32, exact []int) bool {
	k := len(set)
	worst, any := 0.0, false
	for st := range b.act {
		own := exact[st<<k : (st+1)<<k]
		all := 0
		for _, n := range own {
			all += n
		}
		if has := own[len(own)-1]; has < few || float64(has) < b.support*float64(all) {
			continue
		}
		a, known := b.acting[[2]int{st, k}]
		if !known {
			a, _ = b.act[st](k)
			b.acting[[2]int{st, k}] = a
		}
		if len(a.Whole) > 0 {
			worst, any = max(worst, worstItem(own, k, a.Whole)), true
		}
	}
	if !any {
		return false
	}
	if len(b.out) < k {
		b.out = append(b.out, Breach{Items: k})
	}
	of := &b.out[k-1]
	of.Itemsets++
	of.Mean += worst
	if worst > of.Worst {
		of.Worst, of.Of = worst, slices.Clone(set)
	}
	return true
}

// worstItem returns the largest probability that a record had an item, from how many have exactly which, and how likely
// their releases have all.
func worstItem(exact []int, k int, whole []float64) (worst float64) {
	for item := range k {
		with, all := 0.0, 0.0
		for b, n := range exact {
			l := 0
			for v := b; v > 0; v &= v - 1 {
				l++
			}
			all += float64(float64(n) * whole[l])
			if b>>item&1 > 0 {
				with += float64(float64(n) * whole[l])
			}
		}
		worst = max(worst, with/all)
	}
	return worst
}

// Usual returns the laws that techniques have by default, under their names, for the column of sets, or the categorical
// columns, that a part is of: to be set beside it.
func Usual(p *modelfile.Part, t *table.Table) (names []string, parts []modelfile.Part, err error) {
	add := func(name string, q modelfile.Part) {
		q.Columns = p.Columns
		names, parts = append(names, name), append(parts, q)
	}
	if p.Items == nil && p.Sizes == nil {
		categories := []int{}
		for _, name := range p.Columns {
			categories = append(categories, len(t.Attr(t.Find(name)).Labels))
		}
		add("frapp, gamma 19", modelfile.Part{Record: &modelfile.Record{Gamma: 19, Categories: categories}})
		if k := slices.Min(categories); k > 1 {
			add(fmt.Sprintf("warner, p 0.75, %d categories", k),
				modelfile.Part{Category: &modelfile.Category{Categories: k, Keep: 0.75}})
			add(fmt.Sprintf("pram, keep 0.8, %d categories", k),
				modelfile.Part{Category: &modelfile.Category{Categories: k, Keep: 0.8}})
		}
		return names, parts, nil
	}
	add("mask, p 0.9", modelfile.Part{Items: &modelfile.Items{One: 0.9, Zero: 0.9}})
	add("emask, p 0.5, q 0.97", modelfile.Part{Items: &modelfile.Items{One: 0.5, Zero: 0.97}})
	sizes := slices.Sorted(maps.Keys(Sizes(t, t.Find(p.Columns[0]))))
	var cut, limited modelfile.Sizes
	most := 3
	for _, m := range sizes {
		cut.Operators = append(cut.Operators, modelfile.Operator{Items: m, Most: &most, Rho: 0.2})
		o := modelfile.Operator{Items: m, Kept: []float64{1}}
		if m > 0 {
			absent := make([]float64, min(m, 2)+1)
			absent[0] = 1
			best, _, _, err := randomised.Choose(m, 19, absent, 100)
			if err != nil {
				return nil, nil, err
			}
			o.Kept, o.Rho = best.Kept, best.Rho
		}
		limited.Operators = append(limited.Operators, o)
	}
	add("cutandpaste, most 3, rho 0.2", modelfile.Part{Sizes: &cut})
	add("selectasize, gamma 19", modelfile.Part{Sizes: &limited})
	return names, parts, nil
}

// Table compares the law of a release with those that techniques have by default, for the records of its original:
// itemsets of 1 to 3 items of a support of 1 %.
type Table struct {
	Columns  []string
	Records  int
	Support  float64
	Rows     []randomised.Figures // the first is the release's own
	Breaches []Breach             // of its own, by the itemsets of the original; none where it is no law of sets
}

// support is that of the itemsets that are compared.
const support = 0.01

// Compared returns a table for every part of a law. Parts of categories that are released by themselves are one table,
// of the first. Cost: a search for itemsets of the original.
func Compared(ctx context.Context, method string, parts []modelfile.Part, t *table.Table) (out []Table, err error) {
	single := false
	for k := range parts {
		p := &parts[k]
		own, ok := Of(method+" (this release)", p, t)
		if !ok || p.Category != nil && single {
			continue
		}
		single = single || p.Category != nil
		tab := Table{Columns: p.Columns, Records: t.Rows(), Support: support}
		tab.Rows = append(tab.Rows, randomised.Compare(own, float64(t.Rows()), support, 3))
		names, others, err := Usual(p, t)
		if err != nil {
			return nil, err
		}
		for i := range others {
			if s, ok := Of(names[i], &others[i], t); ok {
				tab.Rows = append(tab.Rows, randomised.Compare(s, float64(t.Rows()), support, 3))
			}
		}
		if p.Items != nil || p.Sizes != nil {
			if tab.Breaches, err = Breaches(ctx, p, t, support, 3); err != nil {
				return nil, err
			}
		}
		out = append(out, tab)
	}
	return out, nil
}

// Title says what a table is of.
func (t *Table) Title() string { return strings.Join(t.Columns, ", ") }
