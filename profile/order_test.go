package profile

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/table"
)

// TestOrder: columns that follow the row number are found, up or down, as numbers or texts, with noise and gaps, on few
// rows and on many; others are not.
func TestOrder(t *testing.T) {
	draw := rand.New(rand.NewPCG(4, 2))
	num := func(f func(i, n int) float64) func(n int) table.Column {
		return func(n int) table.Column {
			v := make([]float64, n)
			for i := range v {
				v[i] = f(i, n)
			}
			return table.NumColumn("x", 1, v)
		}
	}
	text := func(f func(i, n int) string) func(n int) table.Column {
		return func(n int) table.Column {
			c := table.Column{Attribute: table.Attribute{Name: "x", Kind: table.Categorical}, Cat: make([]int32, n)}
			code := map[string]int32{}
			for i := range n {
				l := f(i, n)
				if _, ok := code[l]; !ok {
					code[l] = int32(len(c.Labels))
					c.Labels = append(c.Labels, l)
				}
				c.Cat[i] = code[l]
			}
			return c
		}
	}
	for _, n := range []int{40, 1000, 90_000} {
		for _, c := range []struct {
			name string
			of   func(n int) table.Column
			want Order
		}{
			{"sorted", num(func(i, n int) float64 { return float64(i) }), Sorted},
			{"sorted down", num(func(i, n int) float64 { return float64(-i) }), Sorted},
			{"nearly sorted", num(func(i, n int) float64 { return float64(i) + float64(n)*0.1*draw.Float64() }), Sorted},
			{"with gaps", num(func(i, n int) float64 {
				if i%3 == 0 {
					return math.NaN()
				}
				return float64(i)
			}), Sorted},
			{"days", text(func(i, n int) string { return fmt.Sprintf("2024-%02d-%02d", 1+i*12/n, 1+i*12*28/n%28) }), Sorted},
			{"sites one after the other", text(func(i, n int) string { return []string{"m", "a", "z", "b"}[i*4/n] }), Runs},
			{"two halves", num(func(i, n int) float64 { return float64(i * 2 / n) }), Runs},
			{"drawn", num(func(i, n int) float64 { return float64(draw.IntN(50)) }), ""},
			{"rising a little", num(func(i, n int) float64 { return float64(i) + float64(n)*2*draw.Float64() }), ""},
			{"drawn texts", text(func(i, n int) string { return string(rune('a' + draw.IntN(5))) }), ""},
			{"nearly all alike", text(func(i, n int) string {
				return map[bool]string{true: "rare", false: "common"}[draw.IntN(20) == 0]
			}), ""},
			{"in turn", text(func(i, n int) string { return string(rune('a' + i%3)) }), ""},
			{"all alike", num(func(i, n int) float64 { return 7 }), ""},
			{"all missing", num(func(i, n int) float64 { return math.NaN() }), ""},
		} {
			if got := orderOf(c.of(n)); got != c.want {
				t.Errorf("%d rows, %s: %q, want %q", n, c.name, got, c.want)
			}
		}
	}
	if orderOf(num(func(i, n int) float64 { return float64(i) })(enough-1)) != "" {
		t.Error("of hardly any values an order is claimed")
	}
}

// TestFollowRows: the sentence names the columns and how they follow, and no value.
func TestFollowRows(t *testing.T) {
	v, w, u := make([]float64, 60), make([]float64, 60), make([]float64, 60)
	for i := range v {
		v[i], w[i], u[i] = float64(1000+i), float64((i/20+1)%3*777), float64(i*37%61)
	}
	tab, err := table.New(table.NumColumn("day", 1, v), table.NumColumn("site", 1, w), table.NumColumn("age", 1, u))
	must.NoError(t, err)
	p := must.Get(Of(context.Background(), tab))(t)
	got := p.FollowRows().String()
	if !strings.HasSuffix(got,
		"whatever noise they get: day (sorted, or nearly so); site (equal values stand together)") ||
		strings.Contains(got, "777") {
		t.Error(got)
	}
	if p.Columns = p.Columns[2:]; !p.FollowRows().Empty() {
		t.Error(p.FollowRows())
	}
}
