package study

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/framework"
	"github.com/dither-data/dither/protect/gadp"
	"github.com/dither-data/dither/protect/mdav"
	"github.com/dither-data/dither/protect/swapping"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// TestLooksPaired: releases that keep the order of the original are recognised, also where a lot was changed, and the
// same in another order are not.
func TestLooksPaired(t *testing.T) {
	draw := rand.New(rand.NewPCG(3, 5))
	for _, rows := range []int{60, 400, 3000} {
		if (testing.Short() || !long.Enabled()) && rows > 400 {
			break
		}
		in := WithoutIdentifiers(patients(t, rows))
		for name, m := range map[string]protect.Method{"framework": framework.Framework, "gadp": gadp.GADP, "mdav": mdav.MDAV,
			"rankswap": swapping.Rank} {
			p := must.Get(Protect(context.Background(),
				Request{KeepOrder: true, Table: in, Method: m, Seed: rng.SeedOf([32]byte{9})}))(t)
			if !LooksPaired(p.Matched, p.Released) {
				t.Errorf("%d rows by %s are taken for rows in another order", rows, name)
			}
			if LooksPaired(p.Matched, p.Released.Gather(draw.Perm(rows))) {
				t.Errorf("%d rows by %s in another order are taken for pairs", rows, name)
			}
		}
		if !LooksPaired(in, in) {
			t.Errorf("%d rows do not look like themselves", rows)
		}
	}
}

// TestRandomOrdersLookRandom: rows in a random order pass once in 1,000 times. Of 2,000 orders more than 9 pass with a
// probability of 0.00005.
func TestRandomOrdersLookRandom(t *testing.T) {
	in := WithoutIdentifiers(patients(t, 40))
	draw := rand.New(rand.NewPCG(7, 7))
	passed := 0
	for range 2000 {
		if LooksPaired(in, in.Gather(draw.Perm(40))) {
			passed++
		}
	}
	if passed > 9 {
		t.Errorf("%d of 2,000 random orders look like pairs", passed)
	}
}

// TestPairsByGapsAlone: where every known value was drawn anew, the gaps still tell that rows are in order; a table in
// which no pairing differs from another passes.
func TestPairsByGapsAlone(t *testing.T) {
	draw := rand.New(rand.NewPCG(1, 1))
	column := func(gap func(i int) bool) *table.Table {
		codes := make([]int32, 500)
		for i := range codes {
			if codes[i] = draw.Int32N(3); gap(i) {
				codes[i] = -1
			}
		}
		tab := must.Get(table.New(
			table.Column{
				Attribute: table.Attribute{Name: "c", Kind: table.Categorical, Labels: []string{"a", "b", "c"}},
				Cat:       codes,
			},
		))(t)
		return tab
	}
	tenth := func(i int) bool { return i*7919%10 == 0 }
	if !LooksPaired(column(tenth), column(tenth)) {
		t.Error("equal gaps are not seen")
	}
	none := func(int) bool { return false }
	if LooksPaired(column(none), column(none)) {
		t.Error("values drawn anew look like pairs")
	}
	all := func(int) bool { return true }
	if !LooksPaired(column(all), column(all)) {
		t.Error("rows that are all alike are in any order")
	}
}

// TestRejoin: records come back beside their originals, whichever of them either table has.
func TestRejoin(t *testing.T) {
	in := patients(t, 10)
	rows := []int{7, 2, 9, 4} // of the original, by row of the release
	released := in.Gather(rows)
	released, err := table.New(released.Columns()...) // as it is read: identities are its own rows
	must.NoError(t, err)
	original := in.Gather([]int{0, 2, 3, 4, 7, 8}) // the others are not among the complete ones
	joined, have := Rejoin(original, released, rows)
	if len(have) != 3 || have[0] != 1 || have[1] != 3 || have[2] != 4 {
		t.Fatalf("released are %v", have)
	}
	for k, i := range have {
		for j := range in.Width() {
			if a, b := original.Column(j), joined.Column(j); !a.Same(i, &b, k) {
				t.Errorf("row %d of the original got another record", i)
			}
		}
	}
}

// TestPairsBySets: sets of items in order are told from sets in another order, also where half of the items were
// exchanged and the names stand in another order.
func TestPairsBySets(t *testing.T) {
	draw := rand.New(rand.NewPCG(2, 9))
	labels := make([]string, 60)
	for v := range labels {
		labels[v] = fmt.Sprint("item ", v)
	}
	was, now := make([][]int32, 400), make([][]int32, 400)
	for i := range was {
		was[i], now[i] = []int32{}, []int32{}
		for range 2 + draw.IntN(12) {
			v := draw.Int32N(60)
			was[i] = append(was[i], v)
			if draw.IntN(2) == 0 {
				v = draw.Int32N(60)
			}
			now[i] = append(now[i], 59-v) // the code in the other order
		}
	}
	other := slices.Clone(labels)
	slices.Reverse(other)
	in := tabletest.Of(t, table.SetColumn("s", labels, table.SetsOf(was, nil)))
	out := tabletest.Of(t, table.SetColumn("s", other, table.SetsOf(now, nil)))
	if !LooksPaired(in, out) {
		t.Error("sets in order do not look like pairs")
	}
	if LooksPaired(in, out.Gather(draw.Perm(400))) {
		t.Error("sets in another order look like pairs")
	}
}
