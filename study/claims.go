package study

import (
	"cmp"
	"context"
	"slices"

	"github.com/dither-data/dither/internal/system/parallel"
	"github.com/dither-data/dither/rng"
)

// The intruder who looks people up does not know whom a look-up leads to the right record. It leads to some record
// whenever one agrees better than any other with what is known, in values that mean one person: a claim. In a small
// table, or one of many columns, nearly everybody is claimed, and some claims are right by chance: those tell nobody
// anything. So look-ups count only as far as they can be relied on: the intruder takes the strongest claims, and as
// many as leave more than reliable of them right.

// reliable is the share of claims that must be right for look-ups to count: the risk that agencies allow (European
// Medicines Agency, policy 0070, and Health Canada), which is that of guessing among eleven people.
const reliable = 0.09

// fewestClaimed is how many people wrong claims are counted on at least; of more, as many as lookupWork is good for.
const fewestClaimed = 100

// claim is one, of a person. It is the stronger the higher its keys: what agrees, and what share that is of all that is
// known of the person, both by weight.
type claim struct {
	keys  [2]float64
	right bool
}

// claimed is the claim that a record of a release is that of a record's person, by what weighs so much.
func (c *catalogue) claimed(i int, agreed float64, right bool) claim {
	all := 0.0
	for k := range c.columns {
		if v := c.own[k][i]; v >= 0 {
			all += c.weight[k][v]
		}
	}
	return claim{[2]float64{agreed, agreed / max(all, 1e-300)}, right}
}

// agreed is the weight of the values known of a person that a record shows.
func (c *catalogue) agreed(i, record int) (sum float64) {
	for k := range c.columns {
		if v := c.own[k][i]; v >= 0 && c.shown[k][record] == v {
			sum += c.weight[k][v]
		}
	}
	return sum
}

// mistakes reports whether somebody else's record agrees better with what is known of a person than any of another
// person, their own among them, in values that nobody else in the original has together; and the claim. As in best, who
// agrees as well must agree in one of the heaviest values.
func (c *catalogue) mistakes(i int) (wrong claim, ok bool) {
	order, left := c.heaviest(i)
	most, at, tied := c.agreed(i, i), -1, false
	if c.of != nil { // of the person's own records the best one
		for own := range c.shown[0] {
			if !c.apart(i, own) {
				most = max(most, c.agreed(i, own))
			}
		}
	}
	rounding := float64(1e-9 * (1 + left))
	for _, k := range order {
		if left < most-rounding {
			break
		}
		v := c.own[k][i]
		for _, row := range c.ofShown[k].of(v) {
			other := int(row)
			if !c.apart(i, other) {
				continue
			}
			switch sum := c.agreed(i, other); {
			case sum > most+rounding:
				most, at, tied = sum, other, false
			case sum >= most-rounding && at >= 0 && c.apart(at, other):
				tied = true
			}
		}
		left -= c.weight[k][v]
	}
	if at < 0 || tied {
		return claim{}, false
	}
	var agree []int
	for k := range c.columns {
		if v := c.own[k][i]; v >= 0 && c.shown[k][at] == v {
			agree = append(agree, k)
		}
	}
	return c.claimed(i, most, false), c.alone(i, agree, c.own, c.ofOwn, nil)
}

// relied returns how many of the people found are looked up by claims that can be relied on. Mine are the records of a
// person, found says of each of people whether they are found.
func (c *catalogue) relied(
	ctx context.Context, people []int, found []bool, mine func(person int) []int, src rng.Source,
) (int, error) {
	var right, others []int
	for k, f := range found {
		if f {
			right = append(right, k)
		} else {
			others = append(others, k)
		}
	}
	if len(right) == 0 {
		return 0, nil
	}
	each := 1.0 // how many wrong claims one stands for
	most := max(fewestClaimed, lookupWork/(len(c.shown[0])*len(c.columns)))
	if all := len(others); all > most {
		src.Fork("claims").Rand().Shuffle(all, func(i, j int) { others[i], others[j] = others[j], others[i] })
		others, each = others[:most], float64(all)/float64(most)
	}
	asked := slices.Concat(right, others)
	claims := make([]*claim, len(asked))
	err := parallel.Each(ctx, len(claims), func(n int) error {
		for _, i := range mine(people[asked[n]]) {
			if n < len(right) {
				if c.finds(i) {
					claims[n] = stronger(claims[n], c.claimed(i, c.agreed(i, i), true))
				}
			} else if wrong, ok := c.mistakes(i); ok {
				claims[n] = stronger(claims[n], wrong)
			}
		}
		return nil
	})
	if err != nil {
		return 0, err
	}
	claims = slices.DeleteFunc(claims, func(c *claim) bool { return c == nil })
	return max(relied(claims, 0, each), relied(claims, 1, each)), nil
}

// stronger returns a claim about a person with the higher of both keys of two.
func stronger(a *claim, b claim) *claim {
	if a != nil {
		for k, v := range a.keys {
			b.keys[k] = max(v, b.keys[k])
		}
	}
	return &b
}

// relied returns how many claims are right of the strongest by a key, of as many as leave more than reliable of them
// right. A wrong one stands for each.
func relied(claims []*claim, key int, each float64) (most int) {
	slices.SortFunc(claims, func(a, b *claim) int { return cmp.Compare(b.keys[key], a.keys[key]) })
	right, wrong := 0, 0.0
	for k, c := range claims {
		if c.right {
			right++
		} else {
			wrong += each
		}
		last := k+1 == len(claims) || claims[k+1].keys[key] < c.keys[key]
		if last && float64(right) > reliable*(float64(right)+wrong) {
			most = right
		}
	}
	return most
}
