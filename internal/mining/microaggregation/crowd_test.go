package microaggregation

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
)

// TestGroupsOfPeople: whatever people have how many records, every record is in a group, and every group is of k
// people, as somebody counts who knows nothing of how they are made; where nobody has several records groups are those
// of records.
func TestGroupsOfPeople(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		k, n := rapid.IntRange(2, 5).Draw(t, "k"), rapid.IntRange(1, 40).Draw(t, "people")
		var whose []int32
		for p := range n + k {
			for range rapid.IntRange(1, 5).Draw(t, "records") {
				whose = append(whose, int32(p))
			}
		}
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		r.Shuffle(len(whose), func(i, j int) { whose[i], whose[j] = whose[j], whose[i] })
		points := make([]float64, 2*len(whose))
		for i := range points {
			points[i] = float64(r.IntN(12))
		}
		kinds := [][]Kind{{Number, Number}, {Ordinal, Nominal}}[r.IntN(2)]
		v := slices.Clone(points[:len(whose)])
		for name, method := range methods(kinds, k) {
			group, groups, err := method(points, whose)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			enough(t, name, group, groups, whose, k)
			pooled, _ := newPartition(group, groups).pool(v, nil, Number, whose, k)
			enough(t, name+", pooled", pooled.group, 0, whose, k)
		}
	})
}

// methods are the ways to group records, in blocks and without.
func methods(kinds []Kind, k int) map[string]func(points []float64, whose []int32) ([]int32, int, error) {
	ctx := context.Background()
	return map[string]func(points []float64, whose []int32) ([]int32, int, error){
		"mdav": func(points []float64, whose []int32) ([]int32, int, error) {
			return MixedMDAV(ctx, points, kinds, whose, k)
		},
		"vmdav": func(points []float64, whose []int32) ([]int32, int, error) {
			return MixedVMDAV(ctx, points, kinds, whose, k, 1.1)
		},
		"blocks": func(points []float64, whose []int32) ([]int32, int, error) {
			return Blocks(
				ctx,
				points,
				kinds,
				whose,
				k,
				2*k,
				func(ctx context.Context, points []float64, whose []int32) ([]int32, int, error) {
					return MixedMDAV(ctx, points, kinds, whose, k)
				},
			)
		},
	}
}

// enough refuses a group of fewer than k people.
func enough(t *rapid.T, name string, group []int32, groups int, whose []int32, k int) {
	people := map[int32]map[int32]bool{}
	for i, g := range group {
		if people[g] == nil {
			people[g] = map[int32]bool{}
		}
		people[g][whose[i]] = true
	}
	for g, who := range people {
		if len(who) < k || g < 0 || groups > 0 && int(g) >= groups {
			t.Fatalf("%s: group %d is of %d people, expected %d", name, g, len(who), k)
		}
	}
}

// TestPoolsOfPeople: groups that know a value of too few people are joined until they know it of k.
func TestPoolsOfPeople(t *testing.T) {
	group := []int32{0, 0, 0, 1, 1, 1, 2, 2, 2}
	whose := []int32{0, 0, 1, 2, 2, 3, 4, 5, 6}
	v := []float64{1, 1, math.NaN(), 2, 2, 3, 9, 9, 9}
	p, pooled := newPartition(group, 3).pool(v, nil, Number, whose, 3)
	if pooled != 2 || p.group[0] != p.group[3] || p.group[0] == p.group[6] {
		t.Errorf("%d groups are pooled, as %v", pooled, p.group)
	}
	if _, pooled := newPartition(group, 3).pool(v, nil, Number, nil, 3); pooled != 1 {
		t.Errorf("%d groups of records are pooled, expected 1", pooled)
	}
}

// TestLossOfPeople: on scattered records of people who have 1 to 5 each, groups of k people lose no more than groups of
// so many records as make sure of k people.
func TestLossOfPeople(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	var whose []int32
	var points []float64
	for p := range int32(1000) {
		for range 1 + r.IntN(5) {
			whose = append(whose, p)
			points = append(points, r.NormFloat64(), r.NormFloat64())
		}
	}
	kinds := []Kind{Number, Number}
	lost := func(whose []int32, k int) float64 {
		group, groups, err := MixedMDAV(t.Context(), points, kinds, whose, k)
		must.NoError(t, err)
		sse, sst := Loss(points, kinds, group, groups)
		return sse / sst
	}
	people, sure, records := lost(whose, 5), lost(nil, 21), lost(nil, 5)
	t.Logf("5 people %.5f, 21 records %.5f, 5 records %.5f", people, sure, records)
	if people > 1.2*records || people > sure {
		t.Errorf("groups of 5 people lose %.4f, of 21 records %.4f, of 5 records %.4f", people, sure, records)
	}
}
