package main

import (
	"bytes"
	"context"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/stats/quantile"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// Every figure that the page prints beside ours is three ascending percentages.
func TestPrinted(t *testing.T) {
	for s := range scenarios {
		for _, d := range sets {
			for m := range metrics {
				for p := range shares {
					if q := quartiles(s, d.paper, m, p); q[0] < 0 || q[0] > q[1] || q[1] > q[2] || q[2] > 100 {
						t.Errorf("scenario %d, %s, %s, sap%d: %v", s, d.paper, metrics[m], p, q)
					}
				}
			}
			for p, mark := range marks[s][d.paper] {
				if !strings.Contains("0−+", mark) || mark == "" {
					t.Errorf("scenario %d, %s, sap%d is marked %q", s, d.paper, p+1, mark)
				}
			}
		}
	}
}

// Figure 4.2 has quartiles of 39 and 59 and a median of 49: 19.5, 29.5 and 24.5 of 50, which are rounded up.
func TestBar(t *testing.T) {
	blank := strings.Repeat(" ", 24)
	figure42 := "|" + blank[:19] + "-----●-----" + blank[:19] + "|"
	for _, c := range []struct {
		q    quantile.Summary
		want string
	}{
		{quantile.Summary{Q1: 39, Median: 49, Q3: 59}, figure42},
		{quantile.Summary{}, "●" + blank + "|" + blank + "|"},
		{quantile.Summary{Q1: 100, Median: 100, Q3: 100}, "|" + blank + "|" + blank + "●"},
	} {
		if got := bar(c.q); got != c.want {
			t.Errorf("%+v is drawn\n%q, expected\n%q", c.q, got, c.want)
		}
	}
}

// A table whose class follows from one attribute: S2 lowers the probability of the own class by p, up to rounding of
// the counts; the intruder who fills in finds critical values; and the page shows all parts.
func TestStudy(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	a, b, class := make([]int32, 200), make([]float64, 200), make([]int32, 200)
	for i := range a {
		a[i], b[i] = int32(r.IntN(2)), float64(r.IntN(50))
		class[i] = a[i]
	}
	kind, target := table.CatColumn("a", []string{"p", "q"}, a), table.CatColumn("class", []string{"x", "y"}, class)
	number := table.NumColumn("b", 1, b)
	kind.Role, number.Role, target.Role = table.Quasi, table.Quasi, table.Class|table.Confidential
	tab := tabletest.Of(t, kind, number, target)
	got, err := study(context.Background(), set{title: "made up", paper: "Vote"}, tab, 1)
	if err != nil {
		t.Fatal(err)
	}
	for p, f := range got.found[1] {
		if ratio := f.own / got.found[1][0].own; math.Abs(ratio-(1-shares[p])) > 0.05 {
			t.Errorf("sap%d: the probability of the own class is %.3f of what it was", p, ratio)
		}
	}
	if f := got.filled[0]; f.cells == 0 || f.right < 0.5 || f.find > got.found[0][0].right {
		t.Errorf("filled in: %+v", f)
	}
	if n := len(got.figures[0][0][3]); n != 10 {
		t.Errorf("%d accuracies, expected one for each class and fold", n)
	}
	var page bytes.Buffer
	print(&page, []*result{got}, 1)
	for _, want := range []string{"| made up | Vote | 200 | 2 | 2 |", "sap3  any match", "made up, ", "pf    sap3",
		"paper's Vote"} {
		if !strings.Contains(page.String(), want) {
			t.Errorf("the page lacks %q", want)
		}
	}
}

func TestMerged(t *testing.T) {
	tab, err := merged(tabletest.Of(t, table.CatColumn("num", []string{"0", "1", "2"}, []int32{0, 2, 1, -1})), 0)
	if err != nil {
		t.Fatal(err)
	}
	if got := tab.Cat(0); got[0] != 0 || got[1] != 1 || got[2] != 1 || got[3] != -1 {
		t.Errorf("merged to %v", got)
	}
}
