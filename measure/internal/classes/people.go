package classes

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/dither-data/dither/table"
)

// People returns by class how many people the records are of that an intruder may take for one of the class: those of
// the class and of the classes compatible with it. Number is the table, among those of the classes, and of says by
// record whose it is; a record of a negative one is not counted. Cost: O(n log n), and a step for every person of every
// pair of compatible classes.
func (c *Classes) People(ctx context.Context, number int, of []int32) ([]int32, error) {
	out := make([]int32, c.Len())
	return out, c.eachPerson(ctx, number, of, func(class int32, _ []int32) { out[class]++ })
}

// Weight returns by class the weight of the people that People counts, each with the largest of theirs there. Weights
// are by record of the table.
func (c *Classes) Weight(ctx context.Context, number int, of []int32, weights []float64) ([]float64, error) {
	out := make([]float64, c.Len())
	return out, c.eachPerson(ctx, number, of, func(class int32, rows []int32) {
		most := 0.0
		for _, i := range rows {
			most = max(most, weights[i])
		}
		out[class] += most
	})
}

// eachPerson calls visit with the records of everybody whom an intruder may take for one of a class, for all classes,
// on all cores: one class by one goroutine.
func (c *Classes) eachPerson(ctx context.Context, number int, of []int32, visit func(class int32, rows []int32)) error {
	start := make([]int32, c.Len()+1)
	for i, class := range c.Of[number] {
		if of[i] >= 0 {
			start[class+1]++
		}
	}
	for class := range c.Len() {
		start[class+1] += start[class]
	}
	next, rows := slices.Clone(start), make([]int32, start[c.Len()])
	for i, class := range c.Of[number] {
		if of[i] >= 0 {
			rows[next[class]] = int32(i)
			next[class]++
		}
	}
	return c.Each(ctx, func() func(int32, []int32) {
		var all []int32
		return func(class int32, near []int32) {
			all = all[:0]
			for _, k := range near {
				all = append(all, rows[start[k]:start[k+1]]...)
			}
			slices.SortFunc(all, func(a, b int32) int { return cmp.Compare(of[a], of[b]) })
			for at, k := 0, 1; k <= len(all); k++ {
				if k == len(all) || of[all[k]] != of[all[at]] {
					visit(class, all[at:k])
					at = k
				}
			}
		}
	})
}

// Worst returns the largest figure of everybody, given those of the released records: the figures themselves where
// every record is a person's.
func (s *Study) Worst(figures []float64) []float64 {
	if s.People == nil {
		return figures
	}
	out := make([]float64, s.Number())
	for i, p := range s.People {
		out[p] = max(out[p], figures[i])
	}
	return out
}

// Number returns how many people the released records are of.
func (s *Study) Number() int {
	if s.People == nil {
		return len(s.Of)
	}
	return int(slices.Max(s.People)) + 1
}

// Count returns how many released records are in a class of some or, where some people have several, how many people
// have one there.
func (s *Study) Count(in func(class int32) bool) (n int) {
	if s.People == nil {
		for class, size := range s.Sizes {
			if in(int32(class)) {
				n += int(size)
			}
		}
		return n
	}
	seen := make([]bool, s.Number())
	for i, class := range s.Of {
		if p := s.People[i]; !seen[p] && in(class) {
			seen[p] = true
			n++
		}
	}
	return n
}

// Word names what Count and Number count.
func (s *Study) Word() string {
	if s.People == nil {
		return "records"
	}
	return "people"
}

// Within returns by class how many people have a record in it: its size where every record is a person's.
func (s *Study) Within() []int32 {
	if s.People == nil {
		return s.Sizes
	}
	type one struct{ class, person int32 }
	out, seen := make([]int32, len(s.Sizes)), make(map[one]bool, len(s.Of))
	for i, class := range s.Of {
		if o := (one{class, s.People[i]}); !seen[o] {
			seen[o] = true
			out[class]++
		}
	}
	return out
}

// Once returns the table with each value of a column once for a person in a class, the others missing, and by class how
// many people have one there. The table is the released one of the study; it is returned as it is, without numbers of
// people, where every record is a person's. Cost: that of People, and O(n).
func (s *Study) Once(ctx context.Context, t *table.Table, j int) (*table.Table, []int32, error) {
	if s.People == nil {
		return t, nil, nil
	}
	type one struct {
		class, person int32
		value         uint64
	}
	c, seen := t.Column(j), map[one]bool{}
	have, again := slices.Clone(s.People), []int{}
	for i, class := range s.Of {
		if c.MissingAt(i) {
			have[i] = -1
			continue
		}
		o := one{class: class, person: s.People[i]}
		if c.Kind == table.Numeric {
			o.value = math.Float64bits(c.Num[i] + 0) // -0 is 0
		} else {
			o.value = uint64(c.Cat[i])
		}
		if seen[o] {
			again = append(again, i)
		}
		seen[o] = true
	}
	people, err := s.Classes.People(ctx, 0, have)
	if err != nil {
		return nil, nil, err
	}
	t, err = t.WithColumn(j, c.Blank(again))
	return t, people, err
}
