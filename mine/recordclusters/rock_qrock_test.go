package recordclusters

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/format"
	"github.com/dither-data/dither/internal/mining/categorical"
	"github.com/dither-data/dither/internal/mining/jaccard"
	"github.com/dither-data/dither/internal/testkit/dataset"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/internal/testkit/yardstick"
	"github.com/dither-data/dither/mine"
	"github.com/dither-data/dither/mine/minetest"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

var (
	_ mine.Clusterer = (*QROCKModel)(nil)
	_ mine.Described = (*QROCKModel)(nil)
)

func qrockFit(t testing.TB, l *QROCKLearner, tab *table.Table) *QROCKModel {
	t.Helper()
	m := must.Get(l.Fit(context.Background(), tab, rng.Source{}))(t)
	return m.(*QROCKModel)
}

// qrockTwin follows the neighbours of every record from the first on.
func qrockTwin(t *table.Table, l *QROCKLearner) []int32 {
	cols, _ := categorical.Columns(t, nil, table.Class|table.Identifier|table.Weight)
	s := jaccard.Of(t, cols)
	label := slices.Repeat([]int32{-2}, t.Rows())
	next := int32(0)
	for i := range label {
		if label[i] != -2 {
			continue
		}
		found := []int{i}
		for at := 0; at < len(found); at++ {
			for k := range label {
				if !slices.Contains(found, k) && jaccard.Similarity(s.Row(found[at]), s.Row(k)) >= l.Theta {
					found = append(found, k)
				}
			}
		}
		number := next
		if len(found) < l.Smallest || slices.Max(s.Row(i)) < 0 {
			number = -1
		} else {
			next++
		}
		for _, k := range found {
			label[k] = number
		}
	}
	return label
}

func qrockSmall(r *rapid.T) *table.Table {
	rows, width := rapid.IntRange(0, 25).Draw(r, "rows"), rapid.IntRange(1, 6).Draw(r, "attributes")
	least := rapid.Int32Range(-1, 0).Draw(r, "missing")
	var cols []table.Column
	for j := range width {
		codes := rapid.SliceOfN(rapid.Int32Range(least, 2), rows, rows).Draw(r, "codes")
		cols = append(cols, table.CatColumn(string(rune('a'+j)), []string{"x", "y", "z"}, codes))
	}
	return tabletest.Must(cols...)
}

// TestQROCKAgainstTwin compares the clusters, and those that the model gives again record by record after JSON. A
// stranger goes to the cluster of the most similar record.
func TestQROCKAgainstTwin(t *testing.T) {
	long.Check(t, func(r *rapid.T) {
		tab, l := qrockSmall(r), NewQROCK()
		l.Theta = rapid.SampledFrom([]float64{0.2, 1.0 / 3, 0.5, 0.6, 0.75, 0.8, 1}).Draw(r, "theta")
		l.Smallest = rapid.IntRange(1, 3).Draw(r, "smallest")
		m := qrockFit(t, l, tab)
		if want := qrockTwin(tab, l); !slices.Equal(m.Labels(), want) || m.Clusters() != int(slices.Max(append(want, -1)))+1 {
			t.Fatalf("%+v: clusters %v, expected %v", l, m.Labels(), want)
		}
		data := must.Get(json.Marshal(m))(t)
		var back QROCKModel
		must.NoError(t, json.Unmarshal(data, &back))
		got := make([]int32, tab.Rows())
		for i := range got {
			back.Assign(tab.Slice(i, i+1), got[i:i+1])
		}
		if !slices.Equal(got, m.Labels()) || back.Text() != m.Text() {
			t.Fatalf("through JSON the model gives %v, expected %v", got, m.Labels())
		}
		for j := range tab.Width() {
			tab = tab.WithCat(j, rapid.SliceOfN(rapid.Int32Range(-1, 2), tab.Rows(), tab.Rows()).Draw(r, "stranger"))
		}
		back.Assign(tab, got)
		s := jaccard.Of(tab, m.Columns)
		for i := range got {
			want, best := int32(-1), 0.0
			for k := range m.Sets.Len() {
				if v := jaccard.Similarity(s.Row(i), m.Sets.Row(k)); v >= l.Theta && v > best {
					want, best = m.Of[k], v
				}
			}
			if got[i] != want {
				t.Fatalf("stranger %d is in cluster %d, expected %d", i, got[i], want)
			}
		}
	})
}

func TestQROCKEdges(t *testing.T) {
	mixed := minetest.Mixed(60, 0)
	job, town := mixed.Find("job"), mixed.Find("town")
	same := mixed.WithCat(job, make([]int32, 60)).WithCat(town, make([]int32, 60))
	empty := slices.Repeat([]int32{-1}, 60)
	for _, c := range []struct {
		name     string
		tab      *table.Table
		smallest int
		clusters int
		outliers int
	}{
		{"no records", mixed.Slice(0, 0), 1, 0, 0},
		{"one record", mixed.Slice(0, 1), 1, 1, 0},
		{"one record is too few", mixed.Slice(0, 1), 2, 0, 1},
		{"identical records", same, 60, 1, 0},
		{"two identical records", same.Slice(0, 2), 1, 1, 0}, // ROCK has two clusters: they have no link
		{"nothing known", same.WithCat(job, empty).WithCat(town, empty), 1, 0, 60},
	} {
		l := NewQROCK()
		l.Smallest = c.smallest
		m := qrockFit(t, l, c.tab)
		outliers := 0
		for _, k := range m.Labels() {
			if k < 0 {
				outliers++
			}
		}
		if m.Clusters() != c.clusters || outliers != c.outliers || !strings.HasPrefix(m.Text(), "QROCK, theta 0.5: ") {
			t.Errorf("%s: %d clusters and %d outliers, expected %d and %d", c.name, m.Clusters(), outliers, c.clusters,
				c.outliers)
		}
	}
	l := NewQROCK()
	l.Attributes = []string{"age"}
	if _, err := l.Fit(context.Background(), mixed, rng.Source{}); err == nil {
		t.Error("a numeric attribute is taken")
	}
}

func qrockMushroom(t testing.TB) *table.Table {
	tab, _, err := format.Read(context.Background(), dataset.File(t, "mushroom/mushroom.csv"), format.Options{})
	must.NoError(t, err)
	a := *tab.Attr(0)
	a.Role = table.Class
	return tab.WithAttr(0, a)
}

// Mushroom at theta = 0.8 has 21 components, all but one of one class: 8,092 of 8,124 records are in a cluster most of
// whose records are of their class. A list of every pair gives the same components.
func TestQROCKMushroom(t *testing.T) {
	tab := qrockMushroom(t)
	l := NewQROCK()
	l.Theta = 0.8
	m := qrockFit(t, l, tab)
	class := make([][2]int, m.Clusters())
	for i, k := range m.Labels() {
		class[k][tab.Cat(0)[i]]++
	}
	pure, right := 0, 0
	for _, c := range class {
		right += max(c[0], c[1])
		if min(c[0], c[1]) == 0 {
			pure++
		}
	}
	if m.Clusters() != 21 || pure != 20 || right != 8092 {
		t.Errorf("%d clusters, %d pure, %d records right", m.Clusters(), pure, right)
	}
	s := jaccard.Of(tab, m.Columns)
	met := make([]bool, m.Clusters())
	for i := 0; i < s.Len(); i += 50 { // a fiftieth of all pairs
		met[m.Labels()[i]] = true
		for k := range s.Len() {
			if jaccard.Similarity(s.Row(i), s.Row(k)) >= 0.8 && m.Labels()[i] != m.Labels()[k] {
				t.Fatalf("neighbours %d and %d are in clusters %d and %d", i, k, m.Labels()[i], m.Labels()[k])
			}
		}
	}
}

// qrockJumble draws records of 20 attributes with 6 values around 30 types; nearly all are different.
func qrockJumble(rows int) *table.Table {
	r := rand.New(rand.NewPCG(1, 2))
	const types, width = 30, 20
	kind := make([]int32, types*width)
	for i := range kind {
		kind[i] = r.Int32N(6)
	}
	codes := make([][]int32, width)
	for j := range codes {
		codes[j] = make([]int32, rows)
	}
	for i := range rows {
		from := kind[width*r.IntN(types):]
		for j := range codes {
			codes[j][i] = from[j]
			if r.IntN(100) < 15 {
				codes[j][i] = r.Int32N(6)
			}
		}
	}
	var cols []table.Column
	for j := range codes {
		cols = append(cols, table.CatColumn(string(rune('a'+j)), []string{"1", "2", "3", "4", "5", "6"}, codes[j]))
	}
	return tabletest.Must(cols...)
}

func qrockBench(b *testing.B, tab *table.Table, theta float64) {
	l := NewQROCK()
	l.Theta = theta
	b.ReportAllocs()
	for b.Loop() {
		m := qrockFit(b, l, tab)
		b.ReportMetric(float64(m.Clusters()), "clusters")
		b.ReportMetric(float64(m.Sets.Len()), "sets")
	}
	yardstick.Report(b)
}

// BenchmarkQROCKMushroom takes 0.2 of the time of the yardstick, a hundredth of what ROCK takes.
func BenchmarkQROCKMushroom(b *testing.B) { qrockBench(b, qrockMushroom(b), 0.8) }

// A text of thousands of clusters shows the 50 largest.
func TestTextOfManyClusters(t *testing.T) {
	const n = 3000
	labels, codes := make([]string, n), make([]int32, n)
	for i := range n {
		labels[i], codes[i] = fmt.Sprint("v", i), int32(i)
	}
	tab := tabletest.Of(t, table.CatColumn("x", labels, codes))
	text := qrockFit(t, NewQROCK(), tab).Text()
	if lines := strings.Count(text, "\n"); lines != 52 || !strings.HasSuffix(text, "\nand 2950 smaller clusters\n") {
		t.Errorf("a text of %d lines", lines)
	}
}

// Records like Adult's, of which 7,722 are different, take 0.08 of the yardstick for 30,162 and 0.8 for a million.
func BenchmarkAdult30k(b *testing.B) { qrockBench(b, protecttest.AdultLike(b, 30_162), 0.7) }
func BenchmarkAdult1M(b *testing.B)  { qrockBench(b, protecttest.AdultLike(b, 1_000_000), 0.7) }

// Records of which most are different take 0.5 of the yardstick for 30,000 and 50 times it for a million.
func BenchmarkJumble30k(b *testing.B) { qrockBench(b, qrockJumble(30_000), 0.8) }
func BenchmarkJumble1M(b *testing.B)  { qrockBench(b, qrockJumble(1_000_000), 0.8) }

// BenchmarkAssignAdult1M takes as long as the yardstick.
func BenchmarkAssignAdult1M(b *testing.B) {
	tab := protecttest.AdultLike(b, 1_000_000)
	m := qrockFit(b, NewQROCK(), tab)
	dst := make([]int32, tab.Rows())
	b.ResetTimer()
	for b.Loop() {
		m.Assign(tab, dst)
	}
	yardstick.Report(b)
}
