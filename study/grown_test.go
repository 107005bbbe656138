package study

import (
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// families draws people whose sex and role rarely disagree: the role of every tenth is one of either sex, and of as
// many in a thousand as odd says it is the other one's.
func families(r *rand.Rand, n, odd int) []table.Column {
	var sex, role, town []int32
	for range n {
		s := int32(r.IntN(2))
		sex, town = append(sex, s), append(town, int32(r.IntN(5)))
		switch {
		case r.IntN(10) == 0:
			role = append(role, 2)
		case r.IntN(1000) < odd:
			role = append(role, 1-s)
		default:
			role = append(role, s)
		}
	}
	return []table.Column{table.CatColumn("sex", []string{"f", "m"}, sex),
		table.CatColumn("role", []string{"wife", "husband", "child"}, role),
		table.CatColumn("town", []string{"a", "b", "c", "d", "e"}, town)}
}

// TestGrown: what the original hardly has and the release has often is named with both counts, the worst first, and a
// release of other codes is read by its labels. Where three records are one person's, three count as one.
func TestGrown(t *testing.T) {
	r := rand.New(rand.NewPCG(30, 4))
	original, odd := tabletest.Of(t, families(r, 4000, 3)...), families(r, 4000, 40)
	codes := odd[1].Cat
	odd[1].Labels = []string{"child", "husband", "wife"}
	for i, c := range codes {
		codes[i] = 2 - c
	}
	released := tabletest.Of(t, odd...)
	count := func(cols []table.Column, role string, sex int32) (n int) {
		for i, c := range cols[1].Cat {
			if cols[1].Labels[c] == role && cols[0].Cat[i] == sex {
				n++
			}
		}
		return n
	}
	got := Grown(original, released)
	if len(got) != 1 {
		t.Fatalf("said %v", got)
	}
	for _, c := range []struct {
		role string
		sex  int32
		text string
	}{{"wife", 1, "sex = m with role = wife"}, {"husband", 0, "sex = f with role = husband"}} {
		was, is := count(original.Columns(), c.role, c.sex), count(odd, c.role, c.sex)
		for _, n := range []int{was, is} {
			if !strings.Contains(got[0].String(), c.text) || !strings.Contains(got[0].String(), strconv.Itoa(n)) {
				t.Errorf("%s, %d and %d records: said %q", c.text, was, is, got)
			}
		}
	}
	if got := Grown(released, original); got != nil {
		t.Errorf("the other way: said %q", got)
	}
	few := tabletest.Of(t, families(r, 4000, 30)...)
	if Grown(original, few) == nil {
		t.Error("six times as many are not named")
	}
	of := make([]int32, 4000)
	for i := range of {
		of[i] = int32(i / 3)
	}
	if got := Grown(original.Owned(of), few); got != nil {
		t.Errorf("of people with three records: said %q", got)
	}
}

// TestGrownByChance: in 1,000 releases whose records are drawn from the original's own shares, half of them smaller or
// larger than it, nothing has grown.
func TestGrownByChance(t *testing.T) {
	r := rand.New(rand.NewPCG(30, 5))
	for k := range long.Of(240, 1000) {
		odd := 1 + k%12
		n := []int{900, 1500, 3000}[k%3]
		original := tabletest.Of(t, families(r, n, odd)...)
		released := tabletest.Of(t, families(r, n*(2+k%4)/2-n/2, odd)...)
		if got := Grown(original, released); got != nil {
			t.Errorf("release %d of %d records: said %q", k, n, got)
		}
	}
}
