package transition

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// bits returns a table of n random records of so many columns of two categories, which depend on each other, and a
// numeric one.
func bits(n, columns int) *table.Table {
	r := rand.New(rand.NewPCG(1, 2))
	cols := []table.Column{table.NumColumn("x", 1, make([]float64, n))}
	for j := range columns {
		codes := make([]int32, n)
		for i := range codes {
			codes[i] = r.Int32N(2)
			if j > 0 && r.IntN(3) > 0 {
				codes[i] = cols[j].Cat[i]
			}
		}
		cols = append(cols, table.CatColumn(string(rune('a'+j)), []string{"no", "yes"}, codes))
	}
	return tabletest.Must(cols...)
}

func TestGroups(t *testing.T) {
	tab := bits(10, 4)
	for _, c := range []struct {
		texts, except []string
		want          string
	}{
		{nil, nil, "[{[1 2 3 4] 0.7}]"},
		{nil, []string{"b"}, "[{[1 3 4] 0.7}]"},
		{[]string{"d+a", " c "}, nil, "[{[1 4] 0.7} {[3] 0.7}]"},
		{[]string{"a + b = 0.9"}, nil, "[{[1 2] 0.9}]"},
		{nil, []string{"a", "b", "c", "d"}, "[]"},
	} {
		g, err := Groups(tab, c.texts, 0.7, c.except)
		if got := fmt.Sprint(g); got != c.want || err != nil {
			t.Errorf("%q: %s, %v; expected %s", c.texts, got, err, c.want)
		}
		if err := CheckGroups(tab.Attrs(), g); err != nil {
			t.Error(err)
		}
	}
	for text, want := range map[string]string{
		"a+z": `no column "z"`, "x": "expected an attribute with two", "a+a": `"a" is named twice`, "a=2": "not a probability", "a=NaN": "not a probability",
		"d": `"d" is named twice, or excepted`, "": `no column ""`,
	} {
		if _, err := Groups(tab, []string{text}, 0.7, []string{"d"}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
	if _, err := Groups(tab, nil, 0.7, []string{"z"}); err == nil {
		t.Error("an unknown column is excepted")
	}
}

func TestCheckGroups(t *testing.T) {
	attrs := bits(1, 2).Attrs()
	for name, g := range map[string][]Group{
		"theta": {{[]int{1}, 2}}, "no theta": {{[]int{1}, math.NaN()}}, "empty": {{nil, 0.5}}, "numeric": {{[]int{0}, 0.5}},
		"outside":  {{[]int{3}, 0.5}},
		"negative": {{[]int{-1}, 0.5}}, "order": {{[]int{2, 1}, 0.5}}, "twice": {{[]int{1, 1}, 0.5}},
		"two groups": {{[]int{1}, 0.5}, {[]int{1}, 0.5}},
	} {
		if CheckGroups(attrs, g) == nil {
			t.Errorf("%s is accepted", name)
		}
	}
}

// Conjunction agrees with the inverse of the Kronecker product of the groups' 2 x 2 matrices, applied to the shares of
// all ways to exchange groups, which are counted one by one (Du & Zhan 2003).
func TestConjunctionInvertsKronecker(t *testing.T) {
	tab := bits(500, 5)
	cat := slices.Clone(tab.Cat(2))
	for i := range 40 {
		cat[i] = -1
	}
	tab = tab.WithCat(2, cat)
	groups := []Group{{[]int{1, 3}, 0.8}, {[]int{2}, 0.3}}
	for _, when := range [][]Value{
		{{1, 1}}, {{1, 1}, {3, 0}}, {{2, 0}}, {{2, 1}, {3, 1}, {1, 1}}, {{4, 1}, {2, 1}}, {{5, 0}}, {},
	} {
		share := func(s int) float64 { // of the records as released, group k exchanged where bit k of s is set
			n, all := 0.0, 0.0
			for i := range tab.Rows() {
				has, known := true, true
				for _, v := range when {
					code, got := v.Code, tab.Cat(v.Column)[i]
					if (v.Column == 1 || v.Column == 3) && s&1 > 0 || v.Column == 2 && s&2 > 0 {
						code = 1 - code
					}
					has, known = has && got == code, known && got >= 0
				}
				if known {
					all++
				}
				if has && known {
					n++
				}
			}
			return n / all
		}
		touched := []bool{false, false}
		for _, v := range when {
			touched[0] = touched[0] || v.Column == 1 || v.Column == 3
			touched[1] = touched[1] || v.Column == 2
		}
		var whole mat.Matrix = mat.NewDense(1, 1, []float64{1})
		ways := []int{0}
		for k, g := range groups {
			if !touched[k] {
				continue
			}
			next := &mat.Dense{}
			next.Kronecker(mat.NewDense(2, 2, []float64{g.Theta, 1 - g.Theta, 1 - g.Theta, g.Theta}), whole)
			whole = next
			for _, s := range ways {
				ways = append(ways, s|1<<k)
			}
		}
		released := make([]float64, len(ways))
		for k, s := range ways {
			released[k] = share(s)
		}
		var want mat.VecDense
		must.NoError(t, want.SolveVec(whole, mat.NewVecDense(len(ways), released)))
		if got := Conjunction(tab, groups, when); math.Abs(got.Share-want.AtVec(0)) > 1e-12 || got.Error < 0 {
			t.Errorf("%v: %v, expected %v", when, got, want.AtVec(0))
		}
	}
	if got := Conjunction(tab.Slice(0, 0), groups, []Value{{1, 1}}); got != (Share{}) {
		t.Errorf("no records give %v", got)
	}
}

// Names of columns may have the signs that groups are written with.
func TestGroupsOfNamesWithSigns(t *testing.T) {
	var cols []table.Column
	for _, name := range []string{"x=y", "z", "p+q"} {
		cols = append(cols, table.CatColumn(name, []string{"no", "yes"}, []int32{0, 1}))
	}
	tab := tabletest.Of(t, cols...)
	for text, want := range map[string]Group{
		"x=y": {[]int{0}, 0.7}, "x=y=0.9": {[]int{0}, 0.9}, "x=y+z": {[]int{0, 1}, 0.7}, "z+x=y": {[]int{0, 1}, 0.7},
		"x=y+z=0.9": {[]int{0, 1}, 0.9},
		"p+q":       {[]int{2}, 0.7}, "p+q=0.9": {[]int{2}, 0.9},
	} {
		got, err := Groups(tab, []string{text}, 0.7, nil)
		if err != nil || len(got) != 1 || !slices.Equal(got[0].Columns, want.Columns) || got[0].Theta != want.Theta {
			t.Errorf("%s: %v, %v; expected %v", text, got, err, want)
		}
	}
}
