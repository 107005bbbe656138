package relation

import (
	"math"
	"slices"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// TestParse: what is written is read back, in every form.
func TestParse(t *testing.T) {
	for _, s := range []string{
		"total = a + b", "days = discharged - admitted", "x = -a + 2 * b - 0.5 * c + 3", "in <= out", "in < out",
		"code -> label", "a, b -> c", "bmi = 10000 * weight / height^2", "rate = 100 * a / b", "cost = price * amount",
		"cost = 2 * price * amount", "age = years(born, admitted)", "age = months(born, 2020-12-31)",
		"died if status = dead", "paid above 0 if status = due",
		`youngest unless children = "0"`, "paid above 0 unless status = free", `"unless" if a = b`, "never sex = Female and relationship = Husband",
		`"a b" = "c-d" + "1"`, `"if" -> "and"`, `w = weeks(a, "b c")`, `never a = 3 and b = "x y"`, "a = b", "a = b + 5",
	} {
		r, err := Parse(s)
		if err != nil {
			t.Errorf("%s: %v", s, err)
			continue
		}
		if got := r.String(); got != s && s != `never a = 3 and b = "x y"` {
			t.Errorf("%s is written %s", s, got)
		}
		again, err := Parse(r.String())
		if err != nil || !again.Equal(&r) {
			t.Errorf("%s is read back as %+v, %v; expected %+v", s, again, err, r)
		}
	}
	for _, s := range []string{"", "a", "a =", "a = b +", "a <=", "a -> ", "never a = b", "a = years(b)", "a = b c",
		"a = b / c^3", `"a`, "a = a + b", "a = years(b, 2020-13-45)"} {
		if r, err := Parse(s); err == nil {
			t.Errorf("%q is read as %+v", s, r)
		}
	}
}

// TestNegativeZero: 0 and -0 are one value of what determines and of what is determined.
func TestNegativeZero(t *testing.T) {
	zero := math.Copysign(0, -1)
	tab := tabletest.Of(t, table.NumColumn("a", 1, []float64{0, 0, zero}), table.NumColumn("b", 1, []float64{4, 4, 7}),
		table.NumColumn("c", 1, []float64{5, 5, 5}), table.NumColumn("d", 1, []float64{0, 0, zero}))
	for _, c := range []struct {
		from, to string
		last     State
	}{{"a", "b", Broken}, {"c", "d", Holds}} {
		r := Relation{Kind: Determines, Columns: []string{c.from, c.to}}
		b := must.Get(r.Bind(tab))(t)
		if got := b.States(tab); !slices.Equal(got, []State{Holds, Holds, c.last}) {
			t.Errorf("%s: the records are %v", r, got)
		}
	}
}
