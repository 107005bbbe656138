package hintoglu

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/mine/classifiers"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

func fit(t testing.TB, tab *table.Table, set map[string]string) *Plan {
	t.Helper()
	q := New()
	must.NoError(t, q.Params().Apply(set))
	p := must.Get(q.Fit(t.Context(), tab, rng.Source{}))(t)
	return p.(*Plan)
}

func confidential(labels []string, codes []int32) table.Column {
	c := table.CatColumn("illness", labels, codes)
	c.Role = table.Confidential
	return c
}

// A table worked by hand: eight records, four with the flu and four without. Cough is y in all four with the flu and in
// one without, so that P(y|flu) = 5/6, P(y|none) = 2/6; sex is the same in both. A record with the flu and a cough has
// the flu with 5/7, which is above a half: the cough goes, and the rest tells no more than the half that the flu has.
func TestByHand(t *testing.T) {
	tab := tabletest.Must(confidential([]string{"flu", "none"}, []int32{0, 0, 0, 0, 1, 1, 1, 1}),
		table.CatColumn("cough", []string{"y", "n"}, []int32{0, 0, 0, 0, 0, 1, 1, 1}),
		table.CatColumn("sex", []string{"m", "f"}, []int32{0, 0, 1, 1, 0, 0, 1, 1}))
	p := fit(t, tab, map[string]string{"share": "1"})
	b := p.bayes()
	codes := []int32{0, 0}
	if got := b.hide(0, func(k int) int32 { return codes[k] }); !slices.Equal(got, []int{0}) {
		t.Errorf("columns %v go, expected the cough alone", got)
	}
	b.odds = [][]float64{b.given[0][0], b.given[1][0]}
	if got := b.posterior(0, -1); got < 5./7-1e-12 || got > 5./7+1e-12 {
		t.Errorf("the flu has %v, expected 5/7", got)
	}
	out := must.Get(p.Apply(tab, protecttest.Seed(1)))(t)
	for i, want := range []string{"??m", "??m", "??f", "??f", "?ym", "??m", "??f", "??f"} {
		got := "?"
		for j := 1; j < 3; j++ {
			if c := out.Cat(j)[i]; c < 0 {
				got += "?"
			} else {
				got += out.Attr(j).Labels[c]
			}
		}
		if got != want || out.Cat(0)[i] >= 0 {
			t.Errorf("record %d is %s, expected %s", i, got, want)
		}
	}
	for most, want := range map[string][]int{"0.75": nil, "0": {0}} { // the sex tells no more than the half
		b := fit(t, tab, map[string]string{"share": "1", "most": most}).bayes()
		if got := b.hide(0, func(k int) int32 { return codes[k] }); !slices.Equal(got, want) {
			t.Errorf("with most=%s columns %v go, expected %v", most, got, want)
		}
	}
}

// Columns that may lose no cell tell the value all the same: others go in their place.
func TestCells(t *testing.T) {
	tab := tells(400)
	all := must.Get(fit(t, tab, map[string]string{"share": "1"}).Apply(tab, protecttest.Seed(1)))(t)
	p := fit(t, tab, map[string]string{"share": "1", "cells": "c2,c3"})
	if got := strings.Join(p.Changes(), " "); got != "illness c2 c3" {
		t.Errorf("changes %s", got)
	}
	some := must.Get(p.Apply(tab, protecttest.Seed(1)))(t)
	lost := func(out *table.Table, j int) (n int) {
		for i := range out.Rows() {
			if out.MissingAt(i, j) {
				n++
			}
		}
		return n
	}
	if lost(some, 1)+lost(some, 2)+lost(some, 3) > 0 {
		t.Error("columns that stay lose cells")
	}
	for _, j := range []int{4, 5} {
		if a, b := lost(all, j), lost(some, j); b <= a {
			t.Errorf("column %d loses %d cells, no more than the %d where others may", j, b, a)
		}
	}
}

// tells returns a table in which five columns tell the illness more or less, one number among them.
func tells(n int) *table.Table {
	r := rand.New(rand.NewPCG(1, 2))
	illness := make([]int32, n)
	var cols [4][]int32
	number := make([]float64, n)
	for i := range illness {
		illness[i] = int32(r.IntN(3))
		for k := range cols {
			v := illness[i]
			if r.Float64() < 0.2+0.15*float64(k) {
				v = int32(r.IntN(3))
			}
			cols[k] = append(cols[k], v)
		}
		number[i] = float64(illness[i]*10) + float64(r.IntN(12))
	}
	labels := []string{"a", "b", "c"}
	out := []table.Column{confidential(labels, illness), table.NumColumn("number", 1, number)}
	for k, c := range cols {
		out = append(out, table.CatColumn("c"+string(rune('0'+k)), labels, c))
	}
	return tabletest.Must(out...)
}

// TestTwin suppresses every record of a table, and an independent reading of the method, which counts from the table
// itself, multiplies probabilities and tries every cell, loses the same cells.
func TestTwin(t *testing.T) {
	tab := tells(400)
	p := fit(t, tab, map[string]string{"share": "1", "bins": "3"})
	out := must.Get(p.Apply(tab, protecttest.Seed(1)))(t)
	codes := make([][]int32, tab.Width())
	for k := range p.Columns {
		j := p.Columns[k].Column
		codes[j] = p.Columns[k].Cuts.Codes(tab.Column(j))
	}
	sick := tab.Cat(0)
	probability := func(i int, left []int) float64 {
		var w [3]float64
		for v := range w {
			n := 0.0
			for _, u := range sick {
				if int(u) == v {
					n++
				}
			}
			w[v] = n
			for _, j := range left {
				same, sizes := 0.0, 0.0
				for k, u := range sick {
					if int(u) == v {
						sizes++
						if codes[j][k] == codes[j][i] {
							same++
						}
					}
				}
				w[v] *= (same + 1) / (sizes + 3)
			}
		}
		return w[sick[i]] / (w[0] + w[1] + w[2])
	}
	lost := 0
	for i := range tab.Rows() {
		left := []int{1, 2, 3, 4, 5}
		for len(left) > 0 && probability(i, left) > 0.5 {
			best := 0
			without := func(n int) []int { return slices.Delete(slices.Clone(left), n, n+1) }
			for n := range left {
				if probability(i, without(n)) < probability(i, without(best))-1e-12 {
					best = n
				}
			}
			left = without(best)
		}
		for j := 1; j < 6; j++ {
			if out.MissingAt(i, j) == slices.Contains(left, j) {
				t.Fatalf("record %d: column %d is missing: %v, the twin leaves %v", i, j, out.MissingAt(i, j), left)
			}
		}
		lost += 5 - len(left)
	}
	if lost < 400 {
		t.Errorf("%d cells are lost only: the table tests nothing", lost)
	}
}

// TestInference is what the paper is for: naive Bayes, learned by the miner from the records that keep the value, finds
// nearly all of those that are hidden where the other cells stay (97.9 %), and after suppression fewer than chance
// (16.6 % of three that are as frequent): what is left speaks for others. Seeds are fixed.
func TestInference(t *testing.T) {
	tab := tells(2000)
	for _, c := range []struct {
		most     string
		min, max float64
	}{{"1", 0.95, 1}, {"0.5", 0, 0.2}} {
		p := fit(t, tab, map[string]string{"share": "0.2", "most": c.most})
		out := must.Get(p.Apply(tab, protecttest.Seed(3)))(t)
		a := *out.Attr(0)
		a.Role = table.Class
		learned := out.WithAttr(0, a)
		m := must.Get(classifiers.NaiveBayesNew().Fit(t.Context(), learned, rng.Source{}))(t)
		got := make([]int32, out.Rows())
		m.(*classifiers.NaiveBayesModel).Predict(learned, got)
		right, hidden, others := 0., 0., 0
		for i, v := range tab.Cat(0) {
			if out.Cat(0)[i] < 0 {
				hidden++
				if got[i] == v {
					right++
				}
				continue
			}
			for j := range out.Width() {
				if out.MissingAt(i, j) {
					others++
				}
			}
		}
		if share := right / hidden; share < c.min || share > c.max || others > 0 || hidden < 340 || hidden > 460 {
			t.Errorf("most %s: %.3f of %v hidden values are found, expected %v to %v; %d cells of other records are gone",
				c.most, share, hidden, c.min, c.max, others)
		}
	}
}

func TestRefusals(t *testing.T) {
	tab := tells(20)
	plain := tab.WithAttr(0, table.Attribute{Name: "illness", Kind: table.Categorical, Labels: tab.Attr(0).Labels})
	for _, c := range []struct {
		tab  *table.Table
		set  map[string]string
		says string
	}{
		{plain, nil, "no column is confidential"},
		{tab, map[string]string{"column": "nobody"}, `there is no column "nobody"`},
		{tab, map[string]string{"column": "number"}, `column "number" is numeric`},
		{tab, map[string]string{"cells": "illness"}, `"illness" is no column`},
	} {
		q := New()
		must.NoError(t, q.Params().Apply(c.set))
		if _, err := q.Fit(t.Context(), c.tab, rng.Source{}); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%v: %v, expected %q", c.set, err, c.says)
		}
	}
}
