package minetest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"

	"github.com/dither-data/dither/internal/system/mmap"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/mine"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// Up to few records every setting is compared, and from many on those that Large gives.
const few, many = 10_000, 20_000

// Large gives parameters, in the place of others, for the tables of many records on which a miner of tables larger than
// the memory is tried.
func Large(values map[string]string) Option { return func(s *suite) { s.large = values } }

// shards checks a miner of tables larger than the memory: its model is that of the table on the heap, and so are the
// itemsets that it finds and their order; nothing that it takes of the heap is as long as the table.
func shards(s *suite) error {
	if s.Shards == "" {
		return nil
	}
	all := []struct {
		rows   int
		budget int64
		check  func(*suite, *mmap.Space, int) error
	}{{long.Of(977, 2_977), 0, sameModel}, {20_000, 0, sameModel}, {70_001, 1 << 20, sameModel},
		{manyRows, 1 << 40, bounded}}
	for _, c := range all[:long.Of(1, len(all))] {
		// with nothing allowed, pages are given back all the time
		if err := tabletest.Within(c.budget, func(in *mmap.Space) error { return c.check(s, in, c.rows) }); err != nil {
			return fmt.Errorf("%d records: %w", c.rows, err)
		}
	}
	return nil
}

// records are tables of so many records: one with values missing and, where the miner reads them, a column of sets; and
// a complete one where the records are few.
func (s *suite) records(rows int) []*table.Table {
	t := Mixed(rows, 0.1).Select(1, 2, 3, 4, 5, 6, 7) // names take memory for every record
	if s.sets {
		t = tabletest.Insert(t, 1, tabletest.Baskets("basket", rows))
	}
	if rows > few {
		return []*table.Table{t}
	}
	return []*table.Table{t, Mixed(rows, 0)}
}

// larger returns a learner for a table of so many records.
func (s *suite) larger(rows int, set map[string]string) (mine.Learner, error) {
	all := map[string]string{}
	maps.Copy(all, s.set)
	if rows >= many {
		maps.Copy(all, s.large)
	}
	maps.Copy(all, set)
	l := s.New()
	return l, l.Params().Apply(all)
}

// kinds are the settings in which a miner is compared: the suite's own and, of a table of few records, every choice
// that it has.
func (s *suite) kinds(rows int) (out []map[string]string) {
	for _, p := range s.New().Params() {
		if rows > few {
			break
		}
		for _, c := range p.Choices {
			out = append(out, map[string]string{p.Name: c})
		}
	}
	return append(out, nil)
}

// found is a model with what it says of its table.
type found struct {
	Model []byte
	Shown shown
	Sets  []string // itemsets with their counts, in their order
}

// find fits a learner.
func find(l mine.Learner, t *table.Table) (f found, err error) {
	m, err := l.Fit(context.Background(), t, rng.New([32]byte{1}).Fork("fit"))
	if err != nil {
		return f, err
	}
	if f.Model, err = json.Marshal(m); err != nil {
		return f, err
	}
	f.Shown = show(m, t)
	p, ok := l.(mine.PatternLearner)
	if !ok {
		return f, nil
	}
	sets, err := p.Patterns(t)
	if err != nil {
		return f, err
	}
	_, err = sets.Each(context.Background(), func(items []int32, count int) bool {
		f.Sets = append(f.Sets, fmt.Sprint(items, count))
		return true
	})
	return f, err
}

// sameModel compares what is found.
func sameModel(s *suite, in *mmap.Space, rows int) error {
	for _, t := range s.records(rows) {
		there, err := tabletest.Into(in, t)
		if err != nil {
			return err
		}
		for _, set := range s.kinds(rows) {
			l, err := s.larger(rows, set)
			if err != nil {
				return err
			}
			want, err := find(l, t)
			if err != nil {
				return err
			}
			got, err := find(l, there)
			switch {
			case err != nil:
				return fmt.Errorf("larger than the memory: %w", err)
			case !bytes.Equal(got.Model, want.Model):
				return fmt.Errorf("%v: the model is %.200s larger than the memory, and %.200s in memory", set, got.Model,
					want.Model)
			case !reflect.DeepEqual(got.Shown, want.Shown):
				return fmt.Errorf("%v: the model says something else of a table larger than the memory", set)
			case !slices.Equal(got.Sets, want.Sets):
				return fmt.Errorf("%v: %d itemsets larger than the memory, and %d in memory, or in another order", set,
					len(got.Sets), len(want.Sets))
			}
		}
	}
	return nil
}

// manyRows are so many that a byte for each of them is more than most else that is allocated at once.
const manyRows = 1 << 17

// bounded checks that no allocation on the heap is as long as the table. One that is may be of a fixed size: then it is
// shorter than a table of more records.
func bounded(s *suite, in *mmap.Space, rows int) error {
	var where string
	var most int64
	for _, times := range []int{1, 4, 12} {
		n, err := times*rows, error(nil)
		if where, most, err = s.largest(in, n); err != nil || most < int64(n) {
			return err
		}
	}
	return fmt.Errorf("%stakes %d bytes of the heap for records that are larger than the memory", where, most)
}

// largest is the largest allocation that fitting to so many records makes on the heap, and where.
func (s *suite) largest(in *mmap.Space, rows int) (where string, most int64, err error) {
	t, err := tabletest.Into(in, s.records(rows)[0])
	if err != nil {
		return "", 0, err
	}
	l, err := s.larger(rows, nil)
	if err != nil {
		return "", 0, err
	}
	where, most = tabletest.Largest(func() { _, err = l.Fit(context.Background(), t, rng.New([32]byte{1})) })
	return where, most, err
}
