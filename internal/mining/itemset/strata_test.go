package itemset

import (
	"context"
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
)

// Every set whose subsets the judge keeps is shown once, in order, with the counts of a look at all transactions.
func TestEachJudgedTwin(t *testing.T) {
	long.Check(t, func(r *rapid.T) {
		labels, strata := rapid.IntRange(1, 6).Draw(r, "labels"), rapid.IntRange(1, 3).Draw(r, "strata")
		s := &Strata{Transactions: &Transactions{Start: []int{0}, Labels: labels}, Number: strata}
		for range rapid.IntRange(0, 30).Draw(r, "transactions") {
			set := rapid.IntRange(0, 1<<labels-1).Draw(r, "set")
			for c := range labels {
				if set>>c&1 > 0 {
					s.Items = append(s.Items, int32(c))
				}
			}
			s.Start = append(s.Start, len(s.Items))
			s.Of = append(s.Of, int32(rapid.IntRange(0, strata-1).Draw(r, "stratum")))
		}
		if strata == 1 {
			s.Of = nil
		}
		salt := rapid.IntRange(0, 1000).Draw(r, "salt")
		keeps := func(set []int32) bool { // whatever the counts
			h := salt
			for _, c := range set {
				h = h*31 + int(c)
			}
			return h%4 > 0
		}
		kept, last := map[string]bool{}, []int32(nil)
		shown, doubts := 0, 0
		doubt := rapid.Bool().Draw(r, "doubt") // too many of them: dropped
		dropped, err := EachJudged(t.Context(), s, 0, func(set []int32, exact []int) Verdict {
			shown++
			if last != nil && (len(set) < len(last) || len(set) == len(last) && fmt.Sprint(set) <= fmt.Sprint(last)) {
				t.Fatalf("%v after %v", set, last)
			}
			last = append([]int32(nil), set...)
			want := make([]int, strata<<len(set))
			for i := range s.Len() {
				b := 0
				for k, c := range set {
					if Contains(s.Row(i), []int32{c}) {
						b |= 1 << k
					}
				}
				want[s.of(i)<<len(set)|b]++
			}
			if fmt.Sprint(exact) != fmt.Sprint(want) {
				t.Fatalf("%v: %v, expected %v", set, exact, want)
			}
			switch {
			case !keeps(set):
				return Drop
			case doubt && set[0] == 1:
				doubts++
				return Doubt
			}
			kept[fmt.Sprint(set)] = true
			return Keep
		})
		for _, n := range dropped {
			doubts -= n
		}
		if doubts != 0 {
			t.Fatalf("%v are said to be dropped", dropped)
		}
		must.NoError(t, err)
		want := 0
		for all := 1; all < 1<<labels; all++ {
			if wholly(kept, all, labels) {
				want++
			}
		}
		if shown != want {
			t.Fatalf("%d sets are shown, expected %d", shown, want)
		}
	})
}

// wholly reports whether all subsets with one item less were kept.
func wholly(kept map[string]bool, set, labels int) bool {
	for leave := range labels {
		if set>>leave&1 == 0 || set == 1<<leave {
			continue
		}
		part := []int32{}
		for c := range labels {
			if set>>c&1 > 0 && c != leave {
				part = append(part, int32(c))
			}
		}
		if !kept[fmt.Sprint(part)] {
			return false
		}
	}
	return true
}

func TestEachJudgedIsCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	s := &Strata{Transactions: &Transactions{Start: []int{0, 2}, Items: []int32{0, 1}, Labels: 2}, Number: 1}
	if _, err := EachJudged(ctx, s, 0, func([]int32, []int) Verdict { return Keep }); err == nil {
		t.Error("a cancelled search ends without an error")
	}
}
