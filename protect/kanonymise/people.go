package kanonymise

import (
	"math"
	"slices"

	"github.com/dither-data/dither/internal/anonymity/diversity"
)

// holders tells of every value that a person has, whose it is. Classes tally these in the place of values, so a value
// counts once for a person in a class.
type holders struct {
	value, who []int32 // ascending by value, then person
}

// held numbers the values that people have: the result is by record, -1 where the value is missing.
func held(values, whose []int32) ([]int32, *holders) {
	pair := func(i int) uint64 { return uint64(values[i])<<32 | uint64(whose[i]) }
	var pairs []uint64
	for i, v := range values {
		if v >= 0 {
			pairs = append(pairs, pair(i))
		}
	}
	slices.Sort(pairs)
	pairs = slices.Compact(pairs)
	h := &holders{}
	for _, p := range pairs {
		h.value, h.who = append(h.value, int32(p>>32)), append(h.who, int32(p&math.MaxUint32))
	}
	out := make([]int32, len(values))
	for i, v := range values {
		if out[i] = -1; v >= 0 {
			n, _ := slices.BinarySearch(pairs, pair(i))
			out[i] = int32(n)
		}
	}
	return out, h
}

// values returns how many people of a group have each value, and what that leaves open at most: as many values as there
// are people, and one where all have one.
func (h *holders) values(runs []diversity.Run, s *room) ([]diversity.Run, float64) {
	s.runs, s.who = s.runs[:0], s.who[:0]
	most := int32(0)
	for _, r := range runs {
		s.who = append(s.who, h.who[r.Value])
		if v := h.value[r.Value]; len(s.runs) == 0 || s.runs[len(s.runs)-1].Value != v {
			s.runs = append(s.runs, diversity.Run{Value: v})
		}
		last := &s.runs[len(s.runs)-1]
		last.Count++
		most = max(most, last.Count)
	}
	slices.Sort(s.who)
	s.who = slices.Compact(s.who)
	if people := len(s.who); int(most) < people {
		return s.runs, float64(people)
	}
	return s.runs, 1
}

// tallied returns what is tallied of a sensitive attribute by record, whose values occur so often: the values, or the
// people's, each of whom counts once for a value.
func (f *frame) tallied(values, counts []int32, s *secret) ([]int32, *secret) {
	if s.codes = len(counts); f.whose == nil {
		return values, s
	}
	values, s.people = held(values, f.whose)
	s.codes = len(s.people.value)
	clear(counts)
	for _, v := range s.people.value {
		counts[v]++
	}
	s.Whole = diversity.NewWhole(counts)
	return values, s
}

// addPeople adds whose the records are to what is tallied, behind the sensitive attributes: a class has so many people
// as it has runs of them.
func (f *frame) addPeople() {
	if f.whose != nil {
		f.secrets = append(f.secrets, &secret{codes: int(slices.Max(f.whose)) + 1, who: true})
		f.values = append(f.values, f.whose)
	}
}
