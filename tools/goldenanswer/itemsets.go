package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/dither-data/dither/internal/mining/association"
	"github.com/dither-data/dither/internal/mining/itemset"
)

// itemsets are the frequent itemsets of transactions, and what association rules tell.
var itemsets = map[string]answer{
	"itemsets": on(func(in struct {
		Transactions [][]string
		MinCount     int `json:"min_count"`
		Kind         string
	}) (any, error) {
		kind, ok := map[string]itemset.Kind{"all": itemset.All, "closed": itemset.Closed, "maximal": itemset.Maximal}[in.Kind]
		if !ok {
			return nil, fmt.Errorf("unknown kind %q", in.Kind)
		}
		t, names := baskets(in.Transactions)
		return frequentSets(t, names, in.MinCount, kind)
	}),
	"association_rules": on(func(in struct {
		Transactions [][]string
		MinCount     int     `json:"min_count"`
		Confidence   float64 `json:"min_conf"`
	}) (any, error) {
		t, names := baskets(in.Transactions)
		return associationRules(t, names, in.MinCount, in.Confidence)
	}),
	"j_measure": on(func(in struct{ A, B, X float64 }) (any, error) {
		j := association.Divergence(in.X, in.A)
		return object{"j": j, "J": in.B * j}, nil
	}),
}

// baskets codes transactions of names in the order of the names.
func baskets(rows [][]string) (*itemset.Transactions, []string) {
	names := slices.Concat(rows...)
	slices.Sort(names)
	names = slices.Compact(names)
	t := &itemset.Transactions{Start: []int{0}, Labels: len(names)}
	for _, row := range rows {
		sorted := slices.Clone(row)
		slices.Sort(sorted)
		for _, n := range slices.Compact(sorted) {
			k, _ := slices.BinarySearch(names, n)
			t.Items = append(t.Items, int32(k))
		}
		t.Start = append(t.Start, len(t.Items))
	}
	return t, names
}

func itemNames(items []int32, names []string) (out []string) {
	for _, k := range items {
		out = append(out, names[k])
	}
	return out
}

type countedSet struct {
	Items []string `json:"items"`
	Count int      `json:"count"`
}

// frequentSets finds the sets with every miner; they must agree.
func frequentSets(t *itemset.Transactions, names []string, least int, kind itemset.Kind) (any, error) {
	var first []countedSet
	for k, miner := range []itemset.Miner{itemset.LCM, itemset.Eclat, itemset.FPGrowth, itemset.Apriori} {
		found := []countedSet{}
		_, err := miner(
			context.Background(),
			t,
			itemset.Query{Least: least, Kind: kind, Visit: func(items []int32, count int) bool {
				found = append(found, countedSet{itemNames(items, names), count})
				return true
			}},
		)
		if err != nil {
			return nil, err
		}
		slices.SortFunc(found, func(a, b countedSet) int { return slices.Compare(a.Items, b.Items) })
		if k == 0 {
			first = found
		}
		if !slices.EqualFunc(
			found,
			first,
			func(a, b countedSet) bool { return a.Count == b.Count && slices.Equal(a.Items, b.Items) },
		) {
			return nil, fmt.Errorf("miner %d finds other sets", k)
		}
	}
	return object{"itemsets": first}, nil
}

func associationRules(t *itemset.Transactions, names []string, least int, confidence float64) (any, error) {
	sets, rules := map[string]int{}, map[string]any{}
	s, err := association.Gather(
		context.Background(),
		func(ctx context.Context, visit itemset.Visit) (itemset.Tally, error) {
			return itemset.LCM(ctx, t, itemset.Query{Least: least, Visit: func(items []int32, count int) bool {
				sets[strings.Join(itemNames(items, names), ",")] = count
				return visit(items, count)
			}})
		},
		t.Len(),
	)
	if err != nil {
		return nil, err
	}
	err = s.Rules(context.Background(), association.Options{Confidence: confidence}, func(r *association.Rule) bool {
		key := strings.Join(itemNames(r.If, names), ",") + "=>" + strings.Join(itemNames(r.Then, names), ",")
		rules[key] = object{"count": r.Both, "confidence": r.Confidence()}
		return true
	})
	return object{"itemsets": sets, "rules": rules}, err
}
