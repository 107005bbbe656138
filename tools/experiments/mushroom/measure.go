package main

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"github.com/dither-data/dither/internal/mining/categorical"
	"github.com/dither-data/dither/internal/mining/jaccard"
	"github.com/dither-data/dither/mine"
	"github.com/dither-data/dither/mine/recordclusters"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/tools/internal/rerun"
)

// theta is the threshold of Guha, Rastogi & Shim 1999 for Mushroom; the thesis does not say with which one its tables
// were made.
const theta = 0.8

// quoted is a table of Islam 2007: seconds by number of records.
type quoted struct {
	title       string
	sizes       []int
	rock, qrock []float64
}

// thesis holds Tables 6.1 and 6.2.
var thesis = []quoted{
	{
		"Table 6.1, Mushroom",
		[]int{1000, 2000, 4000, 8124},
		[]float64{2.196, 8.397, 41.398, 161.903},
		[]float64{0.278, 1.058, 4.06, 18.907},
	},
	{
		"Table 6.2, Landslide",
		[]int{1000, 2000, 4000, 4544},
		[]float64{0.677, 2.342, 11.208, 14.71},
		[]float64{0.171, 0.647, 2.508, 3.242},
	},
}

// figures are all that is measured.
type figures struct {
	runs   int
	orders []order
	thetas []atTheta
	rows   []row // the clusters at theta, the largest first
}

// order is the records in one order, in growing parts.
type order struct {
	quoted
	plain      []float64 // seconds of QROCK as published: every record compared with every other
	neighbours []float64 // of a record, on average
	same       []bool    // ROCK and QROCK end with the same clusters, records without neighbours aside
	clusters   []int
}

// atTheta is the clusters of all records with one threshold.
type atTheta struct {
	theta                float64
	rock, qrock          int
	outliers, singletons int
	rockPure, qrockPure  float64
}

// row is one cluster: its edible and poisonous records.
type row struct{ e, p int }

func load(ctx context.Context) (*table.Table, error) {
	t, err := rerun.Read(ctx, "mushroom/mushroom.csv")
	if err != nil {
		return nil, err
	}
	return rerun.Classed(t, "class")
}

func measure(ctx context.Context, t *table.Table, sizes []int, runs int) (*figures, error) {
	f := &figures{runs: runs}
	shuffled := rand.New(rand.NewPCG(2005, 27)).Perm(t.Rows())
	for _, o := range []struct {
		title string
		*table.Table
	}{{"in the order of the file", t}, {"in random order", t.Gather(shuffled)}} {
		r, err := grow(ctx, o.title, o.Table, sizes, runs)
		if err != nil {
			return nil, err
		}
		f.orders = append(f.orders, r)
	}
	for _, x := range []float64{0.7, 0.75, theta, 0.85, 0.9} {
		r, err := clusters(ctx, t, x)
		if err != nil {
			return nil, err
		}
		f.thetas = append(f.thetas, r)
	}
	m, _, err := fit(ctx, quick(theta), t, 1)
	if err == nil {
		f.rows = classes(t, m)
	}
	return f, err
}

// grow clusters the first records of a table, as many as each size says.
func grow(ctx context.Context, title string, t *table.Table, sizes []int, runs int) (order, error) {
	o := order{quoted: quoted{title: title, sizes: sizes}}
	for _, n := range sizes {
		part := t.Slice(0, n)
		q, fast, err := fit(ctx, quick(theta), part, 5*runs)
		if err != nil {
			return o, err
		}
		r, slow, err := fit(ctx, links(theta, 1), part, runs)
		if err != nil {
			return o, err
		}
		pairs, err := plain(ctx, part, q)
		if err != nil {
			return o, err
		}
		neighbours, err := neighbours(ctx, part)
		if err != nil {
			return o, err
		}
		o.rock, o.qrock = append(o.rock, slow.Seconds()), append(o.qrock, fast.Seconds())
		o.plain = append(o.plain, pairs.Seconds())
		o.neighbours, o.same, o.clusters = append(
			o.neighbours,
			neighbours,
		), append(
			o.same,
			same(r, q),
		), append(
			o.clusters,
			q.Clusters(),
		)
	}
	return o, nil
}

func quick(theta float64) mine.Learner {
	l := recordclusters.NewQROCK()
	l.Theta = theta
	return l
}

// links is ROCK on every record, down to k clusters; to 1 is until no two of them have links, where QROCK ends.
func links(theta float64, k int) mine.Learner {
	l := recordclusters.NewROCK()
	l.Theta, l.K, l.Sample = theta, k, 50_000
	return l
}

// fit returns a model and the least time of some runs.
func fit(
	ctx context.Context,
	l mine.Learner,
	t *table.Table,
	runs int,
) (m mine.Clusterer, least time.Duration, err error) {
	for k := range runs {
		start := time.Now()
		found, err := l.Fit(ctx, t, rng.New([32]byte{1}))
		took := time.Since(start)
		if err != nil {
			return nil, 0, err
		}
		m = found.(mine.Clusterer)
		if k == 0 || took < least {
			least = took
		}
	}
	return m, least, nil
}

// plain times QROCK as Dutta, Mahanta & Pujari 2005 have it: every pair of records is compared and neighbours are
// united. It must find the clusters of q.
func plain(ctx context.Context, t *table.Table, q mine.Clusterer) (time.Duration, error) {
	cols, err := categorical.Columns(t, nil, table.Class|table.Identifier|table.Weight)
	if err != nil {
		return 0, err
	}
	start := time.Now()
	s := jaccard.Of(t, cols)
	up := make([]int, t.Rows())
	root := func(i int) int {
		for up[i] != i {
			up[i] = up[up[i]]
			i = up[i]
		}
		return i
	}
	for i := range up {
		up[i] = i
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		for k := range i {
			if jaccard.Similarity(s.Row(i), s.Row(k)) >= theta {
				a, b := root(i), root(k)
				up[max(a, b)] = min(a, b)
			}
		}
	}
	took := time.Since(start)
	for i, l := range q.Labels() {
		if q.Labels()[root(i)] != l {
			return 0, errors.New("comparing every pair gives other clusters than QROCK")
		}
	}
	return took, nil
}

// neighbours returns how many neighbours a record has on average.
func neighbours(ctx context.Context, t *table.Table) (float64, error) {
	cols, err := categorical.Columns(t, nil, table.Class|table.Identifier|table.Weight)
	if err != nil {
		return 0, err
	}
	s := jaccard.Of(t, cols)
	x, err := jaccard.NewIndex(ctx, s, theta)
	if err != nil {
		return 0, err
	}
	pairs, search := -t.Rows(), x.Search()
	for i := range t.Rows() {
		search.Each(s.Row(i), func(int32, float64) { pairs++ })
	}
	return float64(pairs) / float64(t.Rows()), nil
}

// same reports whether two clusterings divide the records alike that are in a cluster of both.
func same(a, b mine.Clusterer) bool {
	there, back := map[int32]int32{}, map[int32]int32{}
	for i, x := range a.Labels() {
		y := b.Labels()[i]
		if x < 0 || y < 0 {
			continue
		}
		if v, ok := there[x]; ok && v != y {
			return false
		}
		if v, ok := back[y]; ok && v != x {
			return false
		}
		there[x], back[y] = y, x
	}
	return true
}

// clusters compares the two with one threshold.
func clusters(ctx context.Context, t *table.Table, theta float64) (atTheta, error) {
	f := atTheta{theta: theta}
	q, _, err := fit(ctx, quick(theta), t, 1)
	if err != nil {
		return f, err
	}
	r, _, err := fit(ctx, links(theta, 1), t, 1)
	if err != nil {
		return f, err
	}
	for _, l := range r.Labels() {
		if l < 0 {
			f.outliers++
		}
	}
	for _, c := range classes(t, q) {
		if c.e+c.p == 1 {
			f.singletons++
		}
	}
	f.rock, f.qrock = r.Clusters(), q.Clusters()
	f.rockPure, f.qrockPure = purity(classes(t, r)), purity(classes(t, q))
	return f, nil
}

// classes counts the edible and the poisonous records of every cluster.
func classes(t *table.Table, m mine.Clusterer) []row {
	out := make([]row, m.Clusters())
	j := t.WithRole(table.Class)
	edible := t.Attr(j).Code("e")
	for i, l := range m.Labels() {
		switch {
		case l < 0:
		case t.Cat(j)[i] == edible:
			out[l].e++
		default:
			out[l].p++
		}
	}
	return out
}

// purity is the share of the clustered records that are of their cluster's larger class.
func purity(rows []row) float64 {
	larger, all := 0, 0
	for _, r := range rows {
		larger += max(r.e, r.p)
		all += r.e + r.p
	}
	return float64(larger) / float64(max(1, all))
}
