package unit

import (
	"slices"
	"strings"

	"github.com/dither-data/dither/table"
)

// countsMost is the share of the records in which a column that counts a unit's records may have another number.
const countsMost = 0.001

// count fills in how many units there are, how many records each has, and which columns say so. Once is enough.
func (f *finder) count(k *Key) {
	if k.Values > 0 {
		return
	}
	var sizes []int32
	number := map[uint64]int{}
	of := make([]int32, f.t.Rows()) // by record its unit, -1 for none
	for i := range f.t.Rows() {
		v, ok := f.key(k.at, i)
		if of[i] = -1; !ok {
			continue
		}
		n, known := number[v]
		if !known {
			n = len(sizes)
			number[v], sizes = n, append(sizes, 0)
		}
		of[i] = int32(n)
		sizes[n]++
		k.Records++
	}
	k.Counts = f.counting(k, of, sizes)
	k.Values, k.Least, k.Median, k.Most = len(sizes), int(slices.Min(sizes)), median(sizes), int(slices.Max(sizes))
}

// counting names the columns that a key holds which are the number of records of each unit, such as the size of a
// household, where units differ in it. Of is the unit of each record, sizes are how many records each has.
func (f *finder) counting(k *Key, of, sizes []int32) (names []string) {
	names = []string{}
	for _, h := range k.held {
		known, other := 0, 0
		for i, v := range f.cols[h.column].num {
			if n := of[i]; n >= 0 && v == v {
				known++
				if v != float64(sizes[n]) {
					other++
				}
			}
		}
		if known > 0 && float64(other) <= float64(countsMost*float64(known)) {
			names = append(names, f.t.Attr(h.column).Name)
		}
	}
	return names
}

// astray counts the units of one key with records in several units of another.
func (f *finder) astray(at, above []int) (n int) {
	type home struct {
		of    uint64
		moved bool
	}
	homes := map[uint64]*home{}
	for i := range f.t.Rows() {
		v, ok := f.key(at, i)
		w, has := f.key(above, i)
		if !ok || !has {
			continue
		}
		switch h := homes[v]; {
		case h == nil:
			homes[v] = &home{of: w}
		case h.of != w && !h.moved:
			h.moved = true
			n++
		}
	}
	return n
}

const (
	// byChance is the share of the suspects that may be found by chance, at most.
	byChance = 0.05
	// looked is how many records are searched for suspects, compared how many pairs of keys tell how alike keys are.
	looked, compared = 200_000, 2000
)

// named is a unit that may be another one, mistyped: its key as text, and its records.
type named struct {
	name    string
	records int
	row     int // of the first record
}

// before says which of two units is the one, and which may be it mistyped: the larger one.
func (u *named) before(o *named) bool {
	return u.records > o.records || u.records == o.records && u.name < o.name
}

// suspects fills in the units of fewer records than the median that agree with a larger one in all they hold, and whose
// keys differ by one letter or digit, or by two that changed places: they may be one, mistyped. It counts none where
// chance would find as many, or the nearness of numbers in a unit of the level above, such as twins'. In a table of
// more than 200,000 records it looks at some.
func (f *finder) suspects(k, above *Key) {
	if len(k.at) > 1 {
		return
	}
	var slips [][2]table.RecordID
	alike, all := f.byHeld(k)
	small := 0
	for _, units := range alike {
		for _, u := range units {
			if u.records >= k.Median && u.records > 1 {
				continue
			}
			small++
			like := func(o *named) bool { return o.before(u) && mistyped(u.name, o.name) }
			if at := slices.IndexFunc(units, like); at >= 0 {
				slips = append(slips, [2]table.RecordID{f.t.ID(u.row), f.t.ID(units[at].row)})
			}
		}
	}
	chance := float64(float64(small) * float64(len(all)) * near(all))
	for _, h := range k.held {
		if h.kind {
			chance = float64(chance * f.cols[h.column].chance)
		}
	}
	if above != nil {
		chance += f.twins(k, above, small)
	}
	if chance <= byChance*float64(len(slips)) {
		k.Suspects, k.Slips = len(slips), slips
	}
}

// twins is how many of so many units agree by chance with another one in their unit of the level above, whose keys may
// all be near.
func (f *finder) twins(k, above *Key, small int) float64 {
	n := float64(small) * float64(k.Values) / float64(above.Values)
	for _, h := range k.held {
		if !slices.Contains(above.at, h.column) && !above.holds(h.column) {
			n = float64(n * f.cols[h.column].chance)
		}
	}
	return n
}

// byHeld returns the units by what they hold, each once for everything that it holds, and all of them.
func (f *finder) byHeld(k *Key) (map[uint64][]*named, []*named) {
	var at []int
	for _, h := range k.held {
		at = append(at, h.column)
	}
	rows, a, c := f.t.Rows(), f.t.Attr(k.at[0]), &f.cols[k.at[0]]
	alike, seen, list := map[uint64][]*named{}, map[[2]uint64]*named{}, []*named(nil)
	for i := range rows {
		all, ok := f.key(at, i)
		v, has := f.key(k.at, i)
		if !ok || !has || !within(all, looked, rows) {
			continue
		}
		u := seen[[2]uint64{all, v}]
		if u == nil {
			if u = (&named{row: i}); c.cat != nil {
				u.name = strings.ToLower(strings.TrimSpace(a.Labels[c.cat[i]]))
			} else {
				u.name = string(a.AppendValue(nil, c.num[i]))
			}
			seen[[2]uint64{all, v}] = u
			alike[all], list = append(alike[all], u), append(list, u)
		}
		u.records++
	}
	return alike, list
}

// near is the share of pairs of units whose keys differ as by a slip.
func near(all []*named) float64 {
	n, slips := len(all), 1
	for k := range compared {
		i, j := mix(uint64(2*k))%uint64(n), mix(uint64(2*k+1))%uint64(n)
		if i != j && mistyped(all[i].name, all[j].name) {
			slips++
		}
	}
	return float64(slips) / compared
}

// mistyped reports whether one text comes from another by at most one letter more, less or other, or by two neighbours
// that changed places. Cost: O(length).
func mistyped(s, t string) bool {
	if len(s) > len(t) {
		s, t = t, s
	}
	k := 0
	for k < len(s) && s[k] == t[k] {
		k++
	}
	if len(t)-len(s) == 1 {
		return s[k:] == t[k+1:]
	}
	if len(s) != len(t) {
		return false
	}
	if k >= len(s)-1 || s[k+1:] == t[k+1:] {
		return true
	}
	return s[k] == t[k+1] && s[k+1] == t[k] && s[k+2:] == t[k+2:]
}
