package itemset

import (
	"context"
	"errors"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/dither-data/dither/internal/testkit/dataset"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
)

// fimi reads transactions of numbers, a line each.
func fimi(t testing.TB, name string) *Transactions {
	t.Helper()
	text := must.Get(os.ReadFile(dataset.File(t, name)))(t)
	out := &Transactions{Start: []int{0}}
	for line := range strings.Lines(string(text)) {
		var row []int32
		for f := range strings.FieldsSeq(line) {
			v := must.Get(strconv.Atoi(f))(t)
			row = append(row, int32(v))
			out.Labels = max(out.Labels, v+1)
		}
		slices.Sort(row)
		out.Items = append(out.Items, slices.Compact(row)...)
		out.Start = append(out.Start, len(out.Items))
	}
	return out
}

// patience is how long a miner other than LCM is tried with a setting. Which settings they finish depends on the
// machine; what they finish must be right.
const patience = 700 * time.Millisecond

// The numbers of itemsets that two independent programs found; where an item is in every transaction, as in mushroom,
// one program of the two counts one less. -1 is not known.
func TestCounts(t *testing.T) {
	const t10, retail, mushroom, chess = "t10i4d100k/t10i4d100k.dat", "retail/retail.dat",
		"mushroom-transactions/mushroom.dat", "chess/chess.dat"
	var tr *Transactions
	last := ""
	for _, c := range []struct {
		file  string
		least int
		want  [3]int
	}{
		{t10, 1000, [3]int{385, 385, 370}},
		{t10, 500, [3]int{1073, 1073, 585}},
		{t10, 100, [3]int{27_532, 26_806, 4_054}},
		{retail, 882, [3]int{159, 159, 78}},
		{retail, 89, [3]int{7_589, 7_572, 3_452}},
		{retail, 45, [3]int{19_242, -1, -1}},
		{retail, 18, [3]int{67_186, 65_301, 25_580}},
		{mushroom, 3250, [3]int{565, 140, 41}},
		{mushroom, 1625, [3]int{53_583, 1_197, 158}},
		{mushroom, 813, [3]int{574_431, -1, -1}},
		{chess, 2557, [3]int{8_227, 5_083, 226}},
		{chess, 2238, [3]int{48_731, 23_892, 891}},
		{chess, 1598, [3]int{1_272_932, 369_450, 11_463}},
	} {
		if testing.Short() && c.want[All] > 10_000 {
			continue // the cores share smaller ones in the same way, and the race detector takes minutes
		}
		if !long.Enabled() && (c.file == t10 || c.file == retail) {
			continue // the largest files
		}
		if last != c.file {
			tr, last = fimi(t, c.file), c.file
		}
		for name, mine := range miners {
			others := name != "lcm"
			for kind, want := range c.want {
				if want < 0 || want > 10_000 && !long.Enabled() || others && !long.Every() {
					continue
				}
				ctx, cancel := context.Background(), func() {}
				if others {
					ctx, cancel = context.WithTimeout(ctx, patience)
				}
				got, err := mine(ctx, tr, Query{Least: c.least, Kind: Kind(kind)})
				cancel()
				if errors.Is(err, context.DeadlineExceeded) {
					t.Logf("%s is slow on %s, at least %d, kind %d", name, c.file, c.least, kind)
				} else if err != nil || got != Tally(want) {
					t.Errorf("%s of %s, at least %d, kind %d: %d itemsets, %v, expected %d", name, c.file, c.least, kind, got, err,
						want)
				}
			}
		}
	}
}
