package basket

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/dither-data/dither/internal/mining/association"
	"github.com/dither-data/dither/internal/mining/itemset"
	"github.com/dither-data/dither/param"
)

// Any stands in a list of patterns for any items: bread,* are the frequent itemsets of bread and one more, *=>jam the
// rules that end with jam, bread=>* those that begin with bread.
const Any = "*"

// mostOfAny is how many patterns a * may stand for, and mostMined how many itemsets may be frequent where rules are
// looked for.
const (
	mostOfAny = 1000
	mostMined = 2_000_000
)

// Expand returns a list in which patterns with * stand for themselves no more, but what they stand for in transactions
// stands there: itemsets that so many have at least, and rules of such itemsets with a confidence. What has no * is as
// it was. Errors name the line, and no item. Cost: that of finding all frequent itemsets where a rule has a *, and else
// that of a look at all transactions for each *.
func (c *Coding) Expand(
	ctx context.Context,
	list string,
	t *itemset.Transactions,
	least int,
	confidence float64,
) (string, error) {
	w := &wild{Coding: c, t: t, least: max(1, least), confidence: confidence}
	type entry struct {
		line int
		text string
	}
	var open []entry
	lines := strings.Split(list, "\n")
	for n, line := range lines {
		if strings.HasPrefix(strings.TrimSpace(line), "#") {
			continue
		}
		lines[n] = strings.Join(slices.DeleteFunc(divide(line, ";"), func(one string) bool {
			if c.HasAny(one) {
				open = append(open, entry{n + 1, strings.TrimSpace(one)})
				return true
			}
			return false
		}), ";")
	}
	listed, err := c.Patterns(strings.Join(lines, "\n"))
	if err != nil {
		return "", err
	}
	for _, e := range open {
		found, err := w.stand(ctx, e.text)
		if err != nil {
			return "", fmt.Errorf("pattern in line %d: %w", e.line, err)
		}
		for _, p := range found {
			if !slices.ContainsFunc(listed,
				func(o Pattern) bool { return slices.Equal(o.If, p.If) && slices.Equal(o.Then, p.Then) }) {
				listed, lines = append(listed, p), append(lines, c.Text(p))
			}
		}
	}
	return strings.Join(lines, "\n"), nil
}

// HasAny reports whether a * stands in a list. An item of this name does not count, nor does one in quotes.
func (c *Coding) HasAny(list string) bool {
	if slices.ContainsFunc(c.Items, func(it Item) bool { return it.String() == Any }) {
		return false
	}
	for _, line := range strings.Split(list, "\n") {
		for _, one := range divide(line, ";") {
			for _, side := range divide(one, "=>") {
				if !strings.HasPrefix(strings.TrimSpace(line), "#") &&
					slices.ContainsFunc(divide(side, ","), func(item string) bool { return strings.TrimSpace(item) == Any }) {
					return true
				}
			}
		}
	}
	return false
}

// wild finds what * stands for.
type wild struct {
	*Coding
	t          *itemset.Transactions
	least      int
	confidence float64
	rules      *association.Supports // nil until it is needed
}

// stand returns the patterns that one stands for.
func (w *wild) stand(ctx context.Context, text string) (out []Pattern, err error) {
	names, code := w.names()
	sides := divide(text, "=>")
	var known [2][]int32
	stars := 0
	for k, s := range sides {
		items := param.SplitNames(strings.TrimSpace(s))
		rest := slices.DeleteFunc(slices.Clone(items), func(name string) bool { return name == Any })
		stars += len(items) - len(rest)
		if len(rest) == 0 && k < 2 && len(sides) == 2 {
			continue
		}
		if k == 2 || stars > 1 || len(sides) == 2 && len(rest) < len(items) {
			return nil, errors.New("a * stands for one side of a rule, as in bread=>* and *=>bread, or for one item of a set, " +
				"as in bread,*")
		}
		if known[k], err = side(strings.Join(rest, ","), code, names); err != nil {
			return nil, err
		}
	}
	switch {
	case stars > 1:
		return nil, errors.New("only one side of a rule can be *")
	case len(sides) == 1:
		out = w.pairs(known[0])
	default:
		out, err = w.ruled(ctx, known[0], known[1])
	}
	switch {
	case err != nil:
		return nil, err
	case len(out) == 0:
		return nil, errors.New("its * stands for nothing at these thresholds")
	case len(out) > mostOfAny:
		return nil, fmt.Errorf("its * stands for more than %d patterns: raise the support, or list what is sensitive",
			mostOfAny)
	}
	return out, nil
}

// pairs returns the frequent itemsets of the items and one more.
func (w *wild) pairs(items []int32) (out []Pattern) {
	count := make([]int, w.t.Labels)
	for i := range w.t.Len() {
		if row := w.t.Row(i); itemset.Contains(row, items) {
			for _, v := range row {
				count[v]++
			}
		}
	}
	for v, n := range count {
		if n >= w.least && !slices.Contains(items, int32(v)) {
			all := append(slices.Clone(items), int32(v))
			slices.Sort(all)
			out = append(out, Pattern{If: all})
		}
	}
	return out
}

// ruled returns the rules with the beginning, or else with the end; the other side is nil.
func (w *wild) ruled(ctx context.Context, begin, end []int32) (out []Pattern, err error) {
	if w.rules == nil {
		mined := 0
		w.rules, err = association.Gather(ctx, func(ctx context.Context, visit itemset.Visit) (itemset.Tally, error) {
			return itemset.LCM(ctx, w.t, itemset.Query{Least: w.least, Visit: func(items []int32, count int) bool {
				mined++
				return mined <= mostMined && visit(items, count)
			}})
		}, w.t.Len())
		if err == nil && mined > mostMined {
			w.rules, err = nil, fmt.Errorf("more than %d itemsets are in at least %d records: raise the support, or list what "+
				"is sensitive", mostMined, w.least)
		}
		if err != nil {
			return nil, err
		}
	}
	err = w.rules.Rules(ctx, association.Options{Confidence: w.confidence}, func(r *association.Rule) bool {
		if begin != nil && slices.Equal(r.If, begin) || end != nil && slices.Equal(r.Then, end) {
			out = append(out, Pattern{If: slices.Clone(r.If), Then: slices.Clone(r.Then)})
		}
		return len(out) <= mostOfAny
	})
	return out, err
}
