package study

import (
	"crypto/sha256"
	"math"
	"math/rand/v2"

	"github.com/dither-data/dither/internal/stats/rank"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// Rejoin puts the records of a release beside their originals: it returns them in the order of the original, and the
// rows of the original that are in the release, ascending. Row k of the release's file is row rows[k] of the
// original's; the identities of the records are rows of their files. A record whose original is not in the table, as
// one that misses a value where complete ones are asked for, is left out. Cost: O(n).
func Rejoin(original, released *table.Table, rows []int) (joined *table.Table, have []int) {
	at := make(map[int]int, released.Rows()) // the release's row by the original's
	for i := range released.Rows() {
		if id := int(released.ID(i)); id < len(rows) {
			at[rows[id]] = i
		}
	}
	order := make([]int, 0, len(at))
	for i := range original.Rows() {
		if k, ok := at[int(original.ID(i))]; ok {
			order, have = append(order, k), append(have, i)
		}
	}
	return released.Gather(order), have
}

const (
	// pairings is how many random pairings that by position is held against, pairedRows how many rows at most.
	pairings, pairedRows = 999, 2000
)

// LooksPaired reports whether rows at the same position of two tables of one schema and length agree better than rows
// at random do. The agreement of a pairing is the sum over the columns of the products of ranks (of sets, of eight
// sketches), or the number of rows with the same category, and of those that both miss or both have a value, each in
// standard deviations of what random pairings give. It is compared, over 2,000 rows at most, with 999 random pairings
// and must not fall below any: rows in a random order pass once in 1,000 times, or as often as there are few different
// pairings. A pairing in which everything was perturbed beyond recognition does not pass. Cost: O(columns), 2 million
// steps each, and O(n) to draw 2,000 rows; rows in another order are detected by a few of the pairings.
func LooksPaired(original, released *table.Table) bool {
	src := rng.New([32]byte{}).Fork("pairs")
	draw := src.Rand()
	n := original.Rows()
	if n > pairedRows {
		rows := original.Drawn(pairedRows, src)
		original, released, n = original.Gather(rows), released.Gather(rows), pairedRows
	}
	agree := agreements(original, released)
	total := func(order []int) (sum float64) {
		for _, a := range agree {
			sum += a(order)
		}
		return sum
	}
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	here := total(order)
	here += float64(1e-9 * math.Abs(here)) // the order of the sum must not decide
	for range pairings {
		if shuffle(order, draw); total(order) > here {
			return false
		}
	}
	return true
}

func shuffle(order []int, draw *rand.Rand) {
	draw.Shuffle(len(order), func(i, k int) { order[i], order[k] = order[k], order[i] })
}

// agreements returns, for every column that can tell pairings apart and for its gaps, how well row i of the original
// agrees with row order[i] of the release.
func agreements(original, released *table.Table) (out []func(order []int) float64) {
	for j := range original.Width() {
		a, b := original.Attr(j), released.Attr(j)
		switch {
		case a.Kind != b.Kind:
			continue
		case a.Kind == table.Numeric:
			out = append(out, product(original.Num(j), released.Num(j)))
		case a.Kind == table.Categorical:
			out = append(out, alike(original.Cat(j), released.Cat(j), max(len(a.Labels), len(b.Labels))))
		case a.Kind == table.SetValued:
			for bit := range sketches {
				out = append(out, product(sketch(original, j, bit), sketch(released, j, bit)))
			}
		}
		out = append(out, alike(gaps(original, j), gaps(released, j), 2))
	}
	return out
}

// product sums the products of ranks.
func product(original, released []float64) func(order []int) float64 {
	x, y := scores(original), scores(released)
	return func(order []int) (sum float64) {
		for i, k := range order {
			sum += float64(x[i] * y[k])
		}
		return sum
	}
}

// sketches is how many numbers stand for a set.
const sketches = 8

// sketch returns a number for every set: the sum of a sign for each of its items, which the item's name decides. Sets
// that share many items have numbers close to each other, whatever the size of the sets.
func sketch(t *table.Table, j, bit int) []float64 {
	sign := make([]float64, len(t.Attr(j).Labels))
	for v, name := range t.Attr(j).Labels {
		hash := sha256.Sum256([]byte(name))
		sign[v] = float64(int(hash[0]>>bit&1)*2 - 1)
	}
	sets := t.Sets(j)
	out := make([]float64, t.Rows())
	for i := range out {
		for _, v := range sets.Present.Row(i) {
			out[i] += sign[v]
		}
		if t.MissingAt(i, j) {
			out[i] = math.NaN()
		}
	}
	return out
}

// scores returns the mid-ranks of numbers, with mean 0 and variance 1; missing ones have the mean.
func scores(v []float64) []float64 {
	r := rank.Of(v)
	out := r.Mid()
	mean, square := float64(len(r.Sorted)+1)/2, 0.0
	for i := range out {
		if out[i] -= mean; math.IsNaN(v[i]) {
			out[i] = 0
		}
		square += float64(out[i] * out[i])
	}
	if square == 0 {
		return out
	}
	for i := range out {
		out[i] = float64(out[i] * math.Sqrt(float64(len(v))/square))
	}
	return out
}

// alike counts equal codes in standard deviations of the count of one row under random pairings, which a common
// category does not inflate; codes below 0 are equal to none.
func alike(x, y []int32, codes int) func(order []int) float64 {
	n := float64(len(x))
	p, q := make([]float64, codes), make([]float64, codes)
	for i := range x {
		if x[i] >= 0 {
			p[x[i]] += 1 / n
		}
		if y[i] >= 0 {
			q[y[i]] += 1 / n
		}
	}
	both, most, variance := 0.0, 0.0, 0.0
	for c := range p {
		both += float64(p[c] * q[c])
		most += float64(p[c] * q[c] * (p[c] + q[c]))
	}
	if variance = both - most + float64(both*both); variance < 1e-12 {
		return func([]int) float64 { return 0 }
	}
	scale := 1 / math.Sqrt(variance)
	return func(order []int) float64 {
		same := 0
		for i, k := range order {
			if x[i] == y[k] && x[i] >= 0 {
				same++
			}
		}
		return float64(scale * float64(same))
	}
}

// gaps returns 1 for a missing value and 0 for a known one.
func gaps(t *table.Table, j int) []int32 {
	out := make([]int32, t.Rows())
	for i := range out {
		if t.MissingAt(i, j) {
			out[i] = 1
		}
	}
	return out
}
