package profile

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/table"
)

// Sets are counted as a map counts them, whatever the hash: also where many sets that differ have the same one.
func TestSetsAreCounted(t *testing.T) {
	long.Check(t, func(rt *rapid.T) {
		set := rapid.SliceOfN(rapid.Int32Range(0, 2), 0, 3)
		rows := rapid.SliceOfN(rapid.OneOf(set, rapid.Just([]int32(nil))), 1, 60).Draw(rt, "sets")
		unknown := make([][]int32, len(rows))
		for i := range rows {
			if rows[i] != nil && rapid.Bool().Draw(rt, "unknown") {
				unknown[i] = []int32{3}
			}
		}
		c := table.SetColumn("s", []string{"a", "b", "c", "d"}, table.SetsOf(rows, unknown))
		want, wantTop := Column{}, 0
		counts := map[string]int{}
		for i := range rows {
			if c.MissingAt(i) {
				want.Missing++
				continue
			}
			key := string(c.AppendKey(nil, i))
			counts[key]++
			wantTop = max(wantTop, counts[key])
		}
		want.Distinct = len(counts)
		for _, n := range counts {
			if n == 1 {
				want.Alone++
			}
		}
		for name, hash := range map[string]func([]byte) uint64{"one hash": func([]byte) uint64 { return 7 },
			"a poor hash": func(key []byte) uint64 { return uint64(len(key)) << 54 }} {
			got := Column{}
			if top := got.alike(c, hash); got.Distinct != want.Distinct || got.Alone != want.Alone ||
				got.Missing != want.Missing ||
				top != wantTop {
				rt.Fatalf("%s: %+v, the most frequent %d times; expected %+v, %d", name, got, top, want, wantTop)
			}
		}
		got := Column{}
		if top := got.sets(c); got.Distinct != want.Distinct || got.Alone != want.Alone || got.Missing != want.Missing ||
			top != wantTop {
			rt.Fatalf("%+v, the most frequent %d times; expected %+v, %d", got, top, want, wantTop)
		}
	})
}
