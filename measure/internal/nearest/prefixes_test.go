package nearest

import (
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/table"
)

// samePrefixes links by all prefixes at once and one by one.
func samePrefixes(t rapid.TB, o Probabilistic, original, released *table.Table, known []intruder.Known) {
	t.Helper()
	order := rand.New(rand.NewPCG(1, 7)).Perm(released.Rows())
	all := must.Get(o.Prefixes(ctx, original, released, known, order))(t)
	if len(all) != len(known) {
		t.Fatalf("%d links of %d prefixes", len(all), len(known))
	}
	for k, got := range all {
		want := must.Get(o.Match(ctx, original, released, known[:k+1], order))(t)
		if len(got.Axes)+len(want.Axes) == 0 {
			got.Axes = want.Axes
		}
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("the first %d of %d attributes link as %+v, by themselves as %+v", k+1, len(known), got, want)
		}
	}
}

// TestPrefixesTwin: links by prefixes of what is known are those by each prefix alone, whatever is missing, and where
// the first attributes tell nobody apart.
func TestPrefixesTwin(t *testing.T) {
	long.Check(t, func(r *rapid.T) {
		original := protecttest.RandomTable(r)
		released := perturb(r, original)
		known := rapid.Permutation(Everything(original)).Draw(r, "known")
		samePrefixes(r, Probabilistic{Tolerance: 0.1 * math.Sqrt2, Pairs: math.MaxInt}, original, released, known)
	})
}

// TestPrefixesInBlocks: the blocks of a longer prefix may be others.
func TestPrefixesInBlocks(t *testing.T) {
	const n = Unblocked + 1000
	r := rand.New(rand.NewPCG(3, 1))
	category := func(name string, of int) table.Column {
		codes, labels := make([]int32, n), []string{"a", "b", "c", "d", "e", "f"}[:of]
		for i := range codes {
			codes[i] = int32(r.IntN(of))
		}
		return table.CatColumn(name, labels, codes)
	}
	number := func(name string) table.Column {
		v := make([]float64, n)
		for i := range v {
			v[i] = math.Round(10 * r.NormFloat64())
		}
		return table.NumColumn(name, 1, v)
	}
	original, err := table.New(number("x"), category("two", 2), number("y"), category("six", 6), category("three", 3))
	must.NoError(t, err)
	moved := make([]float64, n)
	for i, v := range original.Num(0) {
		moved[i] = v + math.Round(r.NormFloat64())
	}
	released := original.WithNum(0, moved)
	known := Everything(original)
	o := Probabilistic{Tolerance: 0.1, Pairs: 300_000}
	samePrefixes(t, o, original, released, known)
	all := must.Get(o.Prefixes(ctx, original, released, known, r.Perm(n)))(t)
	for k, want := range []int{0, 1, 1, 1, 1} {
		if len(all[k].Block) != want {
			t.Errorf("with %d attributes there are blocks by %q", k+1, all[k].Block)
		}
	}
	if all[1].Block[0] == all[3].Block[0] {
		t.Errorf("blocks stay by %q", all[1].Block)
	}
}
