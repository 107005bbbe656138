package bore

import (
	"cmp"
	"math"
	"slices"

	"github.com/dither-data/dither/internal/portable"
	"github.com/dither-data/dither/internal/system/parallel"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// Powers returns how well every record tells its class: the mean of the binary logarithms of the ranks of its known
// values, which orders records without missing values as the product of the ranks does (Peters & Menzies 2012). It is
// -Inf where the class lacks a value of the record, and NaN where the class, or every value, is missing. The table
// conforms to m.Attrs. Cost: O(records * columns).
func (m *Model) Powers(t *table.Table) []float64 {
	class := t.Cat(m.Class)
	codes, logs := make([][]int32, len(m.Columns)), make([][][]float64, len(m.Columns))
	parallel.Do(len(m.Columns), func(k int) {
		c := &m.Columns[k]
		codes[k] = c.Cuts.Codes(t.Column(c.Attribute))
		logs[k] = make([][]float64, len(m.Sizes))
		for b := range m.Sizes {
			logs[k][b] = m.Ranks(k, b)
			for v, r := range logs[k][b] {
				logs[k][b][v] = portable.Log2(r)
			}
		}
	})
	out := make([]float64, t.Rows())
	for i, b := range class {
		if b < 0 {
			out[i] = math.NaN()
			continue
		}
		sum, known := 0.0, 0
		for k := range codes {
			if v := codes[k][i]; v >= 0 {
				sum += logs[k][b][v]
				known++
			}
		}
		out[i] = sum / float64(known)
	}
	return out
}

// Strongest returns the rows, ascending, of the records of highest power in every class: so many per cent of its
// records, rounded up. Of several of one power the draw of src decides, by record. Records without a class, or without
// any value, are never among them. Cost: O(n log n).
func (m *Model) Strongest(t *table.Table, percent float64, src rng.Source) []int {
	powers, class := m.Powers(t), t.Cat(m.Class)
	lots := make([]rng.Block, t.Rows())
	ids, first := t.IDs()
	rng.Blocks(src.Stream(), lots, ids, first)
	rows := make([][]int, len(m.Sizes))
	for i, c := range class {
		if powers[i] == powers[i] {
			rows[c] = append(rows[c], i)
		}
	}
	var out []int
	for _, own := range rows {
		slices.SortFunc(own, func(a, b int) int {
			return cmp.Or(cmp.Compare(powers[b], powers[a]), cmp.Compare(lots[a].A, lots[b].A),
				cmp.Compare(lots[a].B, lots[b].B), cmp.Compare(a, b))
		})
		out = append(out, own[:Share(percent, 100, len(own))]...)
	}
	slices.Sort(out)
	return out
}
