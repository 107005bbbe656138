package itemset

import (
	"context"
	"errors"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
)

// TestFindTogether: the sets, and their counts in every list, are those of a search through all sets of items. Lists
// are runs of transactions that are alike, so that they go beyond a stride and what is left of an item ends in the
// middle.
func TestFindTogether(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		lists := make([]*Transactions, rapid.IntRange(1, 3).Draw(t, "lists"))
		rows := make([][128]int32, len(lists))
		lim := Limits{Most: rapid.IntRange(0, 4).Draw(t, "most")}
		for k := range lists {
			l := &Transactions{Start: []int{0}, Labels: 7}
			longest := rapid.SampledFrom([]int{0, 20, 3000}).Draw(t, "longest")
			for range rapid.IntRange(0, 12).Draw(t, "runs") {
				which, times := rapid.IntRange(0, 127).Draw(t, "items"), rapid.IntRange(0, longest).Draw(t, "times")
				rows[k][which] += int32(times)
				for range times {
					for v := range 7 {
						if which>>v&1 != 0 {
							l.Items = append(l.Items, int32(v))
						}
					}
					l.Start = append(l.Start, len(l.Items))
				}
			}
			lists[k] = l
			lim.Least = append(lim.Least, rapid.IntRange(0, 1+3*longest).Draw(t, "least"))
		}
		got := must.Get(FindTogether(context.Background(), lists, lim))(t)
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
			for k := range lists {
				for has, n := range rows[k] {
					if has&which == which {
						counts[k] += n
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

// TestFindTogetherEffort: a search takes so many comparisons for every two sets that are frequent and differ in the
// last item, and fails below that.
func TestFindTogetherEffort(t *testing.T) {
	l := &Transactions{Start: []int{0}, Labels: 5}
	for range 100 {
		l.Items = append(l.Items, 0, 1, 2, 3)
		l.Start = append(l.Start, len(l.Items))
	}
	for range 10 {
		l.Items = append(l.Items, 4)
		l.Start = append(l.Start, len(l.Items))
	}
	for _, c := range []struct{ most, effort, sets int }{ // every comparison is of two words
		{1, 0, 5},
		{2, 2 * 10, 5 + 6},
		{3, 2 * (10 + 3 + 1), 5 + 6 + 4},
		{0, 2 * (10 + 3 + 1 + 1), 5 + 6 + 4 + 1},
	} {
		for effort := max(1, c.effort-1); effort <= c.effort+1; effort++ {
			_, err := FindTogether(context.Background(), []*Transactions{l},
				Limits{Least: []int{10}, Most: c.most, Effort: effort})
			if errors.Is(err, ErrEffort) != (effort < c.effort) {
				t.Errorf("at most %d items, effort %d of %d: %v", c.most, effort, c.effort, err)
			}
		}
		for sets := c.sets - 1; sets <= c.sets; sets++ {
			_, err := FindTogether(context.Background(), []*Transactions{l}, Limits{Least: []int{10}, Most: c.most, Sets: sets})
			if errors.Is(err, ErrEffort) != (sets < c.sets) {
				t.Errorf("at most %d items, %d of %d sets: %v", c.most, sets, c.sets, err)
			}
		}
	}
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
