package vicus

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// cities are those of Islam 2007, in the order of their names; people there have a rent.
func cities(t testing.TB) *table.Table {
	return tabletest.Of(t,
		table.CatColumn("city", []string{"Brisbane", "Melbourne", "Newcastle", "Sydney"}, []int32{0, 1, 2, 3, 3, -1, 0, 1}),
		table.NumColumn("rent", 1, []float64{500, 520, 450, 700, 740, 400, 480, math.NaN()}))
}

func sub(t testing.TB, tab *table.Table, set map[string]string) (*SubPlan, error) {
	t.Helper()
	q := SubAttributes.New()
	must.NoError(t, q.Params().Apply(set))
	p, err := q.Fit(t.Context(), tab, protecttest.Seed(1))
	if err != nil {
		return nil, err
	}
	return p.(*SubPlan), nil
}

// The cities in the order of their populations (millions), and of longitude and latitude: the chain begins at
// Melbourne, the westernmost, and goes up the coast. The matrix is the law of the ranks by hand, and its ends keep
// more.
func TestCities(t *testing.T) {
	tab := cities(t)
	for _, c := range []struct{ given, order string }{
		{"city=Sydney:5.3; city=Melbourne:5.1; city=Brisbane:2.6\ncity=Newcastle:0.5", "Newcastle Brisbane Melbourne Sydney"},
		{"city=Sydney:151.2,-33.9; city=Melbourne:145.0,-37.8; city=Brisbane:153.0,-27.5; city=Newcastle:151.8,-32.9",
			"Melbourne Sydney Newcastle Brisbane"},
		{"", "Newcastle Brisbane Melbourne Sydney"}, // by the mean of the rents
	} {
		p := must.Get(sub(t, tab, map[string]string{"subattributes": c.given, "spread": "0.8"}))(t)
		if len(p.Units) != 1 {
			t.Fatalf("%d columns", len(p.Units))
		}
		var codes []int
		for _, name := range strings.Fields(c.order) {
			codes = append(codes, slices.Index(tab.Attr(0).Labels, name))
		}
		for a, x := range codes {
			sum := 0.0
			for b := range codes {
				sum += math.Exp(-float64((a-b)*(a-b)) / (2 * 0.64))
			}
			for b, y := range codes {
				want := math.Exp(-float64((a-b)*(a-b))/(2*0.64)) / sum
				protecttest.Near(t, fmt.Sprint(c.order, a, b), p.Units[0].Matrix[x][y], want, 1e-12)
			}
		}
	}
}

// The chain is that of the words, followed step by step.
func TestChain(t *testing.T) {
	long.Check(t, func(r *rapid.T) {
		n := rapid.IntRange(1, 8).Draw(r, "values")
		var points [][]float64
		var codes []int32
		for k := range n {
			x, y := rapid.IntRange(0, 5).Draw(r, "x"), rapid.IntRange(0, 5).Draw(r, "y")
			points = append(points, []float64{float64(x), float64(y)})
			codes = append(codes, int32(2*k))
		}
		got := chain(codes, points)
		var want []int32
		used := make([]bool, n)
		last := -1
		for range n {
			best := -1
			for k := range n {
				if used[k] {
					continue
				}
				better := best < 0
				if !better && last < 0 {
					better = points[k][0] < points[best][0]
				} else if !better {
					better = apart(points[last], points[k]) < apart(points[last], points[best])
				}
				if better {
					best = k
				}
			}
			used[best], last = true, best
			want = append(want, codes[best])
		}
		if !slices.Equal(got, want) {
			r.Fatalf("%v, expected %v", got, want)
		}
	})
}

// What cannot be read is refused in one line, without a value of the table.
func TestSubAttributesRefused(t *testing.T) {
	for given, want := range map[string]string{
		"city=Sydney":                    "entry 1: expected column=value:number,number",
		"city=Sydney:1; rent=5:3":        "entry 2: there is no column \"rent\" of categories",
		"city=Sydney:1,x":                "\"x\" is not a number",
		"city=Sydney:1; city=Brisbane:2": "2 of the 4 values of column \"city\" lack numbers",
	} {
		if _, err := sub(t, cities(t), map[string]string{"subattributes": given}); err == nil ||
			!strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: error %v, expected %q", given, err, want)
		}
	}
	_, err := sub(t, cities(t), map[string]string{"by": "city"})
	if err == nil || !strings.Contains(err.Error(), "expected numbers") {
		t.Errorf("error %v", err)
	}
}
