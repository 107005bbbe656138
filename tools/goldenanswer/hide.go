package main

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/dither-data/dither/basket"
	"github.com/dither-data/dither/internal/mining/itemset"
	"github.com/dither-data/dither/internal/mining/rulehiding"
)

// hides are the algorithms that hide patterns.
var hides = map[string]answer{
	"hide": on(func(in struct {
		toHide
		Algorithm    string
		MST, MCT, SM string
		Fallback     bool
		Phi, Order   string
		Psi          []string
		Window       int
		MinCount     int `json:"min_count"`
	}) (any, error) {
		d, list, names, err := in.read()
		if err != nil {
			return nil, err
		}
		var l rulehiding.Limits
		share := func(text string) (s rulehiding.Share) {
			if text != "" && err == nil {
				s, err = rulehiding.ParseShare(text)
			}
			return s
		}
		mst, mct, sm, phi := share(in.MST), share(in.MCT), share(in.SM), share(in.Phi)
		if err != nil {
			return nil, err
		}
		l.Least = mst.Of(d.Len())
		if l.Support, err = mst.Minus(sm); err != nil {
			return nil, err
		}
		if l.Confidence, err = mct.Minus(sm); err != nil {
			return nil, err
		}
		if in.MinCount > 0 {
			if l.Support, err = rulehiding.ParseShare(fmt.Sprintf("%d/%d", in.MinCount, max(1, d.Len()))); err != nil {
				return nil, err
			}
		}
		var psi []rulehiding.Share
		for _, p := range in.Psi {
			psi = append(psi, share(p))
		}
		ctx := context.Background()
		states, blurs := true, false
		switch in.Algorithm {
		case "1a":
			_, err = rulehiding.Rules(ctx, d, list, l, rulehiding.Raise, in.Fallback)
		case "1b":
			_, err = rulehiding.Rules(ctx, d, list, l, rulehiding.LowerEnd, false)
		case "2a":
			_, err = rulehiding.Rules(ctx, d, list, l, rulehiding.LowerRule, false)
		case "2b":
			err = rulehiding.Largest(ctx, d, list, l)
		case "2c":
			err = rulehiding.InTurn(ctx, d, list, l)
		case "gih":
			blurs, err = true, rulehiding.GIH(ctx, d, list, l)
		case "cr":
			blurs, err = true, rulehiding.CR(ctx, d, list, l)
		case "cr2":
			blurs, err = true, rulehiding.CR2(ctx, d, list, l)
		case "naive", "minfia", "maxfia", "iga":
			how := map[string]rulehiding.Victim{"naive": rulehiding.Naive, "minfia": rulehiding.MinFIA,
				"maxfia": rulehiding.MaxFIA, "iga": rulehiding.IGA}[in.Algorithm]
			states, err = false, rulehiding.Conflicts(ctx, d, list, phi, how, in.Order == "asc")
		case "swa":
			states, err = false, rulehiding.SWA(ctx, d, list, psi, in.Window)
		case "maxmin1":
			err = rulehiding.MaxMin(ctx, d, list, in.MinCount)
		default:
			return nil, fmt.Errorf("unknown algorithm %q", in.Algorithm)
		}
		if err != nil {
			return nil, err
		}
		rules := slices.Contains([]string{"1a", "1b", "2a", "cr", "cr2"}, in.Algorithm)
		return hiddenState(d, list, names, l, states, rules, blurs), nil
	}),
	"needed_changes": on(func(in struct {
		N            int
		NX           int `json:"n_x"`
		NXY          int `json:"n_xy"`
		MST, MCT, SM string
		Strategy     string
	}) (any, error) {
		var shares [3]*big.Rat
		for k, text := range []string{in.MST, in.MCT, in.SM} {
			var ok bool
			if shares[k], ok = new(big.Rat).SetString(text); !ok {
				return nil, fmt.Errorf("%q: expected a fraction such as 1/5 or 0.2", text)
			}
		}
		support, confidence := new(big.Rat).Sub(shares[0], shares[2]), new(big.Rat).Sub(shares[1], shares[2])
		change, alone := deleteEnd, false
		switch in.Strategy {
		case "1a", "cr2":
			change = addBeginning
		case "2a_x":
			change = deleteBeginning
		case "2b", "2c", "gih":
			alone = true
		}
		n := neededFor(in.N, in.NX, in.NXY, support, confidence, change, alone)
		number := func(k int) any {
			if k < 0 {
				return nil
			}
			return k
		}
		return object{
			"by_confidence": number(n.byConfidence),
			"by_support":    number(n.bySupport),
			"needed":        number(n.least()),
		}, nil
	}),
	"border": on(func(in struct {
		toHide
		MinCount int `json:"min_count"`
	}) (any, error) {
		d, list, names, err := in.read()
		if err != nil {
			return nil, err
		}
		border, err := rulehiding.Border(context.Background(), d, list, in.MinCount)
		if err != nil {
			return nil, err
		}
		out := []object{}
		for _, s := range border {
			out = append(out, object{"items": spelt(s.Items, names), "count": s.Count})
		}
		return object{"border": out}, nil
	}),
	"optimum": on(func(in struct {
		toHide
		MinCount int `json:"min_count"`
	}) (any, error) {
		d, list, _, err := in.read()
		if err != nil {
			return nil, err
		}
		goal := rulehiding.Goal{Hide: in.MinCount, Keep: in.MinCount, Nodes: 1_000_000, Cells: true}
		c, err := rulehiding.CountBest(context.Background(), d, list, goal)
		if err != nil {
			return nil, err
		}
		o, err := rulehiding.Exact(context.Background(), d, list, goal)
		if err != nil {
			return nil, err
		}
		if !o.Proved() || o.Lost != c.Lost || o.Cells != c.Cells {
			return nil, errors.New("branch and bound and the count of all solutions differ")
		}
		cost := 0.0
		if o.Patterns > 0 {
			cost = float64(o.Lost) / float64(o.Patterns)
		}
		return object{
			"deletions":    o.Cells,
			"solutions":    c.Solutions,
			"misses":       o.Lost,
			"best":         c.Best,
			"nonsensitive": o.Patterns,
			"misses_cost":  cost,
		}, nil
	}),
}

// toHide is transactions of names with what is sensitive in them.
type toHide struct {
	Transactions [][]string
	Sensitive    []string
}

// read returns the transactions by code, names in their order.
func (n *toHide) read() (d *rulehiding.Data, list []basket.Pattern, names []string, err error) {
	for _, row := range n.Transactions {
		names = append(names, row...)
	}
	for _, s := range n.Sensitive {
		names = append(names, strings.Split(strings.Replace(s, "=>", ",", 1), ",")...)
	}
	slices.Sort(names)
	names = slices.Compact(names)
	codes := func(row []string) []int32 {
		out := []int32{}
		for _, name := range row {
			k, _ := slices.BinarySearch(names, name)
			out = append(out, int32(k))
		}
		slices.Sort(out)
		return slices.Compact(out)
	}
	t := &itemset.Transactions{Start: []int{0}, Labels: len(names)}
	for _, row := range n.Transactions {
		t.Items = append(t.Items, codes(row)...)
		t.Start = append(t.Start, len(t.Items))
	}
	for _, s := range n.Sensitive {
		left, right, rule := strings.Cut(s, "=>")
		p := basket.Pattern{If: codes(strings.Split(left, ","))}
		if rule {
			p.Then = codes(strings.Split(right, ","))
		}
		list = append(list, p)
	}
	return rulehiding.NewData(t), list, names, nil
}

func spelt(items []int32, names []string) []string {
	out := []string{}
	for _, v := range items {
		out = append(out, names[v])
	}
	return out
}

// hiddenState is what became of transactions and patterns.
func hiddenState(
	d *rulehiding.Data,
	list []basket.Pattern,
	names []string,
	l rulehiding.Limits,
	states, rules, blurs bool,
) object {
	rows, unknown := [][]string{}, [][]string{}
	for i := range d.Len() {
		items, maybe := d.Row(i)
		rows, unknown = append(rows, spelt(items, names)), append(unknown, spelt(maybe, names))
	}
	left, with, hidden := []int{}, []int{}, []bool{}
	for _, p := range list {
		s := d.StateOf(p, l)
		if !rules {
			s.Hidden = d.StateOf(basket.Pattern{If: p.Items()}, l).Hidden
		}
		left, with, hidden = append(left, s.Both), append(with, s.With), append(hidden, s.Hidden)
	}
	out := object{"transactions": rows, "changes": d.Changes, "left": left}
	if states {
		out["hidden"] = hidden
	}
	if rules {
		out["left_x"] = with
	}
	if blurs {
		out["unknown"] = unknown
	}
	return out
}
