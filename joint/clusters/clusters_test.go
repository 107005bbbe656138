package clusters_test

import (
	"crypto/sha256"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/joint"
	"github.com/dither-data/dither/joint/clusters"
	"github.com/dither-data/dither/joint/jointtest"
	"github.com/dither-data/dither/table"
)

// points draws n points around three places, and one far from all.
func points(n int) (x, y []float64) {
	draw := rand.New(rand.NewPCG(4, 4))
	at := [][2]float64{{100, 100}, {900, 200}, {500, 800}}
	for i := range n {
		c := at[i%3]
		x, y = append(x, math.Round(c[0]+draw.NormFloat64()*20)), append(y, math.Round(c[1]+draw.NormFloat64()*20))
	}
	x[n-1], y[n-1] = 20, 990
	return x, y
}

func tableOf(name string, v []float64, more ...table.Column) *table.Table {
	t, err := table.New(append([]table.Column{table.NumColumn(name, 1, v)}, more...)...)
	if err != nil {
		panic(err)
	}
	return t
}

var columns = []joint.Column{{Name: "x", Max: 1000}, {Name: "y", Max: 1000}}

var owned = []joint.Column{{Name: "x", Max: 1000, Owner: "ada"}, {Name: "y", Max: 1000, Owner: "bob"}}

func TestConformance(t *testing.T) {
	const n = 30
	x, y := points(n)
	cases := map[string][]jointtest.Case{}
	for _, q := range clusters.Protocols {
		cases[q.Name] = nil
	}
	put := func(protocol string, c jointtest.Case) { cases[protocol] = append(cases[protocol], c) }
	for _, c := range []struct {
		name   string
		at     int // where the records of the two parties are parted
		from   int
		to     int
		cell   int
		faulty bool
	}{{"few", 2, 15, 19, 1, true}, {"halves", 11, 0, n, 1, false}, {"cell", 11, 0, n, 5, false}} {
		x, y := x[c.from:c.to], y[c.from:c.to]
		put("pooledoutliers", outlying(c.name, c.at, c.cell, x, y, false, c.faulty))
		put("outliers", outlying(c.name, c.at, c.cell, x, y, true, c.faulty))
	}
	none := outlying("one empty", 0, 1, x, y, false, false)
	err := jointtest.Ends(t, &clusters.Protocols[2], none)
	if err == nil || !strings.Contains(err.Error(), "ada: refused: 0 records") {
		t.Errorf("a party without records: %v", err)
	}
	same := slices.Repeat([]float64{500}, n)
	put("outliers", outlying("identical", 0, 1, same, same, true, false))
	put("pooledoutliers", outlying("identical", n/2, 1, same, same, false, false))
	for _, c := range []struct {
		name   string
		cuts   [4]int
		x, y   []float64
		k      int
		faulty bool
	}{{"three", [4]int{0, 10, 20, n}, x, y, 3, true}, {"one empty", [4]int{0, 0, 20, n}, x, y, 4, false},
		{"identical", [4]int{0, 10, 20, n}, same, same, 2, false}, {"no records", [4]int{}, x, y, 3, false}} {
		put("kmeans", pooledMeans(c.name, c.cuts, c.x, c.y, c.k, c.faulty))
	}
	few := long.Of(12, n)
	put("verticalkmeans", crossedMeans("two", x[:few], y[:few], 3, true))
	put("verticalkmeans", crossedMeans("more clusters", x, y, 7, false))
	put("verticalkmeans", crossedMeans("identical", same, same, 2, false))
	jointtest.Family(t, clusters.Protocols, cases)
}

// outlying is a case of outliers of two parties, with those of the plain definition: from whom 95 % are farther than
// 200. The records are parted between the parties, or the columns are.
func outlying(name string, at, cell int, x, y []float64, columnwise, faulty bool) jointtest.Case {
	c := jointtest.Case{Name: name, Plain: !faulty, Plan: joint.Plan{Parties: jointtest.Parties("ada", "bob"),
		Columns: columns, Parameters: map[string]string{"distance": "200", "share": "95"}}}
	c.Plan.Least.Cell = cell
	codes, yes := make([]int32, len(x)), []string{"no", "yes"}
	for i := range x {
		far := 0
		for j := range x {
			if math.Hypot(x[i]-x[j], y[i]-y[j]) > 200 {
				far++
			}
		}
		if float64(far) >= 0.95*float64(len(x)) {
			codes[i] = 1
		}
	}
	put := func(codes []int32, name string, v []float64, more ...table.Column) {
		count := int64(0)
		for _, c := range codes {
			count += int64(c)
		}
		f := joint.Figure{Name: "outliers", Value: count}
		if count < int64(cell) {
			f.Value = joint.Withheld{Why: joint.BelowCell}
		}
		c.Tables = append(c.Tables, tableOf(name, v, more...))
		c.Want = append(c.Want, &joint.Result{Figures: []joint.Figure{f},
			Release: tableOf(name, v, append(more, table.CatColumn("outlier", yes, codes))...)})
	}
	if columnwise {
		c.Plan.Columns = owned
		put(codes, "x", x)
		put(codes, "y", y)
		return c
	}
	put(codes[:at], "x", x[:at], table.NumColumn("y", 1, y[:at]))
	put(codes[at:], "x", x[at:], table.NumColumn("y", 1, y[at:]))
	return c
}

// drawn is what all parties of a case draw alike.
func drawn(c *jointtest.Case) *rand.Rand {
	id := jointtest.SessionID(c)
	return rand.New(rand.NewChaCha8(sha256.Sum256(append([]byte("dither joint clusters 1"), id[:]...))))
}

// lloyd is the plain algorithm: the cluster of each point, and how many each has, from means that do not move where
// their points are not shown; round is what means are rounded to, 0: not at all.
func lloyd(x, y []float64, means [][2]float64, shown func(of []int, k, n int) bool, round float64) (of, counts []int) {
	for range 30 {
		was := slices.Clone(of)
		of, counts = make([]int, len(x)), make([]int, len(means))
		sums := make([][2]float64, len(means))
		for i := range x {
			best := math.Inf(1)
			for k, m := range means {
				if d := (x[i]-m[0])*(x[i]-m[0]) + (y[i]-m[1])*(y[i]-m[1]); d < best {
					best, of[i] = d, k
				}
			}
			sums[of[i]][0], sums[of[i]][1] = sums[of[i]][0]+x[i], sums[of[i]][1]+y[i]
			counts[of[i]]++
		}
		if was != nil && slices.Equal(was, of) {
			break
		}
		for k, n := range counts {
			for j := range sums[k] {
				if !shown(of, k, n) {
					continue
				}
				if means[k][j] = sums[k][j] / float64(n); round > 0 {
					means[k][j] = math.Round(means[k][j]/round) * round
				}
			}
		}
	}
	return of, counts
}

// clustered is the result of a party with these columns of the means, and the table that it gets.
func clustered(name string, counts []int, means [][2]float64, columns []int, of []int, release ...table.Column,
) *joint.Result {
	out := joint.ResultTable{Name: name, Columns: []string{"cluster", "records"}}
	labels, codes := make([]string, len(means)), make([]int32, len(of))
	for _, j := range columns {
		out.Columns = append(out.Columns, []string{"x", "y"}[j])
	}
	for k, n := range counts {
		row := []any{int64(k + 1), any(int64(n))}
		for _, j := range columns {
			row = append(row, means[k][j])
		}
		if n < 5 {
			row[1] = joint.Withheld{Why: joint.BelowCell}
		}
		labels[k], out.Rows = fmt.Sprint(k+1), append(out.Rows, row)
	}
	for i, k := range of {
		codes[i] = int32(k)
	}
	t, err := table.New(append(release, table.CatColumn("cluster", labels, codes))...)
	if err != nil {
		panic(err)
	}
	return &joint.Result{Tables: []joint.ResultTable{out}, Release: t}
}

// pooledMeans is a case of three parties with the records between the cuts.
func pooledMeans(name string, cuts [4]int, x, y []float64, k int, faulty bool) jointtest.Case {
	c := jointtest.Case{Name: name, Plain: !faulty, Tolerance: 1e-12, Plan: joint.Plan{Columns: columns,
		Parties: jointtest.Parties("ada", "bob", "cyd"), Parameters: map[string]string{"clusters": fmt.Sprint(k)}}}
	draw, means := drawn(&c), make([][2]float64, k)
	for i := range means {
		means[i] = [2]float64{math.Round(1000 * draw.Float64()), math.Round(1000 * draw.Float64())}
	}
	shown := func(of []int, k, n int) bool {
		for p := range 3 { // nor may the others have fewer than 5
			own := 0
			for _, c := range of[cuts[p]:cuts[p+1]] {
				if c == k {
					own++
				}
			}
			if n-own < 5 {
				return false
			}
		}
		return true
	}
	of, counts := lloyd(x[:cuts[3]], y[:cuts[3]], means, shown, 0)
	for k, n := range counts {
		if !shown(of, k, n) {
			counts[k] = 0
		}
	}
	for p := range 3 {
		part := func(v []float64) []float64 { return v[cuts[p]:cuts[p+1]] }
		c.Tables = append(c.Tables, tableOf("x", part(x), table.NumColumn("y", 1, part(y))))
		c.Want = append(c.Want, clustered("clusters", counts, means, []int{0, 1}, of[cuts[p]:cuts[p+1]],
			c.Tables[p].Columns()...))
	}
	return c
}

// crossedMeans is a case of two parties with a column each. Means are kept in parts of 1/16, and start at people.
func crossedMeans(name string, x, y []float64, k int, faulty bool) jointtest.Case {
	c := jointtest.Case{Name: name, Plain: !faulty, Plan: joint.Plan{Parties: jointtest.Parties("ada", "bob"),
		Columns: owned, Parameters: map[string]string{"clusters": fmt.Sprint(k)}},
		Tables: []*table.Table{tableOf("x", x), tableOf("y", y)}}
	means := make([][2]float64, k)
	for m, i := range drawn(&c).Perm(len(x))[:k] {
		means[m] = [2]float64{x[i], y[i]}
	}
	of, counts := lloyd(x, y, means, func(_ []int, _, n int) bool { return n > 0 }, 1.0/16)
	for p := range 2 {
		want := clustered("clusters", counts, means, []int{p}, of, c.Tables[p].Columns()...)
		for _, row := range want.Tables[0].Rows {
			if _, hidden := row[1].(joint.Withheld); hidden {
				row[2] = row[1]
			}
		}
		c.Want = append(c.Want, want)
	}
	return c
}
