package randomised

import (
	"math"

	"github.com/dither-data/dither/internal/portable"
	"github.com/dither-data/dither/internal/portable/vector"
)

// Acting is how an operator acts on a set of k items, by how many of them an original record has, l = 0..k.
type Acting struct {
	Second    []float64 // mean square of what a released record counts for in the estimate of the support
	Whole     []float64 // probability that the released record has all k
	Condition float64   // number of the matrix that is undone
}

// Items returns k.
func (a *Acting) Items() int { return len(a.Whole) - 1 }

// Act returns how the operator acts on k items.
func (b Bits) Act(k int) Acting { return Product(b.item(), k) }

// item returns how the operator acts on one item.
func (b Bits) item() Acting {
	u, v := b.unit()
	return Acting{
		[]float64{float64((1-b.Zero)*u*u) + float64(b.Zero*v*v), float64(b.One*u*u) + float64((1-b.One)*v*v)},
		[]float64{1 - b.Zero, b.One},
		b.Matrix().Condition(),
	}
}

// Product returns how an operator that releases items by themselves acts on k items, from how it acts on one.
func Product(one Acting, k int) Acting {
	a := Acting{make([]float64, k+1), make([]float64, k+1), portable.Pow(one.Condition, float64(k))}
	for l := range a.Whole {
		there, away := float64(l), float64(k-l)
		a.Second[l] = float64(portable.Pow(one.Second[1], there) * portable.Pow(one.Second[0], away))
		a.Whole[l] = float64(portable.Pow(one.Whole[1], there) * portable.Pow(one.Whole[0], away))
	}
	return a
}

// Act returns how the operator acts on k of the m items that a record may have; false where the record has fewer, or
// the transitions cannot be undone.
func (o Sizes) Act(k int) (a Acting, ok bool) {
	if k > o.Items() {
		return a, false
	}
	p := o.Transition(k)
	w, ok := lastWeights(p)
	if !ok {
		return a, false
	}
	a.Condition = p.Condition()
	for _, row := range p {
		second := 0.0
		for after, q := range row {
			second += float64(q * square(w[after]))
		}
		a.Second, a.Whole = append(a.Second, second), append(a.Whole, row[k])
	}
	return a, true
}

// Act returns how the operator acts on a value for each of k attributes that have so many combinations of categories.
// Who has some of the values is released with all as often as who has none.
func (d Diagonal) Act(k int, combinations float64) Acting {
	on, off := d.Subset(combinations)
	keep := d.Keep()
	a := Acting{make([]float64, k+1), make([]float64, k+1), d.Condition()}
	for l := range a.Whole {
		a.Whole[l] = off
	}
	a.Whole[k] = on
	for l, p := range a.Whole {
		a.Second[l] = float64(p*square((1-off)/keep)) + float64((1-p)*square(off/keep))
	}
	return a
}

// Stratum is records that an operator treats alike.
type Stratum struct {
	Share float64 // of all records, above 0
	Prior float64 // share of these records that have an item, in the mean over the items
	Acting
}

// second returns n times the variance of the estimate of the support s of an itemset as rest + s slope: records without
// it have its items independently, each with the prior of their stratum (Bits.Lowest).
func second(strata []Stratum) (rest, slope float64) {
	able, there := 0.0, 0.0
	for _, s := range strata {
		able += s.Share
		there += float64(s.Share * s.Second[s.Items()])
		rest += float64(s.Share * vector.Dot(s.Second, s.others()))
	}
	return rest, there/able - 1 - rest/able
}

// others returns the shares of the records that have l = 0..k of the items where each is there independently.
func (s *Stratum) others() []float64 {
	out := make([]float64, s.Items()+1)
	for l := range out {
		out[l] = binomial(l, s.Items(), s.Prior)
	}
	return out
}

// ErrorAt returns the standard error of the estimate of an itemset of that support in n records, of which those of the
// strata may have it.
func ErrorAt(strata []Stratum, n, support float64) float64 {
	rest, slope := second(strata)
	return math.Sqrt(max(0, rest+float64(slope*support)) / n)
}

// LowestAt returns the lowest support that can be told from 0 in n records, 4 standard errors of its estimate; it is
// infinite where nothing can be estimated, and may be above 1.
func LowestAt(strata []Stratum, n float64) float64 {
	if len(strata) == 0 {
		return math.Inf(1)
	}
	rest, slope := second(strata)
	return lowest(n, rest, slope)
}

// BreachAt returns the probability that a record had an item of an itemset of that support if its release has the whole
// itemset, in the stratum where it is largest and in the mean over all: records without the itemset have its items
// independently.
func BreachAt(strata []Stratum, support float64) (worst, mean float64) {
	able, items, whole := 0.0, 0.0, 0.0
	for _, s := range strata {
		able += s.Share
	}
	for _, s := range strata {
		own, all := 0.0, 0.0
		for l, share := range s.others() {
			share = float64(share * (1 - support/able))
			if l == s.Items() {
				share += support / able
			}
			own += share * s.Whole[l] * float64(l) / float64(s.Items())
			all += float64(share * s.Whole[l])
		}
		worst = max(worst, own/all)
		items, whole = items+float64(s.Share*own), whole+float64(s.Share*all)
	}
	return worst, items / whole
}
