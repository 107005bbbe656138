package gadp

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat"

	"github.com/dither-data/dither/internal/stats/rank"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// shuffleMany is how many records the laws are checked on: correlations at five standard errors of at most
// 1/sqrt(many), which a right program exceeds once in 1.7 million.
func shuffleMany() int { return long.Of(10_000, 200_000) }

func shuffleFive() float64 { return 5 / math.Sqrt(float64(shuffleMany())) }

// shuffleSkewed returns a table of a lognormal, an integer and a heavy-tailed confidential attribute and of an age, all
// monotone functions of normal variables with the correlations 0.8^|j-l|. The integers have some 100 values: their ties
// cost a correlation less than a thousandth.
func shuffleSkewed(rows int) *table.Table {
	r := rand.New(rand.NewPCG(3, 4))
	num := make([][]float64, 4)
	for range rows {
		z := [4]float64{r.NormFloat64()}
		for j := range z[1:] {
			z[j+1] = 0.8*z[j] + 0.6*r.NormFloat64()
		}
		for j, v := range []float64{table.Snap(math.Exp(8+z[0]), 0.01), math.Round(300 - 12*z[1]), z[2] * z[2] * z[2],
			math.Round(100 + 15*z[3])} {
			num[j] = append(num[j], v)
		}
	}
	return marked(3, table.NumColumn("income", 0.01, num[0]), table.NumColumn("hours", 1, num[1]),
		table.NumColumn("wealth", 0, num[2]), table.NumColumn("age", 1, num[3]))
}

// Muralidhar & Sarathy 2006: the marginals are identical, rank correlations are kept, those with S too, whatever the
// security.
func TestMarginalsAndRankCorrelationsAreKept(t *testing.T) {
	tab := shuffleSkewed(shuffleMany())
	want := rank.Spearman(rank.OfAll(numbersOf(tab)))
	for _, security := range []string{"1", "0.4"} {
		out := shuffleRelease(t, tab, map[string]string{"security": security})
		got := rank.Spearman(rank.OfAll(numbersOf(out)))
		for k := range tab.Width() {
			if !slices.Equal(sorted(tab.Num(k)), sorted(out.Num(k))) {
				t.Errorf("security %s: column %d has other values", security, k)
			}
			for l := range k {
				if d := got.At(k, l) - want.At(k, l); math.Abs(d) > shuffleFive() {
					t.Errorf("security %s: columns %d and %d: %.4f, expected %.4f", security, k, l, got.At(k, l), want.At(k, l))
				}
			}
		}
	}
}

// With security 1 the release tells of a confidential value what S tells, and nothing else: on scores, it correlates R²
// with the original, of which S explains R² (0.8 to the distance from S, squared), and not at all given S.
func TestMinimumDisclosure(t *testing.T) {
	tab := shuffleSkewed(shuffleMany())
	out := shuffleRelease(t, tab, nil)
	s := rank.Of(tab.Num(3)).NormalScores()
	for j := range 3 {
		x, y := rank.Of(tab.Num(j)).NormalScores(), rank.Of(out.Num(j)).NormalScores()
		want := math.Pow(0.8, 2*float64(3-j))
		if got := stat.Correlation(x, y, nil); math.Abs(got-want) > shuffleFive() {
			t.Errorf("column %d: released and original correlate %.4f, expected %.4f", j, got, want)
		}
		xs, ys := stat.Correlation(x, s, nil), stat.Correlation(y, s, nil)
		partial := (stat.Correlation(x, y, nil) - xs*ys) / math.Sqrt((1-xs*xs)*(1-ys*ys))
		if math.Abs(partial) > shuffleFive() {
			t.Errorf("column %d: given S, released and original correlate %.4f", j, partial)
		}
	}
}

// Replace alone, as for the records of a leaf, permutes their values as Apply does.
func TestShuffleReplace(t *testing.T) {
	inPlace := func(i int) table.RecordID { return table.RecordID(i) }
	tab := shuffleSkewed(300)
	out := shuffleRelease(t, tab, map[string]string{"security": "0.5"})
	var y, z [][]float64
	for j := range 3 {
		y, z = append(y, make([]float64, 300)), append(z, make([]float64, 300))
		rng.Normals[uint64](protecttest.Seed(1).Fork(tab.Attr(j).Name).Stream(), z[j], nil, 0)
	}
	must.NoError(t, shuffleReplace(y, numbersOf(tab), nil, z, []float64{0.5, 0.5, 0.5}, inPlace))
	for j := range y {
		if !slices.Equal(y[j], out.Num(j)) {
			t.Errorf("column %d: Replace gives other values than Apply", j)
		}
	}
	if err := shuffleReplace(nil, numbersOf(tab), nil, nil, nil, inPlace); err != nil {
		t.Error(err)
	}
}
