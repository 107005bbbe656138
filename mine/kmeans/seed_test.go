package kmeans

import (
	"context"
	"math"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/rng"
)

// k-means++ draws the first record by weight and the second by weight times squared distance from it. Of 20,000 draws,
// the number of every pair differs from its expectation by less than 4.9 standard deviations: of 12 pairs one is
// farther off by chance in 1 of 80,000 tests.
func TestDrawsByDistance(t *testing.T) {
	const draws = 20_000
	points, weights := []float64{0, 1, 3, 3, math.NaN(), 7}, []float64{1, 2, 1, 1, 5, 0.5}
	d := must.Get(gather(context.Background(), nil, points, 1, weights))(t)
	want := map[[2]int]float64{}
	for i, x := range points {
		total := 0.0
		for j, y := range points {
			if i != 4 && j != 4 {
				total += weights[j] * (x - y) * (x - y)
			}
		}
		for j, y := range points {
			if i != 4 && j != 4 && x != y {
				want[[2]int{i, j}] = weights[i] / 5.5 * weights[j] * (x - y) * (x - y) / total
			}
		}
	}
	got := map[[2]int]float64{}
	stream := rng.New([32]byte{3}).Stream()
	for r := range draws {
		start, err := d.draw(context.Background(), 2, func(c int) float64 { return rng.Unit(stream.At(uint64(2*r + c)).A) })
		must.NoError(t, err)
		got[[2]int{start[0], start[1]}]++
	}
	for pair := range got {
		if want[pair] == 0 {
			t.Errorf("the records %v are drawn, which are equal or have no value", pair)
		}
	}
	for pair, p := range want {
		if z := (got[pair] - draws*p) / math.Sqrt(draws*p*(1-p)); math.Abs(z) > 4.9 {
			t.Errorf("the records %v are drawn %v times, expected %.1f, z = %.1f", pair, got[pair], draws*p, z)
		}
	}
}

// The ends of the range of a draw, over many pieces, some of which count nothing.
func TestPick(t *testing.T) {
	const n = 3*grain + 5
	d := &records{n: n}
	mass, parts := make([]float64, n), make([]float64, 4)
	for _, i := range []int{7, grain + 1, n - 1} {
		mass[i] = 0.1
		parts[i/grain] += 0.1
	}
	for _, c := range []struct {
		u    float64
		want int
	}{{0, 7}, {0.33, 7}, {0.34, grain + 1}, {0.66, grain + 1}, {0.67, n - 1}, {math.Nextafter(1, 0), n - 1}} {
		if got := d.pick(mass, parts, c.u); got != c.want {
			t.Errorf("%v of the way there is record %d, expected %d", c.u, got, c.want)
		}
	}
	if got := d.pick(make([]float64, n), make([]float64, 4), 0.5); got != -1 {
		t.Errorf("record %d is drawn of none", got)
	}
}
