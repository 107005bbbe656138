package attackers

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// fewItems is how many items the baskets of the twins have.
const fewItems = 7

// baskets are what a twin sees of sets: by item 0, 1 or, where it is unknown, 2; nil for a missing set.
func baskets(n int, r *rand.Rand) [][]int {
	out := make([][]int, n)
	for i := range out {
		if r.IntN(12) == 0 {
			continue
		}
		out[i] = make([]int, fewItems)
		for v := range out[i] {
			switch {
			case r.IntN(v+2) == 0:
				out[i][v] = 1
			case r.IntN(12) == 0:
				out[i][v] = 2
			}
		}
	}
	return out
}

func basketColumn(of [][]int) table.Column {
	present, unknown := make([][]int32, len(of)), make([][]int32, len(of))
	for i, b := range of {
		if b != nil {
			present[i] = []int32{}
		}
		for v, state := range b {
			switch state {
			case 1:
				present[i] = append(present[i], int32(v))
			case 2:
				unknown[i] = append(unknown[i], int32(v))
			}
		}
	}
	labels := make([]string, fewItems)
	for v := range labels {
		labels[v] = string(rune('a' + v))
	}
	return table.SetColumn("basket", labels, table.SetsOf(present, unknown))
}

// basketScores compares the sets of persons and records item by item; without is the score of a missing set.
func basketScores(was, is [][]int) map[string]func(person, record int) float64 {
	share := make([]float64, fewItems)
	for v := range share {
		has, known := 0.0, 0.0
		for _, b := range is {
			if b != nil && b[v] < 2 {
				has, known = has+float64(b[v]), known+1
			}
		}
		share[v] = max(1, has) / max(1, known)
	}
	likely := func(b []int, v int) float64 { return [3]float64{0, 1, share[v]}[b[v]] }
	return map[string]func(person, record int) float64{
		"look-up": func(person, record int) float64 {
			if slices.Equal(was[person], is[record]) {
				return 0
			}
			return -1
		},
		"nearest": func(person, record int) float64 {
			both, either := 0.0, 0.0
			for v := range share {
				a, b := likely(was[person], v), likely(is[record], v)
				both, either = both+min(a, b), either+max(a, b)
			}
			if either == 0 {
				return 0
			}
			return both/either - 1
		},
		"agreement": func(person, record int) (sum float64) {
			for v := range share {
				sum += min(likely(was[person], v), likely(is[record], v)) * -math.Log(share[v])
			}
			return sum
		},
	}
}

// TestSetsEqualComparingItems compares every attacker with comparing the sets of everybody item by item.
func TestSetsEqualComparingItems(t *testing.T) {
	const n = 120
	for seed := range uint64(4) {
		r := rand.New(rand.NewPCG(seed, 1))
		was := baskets(n, r)
		is, other := slices.Clone(was), baskets(n, r)
		for i := range is {
			if r.IntN(3) == 0 {
				is[i] = other[i]
			}
		}
		x, y := tabletest.Of(t, basketColumn(was)), tabletest.Of(t, basketColumn(is))
		release := &measure.Release{Original: x, Released: y, Paired: true}
		for name, score := range basketScores(was, is) {
			nobody := 0.0
			if name == "nearest" {
				nobody = -1
			}
			want := plain(n, func(person, record int) float64 {
				switch {
				case was[person] == nil: // nothing is known
					return 0
				case is[record] == nil:
					return nobody
				}
				return score(person, record)
			}, name == "look-up")
			same(t, name, credits(t, release, name, []int{0}, false), want)
		}
	}
}

// TestGapsOfSets: with the pattern of gaps, a set that is missing in one table and not in the other is at distance 1,
// one that is missing in both at 0.
func TestGapsOfSets(t *testing.T) {
	const n = 120
	r := rand.New(rand.NewPCG(9, 1))
	was, other := baskets(n, r), baskets(n, r)
	is := slices.Clone(was)
	for i := range is {
		if r.IntN(3) == 0 {
			is[i] = other[i]
		}
	}
	release := &measure.Release{
		Original: tabletest.Of(t, basketColumn(was)),
		Released: tabletest.Of(t, basketColumn(is)),
		Paired:   true,
	}
	score := basketScores(was, is)["nearest"]
	want := plain(n, func(person, record int) float64 {
		if was[person] == nil || is[record] == nil {
			return -float64(bit((was[person] == nil) != (is[record] == nil)))
		}
		return score(person, record)
	}, false)
	same(t, "gaps by distance", credits(t, release, "nearest", []int{0}, true), want)
}

// TestWhoKnowsMoreItems: by agreement no record scores lower for who knows one item more of a person, and none above
// what it says is the most.
func TestWhoKnowsMoreItems(t *testing.T) {
	const n = 60
	r := rand.New(rand.NewPCG(7, 8))
	few := make([][]int, n)
	more := make([][]int, n)
	for i := range few {
		few[i] = make([]int, fewItems)
		for v := range few[i] {
			few[i][v] = r.IntN(3)
		}
		more[i] = slices.Clone(few[i])
		more[i][r.IntN(fewItems)] = 1
	}
	is := tabletest.Of(t, basketColumn(baskets(n, r)))
	scores := func(was [][]int) (out []float64) {
		c := must.Get(newSets(&measure.Release{Original: tabletest.Of(t, basketColumn(was)), Released: is, Paired: true}, 0,
			measure.Drawn(n, n)))(t)
		s := c.agreement()()
		for i := range n {
			most, _ := s.person(i, false)
			of := make([]float64, n)
			s.add(of, c.codes)
			if slices.Max(of) > most {
				t.Errorf("person %d: a record scores %v, at most %v", i, slices.Max(of), most)
			}
			out = append(out, of...)
		}
		return out
	}
	before, after := scores(few), scores(more)
	for k := range before {
		if after[k] < before[k] {
			t.Fatalf("record %d agrees with what is known of person %d by %v, and with one item more by %v", k%n, k/n,
				before[k], after[k])
		}
	}
}

// TestSetsBesideValues: sets and numbers together find at least as many as either, no matter who attacks.
func TestSetsBesideValues(t *testing.T) {
	const n = 150
	plain := released(t, n)
	r := rand.New(rand.NewPCG(3, 4))
	was := baskets(n, r)
	is := slices.Clone(was)
	for i := range is {
		if r.IntN(2) == 0 && is[i] != nil {
			is[i] = slices.Clone(is[i])
			is[i][r.IntN(fewItems)] = 0
		}
	}
	both := &measure.Release{
		Original: tabletest.Insert(plain.Original, 3, basketColumn(was)),
		Released: tabletest.Insert(plain.Released, 3, basketColumn(is)),
		Paired:   true,
	}
	for _, name := range []string{"nearest", "agreement", unaware} {
		values, together := sumOf(credits(t, plain, name, []int{2}, false)), sumOf(credits(t, both, name, []int{2, 3}, false))
		if together <= values {
			t.Errorf("%s: with sets %v are found, without %v", name, together, values)
		}
	}
}
