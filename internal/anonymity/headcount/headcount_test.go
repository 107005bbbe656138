package headcount

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
)

// TestTally: whatever comes and goes, a tally is of as many people as somebody counts who looks through what is left.
func TestTally(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		whose := rapid.SliceOfN(rapid.Int32Range(0, 5), 1, 12).Draw(t, "whose")
		told := whose
		if rapid.Bool().Draw(t, "of records") {
			told = nil
		}
		a := Of(told)
		var in []int32
		for range rapid.IntRange(0, 30).Draw(t, "steps") {
			i := rapid.IntRange(0, len(whose)-1).Draw(t, "record")
			got := 0
			switch at := slices.Index(in, int32(i)); {
			case rapid.IntRange(0, 9).Draw(t, "clear") == 0:
				in = in[:0]
				a.Clear()
				got = a.Size()
			case at < 0:
				in = append(in, int32(i))
				got = a.Add(i)
			default:
				in = slices.Delete(in, at, at+1)
				got = a.Remove(i)
			}
			who := map[int32]bool{}
			for _, i := range in {
				who[whose[i]] = true
			}
			want := len(who)
			if told == nil {
				want = len(in)
			}
			if got != want || Count(told, in) != want {
				t.Fatalf("%v of %v are of %d people, and counted at once of %d, expected %d", in, told, got, Count(told, in), want)
			}
			own := Own(told, in)
			for x := range own {
				for y := range own {
					if (own[x] == own[y]) != (whose[in[x]] == whose[in[y]]) || int(own[x]) >= want {
						t.Fatalf("%v of %v are renumbered %v", in, told, own)
					}
				}
			}
		}
	})
	both := Several(2, []int32{7, 7, 3, 3})
	for i, n := range []int{0, 1, 1, 1} {
		both[n].Add(i)
	}
	if both[0].Join(&both[1]); both[0].Size() != 2 || both[0].Remove(0) != 2 || both[0].Remove(1) != 1 {
		t.Errorf("joined tallies: %+v", both[0])
	}
	a := Of([]int32{7, 7, 3})
	if a.AddKnown([]float64{1, math.NaN(), math.NaN()}, []int32{0, 1, 2}); a.Size() != 1 {
		t.Errorf("%d people have a known value, expected 1", a.Size())
	}
}
