package itemwise

import (
	"fmt"
	"math"

	"github.com/dither-data/dither/internal/numeral"
	"github.com/dither-data/dither/internal/randomised"
)

// Notes says that numbers of items are public, how far the odds of two records may move, what a released item tells,
// and which itemsets can still be found.
func (p *Sized) Notes() []string {
	out := []string{"how many items a record has is public: supports cannot be estimated without it, so the law of the release tells it of every record (--noise-model-out)"}
	if len(p.Operators) > 0 {
		out = append(out, p.told())
	}
	for k, j := range p.Columns {
		name, labels := p.Attrs[j].Name, len(p.Attrs[j].Labels)
		strata := p.Strata(k, 1)
		if len(strata) == 0 {
			continue
		}
		before, after, prior, released := p.mean(k, labels)
		worst, mean := randomised.BreachAt(strata, prior)
		out = append(out, fmt.Sprintf("%q: a record has %.3g items in the release, %.3g before, in the mean", name, after, before),
			fmt.Sprintf("%q, whose items are in %s of the records in the mean: a released item was there with probability %.3g, %.3g among the records of the worst number of items; "+
				"items are %s of all there may be in the release", name, numeral.Percent(prior), mean, worst, numeral.Percent(released)),
			fmt.Sprintf("%q: %s", name, p.found(k)))
	}
	return out
}

// Epsilon is that of a whole record among those with as many items.
func (p *Sized) Epsilon() float64 {
	_, most, _ := p.gammas()
	return math.Log(most)
}

// gammas returns the least and the largest amplification of all operators, and of how many items the largest is.
func (p *Sized) gammas() (least, most float64, at int) {
	least, most = math.Inf(1), 1
	for x := range p.Operators {
		if p.Operators[x].Items == 0 {
			continue
		}
		gamma := p.Operators[x].Sizes().Gamma()
		if least = min(least, gamma); gamma > most {
			most, at = gamma, p.Operators[x].Items
		}
	}
	return least, most, at
}

// told says how far the odds of two originals of one size may move.
func (p *Sized) told() string {
	least, most, at := p.gammas()
	switch {
	case math.IsInf(most, 1):
		return numeral.Sprintf("some releases rule originals out, those of records of %d items among them: amplification gamma is without bound", at)
	case most-least < 1e-6*most:
		return fmt.Sprintf("local differential privacy of a whole record among those with as many items: epsilon is %.3g (amplification gamma %.4g). "+
			"What has the probability 0.05 before has %.3g at most after its release", math.Log(most), most, up(most))
	}
	return numeral.Sprintf("local differential privacy of a whole record among those with as many items: epsilon is %.3g at most (amplification gamma %.4g, of records of %d items; "+
		"the least is %.4g). What has the probability 0.05 before may have %.3g after its release", math.Log(most), most, at, least, up(most))
}

// Strata returns the records of column k by their numbers of items, as the operator acts on itemsets of so many items.
// Those that cannot have one are left out.
func (p *Sized) Strata(k, items int) (out []randomised.Stratum) {
	all := 0
	for _, n := range p.Counts[k] {
		all += n
	}
	labels := float64(len(p.Attrs[p.Columns[k]].Labels))
	for x, n := range p.Counts[k] {
		if a, ok := p.Operators[x].Sizes().Act(items); ok && n > 0 {
			out = append(out, randomised.Stratum{Share: float64(n) / float64(all), Prior: min(1, float64(p.Operators[x].Items)/labels), Acting: a})
		}
	}
	return out
}

// mean returns how many items records have in the mean, before and after, and these as shares of all labels.
func (p *Sized) mean(k, labels int) (before, after, prior, released float64) {
	all := 0.0
	for x, n := range p.Counts[k] {
		o, m := p.Operators[x].Sizes(), float64(p.Operators[x].Items)
		before += float64(n) * m
		after += float64(n) * (m*o.KeptShare() + (float64(labels)-m)*o.Rho)
		all += float64(n)
	}
	before, after = before/all, after/all
	return before, after, min(1, before/float64(labels)), min(1, after/float64(labels))
}

// found says which itemsets of column k can still be found.
func (p *Sized) found(k int) string {
	return lowestText(func(items int) (lowest, condition float64) {
		strata := p.Strata(k, items)
		for _, s := range strata {
			condition = max(condition, s.Condition)
		}
		return randomised.LowestAt(strata, float64(p.Records)), condition
	})
}

// Corrections says how a user of the release estimates supports of the original.
func (p *Sized) Corrections() []string {
	if len(p.Operators) == 0 {
		return nil
	}
	commonest, n := 0, 0
	for x := range p.Operators {
		sum := 0
		for k := range p.Counts {
			sum += p.Counts[k][x]
		}
		if sum > n && p.Operators[x].Items > 0 {
			commonest, n = x, sum
		}
	}
	out := []string{"support of an itemset of k items: the mean over the records of a weight that depends on how " +
		"many of the k items the released record has, and on how many items " +
		"the original has; records that have fewer than k count 0. \"dither mine itemsets RELEASE --noise-model LAW\" takes the weights from the law"}
	o := p.Operators[commonest].Sizes()
	for k := 1; k <= 2; k++ {
		if w, ok := o.Weights(k); ok {
			out = append(out, fmt.Sprintf("for records of %s the weights of 0 of %d, and so on, are%s", numeral.Counted(o.Items(), "item"), k, numbers(w)))
		}
	}
	return append(out, "the standard error of the estimate is the root of the mean of w^2 - w over the number of records, w being the weights; put 0 for estimates below 0 and 1 for those above 1")
}

func numbers(x []float64) (text string) {
	for _, v := range x {
		text += fmt.Sprintf(" %.6g", v)
	}
	return text
}
