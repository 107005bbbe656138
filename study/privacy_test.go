package study

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/protect/classnoise"
	"github.com/dither-data/dither/protect/framework"
	"github.com/dither-data/dither/protect/leafnoise"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// uniform is a table of one wide numeric column without a pattern, and a class.
func uniform(t *testing.T, rows int) *table.Table {
	t.Helper()
	v, c := make([]float64, rows), make([]int32, rows)
	s := rng.New([32]byte{3}).Stream()
	for i := range v {
		b := s.At(uint64(i))
		v[i], c[i] = float64(rng.Below(b.A, 1_000_001)), int32(rng.Below(b.B, 2))
	}
	class := table.CatColumn("class", []string{"no", "yes"}, c)
	class.Role = table.Class
	return must.Get(table.New(table.NumColumn("v", 1, v), class))(t)
}

// TestOneSeedNeverGivesTheSameNoiseTwice releases one table under one seed with spread 5 and 10, and with one value
// changed. Were the noise of the first two proportional, 2*r5 - r10 would be the original: their noises must be
// uncorrelated. The correlation of 20,000 independent pairs has standard deviation 0.007, so a right program fails at
// 0.05 with probability below 1e-11.
func TestOneSeedNeverGivesTheSameNoiseTwice(t *testing.T) {
	in, ctx := uniform(t, 20_000), context.Background()
	release := func(in *table.Table, spread string) []float64 {
		p := must.Get(Protect(
			ctx,
			Request{
				KeepOrder: true,
				Table:     in,
				Method:    leafnoise.Innocent,
				Set:       map[string]string{"spread": spread},
				Seed:      rng.SeedOf([32]byte{5}),
			},
		))(t)
		return p.Released.Num(0)
	}
	// Noise is taken modulo the domain, as it wraps.
	noise := func(released, original []float64) []float64 {
		out := make([]float64, len(released))
		for i := range out {
			d := math.Mod(released[i]-original[i]+1_500_001.5, 1_000_001) - 500_000
			out[i] = d
		}
		return out
	}
	five, ten := release(in, "5"), release(in, "10")
	if r := correlation(noise(five, in.Num(0)), noise(ten, in.Num(0))); math.Abs(r) > 0.05 {
		t.Errorf("the noises of two settings have correlation %.3f", r)
	}
	v := slices.Clone(in.Num(0))
	v[7] = math.Mod(v[7]+1, 1_000_001)
	changedTable := in.WithNum(0, v)
	again := release(changedTable, "5")
	if r := correlation(noise(five, in.Num(0)), noise(again, v)); math.Abs(r) > 0.05 {
		t.Errorf("the noises of two tables that differ in one value have correlation %.3f", r)
	}
	if !slices.Equal(five, release(in, "5")) {
		t.Error("one table, setting and seed gave two releases")
	}
}

func correlation(a, b []float64) float64 {
	var sa, sb, aa, bb, ab float64
	n := float64(len(a))
	for i := range a {
		sa, sb = sa+a[i], sb+b[i]
		aa, bb, ab = aa+a[i]*a[i], bb+b[i]*b[i], ab+a[i]*b[i]
	}
	return (ab - sa*sb/n) / math.Sqrt((aa-sa*sa/n)*(bb-sb*sb/n))
}

// TestOutputLabelsTellNothingMore writes labels that are a function of the released values: a category that only the
// original has, and the order in which the original's rows had them, do not reach a file that lists its labels.
func TestOutputLabelsTellNothingMore(t *testing.T) {
	codes := make([]int32, 60)
	for i := range codes {
		codes[i] = int32(1 + i%2)
	}
	codes[0] = 0
	class := make([]int32, 60)
	for i := range class {
		class[i] = int32(i % 2)
	}
	cls := table.CatColumn("y", []string{"yes", "no"}, class)
	cls.Role = table.Class
	in := must.Get(table.New(table.CatColumn("city", []string{"Vaduz", "Rome", "Oslo"}, codes), cls))(t)
	p := must.Get(Protect(context.Background(),
		Request{KeepOrder: true, Table: in, Method: framework.Framework, Seed: rng.SeedOf([32]byte{1})}))(t)
	for j := range p.Output.Width() {
		a := p.Output.Attr(j)
		var used []string
		for _, c := range p.Output.Cat(j) {
			used = append(used, a.Labels[c])
		}
		slices.Sort(used)
		if used = slices.Compact(used); !slices.Equal(used, a.Labels) {
			t.Errorf("%s: labels %v, values %v", a.Name, a.Labels, used)
		}
	}
}

// TestKeptColumnsAreSaidToBeKept keeps columns of techniques without a parameter for it, and names with a comma.
func TestKeptColumnsAreSaidToBeKept(t *testing.T) {
	in := uniform(t, 100)
	p, err := Protect(context.Background(),
		Request{KeepOrder: true, Table: in, Method: classnoise.RPT, Keep: []string{"class"}, Seed: rng.SeedOf([32]byte{1})})
	must.NoError(t, err)
	if c := p.Changes[1]; c.Action.Kind != Kept || c.Changed != 0 {
		t.Errorf("%+v", c)
	}
	a := *in.Attr(0)
	a.Name = `v, "gross"`
	p = must.Get(Protect(
		context.Background(),
		Request{
			KeepOrder: true,
			Table:     in.WithAttr(0, a),
			Method:    framework.Framework,
			Keep:      []string{a.Name},
			Seed:      rng.SeedOf([32]byte{1}),
		},
	))(t)
	if c := p.Changes[0]; c.Action.Kind != Kept {
		t.Errorf("%+v", c)
	}
}

// TestPseudonymsMeetAcrossColumns gives a value one pseudonym in every column of a run, and again under the same seed.
func TestPseudonymsMeetAcrossColumns(t *testing.T) {
	id := func(name string, codes []int32) table.Column {
		c := table.CatColumn(name, []string{"ann", "bob"}, codes)
		c.Role = table.Identifier
		return c
	}
	rest := uniform(t, 2)
	in := must.Get(table.New(id("patient", []int32{0, 1}), id("referrer", []int32{1, 0}), rest.Column(0),
		rest.Column(1)))(t)
	p := must.Get(Protect(
		context.Background(),
		Request{
			KeepOrder:    true,
			Table:        in,
			Method:       leafnoise.Innocent,
			Seed:         rng.SeedOf([32]byte{1}),
			Pseudonymise: []string{"patient", "referrer"},
		},
	))(t)
	at := func(i, j int) string { return p.Output.Attr(j).Labels[p.Output.Cat(j)[i]] }
	if at(0, 0) != at(1, 1) || at(1, 0) != at(0, 1) || at(0, 0) == at(1, 0) {
		t.Error(fmt.Sprint("pseudonyms: ", at(0, 0), at(1, 0), at(0, 1), at(1, 1)))
	}
}

// TestShuffleChangesTheOrderOnly writes the same records elsewhere, in the same way under the same seed.
func TestShuffleChangesTheOrderOnly(t *testing.T) {
	q := Request{Table: uniform(t, 500), Method: leafnoise.Innocent, Seed: rng.SeedOf([32]byte{1})}
	p := must.Get(Protect(context.Background(), q))(t)
	again := must.Get(Protect(context.Background(), q))(t)
	if !slices.Equal(p.Output.Num(0), again.Output.Num(0)) || slices.Equal(p.Output.Num(0), p.Released.Num(0)) {
		t.Error("the order is not the seed's")
	}
	a, b := slices.Sorted(slices.Values(p.Output.Num(0))), slices.Sorted(slices.Values(p.Released.Num(0)))
	if !slices.Equal(a, b) {
		t.Error("other records came out")
	}
}

// TestNothingToProtect refuses to call the original a release.
func TestNothingToProtect(t *testing.T) {
	in := uniform(t, 50)
	for j := range in.Width() {
		a := *in.Attr(j)
		a.Role &^= table.Class
		in = in.WithAttr(j, a)
	}
	only := in.Select(1)
	q := Request{KeepOrder: true, Table: only, Method: leafnoise.Innocent, Seed: rng.SeedOf([32]byte{1})}
	if _, err := Protect(context.Background(), q); err == nil {
		t.Error("a technique that changes nothing gave a release")
	}
}
