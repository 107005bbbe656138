package recordclusters

import (
	"cmp"
	"context"
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/format"
	"github.com/dither-data/dither/internal/mining/categorical"
	"github.com/dither-data/dither/internal/testkit/dataset"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/internal/testkit/yardstick"
	"github.com/dither-data/dither/mine"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

var (
	_ mine.Clusterer = (*COOLCATModel)(nil)
	_ mine.Described = (*COOLCATModel)(nil)
)

func coolcatFit(t testing.TB, l *COOLCATLearner, tab *table.Table) *COOLCATModel {
	t.Helper()
	m := must.Get(l.Fit(context.Background(), tab, rng.New([32]byte{3})))(t)
	return m.(*COOLCATModel)
}

func categories(t testing.TB, cols ...[]int32) *table.Table {
	t.Helper()
	var out []table.Column
	for j, c := range cols {
		out = append(out, table.CatColumn(string(rune('a'+j)), []string{"x", "y", "z", "w"}, c))
	}
	return tabletest.Of(t, out...)
}

// The entropy of the cluster {(x,x), (x,y), (y,y), (x,y)} is H(3/4, 1/4) for either attribute; with three records of a
// cluster of entropy 0 beside it, the expected entropy is 4/7 of twice that (Barbara, Li & Couto 2002, section 2). A
// missing value only takes its weight away.
func TestExpectedEntropy(t *testing.T) {
	h := func(p float64) float64 { return -p*math.Log2(p) - (1-p)*math.Log2(1-p) }
	tab := categories(t, []int32{0, 0, 1, 0, 2, 2, 2}, []int32{0, 1, 1, 1, 3, 3, 3})
	if got, want := expected(tab, []int{0, 1}, []int32{0, 0, 0, 0, 1, 1, 1}, 2), 4.0/7*2*h(0.25); math.Abs(
		got-want,
	) > 1e-12 {
		t.Errorf("expected entropy %v, expected %v", got, want)
	}
	tab = categories(t, []int32{0, 0, 1, -1, 2, 2, 2}, []int32{0, 1, 1, 1, 3, 3, 3})
	if got, want := expected(tab, []int{0, 1}, []int32{0, 0, 0, 0, 1, 1, 1}, 2), (3*h(1.0/3)+4*h(0.25))/7; math.Abs(
		got-want,
	) > 1e-12 {
		t.Errorf("with a missing value %v, expected %v", got, want)
	}
}

// The growth of the entropy that records are placed by is that of the expected entropy.
func TestStep(t *testing.T) {
	for _, x := range []int{0, 1, 2, 3, 10, 1000, 1 << 20} {
		got, want := step(x), phi(x+1)-phi(x)
		if math.Abs(got-want) > 1e-9*max(1, float64(x)/1e3) {
			t.Errorf("step(%d) = %v, expected %v", x, got, want)
		}
	}
}

// The first pair differs in most attributes, the third record is the one least like both (Islam 2007, section 6.3).
func TestFirst(t *testing.T) {
	tab := categories(t, []int32{0, 0, 1, 1, 0}, []int32{0, 0, 1, 1, 1}, []int32{0, 1, 1, 1, 0}, []int32{0, 0, 1, 1, 1})
	for _, c := range []struct {
		k    int
		want []int
	}{{1, []int{0}}, {2, []int{0, 2}}, {3, []int{0, 2, 4}}, {4, []int{0, 2, 4, 1}}, {5, []int{0, 2, 4, 1}}} {
		l := COOLCATNew()
		l.K = c.k
		got, err := l.first(context.Background(), tab, []int{0, 1, 2, 3}, rng.Source{})
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%d clusters begin with the records %v, expected %v", c.k, got, c.want)
		}
	}
}

// coolcatTwin places records by working out the expected entropy of every choice from the records themselves.
type coolcatTwin struct {
	tab     *table.Table
	cols    []int
	cluster []int32
	k       int
}

// entropy times records of a clustering, as Barbara, Li & Couto define it.
func (w *coolcatTwin) entropy() float64 {
	sum := 0.0
	for c := range w.k {
		for _, j := range w.cols {
			count, n := map[int32]float64{}, 0.0
			for i, v := range w.tab.Cat(j) {
				if w.cluster[i] == int32(c) && v >= 0 {
					count[v]++
					n++
				}
			}
			for v := range int32(len(w.tab.Attr(j).Labels)) {
				if count[v] > 0 {
					sum -= count[v] * math.Log2(count[v]/n)
				}
			}
		}
	}
	return sum
}

// place returns the first of the clusters in which the entropy is smallest, and whether there are others but for
// rounding.
func (w *coolcatTwin) place(i int) (best int32, tied bool) {
	sums := make([]float64, w.k)
	for c := range sums {
		w.cluster[i] = int32(c)
		sums[c] = w.entropy()
	}
	w.cluster[i] = -1
	least := slices.Min(sums)
	near := 0
	for c := len(sums) - 1; c >= 0; c-- {
		if sums[c] < least+1e-9 {
			best = int32(c)
			near++
		}
	}
	return best, near > 1
}

// TestAgainstTwin follows the placing of every record, batches and worst fits included. Where two clusters are equal
// but for rounding, the twin takes the program's word if it is one of them.
func TestAgainstTwin(t *testing.T) {
	long.Check(t, func(r *rapid.T) {
		rows := rapid.IntRange(1, 14).Draw(r, "rows")
		var codes [][]int32
		for range rapid.IntRange(1, 4).Draw(r, "attributes") {
			codes = append(codes, rapid.SliceOfN(rapid.Int32Range(-1, 3), rows, rows).Draw(r, "codes"))
		}
		tab, l := categories(t, codes...), COOLCATNew()
		l.K, l.Batch = rapid.IntRange(1, 5).Draw(r, "k"), rapid.IntRange(1, 6).Draw(r, "batch")
		l.Sample, l.Again = rapid.IntRange(
			1,
			14,
		).Draw(r, "sample"), rapid.SampledFrom([]float64{0, 20, 50, 100}).Draw(r, "again")
		ctx := context.Background()
		cols, _ := categorical.Columns(tab, nil, table.Class|table.Identifier|table.Weight)
		first := must.Get(l.first(ctx, tab, cols, rng.Source{}))(t)
		p := newPlacer(&COOLCATModel{Columns: cols, Values: slices.Repeat([]int{4}, len(cols))}, tab, len(first))
		w := &coolcatTwin{tab, cols, slices.Repeat([]int32{-1}, rows), len(first)}
		for c, i := range first {
			p.add(c, i)
			w.cluster[i] = int32(c)
		}
		var batch []int
		for i := range rows {
			if len(first) > 0 && w.cluster[i] < 0 && known(tab, cols, i) {
				want, tied := w.place(i)
				p.put(i)
				if got := p.cluster[i]; got != want && !tied {
					t.Fatalf("record %d is put in cluster %d, expected %d", i, got, want)
				}
				w.cluster[i] = p.cluster[i]
				batch = append(batch, i)
			}
			if len(batch) == l.Batch || i+1 == rows {
				w.again(t, p, batch, int(l.Again/100*float64(len(batch))))
				batch = nil
			}
		}
		q := newPlacer(&COOLCATModel{Columns: cols, Values: slices.Repeat([]int{4}, len(cols))}, tab, len(first))
		for c, i := range first {
			q.add(c, i)
		}
		if err := l.place(ctx, q); err != nil || !slices.Equal(q.cluster, p.cluster) {
			t.Fatalf("clusters %v, step by step %v", q.cluster, p.cluster)
		}
	})
}

// again takes the n worst of a batch out, by the product of the shares of their values, and follows their placing.
func (w *coolcatTwin) again(t *testing.T, p *placer, batch []int, n int) {
	if n == 0 {
		return
	}
	fit := map[int]float64{}
	for _, i := range batch {
		size, product := 0.0, 1.0
		for _, c := range w.cluster {
			if c == w.cluster[i] {
				size++
			}
		}
		for _, j := range w.cols {
			same := 0.0
			for k, v := range w.tab.Cat(j) {
				if w.cluster[k] == w.cluster[i] && v == w.tab.Cat(j)[i] {
					same++
				}
			}
			if w.tab.Cat(j)[i] >= 0 {
				product *= same / size
			}
		}
		fit[i] = math.Log(product)
		if got := p.fit(i); math.Abs(got-fit[i]) > 1e-9 {
			t.Fatalf("record %d has fit %v, expected %v", i, got, fit[i])
		}
	}
	// the program's, so that rounding parts no ties
	slices.SortStableFunc(batch, func(a, b int) int { return cmp.Compare(p.fit(a), p.fit(b)) })
	worst := slices.Sorted(slices.Values(batch[:n]))
	slices.Sort(batch)
	p.again(batch, n)
	for _, i := range worst {
		w.cluster[i] = -1
	}
	for _, i := range worst {
		want, tied := w.place(i)
		if got := p.cluster[i]; got != want && !tied {
			t.Fatalf("record %d is put again in cluster %d, expected %d", i, got, want)
		}
		w.cluster[i] = p.cluster[i]
	}
	if !slices.Equal(w.cluster, p.cluster) {
		t.Fatalf("others than the worst moved: %v, expected %v", p.cluster, w.cluster)
	}
}

// The worst of a batch moves when the clusters that came after it suit it better; the others stay.
func TestPlacedAgain(t *testing.T) {
	like := []int32{0, 1, 1, 1, 1, 1, 1}
	tab := categories(t, []int32{0, 1, 0, 1, 1, 1, 1}, like, []int32{0, 1, 2, 2, 2, 2, 2}, like)
	p := newPlacer(&COOLCATModel{Columns: []int{0, 1, 2, 3}, Values: []int{4, 4, 4, 4}}, tab, 2)
	for i, c := range []int{0, 1, 0, 1, 1, 1, 1} { // record 2 shares one value with record 0 and three with cluster 1
		p.add(c, i)
	}
	p.again([]int{2, 3, 4, 5, 6}, 1)
	if !slices.Equal(p.cluster, []int32{0, 1, 1, 1, 1, 1, 1}) {
		t.Errorf("clusters %v", p.cluster)
	}
	if p.size[0] != 1 || p.size[1] != 6 || p.known[4] != 6 || p.count[16+8+2] != 5 {
		t.Errorf("sizes %v, known %v, counts %v", p.size, p.known, p.count)
	}
}

// TestCOOLCATLabels compares the labels with the expected entropy, worked out from the counts, of one more record like
// each, and takes the model through JSON, record by record.
func TestCOOLCATLabels(t *testing.T) {
	long.Check(t, func(r *rapid.T) {
		rows := rapid.IntRange(0, 30).Draw(r, "rows")
		var codes [][]int32
		for range rapid.IntRange(1, 4).Draw(r, "attributes") {
			codes = append(codes, rapid.SliceOfN(rapid.Int32Range(-1, 3), rows, rows).Draw(r, "codes"))
		}
		tab, l := categories(t, codes...), COOLCATNew()
		l.K = rapid.IntRange(1, 5).Draw(r, "k")
		m := coolcatFit(t, l, tab)
		data := must.Get(json.Marshal(m))(t)
		var back COOLCATModel
		must.NoError(t, json.Unmarshal(data, &back))
		got := make([]int32, rows)
		for i := range got {
			back.Assign(tab.Slice(i, i+1), got[i:i+1])
		}
		if !slices.Equal(got, m.Labels()) || back.Text() != m.Text() {
			t.Fatalf("through JSON the model gives %v, expected %v", got, m.Labels())
		}
		for i, c := range got {
			if c < 0 {
				if known(tab, m.Columns, i) {
					t.Fatalf("record %d is in no cluster", i)
				}
				continue
			}
			grows := make([]float64, m.Clusters())
			for k, placed := range m.Placed {
				for j, counts := range placed {
					if v := tab.Cat(j)[i]; v >= 0 {
						grows[k] -= nH(counts)
						more := slices.Clone(counts)
						more[v]++
						grows[k] += nH(more)
					}
				}
			}
			if grows[c] > slices.Min(grows)+1e-9 {
				t.Fatalf("record %d is in cluster %d, and the entropy grows by %v", i, c, grows)
			}
		}
	})
}

// nH returns the records times the entropy of an attribute.
func nH(counts []int32) (sum float64) {
	n := 0.0
	for _, c := range counts {
		n += float64(c)
	}
	for _, c := range counts {
		if c > 0 {
			sum -= float64(c) * math.Log2(float64(c)/n)
		}
	}
	return sum
}

func TestCOOLCATEdges(t *testing.T) {
	none := slices.Repeat([]int32{-1}, 9)
	same := make([]int32, 9)
	for _, c := range []struct {
		name     string
		tab      *table.Table
		clusters int
		first    int32
	}{
		{"no records", categories(t, same).Slice(0, 0), 0, 0},
		{"one record", categories(t, same).Slice(0, 1), 1, 0},
		{"identical records", categories(t, same, same), 1, 0},
		{"nothing known", categories(t, none, none), 0, -1},
		{"more clusters than records", categories(t, []int32{0, 1, 2}), 3, 0},
	} {
		m := coolcatFit(t, COOLCATNew(), c.tab)
		if m.Clusters() != c.clusters || len(m.Label) > 0 && m.Label[0] != c.first || len(m.Label) != c.tab.Rows() {
			t.Errorf("%s: %d clusters, labels %v", c.name, m.Clusters(), m.Label)
		}
		if !strings.HasPrefix(m.Text(), "COOLCAT: ") {
			t.Errorf("%s: text %q", c.name, m.Text())
		}
	}
	m := coolcatFit(t, COOLCATNew(), categories(t, []int32{0, 1, 2}))
	other := tabletest.Of(t, table.CatColumn("a", []string{"x", "y", "z", "w", "new"}, []int32{4, 1}))
	got := make([]int32, 2)
	m.Assign(other, got)
	if got[0] < 0 || got[1] != m.Label[1] {
		t.Errorf("a value that was not there: clusters %v", got)
	}
	l := COOLCATNew()
	l.Attributes = []string{"n"}
	if _, err := l.Fit(context.Background(), categories(t, same), rng.Source{}); err == nil {
		t.Error("a column that is not there is taken")
	}
}

// Mushroom in 21 clusters: the expected entropy falls well below that of the table, and most records are with others of
// their class.
func TestCOOLCATMushroom(t *testing.T) {
	tab := mushroom(t)
	l := COOLCATNew()
	l.K = 21
	m := coolcatFit(t, l, tab)
	whole := expected(tab, m.Columns, make([]int32, tab.Rows()), 1)
	right, count := 0, make([][2]int, m.Clusters())
	for i, c := range m.Label {
		count[c][tab.Cat(0)[i]]++
	}
	for _, c := range count {
		right += max(c[0], c[1])
	}
	if m.Entropy > whole/2 || float64(right) < 0.9*float64(tab.Rows()) {
		t.Errorf("expected entropy %v bits of %v, %d records right", m.Entropy, whole, right)
	}
	t.Logf("expected entropy %v bits of %v, %d records right", m.Entropy, whole, right)
}

func mushroom(t testing.TB) *table.Table {
	tab, _, err := format.Read(context.Background(), dataset.File(t, "mushroom/mushroom.csv"), format.Options{})
	must.NoError(t, err)
	a := *tab.Attr(0)
	a.Role = table.Class
	return tab.WithAttr(0, a)
}

func coolcatBench(b *testing.B, rows int) {
	tab := protecttest.AdultLike(b, rows)
	b.ReportAllocs()
	for b.Loop() {
		coolcatFit(b, COOLCATNew(), tab)
	}
	yardstick.Report(b)
}

// 30,162 records like Adult's in ten clusters by eight attributes take 0.2 of the time of the yardstick, a million 8
// times it.
func BenchmarkCOOLCAT30k(b *testing.B) { coolcatBench(b, 30_162) }
func BenchmarkCOOLCAT1M(b *testing.B)  { coolcatBench(b, 1_000_000) }

// BenchmarkCOOLCATAssign1M takes half of the yardstick.
func BenchmarkCOOLCATAssign1M(b *testing.B) {
	tab := protecttest.AdultLike(b, 1_000_000)
	m := coolcatFit(b, COOLCATNew(), tab)
	dst := make([]int32, tab.Rows())
	for b.Loop() {
		m.Assign(tab, dst)
	}
	yardstick.Report(b)
}
