package classifiers

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sort"
	"strings"
	"sync"

	"github.com/dither-data/dither/internal/mining/neighbour"
	"github.com/dither-data/dither/internal/system/parallel"
	"github.com/dither-data/dither/table"
)

// KNNModel is the training records and how records are compared. It is plain data: through JSON and back it predicts
// the same. It holds records of the table and is as confidential.
type KNNModel struct {
	Attrs   []table.Attribute `json:"attributes"`
	Class   int               `json:"class"` // column
	K       int               `json:"k"`
	Columns []KNNColumn       `json:"columns"` // what is compared
	Classes []int32           `json:"classes"` // by record

	once  sync.Once
	index *neighbour.Mixed
	// of records of numbers, none of which is missing: several times as fast where there are many attributes
	plain *neighbour.Index
}

// KNNColumn is an attribute of the training records. Numbers are positions in Values or, where Values is empty, in the
// bins between Cuts.
type KNNColumn struct {
	Attribute int       `json:"attribute"` // column of the table
	Codes     []int32   `json:"codes"`     // by record; -1 is missing
	Values    []float64 `json:"values,omitempty"`
	Cuts      []float64 `json:"cuts,omitempty"`    // the largest value of every bin but the last
	Overlap   bool      `json:"overlap,omitempty"` // numbers are categories, else (v-Centre)/Scale
	Centre    float64   `json:"centre,omitempty"`
	Scale     float64   `json:"scale,omitempty"` // 0: all numbers are alike

	rank []float64 // by category: how many are more frequent in the records
}

// Predict writes the class of every record of t into dst, on all cores. The table must conform to m.Attrs; a category
// that is unknown there differs from all others. Cost: package comment.
func (m *KNNModel) Predict(t *table.Table, dst []int32) {
	_ = m.predict(context.Background(), t, dst, func(int) int { return -1 })
}

// batch is how many records are asked about at a time; one takes up to 24 bytes an attribute.
const batch = 1 << 16

// predict passes over, for every row, the record that except returns.
func (m *KNNModel) predict(ctx context.Context, t *table.Table, dst []int32, except func(row int) int) error {
	m.once.Do(m.build)
	p := len(m.Columns)
	for lo := 0; lo < t.Rows(); lo += batch {
		asked := make([]float64, min(batch, t.Rows()-lo)*p)
		err := parallel.Each(ctx, p, func(k int) error {
			m.Columns[k].ask(t, lo, asked[k:], p)
			return nil
		})
		if err != nil {
			return err
		}
		if m.plain != nil && !slices.ContainsFunc(asked, math.IsNaN) {
			err = m.plain.Each(ctx, asked, func(s *neighbour.Search, i int, query []float64) {
				dst[lo+i] = m.vote(s.Nearest(query, m.K, except(lo+i)))
			})
		} else {
			err = m.index.Each(ctx, questions(asked, p), func(s *neighbour.MixedSearch, i int, known []float64) {
				dst[lo+i] = m.vote(s.Nearest(known, m.K, except(lo+i)))
			})
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// questions repeats every record: values known exactly are both ends of what is known.
func questions(asked []float64, p int) []float64 {
	out := make([]float64, 0, 2*len(asked))
	for record := range slices.Chunk(asked, p) {
		out = append(append(out, record...), record...)
	}
	return out
}

// vote returns the class that most of the hits have, of several the one that comes first; -1 without hits.
func (m *KNNModel) vote(hits []neighbour.Hit) int32 {
	best, most := int32(-1), 0
	for i, h := range hits {
		c, votes := m.Classes[h.Record], 0
		for j, o := range hits {
			if m.Classes[o.Record] != c {
				continue
			}
			if j < i {
				break // counted before
			}
			votes++
		}
		if votes > most {
			best, most = c, votes
		}
		if most >= len(hits)-i {
			break
		}
	}
	return best
}

// build makes the indexes, whose answers agree to the last bit where both have one.
func (m *KNNModel) build() {
	p := len(m.Columns)
	points, nominal := make([]float64, len(m.Classes)*p), make([]bool, p)
	for k := range m.Columns {
		c := &m.Columns[k]
		if nominal[k] = c.Overlap || m.Attrs[c.Attribute].Kind == table.Categorical; nominal[k] {
			c.byFrequency()
		}
		for i, code := range c.Codes {
			points[i*p+k] = c.place(code)
		}
	}
	m.index = neighbour.BuildMixed(points, nominal)
	if !slices.Contains(nominal, true) && !slices.ContainsFunc(points, math.IsNaN) {
		m.plain = neighbour.Build(points, p)
	}
}

// byFrequency ranks the categories, the commonest first, as the index likes them.
func (c *KNNColumn) byFrequency() {
	n := make([]int, 1+max(0, slices.Max(c.Codes)))
	for _, code := range c.Codes {
		if code >= 0 {
			n[code]++
		}
	}
	order := make([]int, len(n))
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order, func(a, b int) int { return n[b] - n[a] })
	c.rank = make([]float64, len(n))
	for r, k := range order {
		c.rank[k] = float64(r)
	}
}

// place returns the coordinate of a code.
func (c *KNNColumn) place(code int32) float64 {
	switch {
	case code < 0:
		return math.NaN()
	case c.rank == nil:
		return c.scaled(c.Values[code])
	case int(code) < len(c.rank):
		return c.rank[code]
	}
	return float64(code) // of no record
}

// scaled returns the coordinate of a number, within the limits of the index.
func (c *KNNColumn) scaled(v float64) float64 {
	if c.Scale == 0 && v == v {
		return 0
	}
	return min(max((v-c.Centre)/c.Scale, -1e100), 1e100)
}

// find returns the code of a number; one that equals no record's is beyond all of them.
func (c *KNNColumn) find(v float64) int32 {
	if v != v {
		return -1
	}
	if len(c.Values) == 0 {
		return int32(sort.SearchFloat64s(c.Cuts, v))
	}
	k, ok := slices.BinarySearch(c.Values, v)
	if !ok {
		k = len(c.Values)
	}
	return int32(k)
}

// ask writes the coordinates of the rows of a table from lo on into dst, at a stride.
func (c *KNNColumn) ask(t *table.Table, lo int, dst []float64, stride int) {
	codes, values := t.Cat(c.Attribute), t.Num(c.Attribute)
	for at := 0; at < len(dst); at += stride {
		switch {
		case codes != nil:
			dst[at] = c.place(codes[lo])
		case c.Overlap:
			dst[at] = c.place(c.find(values[lo]))
		default:
			dst[at] = c.scaled(values[lo])
		}
		lo++
	}
}

// Text writes what is compared, and how often the records have each class.
func (m *KNNModel) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "the %d nearest of %d records, by %d attributes:\n", m.K, len(m.Classes), len(m.Columns))
	for k := range m.Columns {
		c := &m.Columns[k]
		a := &m.Attrs[c.Attribute]
		how := "equal or not"
		switch {
		case c.Overlap && len(c.Values) == 0:
			how = fmt.Sprintf("%d bins", len(c.Cuts)+1)
		case a.Kind == table.Numeric && !c.Overlap:
			how = fmt.Sprintf("difference / %.6g, squared", c.Scale)
		}
		fmt.Fprintf(&b, "  %.100s: %s\n", a.Name, how)
	}
	counts := make([]int, len(m.Attrs[m.Class].Labels))
	for _, c := range m.Classes {
		counts[c]++
	}
	for c, label := range m.Attrs[m.Class].Labels {
		fmt.Fprintf(&b, "  class %.100s: %d records\n", label, counts[c])
	}
	return b.String()
}
