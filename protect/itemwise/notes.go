package itemwise

import (
	"math"
	"strconv"
	"strings"

	"github.com/dither-data/dither/internal/noise/randomised"
	"github.com/dither-data/dither/internal/portable"
	"github.com/dither-data/dither/message"
)

// Notes says that numbers of items are public, how far the odds of two records may move, what a released item tells,
// and which itemsets can still be found.
func (p *Sized) Notes() []message.Sentence {
	out := []message.Sentence{message.Say("plan.sized.public")}
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
		out = append(
			out,
			items(name, after, before),
			message.Say("plan.sized.item").Name("column", name).Share("before", prior).Digits("mean", mean, 3).
				Digits("worst", worst, 3).Share("after", released),
			p.found(k),
		)
	}
	return out
}

// Epsilon is that of a whole record among those with as many items.
func (p *Sized) Epsilon() float64 {
	_, most, _ := p.gammas()
	return portable.Log(most)
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
func (p *Sized) told() message.Sentence {
	least, most, at := p.gammas()
	switch {
	case math.IsInf(most, 1):
		return message.Say("plan.sized.unbounded").Count("n", at)
	case most-least < 1e-6*most:
		return message.Say("plan.sized.epsilon").Digits("epsilon", portable.Log(most), 3).Digits("gamma", most, 4).
			Digits("up", up(most), 3)
	}
	return message.Say("plan.sized.epsilons").Digits("epsilon", portable.Log(most), 3).Digits("gamma", most, 4).Count("n",
		at).
		Digits("least", least, 4).Digits("up", up(most), 3)
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
			out = append(
				out,
				randomised.Stratum{
					Share:  float64(n) / float64(all),
					Prior:  min(1, float64(p.Operators[x].Items)/labels),
					Acting: a,
				},
			)
		}
	}
	return out
}

// mean returns how many items records have in the mean, before and after, and these as shares of all labels.
func (p *Sized) mean(k, labels int) (before, after, prior, released float64) {
	all := 0.0
	for x, n := range p.Counts[k] {
		o, m := p.Operators[x].Sizes(), float64(p.Operators[x].Items)
		before += float64(float64(n) * m)
		after += float64(float64(n) * (float64(m*o.KeptShare()) + float64((float64(labels)-m)*o.Rho)))
		all += float64(n)
	}
	before, after = before/all, after/all
	return before, after, min(1, before/float64(labels)), min(1, after/float64(labels))
}

// found says which itemsets of column k can still be found.
func (p *Sized) found(k int) message.Sentence {
	return lowest(p.Attrs[p.Columns[k]].Name, func(items int) (lowest, condition float64) {
		strata := p.Strata(k, items)
		for _, s := range strata {
			condition = max(condition, s.Condition)
		}
		return randomised.LowestAt(strata, float64(p.Records)), condition
	})
}

// Corrections says how a user of the release estimates supports of the original.
func (p *Sized) Corrections() []message.Sentence {
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
	out := []message.Sentence{message.Say("correct.items.weights")}
	o := p.Operators[commonest].Sizes()
	for k := 1; k <= 2; k++ {
		if w, ok := o.Weights(k); ok {
			out = append(out,
				message.Say("correct.items.weight").Count("items", o.Items()).Count("k", k).Text("weights", numbers(w)))
		}
	}
	return append(out, message.Say("correct.items.error"))
}

func numbers(x []float64) string {
	words := make([]string, len(x))
	for k, v := range x {
		words[k] = strconv.FormatFloat(v, 'g', 6, 64)
	}
	return strings.Join(words, " ")
}
