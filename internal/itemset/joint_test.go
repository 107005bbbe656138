package itemset

import (
	"context"
	"errors"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestFindTogether: the sets, and their counts in every list, are those of a search through all sets of items.
func TestFindTogether(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lists := make([]*Transactions, rapid.IntRange(1, 3).Draw(t, "lists"))
		lim := Limits{Most: rapid.IntRange(0, 4).Draw(t, "most")}
		for k := range lists {
			l := &Transactions{Start: []int{0}, Labels: 7}
			for range rapid.SampledFrom([]int{0, 5, 70, 130}).Draw(t, "rows") {
				which := rapid.IntRange(0, 127).Draw(t, "items")
				for v := range 7 {
					if which>>v&1 != 0 {
						l.Items = append(l.Items, int32(v))
					}
				}
				l.Start = append(l.Start, len(l.Items))
			}
			lists[k] = l
			lim.Least = append(lim.Least, rapid.IntRange(0, 40).Draw(t, "least"))
		}
		got, err := FindTogether(context.Background(), lists, lim)
		if err != nil {
			t.Fatal(err)
		}
		sets := 0
		for which := 1; which < 128; which++ {
			var items []int32
			for v := range 7 {
				if which>>v&1 != 0 {
					items = append(items, int32(v))
				}
			}
			counts := make([]int32, len(lists))
			wanted := false
			for k, l := range lists {
				for i := range l.Len() {
					has := true
					for _, v := range items {
						has = has && slices.Contains(l.Row(i), v)
					}
					if has {
						counts[k]++
					}
				}
				wanted = wanted || int(counts[k]) >= max(1, lim.Least[k])
			}
			wanted = wanted && (lim.Most == 0 || len(items) <= lim.Most)
			at := got.Find(items)
			if wanted != (at >= 0) {
				t.Fatalf("%v with counts %v: found %t", items, counts, at >= 0)
			}
			if at < 0 {
				continue
			}
			sets++
			if own, n := got.Set(at); !slices.Equal(own, items) || !slices.Equal(n, counts) {
				t.Fatalf("%v has counts %v, expected %v of %v", own, n, counts, items)
			}
		}
		if got.Len() != sets {
			t.Fatalf("%d sets, expected %d", got.Len(), sets)
		}
	})
}

// A search ends where it takes too much, and with its context.
func TestFindTogetherEnds(t *testing.T) {
	l := &Transactions{Start: []int{0}, Labels: 20}
	for range 100 {
		for v := range 20 {
			l.Items = append(l.Items, int32(v))
		}
		l.Start = append(l.Start, len(l.Items))
	}
	for _, lim := range []Limits{{Effort: 10_000}, {Sets: 1000}} {
		lim.Least = []int{1}
		if _, err := FindTogether(context.Background(), []*Transactions{l}, lim); !errors.Is(err, ErrEffort) {
			t.Errorf("%+v: %v", lim, err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := FindTogether(ctx, []*Transactions{l}, Limits{Least: []int{1}}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
