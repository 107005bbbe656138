package main

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/dataset"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/table"
)

// TestTable3 reads every data set of Table 3 and counts what the paper counts.
func TestTable3(t *testing.T) {
	t.Setenv("DITHER_DATA", filepath.Dir(filepath.Dir(dataset.File(t, "wine/wine.csv"))))
	for _, want := range []struct {
		name                                   string
		records, numeric, categorical, classes int
	}{
		{"wine", 178, 13, 1, 3}, // the paper prints 12 numeric attributes
		{"wbc", 683, 9, 1, 2},
		{"credit", 653, 6, 10, 2},
		{"cmc", 1473, 2, 8, 3},
		{"abalone", 4177, 7, 2, 28},
	} {
		d, err := load(context.Background(), want.name)
		if err != nil {
			t.Fatal(err)
		}
		numeric, categorical := 0, 0
		for j := range d.Table.Width() {
			if d.Table.Attr(j).Kind == table.Numeric {
				numeric++
			} else {
				categorical++
			}
		}
		classes := map[int32]bool{}
		for _, c := range d.Table.Cat(d.Table.WithRole(table.Class)) {
			classes[c] = true
		}
		if d.Table.Rows() != want.records || numeric != want.numeric || categorical != want.categorical ||
			len(classes) != want.classes {
			t.Errorf(
				"%s: %d records, %d numeric, %d categorical, %d classes",
				want.name,
				d.Table.Rows(),
				numeric,
				categorical,
				len(classes),
			)
		}
	}
	if _, err := load(context.Background(), "iris"); err == nil {
		t.Error("a data set that is not in the table was read")
	}
}

func TestDifference(t *testing.T) {
	mean, half := difference([]float64{3, 5, 7}, []float64{2, 3, 4})
	if math.Abs(mean-2) > 1e-12 || math.Abs(half-4.302652729696142/math.Sqrt(3)) > 1e-9 {
		t.Errorf("%v ± %v", mean, half)
	}
}

// TestPageOnWine prints the page of the smallest data set with two folds: every part is there, and both sentences on
// GADP.
func TestPageOnWine(t *testing.T) {
	t.Setenv("DITHER_DATA", filepath.Dir(filepath.Dir(dataset.File(t, "wine/wine.csv"))))
	defer func(f int, s, m string) { *folds, *sets, *methods = f, s, m }(*folds, *sets, *methods)
	*folds, *sets = 2, "wine"
	var page bytes.Buffer
	if err := program.Run(t.Context(), &page, 1, ""); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"## What is found\n", "| EDUDS: a sharp decline from F to GADP |", "**A sharp decline of EDUDS from F to GADP, on " +
			"all data sets?** It ",
		"from F to GADP with the class given, on all data sets?** It ", "| GADP, class given |",
		"### Inside the sub-domains\n", "### Over the whole domain\n", "| 33.33 |",
	} {
		if !strings.Contains(page.String(), want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	*methods = "nothing"
	if err := program.Run(t.Context(), &page, 1, ""); err == nil {
		t.Error("a technique that is not there was run")
	}
}

// TestJudge tells the three verdicts apart, and where a score falls with more noise from where it rises.
func TestJudge(t *testing.T) {
	scores := func(rows ...[]float64) *study.Comparison {
		c := &study.Comparison{Data: []study.Studied{{Name: "wine"}}, Measures: []study.Criterion{{Label: "eduds"}}}
		for s, folds := range rows {
			c.Settings = append(c.Settings, study.Compared{Name: fmt.Sprint(s)})
			sum := study.Summary{Data: 0, Setting: s, Measure: 0, Folds: folds}
			for _, v := range folds {
				sum.Mean += v / float64(len(folds))
			}
			c.Summaries = append(c.Summaries, sum)
		}
		return c
	}
	c := scores([]float64{.9, .8, .91}, []float64{.1, .2, .12}, []float64{.89, .81, .9})
	for _, x := range []struct{ a, b, want int }{{0, 1, holds}, {1, 0, opposite}, {0, 2, level}} {
		if _, _, v := judge(c, 0, x.a, x.b, 0); v != x.want {
			t.Errorf("settings %d and %d: verdict %d, expected %d", x.a, x.b, v, x.want)
		}
	}
	cl := claim{except: "credit"}
	for _, x := range []struct {
		data       string
		says, want int
	}{{"wine", holds, holds}, {"credit", holds, opposite}, {"credit", opposite, holds}, {"credit", level, level}} {
		if got := cl.of(x.data, x.says); got != x.want {
			t.Errorf("%s: verdict %d of %d, expected %d", x.data, got, x.says, x.want)
		}
	}
	rows := [][]float64{{1, 1, 1}} // the original
	for s := range spreads {
		v := 0.9 - float64(s)/100
		rows = append(rows, []float64{v, v + 0.001, v - 0.001})
	}
	if got := steps(scores(rows...)); !strings.HasPrefix(got, "It falls at every step on: Wine. ") ||
		!strings.HasSuffix(got, "on: none.") {
		t.Error(got)
	}
	rows[7] = []float64{0.95, 0.951, 0.949}
	if got := steps(scores(rows...)); !strings.HasPrefix(got, "It falls at every step on: none. ") ||
		!strings.Contains(got, "on: Wine from 50 to 100 (+") {
		t.Error(got)
	}
}
