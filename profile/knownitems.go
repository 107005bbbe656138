package profile

import (
	"cmp"
	"context"
	"math/bits"
	"slices"

	"github.com/dither-data/dither/internal/stats/confidence"
	"github.com/dither-data/dither/internal/system/parallel"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// mostKnown is how many items of a person an intruder is taken to know at most.
const mostKnown = 3

// KnownItems says how far a few items of a set-valued column tell the people apart: k^m-anonymity (Terrovitis, Mamoulis
// & Kalnis 2008) asks that anyone who knows up to m items of a person finds at least k people with all of them. A
// person with several records has the items of all of them. Items that are unknown tell nobody apart.
//
// Cost: O(items), and for every person tried at most the people with the third most frequent of its items, times their
// items; 400,000,000 items in all, unless 512 people take more.
type KnownItems struct {
	Column string `json:"column"`
	People int    `json:"people"` // with a known set
	// Items are the different ones that people have, Mean and Largest how many a person has, and Empty the people who have
	// none.
	Items   int     `json:"items"`
	Mean    float64 `json:"mean"`
	Largest int     `json:"largest"`
	Empty   int     `json:"empty"`
	// Tried is how many of them were looked at: all, or as many as a bounded effort allows, drawn without regard to what
	// they have.
	Tried int `json:"tried"`
	// Unique[m-1] are those of whom some m items, or fewer, belong to nobody else.
	Unique [mostKnown]SomeUnique `json:"unique"`
}

// SomeUnique counts people out of those tried. Low and High bound the share among all people: both are the share where
// all were tried, and else the ends of a 95 % interval (Clopper & Pearson 1934).
type SomeUnique struct {
	Items  int     `json:"items"` // known
	Unique int     `json:"unique"`
	Share  float64 `json:"share"`
	Low    float64 `json:"low"`
	High   float64 `json:"high"`
}

// effort bounds the items looked at for one column, and atLeast is how many people are tried whatever it takes.
const (
	effort  = 400_000_000
	atLeast = 512
)

// exposeItems measures the exposure by items of every set-valued column but identifiers. The only error is that of the
// context.
func exposeItems(ctx context.Context, t *table.Table) (out []KnownItems, err error) {
	for j := range t.Width() {
		if a := t.Attr(j); a.Kind == table.SetValued && a.Role&table.Identifier == 0 {
			b := basketsOf(t, j)
			k, err := b.known(ctx, effort)
			if err != nil {
				return nil, err
			}
			k.Column = a.Name
			out = append(out, k)
		}
	}
	return out, nil
}

// baskets are the items of each person, and who has each item, both ascending.
type baskets struct {
	of, who table.Lists
	ids     []table.RecordID // by person: the smallest of their records
}

// basketsOf gathers the items of people whose set is known.
func basketsOf(t *table.Table, j int) *baskets {
	sets, labels := t.Sets(j), len(t.Attr(j).Labels)
	b := &baskets{of: table.Lists{Start: []int{0}}}
	for _, rows := range rowsOfPeople(t) {
		from, known := len(b.of.Codes), false
		for _, i := range rows {
			known = known || !sets.MissingAt(i)
			b.of.Codes = append(b.of.Codes, sets.Present.Row(i)...)
		}
		if own := b.of.Codes[from:]; len(rows) > 1 {
			slices.Sort(own)
			b.of.Codes = b.of.Codes[:from+len(slices.Compact(own))]
		}
		if known {
			b.of.Start, b.ids = append(b.of.Start, len(b.of.Codes)), append(b.ids, least(t, rows))
		}
	}
	b.who = table.Lists{Start: make([]int, labels+1), Codes: make([]int32, len(b.of.Codes))}
	for _, v := range b.of.Codes {
		b.who.Start[v+1]++
	}
	for v := range labels {
		b.who.Start[v+1] += b.who.Start[v]
	}
	at := slices.Clone(b.who.Start)
	for p := range b.people() {
		for _, v := range b.of.Row(p) {
			b.who.Codes[at[v]] = int32(p)
			at[v]++
		}
	}
	return b
}

// rowsOfPeople returns the rows of every person, in the order in which people occur; a record that names nobody is a
// person of its own.
func rowsOfPeople(t *table.Table) [][]int {
	out := make([][]int, 0, t.Rows())
	j := t.WithRole(table.Person)
	if j < 0 {
		for i := range t.Rows() {
			out = append(out, []int{i})
		}
		return out
	}
	person, number := t.Column(j), map[string]int{}
	var key []byte
	for i := range t.Rows() {
		key = person.AppendKey(key[:0], i)
		p, ok := number[string(key)]
		if !ok || person.MissingAt(i) {
			p = len(out)
			number[string(key)] = p
			out = append(out, nil)
		}
		out[p] = append(out[p], i)
	}
	return out
}

// least returns the smallest identity among rows.
func least(t *table.Table, rows []int) table.RecordID {
	id := t.ID(rows[0])
	for _, i := range rows[1:] {
		id = min(id, t.ID(i))
	}
	return id
}

func (b *baskets) people() int         { return len(b.of.Start) - 1 }
func (b *baskets) support(v int32) int { return b.who.Start[v+1] - b.who.Start[v] }

// sizes counts items.
func (b *baskets) sizes() KnownItems {
	k := KnownItems{People: b.people()}
	for v := range len(b.who.Start) - 1 {
		if b.support(int32(v)) > 0 {
			k.Items++
		}
	}
	for p := range k.People {
		n := len(b.of.Row(p))
		k.Largest = max(k.Largest, n)
		if n == 0 {
			k.Empty++
		}
	}
	if k.People > 0 {
		k.Mean = float64(len(b.of.Codes)) / float64(k.People)
	}
	return k
}

// known tries people in an order of chance, all of them if the effort allows.
func (b *baskets) known(ctx context.Context, effort int) (KnownItems, error) {
	k := b.sizes()
	n := b.people()
	order := rng.Order(rng.New([32]byte{}).Fork("known items").Stream(), n, n, b.ids, 0) // who is tried is no secret
	var unique [mostKnown]int
	for lo, spent := 0, 0; lo < len(order) && (spent < effort || lo < atLeast); lo = k.Tried {
		k.Tried = min(lo+atLeast, len(order))
		found, cost := make([]int, k.Tried-lo), make([]int, k.Tried-lo)
		_, err := parallel.With(
			ctx,
			len(found),
			func() *trial { return &trial{baskets: b, place: make([]int32, len(b.who.Start))} },
			func(t *trial, i int) error {
				found[i], cost[i] = t.fewest(order[lo+i])
				return nil
			},
		)
		if err != nil {
			return k, err
		}
		for i, m := range found {
			spent += cost[i]
			for ; m > 0 && m <= mostKnown; m++ {
				unique[m-1]++
			}
		}
	}
	for m, n := range unique {
		u := SomeUnique{Items: m + 1, Unique: n}
		if k.Tried > 0 {
			u.Share = float64(n) / float64(k.Tried)
		}
		if u.Low, u.High = u.Share, u.Share; k.Tried < k.People {
			u.Low, u.High = confidence.ClopperPearson(float64(n), float64(k.Tried), 0.975)
		}
		k.Unique[m] = u
	}
	return k, nil
}

// trial is the memory of a worker.
type trial struct {
	*baskets
	items []int32  // of the person, the rarest first
	place []int32  // of an item among them, from 1; 0 is not there
	masks []uint64 // the items that each other holder of one item shares with the person, one bit a place
	words int      // of a mask
	cover []uint64
}

// fewest returns how many items of a person tell it apart at the least: 1 to mostKnown, or 0 where so many do not. Cost
// is the number of items looked at.
func (t *trial) fewest(p int) (known, cost int) {
	t.items = append(t.items[:0], t.of.Row(p)...)
	if len(t.items) == 0 {
		return 0, 0
	}
	slices.SortFunc(t.items,
		func(a, b int32) int { return cmp.Or(cmp.Compare(t.support(a), t.support(b)), cmp.Compare(a, b)) })
	if t.support(t.items[0]) == 1 {
		return 1, 1
	}
	for k, v := range t.items {
		t.place[v] = int32(k + 1)
	}
	defer func() {
		for _, v := range t.items {
			t.place[v] = 0
		}
	}()
	t.words = (len(t.items) + 63) / 64
	best := 0
	for first := range t.items { // the rarest item of the two or three that are known
		cost += t.share(first, p)
		if first+1 < len(t.items) && t.uncovered(first, first, &cost) {
			return 2, cost
		}
		for second := first + 1; best == 0 && second+1 < len(t.items); second++ {
			if t.uncovered(second, second, &cost) {
				best = 3
			}
		}
	}
	return best, cost
}

// share lists what the other holders of an item share with the person: the items of later places. Cost is the number of
// items looked at.
func (t *trial) share(first, p int) (cost int) {
	t.masks = t.masks[:0]
	for _, other := range t.who.Row(int(t.items[first])) {
		if int(other) == p {
			continue
		}
		at := len(t.masks)
		for range t.words {
			t.masks = append(t.masks, 0)
		}
		row := t.of.Row(int(other))
		cost += len(row)
		for _, v := range row {
			if k := int(t.place[v]) - 1; k >= first {
				t.masks[at+k/64] |= 1 << (k % 64)
			}
		}
	}
	return cost
}

// uncovered reports whether some item of a later place than last is with none of the others who hold the item at place
// with.
func (t *trial) uncovered(with, last int, cost *int) bool {
	t.cover = append(t.cover[:0], make([]uint64, t.words)...)
	word, bit := with/64, uint64(1)<<(with%64)
	for at := 0; at < len(t.masks); at += t.words {
		if t.masks[at+word]&bit != 0 {
			for w := range t.words {
				t.cover[w] |= t.masks[at+w]
			}
		}
	}
	*cost += len(t.masks)
	shared := 0
	for w, c := range t.cover {
		if w == (last+1)/64 {
			c &= ^uint64(0) << ((last + 1) % 64)
		}
		if w >= (last+1)/64 {
			shared += bits.OnesCount64(c)
		}
	}
	return shared < len(t.items)-last-1
}
