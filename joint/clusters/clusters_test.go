package clusters

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dither-data/dither/joint"
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

func TestConformance(t *testing.T) {
	const n = 30
	x, y := points(n)
	codes := make([]int32, n)
	codes[n-1] = 1
	flag := table.CatColumn("outlier", []string{"no", "yes"}, codes)
	owned := []joint.Column{{Name: "x", Max: 1000, Owner: "ada"}, {Name: "y", Max: 1000, Owner: "bob"}}
	count := joint.Figure{Name: "outliers", Value: int64(1)}
	halves := jointtest.Case{Name: "halves", Plain: true, Plan: joint.Plan{Parties: jointtest.Parties("ada", "bob"),
		Columns: columns, Parameters: map[string]string{"distance": "200", "share": "95"}}}
	for k, rows := range [][2]int{{0, 11}, {11, n}} {
		part := func(v []float64) []float64 { return v[rows[0]:rows[1]] }
		tab := tableOf("x", part(x), table.NumColumn("y", 1, part(y)))
		halves.Tables = append(halves.Tables, tab)
		halves.Want = append(halves.Want, &joint.Result{Figures: []joint.Figure{{Name: "outliers", Value: int64(k)}},
			Release: tableOf("x", part(x), table.NumColumn("y", 1, part(y)),
				table.CatColumn("outlier", []string{"no", "yes"}, codes[rows[0]:rows[1]]))})
	}
	few := halves
	few.Name, few.Plain = "few", false
	few.Tables = []*table.Table{halves.Tables[0].Slice(0, 2), halves.Tables[1].Slice(17, 19)}
	few.Want = []*joint.Result{
		{Figures: []joint.Figure{{Name: "outliers", Value: int64(0)}}, Release: halves.Want[0].Release.Slice(0, 2)},
		{Figures: []joint.Figure{{Name: "outliers", Value: int64(0)}}, Release: halves.Want[1].Release.Slice(17, 19)},
	}
	few.Want[1].Release = few.Want[1].Release.WithCat(2, []int32{0, 0})
	jointtest.Family(t, Protocols[2:], map[string][]jointtest.Case{"pooledoutliers": {halves, few}, "outliers": {{
		Name: "one", Tables: []*table.Table{tableOf("x", x), tableOf("y", y)},
		Plan: joint.Plan{Parties: jointtest.Parties("ada", "bob"), Columns: owned,
			Parameters: map[string]string{"distance": "200", "share": "95"}},
		Want: []*joint.Result{{Figures: []joint.Figure{count}, Release: tableOf("x", x, flag)},
			{Figures: []joint.Figure{count}, Release: tableOf("y", y, flag)}},
	}}})
	// the same protocol on means that the plain algorithm finds from the same start
	three := jointtest.Case{Name: "three", Plan: joint.Plan{Columns: columns,
		Parties:    jointtest.Parties("ada", "bob", "cyd"),
		Parameters: map[string]string{"clusters": "3"}}}
	for k := range 3 {
		part := func(v []float64) []float64 { return v[10*k : 10*k+10] }
		three.Tables = append(three.Tables, tableOf("x", part(x), table.NumColumn("y", 1, part(y))))
	}
	two := jointtest.Case{Name: "two", Tables: []*table.Table{tableOf("x", x), tableOf("y", y)},
		Plan: joint.Plan{Parties: jointtest.Parties("ada", "bob"), Columns: owned,
			Parameters: map[string]string{"clusters": "3"}}}
	three.Want = jointtest.Results(t, &Protocols[0], three, 0)
	two.Want = jointtest.Results(t, &Protocols[1], two, 0)
	stable(t, x, y, slices.Concat(of(three.Want[0]), of(three.Want[1]), of(three.Want[2])))
	stable(t, x, y, of(two.Want[0]))
	if !slices.Equal(of(two.Want[0]), of(two.Want[1])) {
		t.Error("two parties have other clusters")
	}
	jointtest.Family(t, Protocols[:2], map[string][]jointtest.Case{"kmeans": {three}, "verticalkmeans": {two}})
}

func of(r *joint.Result) []int32 { return r.Release.Cat(r.Release.Find("cluster")) }

// stable checks that clusters are those of k-means: each point is nearest to the middle of its own.
func stable(t *testing.T, x, y []float64, of []int32) {
	t.Helper()
	sum := map[int32]*[3]float64{}
	for i, c := range of {
		if sum[c] == nil {
			sum[c] = &[3]float64{}
		}
		sum[c][0] += x[i]
		sum[c][1] += y[i]
		sum[c][2]++
	}
	if len(sum) < 2 {
		t.Error("all points are in one cluster")
	}
	distance := func(i int, s *[3]float64) float64 { return math.Hypot(x[i]-s[0]/s[2], y[i]-s[1]/s[2]) }
	for i, c := range of {
		for o, s := range sum {
			if distance(i, s) < distance(i, sum[c])-1 {
				t.Errorf("point %d is in cluster %d and nearer to cluster %d", i, c, o)
			}
		}
	}
}
