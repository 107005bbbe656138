package trees_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/dither-data/dither/joint"
	"github.com/dither-data/dither/joint/jointtest"
	"github.com/dither-data/dither/joint/trees"
	"github.com/dither-data/dither/table"
)

var columns = []joint.Column{
	{Name: "sex", Values: []string{"f", "m"}}, {Name: "ward", Values: []string{"a", "b", "c"}},
	{Name: "ill", Values: []string{"no", "yes"}, Role: joint.Class}, {Name: "old", Values: []string{"no", "yes"}},
}

// people draws records of the columns: who is old in ward a is ill as a rule, and men in ward b.
func people(n int, seed uint64) [][4]int32 {
	draw := rand.New(rand.NewPCG(seed, 1))
	out := make([][4]int32, n)
	for i := range out {
		r := [4]int32{draw.Int32N(2), draw.Int32N(3), 0, draw.Int32N(2)}
		if r[1] == 0 && r[3] == 1 || r[1] == 1 && r[0] == 1 {
			r[2] = 1
		}
		if draw.IntN(9) == 0 && r[1] != 2 {
			r[2] = 1 - r[2]
		}
		out[i] = r
	}
	return out
}

func tableOf(list [][4]int32, which ...int) *table.Table {
	var cols []table.Column
	for _, c := range which {
		codes := make([]int32, len(list))
		for i := range codes {
			codes[i] = list[i][c]
		}
		cols = append(cols, table.CatColumn(columns[c].Name, columns[c].Values, codes))
	}
	t, err := table.New(cols...)
	if err != nil {
		panic(err)
	}
	return t
}

// plain grows the tree with logarithms of the library, level by level as the protocol lists its leaves.
func plain(list [][4]int32, depth int) (rows [][]any) {
	type open struct {
		of    [][4]int32
		used  [4]bool
		path  []string
		class int32
	}
	level := []open{{of: list, class: -1}}
	for d := 0; len(level) > 0; d++ {
		var next []open
		for _, n := range level {
			yes := 0
			for _, r := range n.of {
				yes += int(r[2])
			}
			major, left := int32(0), 0
			if yes > len(n.of)-yes {
				major = 1
			}
			for j, u := range n.used {
				if j != 2 && !u {
					left++
				}
			}
			if len(n.of) < 5 {
				major = n.class
			}
			if len(n.of) < 5 || yes == 0 || yes == len(n.of) || d == depth || left == 0 {
				class := any(joint.Withheld{Why: joint.BelowCell})
				if major >= 0 {
					class = columns[2].Values[major]
				}
				rows = append(rows, []any{strings.Join(n.path, " & "), class})
				continue
			}
			best, least := -1, math.Inf(1)
			for j, u := range n.used {
				if j == 2 || u {
					continue
				}
				sum := 0.0
				for v := range columns[j].Values {
					var c [2]float64
					for _, r := range n.of {
						if r[j] == int32(v) {
							c[r[2]]++
						}
					}
					sum += xlnx(c[0]+c[1]) - xlnx(c[0]) - xlnx(c[1])
				}
				if sum < least {
					best, least = j, sum
				}
			}
			for v, name := range columns[best].Values {
				path := append(append([]string(nil), n.path...), columns[best].Name+" = "+name)
				child := open{used: n.used, class: major, path: path}
				child.used[best] = true
				for _, r := range n.of {
					if r[best] == int32(v) {
						child.of = append(child.of, r)
					}
				}
				next = append(next, child)
			}
		}
		level = next
	}
	return rows
}

func xlnx(x float64) float64 {
	if x == 0 {
		return 0
	}
	return x * math.Log(x)
}

func want(list [][4]int32, depth int, logarithms int64) []*joint.Result {
	rows := plain(list, depth)
	return []*joint.Result{{Figures: []joint.Figure{{Name: "leaves", Value: int64(len(rows))},
		{Name: "secure logarithms", Value: logarithms}},
		Tables: []joint.ResultTable{{Name: "leaves", Columns: []string{"conditions", "class"}, Rows: rows}}}}
}

func TestConformance(t *testing.T) {
	all := people(90, 3)
	plan := joint.Plan{Parties: jointtest.Parties("ada", "bob"), Columns: columns,
		Parameters: map[string]string{"depth": "2"}}
	two := []*table.Table{tableOf(all[:40], 0, 1, 2, 3), tableOf(all[40:], 0, 1, 2, 3)}
	shallow := plan
	shallow.Parameters = map[string]string{"depth": "1"}
	owned := shallow
	owned.Columns = append([]joint.Column{}, columns...)
	for k, o := range []string{"ada", "bob", "bob", "ada"} {
		owned.Columns[k].Owner = o
	}
	deep := owned
	deep.Parameters = plan.Parameters
	halves := []*table.Table{tableOf(all, 0, 3), tableOf(all, 1, 2)}
	var wards [2][][4]int32
	for _, r := range all {
		wards[min(1, r[1])] = append(wards[min(1, r[1])], r)
	}
	parts := func(name string, a, b [][4]int32, logarithms int64) jointtest.Case {
		return jointtest.Case{Name: name, Plan: shallow, Plain: true,
			Want:   want(append(a[:len(a):len(a)], b...), 1, logarithms),
			Tables: []*table.Table{tableOf(a, 0, 1, 2, 3), tableOf(b, 0, 1, 2, 3)}}
	}
	// the root asks for 2 + 3 + 2 values, each with two classes and alone; two of its three children go on, with 4 values
	jointtest.Family(t, trees.Protocols, map[string][]jointtest.Case{
		"id3": {
			{Name: "stump", Plan: shallow, Tables: two, Want: want(all, 1, 21)},
			{Name: "deep", Plan: plan, Tables: two, Want: want(all, 2, 45), Plain: true},
			parts("one empty", nil, all, 21), parts("identical", all[:40], all[:40], 21),
			parts("disjoint", wards[0], wards[1], 21), parts("no records", nil, nil, 0),
		},
		"verticalid3": {
			{Name: "stump", Plan: owned, Tables: halves, Want: want(all, 1, 21)},
			{Name: "deep", Plan: deep, Tables: halves, Want: want(all, 2, 45), Plain: true},
		},
	})
}
