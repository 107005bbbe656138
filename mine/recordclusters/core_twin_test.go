package recordclusters

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// coreTwin is CORE record by record.
type coreTwin struct {
	cols  [][]int32
	delta float64
}

func (w *coreTwin) corr(i int, a int32, j int, b int32) float64 {
	both, either := 0.0, 0.0
	for r := range w.cols[i] {
		x, y := w.cols[i][r] == a, w.cols[j][r] == b
		if x && y {
			both++
		}
		if x || y {
			either++
		}
	}
	if either == 0 {
		return 0
	}
	return both / either
}

// mean is the mean correlation of the values that meet.
func (w *coreTwin) mean() float64 {
	sum, n := 0.0, 0.0
	for i := range w.cols {
		for j := range i {
			for a := range int32(4) {
				for b := range int32(4) {
					if c := w.corr(i, a, j, b); c > 0 {
						sum += c
						n++
					}
				}
			}
		}
	}
	if n == 0 {
		return 0
	}
	return sum / n
}

// similarity is the mean force of two clusters of records.
func (w *coreTwin) similarity(x, y []int) float64 {
	sum, n := 0.0, 0.0
	for _, r := range x {
		for _, s := range y {
			for i := range w.cols {
				for j := range w.cols {
					a, b := w.cols[i][r], w.cols[j][s]
					switch {
					case a < 0 || b < 0:
					case i != j:
						sum += w.corr(i, a, j, b) - w.delta
						n++
					case a == b:
						sum += 1 - w.delta
						n++
					}
				}
			}
		}
	}
	if n == 0 {
		return math.Inf(-1)
	}
	return sum / n
}

// start returns the groups of equal records that have a value.
func (w *coreTwin) start() (clusters [][]int) {
	for r := range w.cols[0] {
		known, at := false, -1
		for _, c := range w.cols {
			known = known || c[r] >= 0
		}
		for k, c := range clusters {
			same := true
			for _, col := range w.cols {
				same = same && col[r] == col[c[0]]
			}
			if same {
				at = k
			}
		}
		switch {
		case !known:
		case at >= 0:
			clusters[at] = append(clusters[at], r)
		default:
			clusters = append(clusters, []int{r})
		}
	}
	return clusters
}

// run merges the two most similar clusters again and again; clear is false when two merges were about as good.
func (w *coreTwin) run(k int) (clusters [][]int, clear bool) {
	clusters = w.start()
	for len(clusters) > max(k, 1) {
		best, second, a, b := math.Inf(-1), math.Inf(-1), 0, 0
		for i := range clusters {
			for j := range i {
				if s := w.similarity(clusters[i], clusters[j]); s > best {
					best, second, a, b = s, best, j, i
				} else if s > second {
					second = s
				}
			}
		}
		if math.Abs(best) < 1e-7 || best > 0 && best-second < 1e-7 {
			return nil, false
		}
		if best < 0 {
			break
		}
		clusters[a] = append(clusters[a], clusters[b]...)
		clusters = slices.Delete(clusters, b, b+1)
	}
	return clusters, true
}

func coreDraw(r *rapid.T) (*table.Table, *coreTwin) {
	rows, width := rapid.IntRange(1, 24).Draw(r, "rows"), rapid.IntRange(1, 3).Draw(r, "width")
	w := &coreTwin{}
	var cols []table.Column
	for j := range width {
		w.cols = append(w.cols, rapid.SliceOfN(rapid.Int32Range(-1, 3), rows, rows).Draw(r, "codes"))
		cols = append(cols, table.CatColumn(fmt.Sprint("c", j), []string{"a", "b", "c", "d"}, w.cols[j]))
	}
	t := tabletest.Of(r, cols...)
	return t, w
}

// TestTwin: where the best merge is never in doubt the clusters are those of merging the best pair; always, clusters
// that are left repel each other, and every cluster's parts are made of equal records.
func TestTwin(t *testing.T) {
	long.Check(t, func(r *rapid.T) {
		tab, w := coreDraw(r)
		k := rapid.IntRange(0, 4).Draw(r, "k")
		given := rapid.SampledFrom([]float64{0, 0.1, 0.3, 0.6}).Draw(r, "delta")
		m := coreFit(t, tab, map[string]string{"clusters": fmt.Sprint(k), "delta": fmt.Sprint(given)})
		if w.delta = given; given == 0 {
			w.delta = w.mean()
		}
		if math.Abs(m.Delta-w.delta) > 1e-12 {
			t.Fatalf("delta %v, expected %v", m.Delta, w.delta)
		}
		got := make([][]int, m.Clusters())
		for i, c := range m.Labels() {
			if c >= 0 {
				got[c] = append(got[c], i)
			}
		}
		for i := range got {
			if len(got[i]) == 0 {
				t.Fatalf("cluster %d of %d has no record", i, m.Clusters())
			}
			for j := range i {
				if s := w.similarity(got[i], got[j]); s > 1e-8 && m.Clusters() > k {
					t.Fatalf("clusters %v and %v attract each other by %v", got[i], got[j], s)
				}
			}
		}
		want, clear := w.run(k)
		if !clear {
			return
		}
		number := make([]int32, tab.Rows())
		for i := range number {
			number[i] = -1
		}
		for c, records := range want {
			for _, i := range records {
				number[i] = int32(c)
			}
		}
		for i := range number {
			for j := range i {
				if (number[i] == number[j]) != (m.Labels()[i] == m.Labels()[j]) || (number[i] < 0) != (m.Labels()[i] < 0) {
					t.Fatalf("records %d and %d: clusters %d and %d, expected %v", j, i, m.Labels()[j], m.Labels()[i], want)
				}
			}
		}
	})
}

// TestPullTwin: a new record goes to the most similar cluster.
func TestPullTwin(t *testing.T) {
	long.Check(t, func(r *rapid.T) {
		tab, w := coreDraw(r)
		m := coreFit(t, tab, nil)
		w.delta = m.Delta
		record := make([]int32, len(w.cols))
		var cols []table.Column
		for j := range record {
			record[j] = rapid.Int32Range(-1, 4).Draw(r, "new")
			cols = append(cols, table.CatColumn(fmt.Sprint("c", j), []string{"a", "b", "c", "d", "other"}, record[j:j+1]))
		}
		for i := range tab.Rows() {
			same := true
			for j := range record {
				same = same && w.cols[j][i] == record[j]
			}
			if same {
				return
			}
		}
		one := tabletest.Of(t, cols...)
		got := make([]int32, 1)
		m.Assign(one, got)
		of := make([][]int, m.Clusters())
		for i, c := range m.Labels() {
			if c >= 0 {
				of[c] = append(of[c], i)
			}
		}
		best := make([]float64, len(of))
		for c := range of {
			best[c] = w.against(of[c], record)
		}
		if got[0] < 0 {
			if len(best) > 0 && slices.Max(best) > 1e-8 {
				t.Fatalf("the record is in no cluster, its similarities are %v", best)
			}
		} else if best[got[0]] < slices.Max(best)-1e-8 || best[got[0]] <= 0 {
			t.Fatalf("the record is in cluster %d, its similarities are %v", got[0], best)
		}
	})
}

// against is the mean force between a cluster and a record that does not count in the correlations.
func (w *coreTwin) against(cluster []int, record []int32) float64 {
	sum, n := 0.0, 0.0
	for _, r := range cluster {
		for i := range w.cols {
			for j, b := range record {
				switch a := w.cols[i][r]; {
				case a < 0 || b < 0:
				case i != j:
					sum += w.corr(i, a, j, b) - w.delta
					n++
				case a == b:
					sum += 1 - w.delta
					n++
				}
			}
		}
	}
	if n == 0 {
		return math.Inf(-1)
	}
	return sum / n
}

// TestCores: enough different records for several pieces of work give the same clusters on one core and on two.
func TestCores(t *testing.T) {
	tab := planted(9000, 9, 4000)
	procs := runtime.GOMAXPROCS(0)
	defer runtime.GOMAXPROCS(procs)
	l := CORENew()
	l.MaxRecords, l.K = 9000, 0
	m, kindOf, err := l.load(tab, []int{0, 1, 2, 3, 4, 5, 6, 7, 8})
	must.NoError(t, err)
	if len(m.Kinds) <= grain || len(kindOf) != 9000 {
		t.Fatalf("%d different records are one piece of work", len(m.Kinds))
	}
	f := m.forces(0)
	g := &agglomerator{forces: f, field: f.field(), ctx: context.Background(), cluster: make([][]item, len(m.Kinds))}
	for i := range m.Kinds {
		g.cluster[i] = f.items(nil, m.Kinds[i])
		g.alive = append(g.alive, int32(i))
	}
	for to := int32(0); to < 8999; to += 900 {
		if int(to) >= len(m.Kinds) {
			break
		}
		var best [2]int32
		var s [2]float64
		for n := range best {
			runtime.GOMAXPROCS(n + 1)
			best[n], s[n], _ = g.nearest(to)
		}
		d := f.field()
		d.of(f, g.cluster[to])
		for i, c := range g.cluster {
			if int32(i) != to && (d.on(c) > s[0] || d.on(c) == s[0] && int32(i) < best[0]) {
				t.Fatalf("kind %d is nearer to %d than %d", i, to, best[0])
			}
		}
		if best[0] != best[1] || s[0] != s[1] {
			t.Fatalf("nearest are %v with %v", best, s)
		}
	}
}
