package kmeans

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/calendar"
	"github.com/dither-data/dither/format/csv"
	"github.com/dither-data/dither/format/dialect"
	"github.com/dither-data/dither/internal/testkit/dataset"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/mine/minetest"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

func TestConformance(t *testing.T) {
	large := minetest.Large(map[string]string{"restarts": "2", "iterations": "4"})
	minetest.Run(t, Miner, large)
	t.Run("other parameters", func(t *testing.T) {
		minetest.Run(
			t,
			Miner,
			minetest.Set(
				map[string]string{
					"k":         "20",
					"restarts":  "3",
					"tolerance": "0",
					"scale":     ZScore,
					"empty":     Keep,
					"weighted":  "false",
				},
			),
			large,
		)
	})
}

var seed = rng.New([32]byte{8})

// numbers returns a table of columns a, b, ...
func numbers(t testing.TB, cols ...[]float64) *table.Table {
	t.Helper()
	var all []table.Column
	for k, v := range cols {
		all = append(all, table.NumColumn(string(rune('a'+k)), 0, v))
	}
	return tabletest.Of(t, all...)
}

func fit(t testing.TB, l *Learner, tab *table.Table) *Model {
	t.Helper()
	m := must.Get(l.Fit(context.Background(), tab, seed))(t)
	must.NoError(t, m.(*Model).Check())
	return m.(*Model)
}

// The worked examples, computed independently of this package.
func TestGolden(t *testing.T) {
	text := must.Get(os.ReadFile("testdata/clustering.json"))(t)
	var cases []struct {
		Op    string
		Input struct {
			Values          []float64
			Rows, Centroids [][]float64
		}
		Expected struct {
			MinMax, ZScore []float64
			Labels         []int32
			Centroids      [][]float64
		}
	}
	must.NoError(t, json.Unmarshal(text, &cases))
	seen := map[string]bool{}
	for _, c := range cases {
		seen[c.Op] = true
		switch c.Op {
		case "normalise":
			for by, want := range map[string][]float64{MinMax: c.Expected.MinMax, ZScore: c.Expected.ZScore} {
				centre, width := Scaling(c.Input.Values, by)
				for i, v := range c.Input.Values {
					if got := scaled(v, centre, width); math.Abs(got-want[i]) > 1e-9 {
						t.Errorf("%s of %v is %v, expected %v", by, v, got, want[i])
					}
				}
			}
		case "kmeans":
			cols := make([][]float64, 2)
			l := New()
			l.Scale, l.Empty, l.Tolerance = Unscaled, Keep, 0
			for i, row := range c.Input.Rows {
				cols[0], cols[1] = append(cols[0], row[0]), append(cols[1], row[1])
				if slices.ContainsFunc(c.Input.Centroids, func(x []float64) bool { return slices.Equal(x, row) }) {
					l.Start = append(l.Start, i)
				}
			}
			m := fit(t, l, numbers(t, cols...))
			if !slices.Equal(m.Labels(), c.Expected.Labels) {
				t.Errorf("labels %v, expected %v", m.Labels(), c.Expected.Labels)
			}
			for k, want := range c.Expected.Centroids {
				for j, v := range m.Centroid(k) {
					if math.Abs(v-want[j]) > 1e-9 {
						t.Errorf("centroid %d is %v, expected %v", k, m.Centroid(k), want)
					}
				}
			}
		}
	}
	if !seen["normalise"] || !seen["kmeans"] {
		t.Error("the cases are not all there")
	}
}

// Iris as UCI holds it, in three clusters: the lowest sums of squares known, 78.9408 on the values as they are and
// 6.9981 on values brought to their range.
func TestIris(t *testing.T) {
	text := must.Get(os.ReadFile(dataset.File(t, "iris/iris.csv")))(t)
	tab, _, err := csv.Read(context.Background(), text, dialect.Options{})
	must.NoError(t, err)
	for by, want := range map[string]float64{Unscaled: 78.940841, MinMax: 6.998114} {
		l := New()
		l.K, l.Scale, l.Tolerance = 3, by, 0
		if m := fit(t, l, tab); math.Abs(m.SSE-want) > 1e-6 || !m.Settled {
			t.Errorf("scale %s: the sum of squares is %.6f, expected %v", by, m.SSE, want)
		}
	}
}

// A shift of all records changes no distance, so clusterings that begin at the same records are the same; Roy, table
// 5.4, has 7 % of the records in other clusters, which is the luck of the start.
func TestStartMakesReleasesComparable(t *testing.T) {
	a, b, x := make([]float64, 500), make([]float64, 500), cloud(500, 2, 3)
	for i := range a {
		a[i], b[i] = x[2*i], x[2*i+1]
	}
	l := New()
	l.Restarts = 1
	original := fit(t, l, numbers(t, slices.Clone(a), slices.Clone(b)))
	for i := range a {
		a[i], b[i] = b[i]-3, a[i]+4096 // and turned by a right angle
	}
	l.Start = original.Start
	if m := fit(t, l, numbers(t, a, b)); !slices.Equal(m.Labels(), original.Labels()) {
		t.Error("a shifted table has other clusters")
	}
}

// A record of weight 3 counts as three records.
func TestWeightsCountRecords(t *testing.T) {
	x, y, w := cloud(90, 1, 1), cloud(90, 1, 2), make([]float64, 90)
	var wide [2][]float64
	start := map[int]int{}
	for i := range w {
		w[i] = float64(1 + i%3)
		start[i] = len(wide[0])
		for range 1 + i%3 {
			wide[0], wide[1] = append(wide[0], x[i]), append(wide[1], y[i])
		}
	}
	cols := numbers(t, x, y).Columns()
	weight := table.NumColumn("w", 1, w)
	weight.Role = table.Weight
	tab := tabletest.Of(t, append(cols, weight)...)
	l := New()
	l.Start = []int{3, 40, 80}
	got := fit(t, l, tab)
	l.Weighted = false
	if plain := fit(t, l, tab); slices.Equal(plain.Centroids[0], got.Centroids[0]) {
		t.Error("weights are not used")
	}
	for c := range l.Start {
		l.Start[c] = start[l.Start[c]]
	}
	want := fit(t, l, numbers(t, wide[0], wide[1]))
	for c := range want.Centroids {
		for j, v := range want.Centroids[c] {
			if math.Abs(v-got.Centroids[c][j]) > 1e-12 {
				t.Errorf("centroid %d is %v, expected %v", c, got.Centroids[c], want.Centroids[c])
			}
		}
	}
	if math.Abs(got.SSE-want.SSE) > 1e-12*want.SSE {
		t.Errorf("the sum of squares is %v, expected %v", got.SSE, want.SSE)
	}
}

// More restarts and more iterations never make the sum of squares larger.
func TestMoreIsNotWorse(t *testing.T) {
	points := cloud(600, 3, 4)
	was := math.Inf(1)
	for n := 1; n <= 12; n++ {
		l := New()
		l.K, l.Restarts, l.Iterations, l.Tolerance, l.Start = 7, 1, n, 0, []int{1, 2, 3, 4, 5, 6, 7}
		r := must.Get(l.divide(context.Background(), nil, points, 3, nil, seed))(t)
		if r.sse > was*(1+1e-12) {
			t.Errorf("after %d iterations the sum of squares is %v, before it was %v", n, r.sse, was)
		}
		was = r.sse
	}
	was = math.Inf(1)
	for _, n := range []int{1, 2, 5, 20} {
		l := New()
		l.K, l.Restarts = 7, n
		r := must.Get(l.divide(context.Background(), nil, points, 3, nil, seed))(t)
		if r.sse > was {
			t.Errorf("of %d restarts the lowest sum of squares is %v, of fewer it is %v", n, r.sse, was)
		}
		was = r.sse
	}
}

func TestErrors(t *testing.T) {
	tab := minetest.Mixed(50, 0)
	gone := make([]float64, 50)
	for i := range gone {
		gone[i] = math.NaN()
	}
	negative := slices.Clone(tab.Num(6))
	negative[3], negative[4] = -1, math.NaN()
	for _, c := range []struct {
		want string
		tab  *table.Table
		set  func(l *Learner)
	}{
		{"no records", tab.Slice(0, 0), func(*Learner) {}},
		{`no column "wage"`, tab, func(l *Learner) { l.Columns = []string{"wage"} }},
		{`column "job" is categorical, expected numeric`, tab, func(l *Learner) { l.Columns = []string{"job"} }},
		{`column "weight" has the role weight`, tab, func(l *Learner) { l.Columns = []string{"age", "weight"} }},
		{`column "age" is named twice`, tab, func(l *Learner) { l.Columns = []string{"age", "age"} }},
		{`column "pay" has no value`, tab.WithNum(2, gone), func(l *Learner) { l.Columns = []string{"pay"} }},
		{"no numeric column", tab.Select(3, 6, 7), func(*Learner) {}},
		{`column "weight" of weights: 2 values`, tab.WithNum(6, negative), func(*Learner) {}},
		{"names row 50, expected 0 to 49", tab, func(l *Learner) { l.Start = []int{1, 50} }},
		{"names row -1", tab, func(l *Learner) { l.Start = []int{-1} }},
		{"names no row", tab, func(l *Learner) { l.Start = []int{} }},
		{"0 clusters", tab, func(l *Learner) { l.K = 0 }},
	} {
		l := New()
		c.set(l)
		m, err := l.Fit(context.Background(), c.tab, seed)
		if err == nil || m != nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, expected one with %q", err, c.want)
		}
	}
	if m := fit(t, New(), tab.WithNum(2, gone)); len(m.Columns) != 2 {
		t.Errorf("columns %v, expected those two that have values", m.Columns)
	}
	for _, bad := range []func() ([]int32, error){
		func() ([]int32, error) { return Divide(context.Background(), make([]float64, 5), 2, 2, 1, seed) },
		func() ([]int32, error) { return Divide(context.Background(), make([]float64, 4), 0, 2, 1, seed) },
		func() ([]int32, error) { return Divide(context.Background(), make([]float64, 4), 2, 0, 1, seed) },
		func() ([]int32, error) { return Divide(context.Background(), make([]float64, 4), 2, 1, 0, seed) },
		func() ([]int32, error) {
			return Divide(context.Background(), []float64{1, 2, math.Inf(-1), 4}, 2, 1, 1, seed)
		},
		func() ([]int32, error) { return Divide(context.Background(), []float64{1, 2, 3, 4e100}, 2, 1, 1, seed) },
	} {
		if labels, err := bad(); err == nil {
			t.Errorf("labels %v, expected an error", labels)
		}
	}
}

// Fewer distinct records than clusters, none at all, and records without values.
func TestDivide(t *testing.T) {
	gone := math.NaN()
	for _, c := range []struct {
		points []float64
		dims   int
		want   string // records of one letter are together, a dot is in no cluster
	}{
		{nil, 2, ""},
		{[]float64{1, 2}, 2, "a"},
		{[]float64{1, 1, 5, 1, 5}, 1, "aabab"},
		{[]float64{7, 7, 7, 7}, 2, "aa"},
		{[]float64{0, 9, 0.1, 50, 8.9, 50.1}, 1, "abacbc"},
		{[]float64{1, gone, gone, gone, 9, 9, gone, 9}, 2, "a.bb"},
		{[]float64{gone, gone}, 1, ".."},
	} {
		labels := must.Get(Divide(context.Background(), c.points, c.dims, 3, 10, seed))(t)
		got := make([]byte, len(labels))
		letters := map[int32]byte{-1: '.'}
		for i, l := range labels {
			if l >= 3 {
				t.Errorf("cluster %d of 3", l)
			}
			if letters[l] == 0 {
				letters[l] = byte('a' + len(letters) - 1)
			}
			got[i] = letters[l]
		}
		if string(got) != c.want {
			t.Errorf("%v is divided as %s, expected %s", c.points, got, c.want)
		}
	}
}

// Two clusters that begin at equal records: the second loses all and gets the farthest record, or keeps its place.
func TestEmptyClusters(t *testing.T) {
	tab := numbers(t, []float64{1, 1, 2, 10})
	l := New()
	l.Start, l.Scale = []int{0, 1}, Unscaled
	if m := fit(t, l, tab); !slices.Equal(m.Labels(), []int32{0, 0, 0, 1}) || !slices.Equal(m.Sizes, []int{3, 1}) {
		t.Errorf("labels %v, sizes %v", m.Labels(), m.Sizes)
	}
	l.Empty = Keep // the first goes to 3.5, the second stays at 1, and then those near 1 are the second's
	if m := fit(t, l, tab); !slices.Equal(m.Labels(), []int32{1, 1, 1, 0}) {
		t.Errorf("labels %v, centroids %v", m.Labels(), m.Centroids)
	}
	l.Empty = Farthest
	if m := fit(t, l, numbers(t, []float64{3, 3, 3})); !slices.Equal(m.Sizes, []int{3, 0}) || !m.Settled {
		t.Errorf("equal records have clusters of sizes %v, expected 3 and 0", m.Sizes)
	}
}

func TestText(t *testing.T) {
	tab := numbers(t, []float64{1, 1, 3, 40_000}, []float64{0, 0.00001, 0, 1e4})
	l := New()
	l.K = 2
	a := *tab.Attr(0)
	a.Name = strings.Repeat("long name ", 20)
	text := fit(t, l, tab.WithAttr(0, a)).Text()
	for _, want := range []string{"2 clusters of 4 records by 2 columns, settled after",
		"long name long name long name…", "1.66667", "40000.0", "3.33333e-06", "10000.0"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
	many := make([]float64, 100)
	for i := range many {
		many[i] = float64(i * i)
	}
	l.K = 100
	if text := fit(t, l, numbers(t, many)).Text(); !strings.Contains(text, "\nand 60 more\n") ||
		!strings.HasPrefix(text, "100 clusters of 100 records by one column only, ") {
		t.Errorf("100 clusters are shown as\n%s", text)
	}
}

func TestCheck(t *testing.T) {
	good := fit(t, New(), minetest.Mixed(50, 0.1))
	text := must.Get(json.Marshal(good))(t)
	for k, spoil := range []func(m *Model){
		func(m *Model) { m.Columns = nil },
		func(m *Model) { m.Columns[0] = 99 },
		func(m *Model) { m.Columns[0] = 0 },
		func(m *Model) { m.Centre = m.Centre[1:] },
		func(m *Model) { m.Scale[1] = -1 },
		func(m *Model) { m.Centre[1] = math.Inf(1) },
		func(m *Model) { m.Centroids = nil },
		func(m *Model) { m.Centroids[1] = m.Centroids[1][1:] },
		func(m *Model) { m.Centroids[1][0] = math.NaN() },
		func(m *Model) { m.Sizes = m.Sizes[1:] },
		func(m *Model) { m.Of[3] = 4 },
		func(m *Model) { m.Of[3] = -2 },
	} {
		var m Model
		must.NoError(t, json.Unmarshal(text, &m))
		must.NoError(t, m.Check())
		if spoil(&m); m.Check() == nil {
			t.Error(fmt.Sprint("model ", k, " is taken"))
		}
	}
}

// Clusters may begin with any centroids; those without records keep them where that is asked for, and a wrong shape is
// refused.
func TestFrom(t *testing.T) {
	tab := tabletest.Of(t, table.NumColumn("x", 0, []float64{0, 1, 2, 10, 11}))
	l := New()
	l.Scale, l.Empty, l.Tolerance = Unscaled, Keep, 0
	l.From = [][]float64{{-3}, {7}, {500}}
	found := must.Get(l.Fit(context.Background(), tab, rng.Source{}))(t)
	m := found.(*Model)
	if err := m.Check(); err != nil {
		t.Error(err)
	}
	if !slices.Equal(m.Labels(), []int32{0, 0, 0, 1, 1}) || m.Centroids[0][0] != 1 || m.Centroids[1][0] != 10.5 ||
		m.Centroids[2][0] != 500 {
		t.Errorf("labels %v, centroids %v", m.Labels(), m.Centroids)
	}
	for _, from := range [][][]float64{{}, {{1, 2}}, {{math.NaN()}}} {
		l.From = from
		if _, err := l.Fit(context.Background(), tab, rng.Source{}); err == nil {
			t.Errorf("centroids %v are taken", from)
		}
	}
}

// The mean of days is shown as a day, in the notation of the column.
func TestTextOfDates(t *testing.T) {
	l := New()
	l.K = 2
	tab := tabletest.Of(t,
		table.DateColumn("seen", calendar.Notation("dd.mm.yyyy"), []float64{0, 1, 3, 19_000, 19_001, 19_002}))
	if text := fit(t, l, tab).Text(); !strings.Contains(text, "02.01.1970") || !strings.Contains(text, "09.01.2022") ||
		strings.Contains(text, "19001") {
		t.Errorf("the means of days are not shown as days:\n%s", text)
	}
}
