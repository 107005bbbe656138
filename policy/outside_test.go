package policy

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/table"
)

// TestOutside: numbers outside the domain become its nearer end, on the grid, where the column says so; it is said of
// how many.
func TestOutside(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		text  string
		step  float64
		in    []float64
		want  string
		notes string
	}{
		{"{domain: [10, 50], outside: clip}", 1, []float64{9, 10, 30, 51, 1e6, nan}, "[10 10 30 50 50 NaN]", `3 values of "x" were set to the nearer end of its domain`},
		{"{domain: [9.5, 50.7], outside: clip}", 1, []float64{9, 10, 99}, "[10 10 50]", `2 values of "x" were set to the nearer end of its domain`},
		{"{domain: [0, 50], step: 20, outside: clip}", 1, []float64{0, 40, 80}, "[0 40 40]", `1 value of "x" was set to the nearer end of its domain`},
		{"{domain: [9.5, 50.7], outside: clip}", 0, []float64{9, 51}, "[9.5 50.7]", `2 values of "x" were set to the nearer end of its domain`},
		{"{domain: [0, 100], outside: clip}", 1, []float64{0, 100}, "[0 100]", ""},
		{"{domain: [0, 100], outside: refuse}", 1, []float64{0, 100}, "[0 100]", ""},
	} {
		tab := must.Get(table.New(table.NumColumn("x", c.step, c.in)))(t)
		p := parse(t, "version: 1\ncolumns: {x: "+c.text+"}")
		notes := strings.Join(message.Written(p.Clipped(tab)), "; ")
		out, err := p.Apply(tab)
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		if got := fmt.Sprint(out.Num(0)); got != c.want || notes != c.notes || !out.Attr(0).Declared {
			t.Errorf("%s: %s, %q", c.text, got, notes)
		}
		if got := fmt.Sprint(tab.Num(0)); got != fmt.Sprint(c.in) {
			t.Errorf("%s: the table was written to", c.text)
		}
	}
	for text, want := range map[string]string{
		"{outside: clip}":                  `p.yaml:2:15: "x" has no domain that a number could be outside`,
		"{domain: [1, 2], outside: clp}":   `"outside" is "clp", expected refuse, clip`,
		"{values: [a, b], outside: clip}":  `"x" has no domain`,
		"{domain: [1, 2], outside: false}": "outside",
		"{cut: 20%side}":                   "p.yaml:2:20: expected 20%top",
		"{cut: 5, kind: categorical}":      `p.yaml:2:15: only numbers are cut`,
	} {
		if _, err := Parse("p.yaml", []byte("version: 1\ncolumns: {x: "+text+"}")); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
}
