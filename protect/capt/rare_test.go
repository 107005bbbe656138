package capt

import (
	"math/rand/v2"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// A category that few people have stays rare: no draw makes it common, and one that a leaf lacks is not drawn there.
// The numbers are those of the original, in its order, so nothing is taken from other people's.
func TestRareStayRare(t *testing.T) {
	const n = 4000
	r := rand.New(rand.NewPCG(2, 6))
	ward, code, age, class := make([]int32, n), make([]int32, n), make([]float64, n), make([]int32, n)
	for i := range n {
		ward[i], age[i], class[i] = int32(r.IntN(4)), float64(20+r.IntN(60)), int32(r.IntN(2))
		code[i] = 2*ward[i] + int32(r.IntN(2))
		if i < 6 {
			code[i] = int32(8 + i)
		}
	}
	labels := []string{"I10", "I20", "E11", "E66", "J45", "J20", "S72", "S52", "A1", "A2", "A3", "A4", "A5", "A6"}
	tab := tabletest.Of(t, table.CatColumn("ward", []string{"n", "s", "e", "w"}, ward),
		table.CatColumn("code", labels, code), table.NumColumn("age", 1, age),
		table.CatColumn("class", []string{"y", "n"}, class))
	a := *tab.Attr(3)
	a.Role = table.Class
	tab = tab.WithAttr(3, a)
	rare := 0
	const releases = 20
	for seed := range byte(releases) {
		src := rng.New([32]byte{seed})
		p := must.Get(protect.Fit(t.Context(), New(), tab, src.Fork("fit")))(t)
		if takes := protect.Takes(p); len(takes) > 0 {
			t.Fatalf("CAPT takes the numbers of %v", takes)
		}
		out := must.Get(p.Apply(tab, src))(t)
		for i, c := range out.Cat(1) {
			if c >= 8 {
				rare++
			}
			if out.Num(2)[i] != age[i] {
				t.Fatalf("record %d: age %v, was %v", i, out.Num(2)[i], age[i])
			}
		}
	}
	if mean := float64(rare) / releases; mean > 12 {
		t.Errorf("of 6 records with rare codes %v are released", mean)
	}
}
