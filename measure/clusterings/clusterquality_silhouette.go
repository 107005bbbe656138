package clusterings

import (
	"context"
	"math"
	"slices"

	"github.com/dither-data/dither/internal/portable/exact"
	"github.com/dither-data/dither/internal/system/parallel"
	"github.com/dither-data/dither/table"
)

// labelling is a clustering of n records: a number in [0, k) for each, or -1 for none.
type labelling struct {
	of []int32
	k  int
}

// silhouettes returns, by labelling, the silhouettes of the given rows of a table of numeric columns among all its
// records
//
//	(b - a) / max(a, b)
//
// with a the mean distance of a record from the others of its cluster and b that from the records of the nearest other
// cluster. It is 0 for a record that is alone in its cluster (Rousseeuw 1987), in none, or at no distance from both,
// and where there is no other cluster. Distances are Euclidean, over the values that both records have and scaled up
// for the others; two records that share none have no distance and do not count.
//
// The distances of a pair are worked out once for all labellings. Cost: O(m n p) for m rows, on all cores.
func silhouettes(ctx context.Context, t *table.Table, rows []int, by ...labelling) ([][]float64, error) {
	s := arrange(t, by)
	out := make([][]float64, len(by))
	for l := range out {
		out[l] = make([]float64, len(rows))
	}
	return out, parallel.Ranges(ctx, len(rows), together, func(lo, hi int) error {
		return s.judge(ctx, rows[lo:hi], func(l, i int, silhouette float64) { out[l][lo+i] = silhouette })
	})
}

// together is the number of records judged in one pass, width that of the records they are compared with while these
// are in cache.
const together, width = 16, 512

// arranged holds the records sorted by their clusters, so that distances add up over runs of records that have the same
// in all labellings.
type arranged struct {
	by      []labelling
	columns [][]float64
	gaps    []bool // by column: some value is missing
	partial bool   // of some column
	at      []int  // by row of the table: its place in the columns
	runs    []run
}

// run is the records up to end that have the same clusters.
type run struct {
	end      int
	clusters []int32 // by labelling
}

func arrange(t *table.Table, by []labelling) *arranged {
	n := t.Rows()
	s := &arranged{by: by, at: make([]int, n), columns: make([][]float64, t.Width()), gaps: make([]bool, t.Width())}
	order := make([]uint64, n) // the clusters in the upper half, the row in the lower
	for i := range order {
		for _, l := range by {
			order[i] = order[i]*uint64(l.k+1) + uint64(l.of[i]+1)
		}
		order[i] = order[i]<<32 | uint64(i)
	}
	slices.Sort(order)
	for place, o := range order {
		i := int(o & math.MaxUint32)
		s.at[i] = place
		if place == 0 || o>>32 != order[place-1]>>32 {
			r := run{clusters: make([]int32, len(by))}
			for l := range by {
				r.clusters[l] = by[l].of[i]
			}
			s.runs = append(s.runs, r)
		}
		s.runs[len(s.runs)-1].end = place + 1
	}
	for j := range s.columns {
		s.columns[j] = make([]float64, n)
		for i, v := range t.Num(j) {
			s.columns[j][s.at[i]] = v
			s.gaps[j] = s.gaps[j] || v != v
		}
		s.partial = s.partial || s.gaps[j]
	}
	return s
}

// judge hands over the silhouettes of at most together rows.
func (s *arranged) judge(ctx context.Context, rows []int, silhouette func(l, i int, v float64)) error {
	sums := make([][]tally, len(rows))
	for i := range sums {
		sums[i] = make([]tally, len(s.runs))
	}
	d, known := make([]float64, width), make([]float64, width)
	first := 0 // of the runs in this pass
	for lo := 0; lo < len(s.at); lo += width {
		if err := ctx.Err(); err != nil {
			return err
		}
		hi := min(lo+width, len(s.at))
		for i, row := range rows {
			s.squares(s.at[row], d[:hi-lo], known[:hi-lo], lo)
			s.add(sums[i], first, d[:hi-lo], lo)
		}
		for first < len(s.runs) && s.runs[first].end <= hi {
			first++
		}
	}
	for i, row := range rows {
		for l, by := range s.by {
			silhouette(l, i, s.byCluster(sums[i], l).silhouette(by.of[row]))
		}
	}
	return nil
}

// squares writes into d the squared distances of the record in a place from the records from lo on; NaN from one that
// it shares no value with. Known is room to count the values they share.
func (s *arranged) squares(place int, d, known []float64, lo int) {
	clear(d)
	shared := 0.0 // columns without gaps
	if s.partial {
		clear(known)
	}
	for j := 0; j < len(s.columns); j++ {
		column := s.columns[j]
		x, values := column[place], column[lo:][:len(d)]
		switch {
		case !s.gaps[j] && j+1 < len(s.columns) && !s.gaps[j+1]: // two at once: their sums are loaded and stored once
			j++
			shared += 2
			y, others := s.columns[j][place], s.columns[j][lo:][:len(d)]
			for i, v := range values {
				e, f := v-x, others[i]-y
				d[i] = d[i] + float64(e*e) + float64(f*f)
			}
		case !s.gaps[j]:
			shared++
			for i, v := range values {
				e := v - x
				d[i] += float64(e * e)
			}
		case x == x:
			for i, v := range values {
				if e := v - x; e == e {
					d[i] += float64(e * e)
					known[i]++
				}
			}
		}
	}
	if !s.partial {
		return
	}
	for i, n := range known {
		if d[i] = float64(d[i] * (float64(len(s.columns)) / (n + shared))); n+shared == 0 {
			d[i] = math.NaN()
		}
	}
}

// tally is the sum of n distances.
type tally struct {
	sum exact.Sum
	n   int
}

// add adds the squared distances of a record from those from lo on, which is in the first of the runs given, to its
// sums by run.
func (s *arranged) add(sums []tally, first int, d []float64, lo int) {
	for r, end := first, lo+len(d); lo < end; r++ {
		to := min(s.runs[r].end, end)
		own := d[:to-lo]
		for i, v := range own {
			own[i] = math.Sqrt(v)
		}
		if t := &sums[r]; s.partial {
			t.n += t.sum.AddKnown(own)
		} else {
			t.sum.AddAll(own)
			t.n += len(own)
		}
		d, lo = d[to-lo:], to
	}
}

// tallies are the sums of the distances of a record from those of each cluster.
type tallies []tally

// byCluster returns the sums by the clusters of a labelling.
func (s *arranged) byCluster(sums []tally, l int) tallies {
	t := make(tallies, s.by[l].k)
	for r := range sums {
		if c := s.runs[r].clusters[l]; c >= 0 {
			t[c].sum.Merge(&sums[r].sum)
			t[c].n += sums[r].n
		}
	}
	return t
}

// silhouette returns that of a record in cluster c. The record is among those of its own cluster, at no distance from
// itself.
func (t tallies) silhouette(c int32) float64 {
	if c < 0 || t[c].n <= 1 {
		return 0
	}
	a, b := t[c].sum.Float64()/float64(t[c].n-1), math.Inf(1)
	for o := range t {
		if other := &t[o]; o != int(c) && other.n > 0 {
			b = min(b, other.sum.Float64()/float64(other.n))
		}
	}
	if math.IsInf(b, 1) || max(a, b) == 0 {
		return 0
	}
	return (b - a) / max(a, b)
}
