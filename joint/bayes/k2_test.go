package bayes_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/joint"
	"github.com/dither-data/dither/joint/bayes"
	"github.com/dither-data/dither/joint/jointtest"
	"github.com/dither-data/dither/table"
)

var k2Values = []int{2, 3, 2, 2, 3}

// weather draws records whose third column follows from the first two together, the fourth from the third, the fifth
// from nothing.
func weather(n int, seed uint64) [][]int32 {
	draw := rand.New(rand.NewPCG(seed, 9))
	out := make([][]int32, n)
	for i := range out {
		r := []int32{draw.Int32N(2), draw.Int32N(3), draw.Int32N(2), draw.Int32N(2), draw.Int32N(3)}
		if draw.IntN(5) > 0 {
			r[2] = (r[0] + r[1]) % 2
		}
		if draw.IntN(4) > 0 {
			r[3] = r[2]
		}
		out[i] = r
	}
	return out
}

// factorial is ln n!.
func factorial(n float64) float64 {
	v, _ := math.Lgamma(n + 1)
	return v
}

// plainK2 is the algorithm by counting, of the first columns. close is how near the best score came to another at any
// step.
func plainK2(records [][]int32, width, most int) (parents [][]int, close float64) {
	score := func(k int, of []int) float64 {
		count := map[string][]float64{}
		for _, r := range records {
			key := ""
			for _, j := range of {
				key += fmt.Sprint(r[j])
			}
			if count[key] == nil {
				count[key] = make([]float64, k2Values[k])
			}
			count[key][r[k]]++
		}
		sum, values := 0.0, float64(k2Values[k])
		for _, c := range count {
			all := values - 1
			for _, n := range c {
				sum += factorial(n)
				all += n
			}
			sum += factorial(values-1) - factorial(all)
		}
		return sum
	}
	parents, close = make([][]int, width), math.Inf(1)
	for k := range width {
		at := score(k, nil)
		for len(parents[k]) < most {
			all := []float64{at}
			take := -1
			for j := range k {
				if slices.Contains(parents[k], j) {
					continue
				}
				v := score(k, append(slices.Clone(parents[k]), j))
				all = append(all, v)
				if v > at+1e-9 {
					at, take = v, j
				}
			}
			slices.Sort(all)
			if n := len(all); n > 1 {
				close = min(close, all[n-1]-all[n-2])
			}
			if take < 0 {
				break
			}
			parents[k] = append(parents[k], take)
		}
	}
	return parents, close
}

func k2Case(records [][]int32, width, most int) (c jointtest.Case, close float64) {
	c = jointtest.Case{Name: fmt.Sprint(len(records), " records, ", most, " parents"),
		Plan: joint.Plan{Parties: jointtest.Parties("ada", "bob"),
			Parameters: map[string]string{"parents": fmt.Sprint(most)}}}
	parties := make([][]table.Column, 2)
	out := joint.ResultTable{Name: "network", Columns: []string{"column", "parents"}}
	parents, close := plainK2(records, width, most)
	for k, n := range k2Values[:width] {
		col := joint.Column{Name: fmt.Sprint("c", k), Owner: []string{"ada", "bob"}[k%2], Values: []string{"a", "b", "c"}[:n]}
		c.Plan.Columns = append(c.Plan.Columns, col)
		codes := make([]int32, len(records))
		for i, r := range records {
			codes[i] = r[k]
		}
		parties[k%2] = append(parties[k%2], table.CatColumn(col.Name, col.Values, codes))
		var text []string
		for _, j := range parents[k] {
			text = append(text, fmt.Sprint("c", j))
		}
		out.Rows = append(out.Rows, []any{col.Name, strings.Join(text, ", ")})
	}
	for _, cols := range parties {
		t, err := table.New(cols...)
		if err != nil {
			panic(err)
		}
		c.Tables = append(c.Tables, t)
	}
	c.Want = []*joint.Result{{Tables: []joint.ResultTable{out}}}
	return c, close
}

// The structure is that of plain K2 on random data where no two scores are nearer than the logarithms are right.
func TestK2(t *testing.T) {
	long.Only(t, "four networks by the whole protocol")
	taken, linked := 0, 0
	for seed := range uint64(4) {
		records := weather(120+int(seed)*10, seed)
		c, close := k2Case(records, len(k2Values), 2)
		if close < 0.05 {
			continue
		}
		taken++
		got := jointtest.Results(t, &bayes.Protocols[3], c, seed)[0].Tables[0].Rows
		if fmt.Sprint(got) != fmt.Sprint(c.Want[0].Tables[0].Rows) {
			t.Errorf("data %d: %v, expected %v", seed, got, c.Want[0].Tables[0].Rows)
		}
		for _, row := range got[2:4] {
			if row[1] != "" {
				linked += strings.Count(row[1].(string), ",") + 1
			}
		}
	}
	if taken < 3 || linked < 2*taken {
		t.Errorf("%d tables of 4; %d parents", taken, linked)
	}
}

// alike are records of which all columns say the same; apart those of which no two columns are above 0 together, each
// column less often than the one before.
func alike(n int) [][]int32 {
	out := make([][]int32, n)
	for i := range out {
		v := int32(i % 5 / 3)
		out[i] = []int32{v, v, v, v, v}
	}
	return out
}

func apart(n int) [][]int32 {
	out := make([][]int32, n)
	for i := range out {
		out[i] = make([]int32, len(k2Values))
		if k := []int{0, 1, 0, 2, 0, 1, 0, 2, 0, 1}[i%10]; i%17 > 0 {
			out[i][k] = 1
		}
	}
	return out
}

// constant are records of which the first column says nothing, and no other anything of one more.
func constant(n int) [][]int32 {
	out := make([][]int32, n)
	for i := range out {
		out[i] = []int32{0, int32(i % 3), int32(i % 4 / 2), int32(i % 5 / 3), int32(i % 7 / 3)}
	}
	return out
}

func TestK2Conformance(t *testing.T) {
	c, _ := k2Case(weather(40, 7), 2, 1)
	cases := []jointtest.Case{c}
	for _, k := range []struct {
		name    string
		records [][]int32
		width   int
		parents string // of the last column
	}{{"empty", nil, 3, ""}, {"identical", alike(60), 2, "c0"}, {"disjoint", apart(60), 3, "c0, c1"},
		{"constant", constant(61), 5, ""}} {
		c, close := k2Case(k.records, k.width, 2)
		if got := c.Want[0].Tables[0].Rows[k.width-1][1]; got != k.parents || close > 0 && close < 0.05 {
			t.Errorf("%s: parents %q, expected %q; scores are %v apart", k.name, got, k.parents, close)
		}
		c.Name, c.Plain = k.name, true
		cases = append(cases, c)
	}
	for k := range cases[:long.Of(1, len(cases))] {
		got := jointtest.Results(t, &bayes.Protocols[3], cases[k], 0)[0]
		cases[k].Want[0].Figures = got.Figures
	}
	jointtest.Family(t, bayes.Protocols[3:], map[string][]jointtest.Case{"k2": cases})
}
