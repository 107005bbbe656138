package recordclusters

import (
	"context"
	"encoding/json"
	"math"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/mining/categorical"
	"github.com/dither-data/dither/internal/mining/jaccard"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// rockTwin clusters all records by looking at every pair of clusters before every merger.
func rockTwin(t *table.Table, l *ROCKLearner) []int32 {
	cols, _ := categorical.Columns(t, nil, table.Class|table.Identifier|table.Weight)
	s := jaccard.Of(t, cols)
	n := t.Rows()
	near := make([][]bool, n)
	for i := range near {
		near[i] = make([]bool, n)
		for k := range near[i] {
			near[i][k] = i != k && jaccard.Similarity(s.Row(i), s.Row(k)) >= l.Theta
		}
	}
	var clusters [][]int // the first record of each is its lowest, and they are in that order
	kept := make([]bool, n)
	for i := range near {
		neighbours := 0
		for _, x := range near[i] {
			if x {
				neighbours++
			}
		}
		if kept[i] = neighbours >= l.Neighbours; kept[i] {
			clusters = append(clusters, []int{i})
		}
	}
	links := func(a, b []int) (sum int) {
		for _, i := range a {
			for _, k := range b {
				for via := range n {
					if kept[via] && near[i][via] && near[k][via] {
						sum++
					}
				}
			}
		}
		return sum
	}
	e := 1 + 2*(1-l.Theta)/(1+l.Theta)
	power := func(n int) float64 { return math.Pow(float64(n), e) }
	weed := int(l.Weed * float64(l.K))
	for len(clusters) > l.K {
		if len(clusters) <= weed {
			weed = 0
			clusters = slices.DeleteFunc(clusters, func(c []int) bool { return len(c) < l.Small })
			continue
		}
		best, at, with := 0.0, -1, -1
		for a := range clusters {
			for b := a + 1; b < len(clusters); b++ {
				na, nb := len(clusters[a]), len(clusters[b])
				if k := links(clusters[a], clusters[b]); k > 0 {
					if g := float64(k) / (power(na+nb) - power(max(na, nb)) - power(min(na, nb))); g > best {
						best, at, with = g, a, b
					}
				}
			}
		}
		if at < 0 {
			break
		}
		clusters[at] = append(clusters[at], clusters[with]...)
		clusters = slices.Delete(clusters, with, with+1)
	}
	label := slices.Repeat([]int32{-1}, n)
	for c, rows := range clusters {
		for _, i := range rows {
			label[i] = int32(c)
		}
	}
	return label
}

// rockSmall draws a table of up to 20 records, in which identical records, missing values and ties are common.
func rockSmall(r *rapid.T) *table.Table {
	rows, width := rapid.IntRange(0, 20).Draw(r, "rows"), rapid.IntRange(1, 6).Draw(r, "attributes")
	values := rapid.Int32Range(1, 3).Draw(r, "values")
	least := rapid.Int32Range(-1, 0).Draw(r, "missing")
	var cols []table.Column
	for j := range width {
		codes := rapid.SliceOfN(rapid.Int32Range(least, values-1), rows, rows).Draw(r, "codes")
		cols = append(cols, table.CatColumn(string(rune('a'+j)), []string{"x", "y", "z"}, codes))
	}
	return tabletest.Must(cols...)
}

func rockDraw(r *rapid.T) *ROCKLearner {
	l := NewROCK()
	l.K = rapid.IntRange(1, 6).Draw(r, "k")
	l.Theta = rapid.SampledFrom([]float64{0.2, 1.0 / 3, 0.5, 0.6, 0.75, 0.8, 1}).Draw(r, "theta")
	l.Neighbours = rapid.IntRange(0, 4).Draw(r, "neighbours")
	l.Weed = rapid.SampledFrom([]float64{0, 1.5, 3}).Draw(r, "weed")
	l.Small = rapid.IntRange(1, 4).Draw(r, "small")
	return l
}

func rockFit(t testing.TB, l *ROCKLearner, tab *table.Table) *ROCKModel {
	t.Helper()
	m := must.Get(l.Fit(context.Background(), tab, rng.New([32]byte{3})))(t)
	return m.(*ROCKModel)
}

// TestROCKAgainstTwin compares mergers, outliers and weeding, ties included.
func TestROCKAgainstTwin(t *testing.T) {
	long.Check(t, func(r *rapid.T) {
		tab, l := rockSmall(r), rockDraw(r)
		m := rockFit(t, l, tab)
		if want := rockTwin(tab, l); !slices.Equal(m.Labels(), want) {
			t.Fatalf("%+v: clusters %v, expected %v", l, m.Labels(), want)
		}
	})
}

// TestModel takes a sample: the model gives its labels again, through JSON too, and labels every other record as the
// formula has it.
func TestModel(t *testing.T) {
	long.Check(t, func(r *rapid.T) {
		tab, l := rockSmall(r), rockDraw(r)
		l.Sample, l.Marked = rapid.IntRange(1, 20).Draw(r, "sample"), rapid.IntRange(1, 4).Draw(r, "marked")
		m := rockFit(t, l, tab)
		data := must.Get(json.Marshal(m))(t)
		var back ROCKModel
		must.NoError(t, json.Unmarshal(data, &back))
		got := make([]int32, tab.Rows())
		for i := range got { // record by record
			back.Assign(tab.Slice(i, i+1), got[i:i+1])
		}
		if !slices.Equal(got, m.Labels()) || back.Clusters() != m.Clusters() || back.Text() != m.Text() ||
			!slices.Equal(back.Labels(), m.Labels()) {
			t.Fatalf("through JSON the model gives %v, expected %v", got, m.Labels())
		}
		if len(m.IDs) != min(l.Sample, tab.Rows()) {
			t.Fatalf("%d records were clustered", len(m.IDs))
		}
		s := jaccard.Of(tab, m.Columns)
		for i, got := range m.Labels() {
			if slices.Contains(m.IDs, tab.ID(i)) {
				continue
			}
			want, best := int32(-1), 0.0
			for c, marks := range m.Marks {
				n := 0
				for _, k := range marks {
					if jaccard.Similarity(s.Row(i), m.Sample.Row(k)) >= l.Theta {
						n++
					}
				}
				if v := float64(n) / math.Pow(float64(len(marks)+1), (1-l.Theta)/(1+l.Theta)); v > best {
					want, best = int32(c), v
				}
			}
			if got != want {
				t.Fatalf("record %d is in cluster %d, expected %d", i, got, want)
			}
		}
	})
}

// TestCriterion counts the links inside the clusters of a fit.
func TestCriterion(t *testing.T) {
	long.Check(t, func(r *rapid.T) {
		tab, l := rockSmall(r), rockDraw(r)
		l.Weed, l.Neighbours = 0, 0
		m := rockFit(t, l, tab)
		s := jaccard.Of(tab, m.Columns)
		near := func(i, k int) bool { return i != k && jaccard.Similarity(s.Row(i), s.Row(k)) >= l.Theta }
		links, size := make([]float64, m.K), make([]float64, m.K)
		for i, a := range m.Label {
			size[a]++
			for k := range i {
				for via := range m.Label {
					if m.Label[k] == a && near(i, via) && near(k, via) {
						links[a]++
					}
				}
			}
		}
		want := 0.0
		for c := range links {
			want += size[c] * links[c] / math.Pow(size[c], 1+2*(1-l.Theta)/(1+l.Theta))
		}
		if math.Abs(m.Criterion-want) > 1e-9*max(1, want) {
			t.Fatalf("criterion %v, expected %v", m.Criterion, want)
		}
	})
}

// A record whose values are gone is not remembered by its identity, and a sample does not depend on the order of the
// records.
func TestChangedRecords(t *testing.T) {
	rows := example()
	tab := baskets(t, 7, rows)
	l := NewROCK()
	l.K = 2
	m := rockFit(t, l, tab)
	changed := slices.Clone(tab.Cat(0))
	for i := range changed {
		changed[i] = -1
	}
	other := tab.WithCat(0, changed).WithCat(1, changed).WithCat(2, changed).WithCat(3, changed).WithCat(4, changed)
	got := make([]int32, len(rows))
	m.Assign(other, got)
	for i := range got {
		if rows[i][2] < 6 && got[i] != -1 {
			t.Errorf("record %d of no value is in cluster %d", i, got[i])
		}
	}
	turned := make([]int, len(rows))
	for i := range turned {
		turned[i] = len(rows) - 1 - i
	}
	l.Sample = 9
	a, b := rockFit(t, l, tab), rockFit(t, l, tab.Gather(turned))
	slices.Reverse(b.IDs)
	if !reflect.DeepEqual(a.IDs, b.IDs) {
		t.Errorf("the sample depends on the order: %v and %v", a.IDs, b.IDs)
	}
}
