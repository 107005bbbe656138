package chart

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

func TestColumns(t *testing.T) {
	for _, n := range []int{0, 1, 2, 9, 24, 200} {
		shares, names := make([]float64, n), make([]string, n)
		for k := range n {
			shares[k], names[k] = 1/float64(k+2), fmt.Sprint(k+1)
		}
		for name, c := range map[string]Columns{
			"alone":         {Released: shares, Names: names, Marked: -1},
			"both":          {Released: shares, Original: scaled(shares, 0.3), Names: names, Marked: -1},
			"first marked":  {Released: shares, Names: names, Marked: 0, Label: "own record"},
			"last marked":   {Released: shares, Names: names, Marked: n - 1, Label: strings.Repeat("own record ", 20)},
			"beyond marked": {Released: shares, Names: names, Marked: n, Label: "own record"},
			"nothing":       {Released: make([]float64, n), Names: names, Marked: -1},
			"certain": {Released: append([]float64{1}, make([]float64, n)...), Names: names, Marked: 0,
				Label: "own record"},
			"odd":               {Released: scaled(shares, math.NaN()), Original: shares, Names: names, Marked: -1},
			"few names":         {Released: shares, Original: shares[:n/2], Names: names[:n/2], Tips: names[:n/3], Marked: -1},
			"awkward":           {Released: shares, Names: awkward, Tips: awkward, Marked: n / 2, Label: awkward[3]},
			"tiny":              {Released: scaled(shares, 1e-12), Names: names, Marked: -1},
			"more than allowed": {Released: scaled(shares, 1e6), Names: names, Marked: -1},
		} {
			c.Title = name
			svg := c.Draw("c")
			name := fmt.Sprint(name, " of ", n)
			inspect(t, name, svg)
			inPlot(t, name, string(svg))
		}
	}
}

// TestColumnNames: where not all names find room those that do are evenly apart.
func TestColumnNames(t *testing.T) {
	c := Columns{Marked: -1}
	for k := range 16 {
		c.Released, c.Names = append(c.Released, 1), append(c.Names, fmt.Sprintf("[%d, %d)", 5*k+20, 5*k+25))
	}
	c.Names[0] = "< 20"
	svg := string(c.Draw("c"))
	for k, name := range c.Names {
		if shown := strings.Contains(svg, ">"+escape(name)+"</text>"); shown != (k%3 == 0) {
			t.Errorf("name %q is shown: %v", name, shown)
		}
	}
}

func TestColumnsSayItAll(t *testing.T) {
	svg := string(
		Columns{
			Title:    "Suspects",
			Released: []float64{0.5, 0.25},
			Names:    []string{"1", "2"},
			Tips:     []string{"likeliest"},
			Marked:   1,
			Label:    "own record",
		}.Draw("k"),
	)
	for _, want := range []string{`<title id="k-t">Suspects</title>`, "Column chart of 2 columns. 2: 25 % is marked: " +
		"own record.", "<title>likeliest: 50 %</title>", "<title>2: 25 %</title>", ">own record</text>"} {
		if !strings.Contains(svg, want) {
			t.Errorf("the drawing lacks %q:\n%s", want, svg)
		}
	}
	if strings.Count(svg, `class="pale"`) != 1 || strings.Count(svg, `class="bar"`) != 1 {
		t.Error("not only the marked column is in full colour")
	}
	svg = string(Columns{Released: []float64{0.5}, Original: []float64{0.125}, Names: []string{"1"}, Marked: -1}.Draw("k"))
	for _, want := range []string{"1: original 12.5 %, released 50 %", "Wide grey columns: original."} {
		if !strings.Contains(svg, want) {
			t.Errorf("the drawing lacks %q", want)
		}
	}
}
