package classes

import (
	"context"
	"math"
	"slices"

	"github.com/dither-data/dither/table"
)

// People returns by class how many people the records are of that an intruder may take for one of the class: those of the class and of the classes
// compatible with it. Number is the table, among those of the classes, and of says by record whose it is; a record of a negative one is not counted.
// Cost: O(n log n), and a step for every person of every pair of compatible classes.
func (c *Classes) People(ctx context.Context, number int, of []int32) ([]int32, error) {
	start := make([]int32, c.Len()+1)
	for i, class := range c.Of[number] {
		if of[i] >= 0 {
			start[class+1]++
		}
	}
	for class := range c.Len() {
		start[class+1] += start[class]
	}
	next, people := slices.Clone(start), make([]int32, start[c.Len()])
	for i, class := range c.Of[number] {
		if of[i] >= 0 {
			people[next[class]] = of[i]
			next[class]++
		}
	}
	out := make([]int32, c.Len())
	err := c.Each(ctx, func() func(int32, []int32) {
		var all []int32
		return func(class int32, near []int32) {
			all = all[:0]
			for _, k := range near {
				all = append(all, people[start[k]:start[k+1]]...)
			}
			slices.Sort(all)
			out[class] = int32(len(slices.Compact(all)))
		}
	})
	return out, err
}

// Once returns the table with each value of a column once for a person in a class, the others missing, and by class how many people have one there. The table
// is the released one of the study; it is returned as it is, without numbers of people, where every record is a person's. Cost: that of People, and O(n).
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
