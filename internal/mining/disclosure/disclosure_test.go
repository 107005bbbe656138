package disclosure

import (
	"math/bits"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
)

// records are sets of items; items 3*c to 3*c+2 are the values of column c.
type records [][]int32

const perColumn = 3

func column(item int32) int { return int(item) / perColumn }

func (r records) count(has func(rec []int32) bool) (n int) {
	for _, rec := range r {
		if has(rec) {
			n++
		}
	}
	return n
}

func (r records) with(items []int32) int {
	return r.count(func(rec []int32) bool { return holds(rec, items) })
}

func holds(rec, items []int32) bool {
	return !slices.ContainsFunc(items, func(k int32) bool { return !slices.Contains(rec, k) })
}

// frequent are all sets of so many records at least, the number of records among them.
func (r records) frequent(least int) (out []Statement) {
	items := perColumn * 3
	for mask := range 1 << items {
		var set []int32
		for b := range items {
			if mask>>b&1 == 1 {
				set = append(set, int32(b))
			}
		}
		if n := r.with(set); n >= least || mask == 0 {
			out = append(out, Statement{set, n})
		}
	}
	return out
}

func drawRecords(t *rapid.T) records {
	common := rapid.IntRange(0, 10).Draw(t, "common") // of 10 values so many are the first
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) []int32 {
		var rec []int32
		for c := range int32(3) {
			v := int32(0)
			if rapid.IntRange(1, 10).Draw(t, "which") > common {
				v = rapid.Int32Range(-1, perColumn-1).Draw(t, "value")
			}
			if v >= 0 {
				rec = append(rec, perColumn*c+v)
			}
		}
		return rec
	}), 4, 40).Draw(t, "records")
}

// split says by the parts of a set how many records have these items of it and no others.
func (r records) split(set []int32) map[int]int {
	out := map[int]int{}
	for _, rec := range r {
		mask := 0
		for b, k := range set {
			if slices.Contains(rec, k) {
				mask |= 1 << b
			}
		}
		out[mask]++
	}
	return out
}

// twin looks for few people and secrets record by record.
func (r records) twin(told []Statement, l Limits) (f Findings) {
	f.Statements = len(told)
	for _, s := range told {
		few, secret := false, false
		groups := r.split(s.Items)
		for mask := range 1 << len(s.Items) {
			n := groups[mask]
			few = few || n > 0 && n < l.Few
			if n > 0 {
				f.least(n)
			}
			for b, k := range s.Items {
				if mask>>b&1 == 0 && l.Secret(k) != Nothing {
					with := groups[mask|1<<b]
					secret = secret || n == 0 && with > 0 || l.Secret(k) == Either && with == 0 && n > 0
				}
			}
		}
		switch {
		case l.few(s.Count):
			f.Small++
		case few:
			f.Groups++
		case secret:
			f.Secrets++
		}
		for c := range 3 {
			var beside []int32
			for v := range int32(perColumn) {
				k := int32(perColumn*c) + v
				set := append(slices.Clone(s.Items), k)
				slices.Sort(set)
				if !slices.Contains(s.Items, k) && slices.ContainsFunc(told, func(o Statement) bool {
					return slices.Equal(o.Items, set)
				}) {
					beside = append(beside, k)
				}
			}
			rest := r.count(func(rec []int32) bool {
				return holds(rec, s.Items) && !slices.ContainsFunc(beside, func(k int32) bool { return slices.Contains(rec, k) })
			})
			if len(beside) > 1 && l.few(rest) {
				f.Rests++
				f.least(rest)
			}
		}
	}
	return f
}

func limits(t *rapid.T, least int) Limits {
	secret := Tells(rapid.IntRange(0, 2).Draw(t, "secret"))
	return Limits{Few: rapid.IntRange(1, 4).Draw(t, "few"), Least: least, Column: column,
		Secret: func(k int32) Tells {
			if column(k) == 2 {
				return secret
			}
			return Nothing
		}}
}

// What follows from counts is what records show: as many small groups, secrets and rests.
func TestAttackAgainstRecords(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		r := drawRecords(t)
		least := rapid.IntRange(1, len(r)).Draw(t, "least")
		l := limits(t, least)
		told := r.frequent(least)
		got, want := Attack(told, l), r.twin(told, l)
		if got.Least > want.Least && want.Least > 0 {
			t.Errorf("the smallest group has %d, by the records %d", got.Least, want.Least)
		}
		got.Bounded, got.Least, want.Least = 0, 0, 0
		if got != want {
			t.Errorf("%+v\n%+v", got, want)
		}
	})
}

// A set that is not told is bounded by what no group contradicts: tried out, support by support.
func TestBoundsAgainstTrying(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		r := drawRecords(t)
		least := rapid.IntRange(1, len(r)).Draw(t, "least")
		l := limits(t, least)
		l.Few = rapid.IntRange(2, 12).Draw(t, "fewer")
		a := newAttack(r.frequent(least), l)
		a.border(func(set []int32) {
			for k := 1; k < len(set); k++ {
				if column(set[k]) == column(set[k-1]) {
					t.Fatalf("%v exclude each other", set)
				}
			}
			g := a.groups(set)
			all := 1<<len(set) - 1
			groups := r.split(set)
			surely := map[int]bool{} // by group: whether every support that is possible makes it one of few
			for mask := range groups {
				surely[mask] = true
			}
			own := groups[all]
			for n := range least { // a set that is not told has fewer
				shift := n - own
				cell := func(mask int) int {
					if bits.OnesCount(uint(all^mask))%2 == 0 {
						return groups[mask] + shift
					}
					return groups[mask] - shift
				}
				possible := true
				for mask := range all + 1 {
					possible = possible && cell(mask) >= 0
				}
				for mask := range surely {
					surely[mask] = surely[mask] && (!possible || l.few(cell(mask)))
				}
			}
			want := false
			for _, is := range surely {
				want = want || is
			}
			if g.few != want {
				t.Errorf("%v: few %v, by trying %v", set, g.few, want)
			}
		})
	})
}

// What is prepared tells of nobody, is true, and leaves nothing out where nothing is few.
func TestPreparedTellsOfNobody(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		r := drawRecords(t)
		least := rapid.IntRange(1, len(r)).Draw(t, "least")
		l := limits(t, least)
		told := r.frequent(least)
		kept := Prepare(told, l, nil)
		if f := Attack(kept, l); f.Open() > 0 {
			t.Fatalf("%+v", f)
		}
		f := r.twin(kept, l)
		if f.Open() > 0 {
			t.Fatalf("by the records: %+v", f)
		}
		for _, s := range kept {
			if r.with(s.Items) != s.Count {
				t.Errorf("%v", s)
			}
		}
		if before := Attack(told, l); before.Open() == 0 && len(kept) != len(told) {
			t.Errorf("%d of %d are left, and nothing was found", len(kept), len(told))
		}
		if len(kept) == 0 || len(kept[0].Items) > 0 {
			t.Error("the number of records is not told")
		}
		without := Prepare(told, l, func(k int32) bool { return k != 0 })
		for _, s := range without {
			if slices.Contains(s.Items, 0) {
				t.Errorf("%v names an item that may not be named", s)
			}
		}
	})
}

// Planted groups, by hand: 100 records, 40 with A (item 0), 37 of these with B (3), and 60 with B.
func TestPlantedGroups(t *testing.T) {
	l := Limits{Few: 5, Column: column}
	told := []Statement{{nil, 100}, {[]int32{0}, 40}, {[]int32{3}, 60}, {[]int32{0, 3}, 37}}
	if f := Attack(told, l); f.Groups != 1 || f.Open() != 1 || f.Least != 3 {
		t.Errorf("A and not B are 3: %+v", f)
	}
	// 98 with A and 97 with B: at least 95 with both, and neither of them nobody or up to 2; 2 are without A
	told = []Statement{{nil, 100}, {[]int32{0}, 98}}
	if f := Attack(told, l); f.Groups != 1 || f.Least != 2 {
		t.Errorf("without A are 2: %+v", f)
	}
	// every record has one of two values, but for three
	told = []Statement{{nil, 100}, {[]int32{0}, 40}, {[]int32{1}, 57}}
	if f := Attack(told, l); f.Rests != 1 || f.Open() != 1 || f.Least != 3 {
		t.Errorf("three have neither value: %+v", f)
	}
	// all 40 with A have the secret B; and of three items every pair is told, which bounds all three together
	l.Secret = func(k int32) Tells {
		if k == 3 {
			return Value
		}
		return Nothing
	}
	told = []Statement{{nil, 100}, {[]int32{0}, 40}, {[]int32{3}, 60}, {[]int32{0, 3}, 40}}
	if f := Attack(told, l); f.Secrets != 1 || f.Open() != 1 {
		t.Errorf("all with A have B: %+v", f)
	}
	l.Secret = nil
	told = []Statement{{nil, 100}, {[]int32{0}, 50}, {[]int32{3}, 50}, {[]int32{6}, 50},
		{[]int32{0, 3}, 30}, {[]int32{0, 6}, 30}, {[]int32{3, 6}, 13}}
	// with all three: n; A alone 50-60+n >= 0 so n >= 10, and not A, not B, not C 100-150+73-n = 23-n; B, C and not A 13-n
	if f := Attack(told, l); f.Bounded != 0 {
		t.Errorf("nothing is sure: %+v", f)
	}
	told[6].Count = 11 // n is 10 or 11: of A, B and C; B and C without A are 0 or 1, A alone is 0 or 1
	l.Few = 12
	if f := Attack(told, l); f.Bounded != 1 {
		t.Errorf("all three are 10 or 11: %+v", f)
	}
}
