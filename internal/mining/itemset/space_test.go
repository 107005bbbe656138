package itemset

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"testing"

	"github.com/dither-data/dither/internal/system/mmap"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/table/tabletest"
)

// room is a space of which nothing stays in memory for long.
func room(t *testing.T) *mmap.Space {
	in, err := mmap.New("", 0, func(err error) { t.Error(err) })
	if err != nil && (runtime.GOOS == "linux" || os.Getenv("CI") == "true") {
		t.Fatal(err)
	}
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() {
		if err := in.Close(); err != nil {
			t.Error(err)
		}
	})
	return in
}

// away returns transactions in a space.
func away(in *mmap.Space, t *Transactions) *Transactions {
	return &Transactions{
		Start:  append(mmap.Make[int](in, len(t.Start))[:0], t.Start...),
		Items:  append(mmap.Make[int32](in, len(t.Items))[:0], t.Items...),
		Labels: t.Labels,
		Space:  in,
	}
}

// sprinkled returns transactions of so many items, each of which is in a share of them, the first ones more often.
func sprinkled(rows, labels int, share float64) *Transactions {
	r := rand.New(rand.NewPCG(uint64(labels), 3))
	t := &Transactions{Start: []int{0}, Labels: labels}
	for range rows {
		for c := range int32(labels) {
			if r.Float64() < share*(2-2*float64(c)/float64(labels)) {
				t.Items = append(t.Items, c)
			}
		}
		t.Start = append(t.Start, len(t.Items))
	}
	return t
}

// shaped are transactions, and how many of them have a set at least.
type shaped struct {
	t     *Transactions
	least int
}

// shape returns transactions that are laid out as words, upright or as lists.
func shape(name string, rows int) shaped {
	switch name {
	case "words":
		return shaped{sprinkled(rows, 40, 0.25), rows / 20}
	case "upright":
		return shaped{sprinkled(rows, 90, 0.1), rows / 60}
	}
	return shaped{sprinkled(rows, 150, 0.04), rows / 300}
}

// In a space LCM finds the same sets in the same order, counts them alike and has the same commonest, in transactions
// of every form; and it gives back what it took.
func TestSpace(t *testing.T) {
	in := room(t)
	for _, name := range []string{"words", "upright", "lists"} {
		s := shape(name, long.Of(2_000, 20_000))
		there := away(in, s.t)
		for kind := All; kind <= Maximal; kind++ {
			visits := func(of *Transactions) (out []string) {
				n, err := LCM(
					context.Background(),
					of,
					Query{Least: s.least, Kind: kind, Visit: func(items []int32, count int) bool {
						out = append(out, fmt.Sprint(items, count))
						return true
					}},
				)
				if err != nil || n != Tally(len(out)) {
					t.Fatalf("%s: %v sets, %d visited, %v", name, n, len(out), err)
				}
				best, n, err := Commonest(context.Background(), LCM, of, s.least, kind, 30)
				return append(out, fmt.Sprint(best, n, err))
			}
			if here, there := visits(s.t), visits(there); !slices.Equal(here, there) || len(here) < 100 {
				t.Errorf("%s, kind %d: %d sets in memory, %d in a space, or in another order", name, kind, len(here), len(there))
			}
		}
	}
}

// Nothing that LCM takes of the heap is as long as the transactions in a space.
func TestSpaceIsBounded(t *testing.T) {
	if testing.Short() {
		return // no cores meet here that do not elsewhere
	}
	long.Only(t, "a million transactions of three forms")
	in := room(t)
	for name, kind := range map[string]Kind{"words": All, "upright": Closed, "lists": Maximal} {
		s := shape(name, 1<<20) // more than what looking takes itself
		there := away(in, s.t)
		where, most := tabletest.Largest(func() {
			if _, err := LCM(context.Background(), there, Query{Least: 2 * s.least, Kind: kind}); err != nil {
				t.Error(err)
			}
		})
		if most >= int64(there.Len()) {
			t.Errorf("%s: %stakes %d bytes of the heap", name, where, most)
		}
	}
}
