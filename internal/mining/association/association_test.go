package association_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dither-data/dither/internal/mining/association"
	"github.com/dither-data/dither/internal/mining/itemset"
	"github.com/dither-data/dither/internal/testkit/must"
)

func of(labels int, rows ...[]int32) *itemset.Transactions {
	t := &itemset.Transactions{Start: []int{0}, Labels: labels}
	for _, r := range rows {
		t.Items = append(t.Items, r...)
		t.Start = append(t.Start, len(t.Items))
	}
	return t
}

// seven are the transactions abc abd acd bcd abcd ab ce.
var seven = of(5, []int32{0, 1, 2}, []int32{0, 1, 3}, []int32{0, 2, 3}, []int32{1, 2, 3}, []int32{0, 1, 2, 3},
	[]int32{0, 1}, []int32{2, 4})

func rules(t *testing.T, tr *itemset.Transactions, least int, o association.Options) (out []association.Rule) {
	t.Helper()
	find := func(ctx context.Context, visit itemset.Visit) (itemset.Tally, error) {
		return itemset.LCM(ctx, tr, itemset.Query{Least: least, Visit: visit})
	}
	s, err := association.Gather(context.Background(), find, tr.Len())
	must.NoError(t, err)
	must.NoError(t, s.Rules(context.Background(), o, func(r *association.Rule) bool {
		c := *r
		c.If, c.Then = slices.Clone(r.If), slices.Clone(r.Then)
		out = append(out, c)
		return true
	}))
	return out
}

// The example of seven transactions, worked out by hand.
func TestSeven(t *testing.T) {
	want := map[string][4]float64{ // confidence, lift, leverage, conviction
		"[0]=>[1]": {0.8, 1.12, 0.0612, 1.4286}, "[1]=>[0]": {0.8, 1.12, 0.0612, 1.4286},
		"[3]=>[0]": {
			0.75,
			1.05,
			0.0204,
			1.1429,
		}, "[3]=>[1]": {0.75, 1.05, 0.0204, 1.1429}, "[3]=>[2]": {0.75, 1.05, 0.0204, 1.1429},
	}
	got := rules(t, seven, 2, association.Options{Confidence: 0.75})
	if len(got) != len(want) {
		t.Errorf("%d rules, expected %d", len(got), len(want))
	}
	for _, r := range got {
		w, ok := want[fmt.Sprint(r.If, "=>", r.Then)]
		for k, v := range []float64{r.Confidence(), r.Lift(), r.Leverage(), r.Conviction()} {
			if !ok || math.Abs(v-w[k]) > 5e-5 {
				t.Errorf("%v => %v: figure %d is %v, expected %v", r.If, r.Then, k, v, w[k])
			}
		}
	}
}

// A rule about which nothing is known beforehand: all pairs of sides, counted one by one.
func TestTwin(t *testing.T) {
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 2))
		rows := make([][]int32, 5+r.IntN(30))
		for i := range rows {
			for c := range int32(6) {
				if r.IntN(2) == 0 {
					rows[i] = append(rows[i], c)
				}
			}
		}
		count := func(set int) (n int) {
			for _, row := range rows {
				has := 0
				for _, c := range row {
					has |= 1 << c
				}
				if has&set == set {
					n++
				}
			}
			return n
		}
		for _, plain := range []bool{false, true} {
			want := map[string]bool{}
			for x := 1; x < 64; x++ {
			sides:
				for y := 1; y < 64; y++ {
					both := count(x | y)
					if x&y != 0 || both < 3 || float64(both)/float64(count(x)) < 0.6 {
						continue
					}
					for c := range 6 {
						if plain && ((x|y)>>c&1 == 0 && count(x|y|1<<c) == both || x>>c&1 == 1 && count(x&^(1<<c)) == count(x)) {
							continue sides
						}
					}
					want[fmt.Sprint(list(x), list(y), both)] = true
				}
			}
			got := rules(t, of(6, rows...), 3, association.Options{Confidence: 0.6, Plain: plain})
			for _, g := range got {
				if key := fmt.Sprint(g.If, g.Then, g.Both); !want[key] || g.Wanted == 0 {
					t.Errorf("seed %d, plain %v: %s is no such rule", seed, plain, key)
				}
			}
			if len(got) != len(want) {
				t.Errorf("seed %d, plain %v: %d rules, expected %d", seed, plain, len(got), len(want))
			}
		}
	}
}

func list(set int) (out []int32) {
	for c := range int32(6) {
		if set>>c&1 == 1 {
			out = append(out, c)
		}
	}
	return out
}

// Chi-square of a table of two by two: 30, 10, 20, 40 gives 16.667 with p 0.0000446; J of independent sides is 0.
func TestFigures(t *testing.T) {
	r := association.Rule{Records: 100, With: 40, Wanted: 50, Both: 30}
	if chi, p := r.ChiSquare(); math.Abs(chi-16.6667) > 1e-4 || math.Abs(p-4.4557e-5) > 1e-8 {
		t.Errorf("chi-square %v, p %v", chi, p)
	}
	if j := (&association.Rule{Records: 100, With: 40, Wanted: 50, Both: 20}).J(); j != 0 {
		t.Errorf("J of independent sides is %v", j)
	}
	if j := r.J(); math.Abs(j-0.4*(0.75*math.Log(1.5)+0.25*math.Log(0.5))) > 1e-12 {
		t.Errorf("J %v", j)
	}
	if c := (&association.Rule{Records: 9, With: 3, Wanted: 4, Both: 3}).Conviction(); !math.IsInf(c, 1) {
		t.Errorf("conviction of a rule that is never wrong: %v", c)
	}
}

func TestThen(t *testing.T) {
	for _, r := range rules(t, seven, 2, association.Options{Then: func(k int32) bool { return k == 0 }}) {
		if !slices.Equal(r.Then, []int32{0}) {
			t.Errorf("%v => %v", r.If, r.Then)
		}
	}
	for _, r := range rules(t, seven, 2, association.Options{MostThen: 1}) {
		if len(r.Then) > 1 {
			t.Errorf("%v => %v", r.If, r.Then)
		}
	}
}
