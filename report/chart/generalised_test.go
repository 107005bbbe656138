package chart

import (
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/table"
)

// TestEven works an example by hand: 0 to 9 in the groups 0-4 and 5-9, of which three quarters of the release are in
// the first.
func TestEven(t *testing.T) {
	exact := []float64{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, math.NaN()}
	group := []int32{0, 0, 0, 0, 0, 1, 1, 1, 1, 1, -1}
	h := histogram{attr: &table.Attribute{Step: 1}, classes: classesOf(1, exact)}
	for k, got := range h.even(exact, group, []float64{0.75, 0.25}) {
		want := 0.15
		if k > 4 {
			want = 0.05
		}
		if math.Abs(got-want) > 1e-12 {
			t.Errorf("class %d has %v, want %v", k, got, want)
		}
	}
}

// TestEvenIsAWhole: whatever the groups, overlapping ones too, the line holds the whole release.
func TestEvenIsAWhole(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		exact := rapid.SliceOfN(rapid.Float64Range(-1e6, 1e6), 1, 60).Draw(t, "exact")
		step := rapid.SampledFrom([]float64{0, 0.5, 1}).Draw(t, "step")
		for i := range exact {
			exact[i] = table.Snap(exact[i], step)
		}
		n := rapid.IntRange(1, 6).Draw(t, "groups")
		group, released := make([]int32, len(exact)), make([]int32, len(exact))
		for i := range exact {
			group[i] = rapid.Int32Range(0, int32(n-1)).Draw(t, "group")
			released[i] = group[rapid.IntRange(0, i).Draw(t, "released")]
		}
		h := histogram{attr: &table.Attribute{Step: step}, classes: classesOf(step, exact)}
		sum := 0.0
		for _, v := range h.even(exact, group, shareOf(released, n)) {
			sum += v
		}
		if math.Abs(sum-1) > 1e-6 {
			t.Fatalf("the shares sum to %v", sum)
		}
	})
}

// TestGroups: the exact values of every group are counted, those of the groups without a row together.
func TestGroups(t *testing.T) {
	exact := &table.Column{
		Attribute: table.Attribute{Name: "x", Kind: table.Categorical, Labels: []string{"a", "b", "c", "d"}},
		Cat:       []int32{0, 0, 0, 1, 2, 3, -1},
	}
	a := &table.Attribute{Name: "x", Kind: table.Categorical, Labels: []string{"{a, b}", "{c, d}"}}
	original, released := []int32{0, 0, 0, 0, 1, 1, -1}, []int32{0, 0, 0, 0, 1, 1, -1}
	rows := groupsOf(a, original, released, exact)
	if len(rows) != 2 || len(rows[0].parts) != 2 || rows[0].parts[0] != 0.75 || len(rows[1].parts) != 2 ||
		rows[1].parts[0] != 0.5 {
		t.Errorf("groups %+v", rows)
	}
	svg := string(Groups("g", a, original, released, exact))
	for _, want := range []string{"2 values", "66.7 %", "the commonest 75 % of them"} {
		if !strings.Contains(svg, want) {
			t.Errorf("the drawing lacks %q", want)
		}
	}
	wide := &table.Attribute{Name: "x", Kind: table.Categorical}
	var codes []int32
	numbers := &table.Column{Attribute: table.Attribute{Name: "x"}}
	for k := range 30 {
		wide.Labels = append(wide.Labels, strings.Repeat("g", k+1))
		for v := range 30 - k {
			codes, numbers.Num = append(codes, int32(k)), append(numbers.Num, float64(v))
		}
	}
	rows = groupsOf(wide, codes, codes, numbers)
	if last := rows[len(rows)-1]; len(rows) != mostBars || !last.rest || len(last.parts) != 30-mostBars+1 ||
		len(rows[0].parts) != 30 {
		t.Errorf("%d rows, the last of %d values", len(rows), len(last.parts))
	}
}

// TestShifts: the pairs that changed most come first, those that are not known on both sides or did not change not at
// all.
func TestShifts(t *testing.T) {
	c := Correlations{Names: []string{"a", "b", "c", "d"},
		Original: [][]float64{{1, 0.5, -0.5, nan}, {0.5, 1, 0.2, 0.1}, {-0.5, 0.2, 1, 0.3}, {nan, 0.1, 0.3, 1}},
		Released: [][]float64{{1, 0.375, 0.5, 0.9}, {0.375, 1, 0.2, 0}, {0.5, 0.2, 1, -0.2}, {0.9, 0, -0.2, 1}}}
	var got []string
	for _, s := range c.Shifts(3) {
		got = append(got, s.A+s.B)
	}
	if want := "ac cd ab"; strings.Join(got, " ") != want {
		t.Errorf("shifts %v, want %s", got, want)
	}
	svg := string(DrawShifts("s", c.Shifts(9)))
	if n := strings.Count(svg, "<circle"); n != 4 || !strings.Contains(svg, "a and c: original −0.50, released 0.50") {
		t.Errorf("%d shifts are drawn: %s", n, svg)
	}
}

// TestShiftsThatAreWritten: a change that the two decimals of the list do not show is not in it, nor is its pair
// framed.
func TestShiftsThatAreWritten(t *testing.T) {
	for _, c := range []struct {
		was, is float64
		listed  bool
	}{{0.081, 0.0849, false}, {0.0751, 0.0849, false}, {0.0849, 0.0851, false}, {-0.004, 0.004, false},
		{0.08, 0.086, true}, {-0.006, 0.006, true}, {0.5, math.NaN(), false}} {
		m := Correlations{
			Names:    []string{"a", "b"},
			Original: [][]float64{{1, c.was}, {c.was, 1}},
			Released: [][]float64{{1, c.is}, {c.is, 1}},
		}
		if got := m.Shifts(9); (len(got) == 1) != c.listed {
			t.Errorf("from %v to %v: listed %v", c.was, c.is, got)
		}
		if was, _ := HeatMaps("h", m); c.listed && !strings.Contains(string(was), `class="mark"`) ||
			math.Abs(c.was-c.is) < LeastShift && strings.Contains(string(was), `class="mark"`) {
			t.Errorf("from %v to %v: framed wrongly", c.was, c.is)
		}
	}
}
