package main

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"github.com/dither-data/dither/table"
)

func TestAgainst(t *testing.T) {
	a, b := []float64{3, 5, 7}, []float64{2, 3, 4}
	if mean, half, v := against(a, b); math.Abs(mean-2) > 1e-12 || math.Abs(half-4.302652729696142/math.Sqrt(3)) > 1e-9 ||
		v != level {
		t.Errorf("%v ± %v: %s", mean, half, v)
	}
	c := []float64{1, 3, 4.9}
	if _, _, v := against(a, c); v != above {
		t.Errorf("two more everywhere: %s", v)
	}
	if _, _, v := against(c, a); v != worse {
		t.Errorf("two less everywhere: %s", v)
	}
}

// TestRun runs a small table whose classes lie far apart in its numbers: GADP without the class loses them, the three
// others keep them. Seeds are fixed.
func TestRun(t *testing.T) {
	const n = 120
	x, y, class := make([]float64, n), make([]float64, n), make([]int32, n)
	for i := range n {
		class[i] = int32(i % 2)
		x[i], y[i] = float64(100*class[i]+int32(i*7%11)), float64(i*5%13)
	}
	c := table.CatColumn("class", []string{"a", "b"}, class)
	c.Role = table.Class
	tab, err := table.New(table.NumColumn("x", 1, x), table.NumColumn("y", 1, y), c)
	if err != nil {
		t.Fatal(err)
	}
	a, err := run(t.Context(), "test", tab, 1)
	if err != nil {
		t.Fatal(err)
	}
	r := result{"Test", largest(tab), a}
	var out bytes.Buffer
	if err := page(&out, []result{r}, 1); err != nil {
		t.Fatal(err)
	}
	said := strings.Join(strings.Fields(out.String()), " ")
	for _, want := range []string{"GADP against SADP: worse with every classifier;",
		"GADP-W against original: not told apart with every classifier;",
		"### Test: 50.0 % of the records are of the largest class ", "| naive Bayes | 100.0 ± 0.0 | 100.0 ± 0.0 |"} {
		if !strings.Contains(said, want) {
			t.Errorf("the page lacks %q:\n%s", want, out.String())
		}
	}
}
