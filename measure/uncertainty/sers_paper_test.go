package uncertainty

import (
	"context"
	"math"
	"os"
	"testing"

	"github.com/dither-data/dither/format/csv"
	"github.com/dither-data/dither/format/dialect"
	"github.com/dither-data/dither/internal/portable/exact"
	"github.com/dither-data/dither/internal/testkit/dataset"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// TestTable4 compares the figures of Fletcher & Islam 2015, table 4, with the largest possible, log2 of nine tenths of
// the records (table 3). That of the random technique on WBC exceeds it: a misprint. All others are within 0.8 % of it,
// whatever the technique.
func TestTable4(t *testing.T) {
	for _, c := range []struct {
		data    string
		records float64
		printed [4]float64 // random technique, Framework, Forest Framework, GADP
	}{
		{"Wine", 178, [4]float64{7.317, 7.315, 7.314, 7.316}},
		{"WBC", 683, [4]float64{9.568, 9.248, 9.243, 9.241}},
		{"Credit", 653, [4]float64{9.165, 9.174, 9.176, 9.171}},
		{"CMC", 1473, [4]float64{10.309, 10.333, 10.327, 10.329}},
		{"Abalone", 4177, [4]float64{11.859, 11.860, 11.860, 11.836}},
	} {
		largest := math.Log2(0.9 * c.records)
		for k, h := range c.printed {
			misprint := c.data == "WBC" && k == 0
			if possible := h <= largest && h > 0.992*largest; possible == misprint {
				t.Errorf("%s: %v, largest %v", c.data, h, largest)
			}
		}
	}
}

// TestHardlyDiscriminates takes SERS of two releases of WBC: none of its values protected, and all replaced by uniform
// random ones. Both are within 1.2 % of log2 n, and independent values score no more than 0.05 bits above no protection
// at all.
func TestHardlyDiscriminates(t *testing.T) {
	tab := wbc(t)
	random := tab
	r := rng.New([32]byte{4}).Rand()
	for j := range tab.Width() {
		v := make([]float64, tab.Rows())
		for i := range v {
			v[i] = float64(1 + r.IntN(10))
		}
		random = random.WithNum(j, v)
	}
	largest := math.Log2(float64(tab.Rows()))
	score := func(released *table.Table) float64 {
		h := must.Get(Entropies(context.Background(), tab, released, all(tab.Rows())))(t)
		return exact.Mean(h)
	}
	open, closed := score(tab), score(random)
	if open > closed || closed-open > 0.05 || closed > largest || open < 0.988*largest {
		t.Errorf("no protection %v, random %v, log2 n %v", open, closed, largest)
	}
}

// wbc returns the nine attributes of the complete records of Wisconsin breast cancer.
func wbc(t *testing.T) *table.Table {
	data := must.Get(os.ReadFile(dataset.File(t, "wbc/wbc.csv")))(t)
	tab, _, err := csv.Read(context.Background(), data, dialect.Options{})
	must.NoError(t, err)
	tab = tab.Select(1, 2, 3, 4, 5, 6, 7, 8, 9)
	var rows []int
	for i := range tab.Rows() {
		if !tab.MissingAt(i, 5) {
			rows = append(rows, i)
		}
	}
	return tab.Gather(rows)
}
