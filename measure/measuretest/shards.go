package measuretest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"

	"github.com/dither-data/dither/internal/system/mmap"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table/tabletest"
)

// shards checks a measure that is taken of tables larger than the memory: it has the figure, with all that goes with
// it, of tables on the heap, and nothing that it takes of the heap is as long as the tables.
func shards(s *suite) error {
	if s.Shards == "" {
		return nil
	}
	all := []struct {
		rows   int
		budget int64
		check  func(*suite, *mmap.Space, int) error
	}{{977, 0, sameFigure}, {20_000, 0, sameFigure}, {70_001, 1 << 20, sameFigure}, {manyRows, 1 << 40, bounded}}
	for _, c := range all[:long.Of(1, len(all))] {
		// with nothing allowed, pages are given back all the time
		if err := tabletest.Within(c.budget, func(in *mmap.Space) error { return c.check(s, in, c.rows) }); err != nil {
			return fmt.Errorf("%d records: %w", c.rows, err)
		}
	}
	return nil
}

// many is a paired release of so many records, and the parameters to take the measure with.
func (s *suite) many(rows int, missing bool, in *mmap.Space) (*measure.Release, map[string]string, error) {
	t := people(rows, missing)
	r := &measure.Release{Original: t, Released: exchange(t), Paired: true}
	set := maps.Clone(s.set)
	if s.larger != nil {
		set = s.larger(r)
	}
	var err error
	if in != nil {
		if r.Original, err = tabletest.Into(in, r.Original); err != nil {
			return nil, nil, err
		}
		r.Released, err = tabletest.Into(in, r.Released)
	}
	return r, set, err
}

// take takes the measure and writes all of its value.
func (s *suite) take(r *measure.Release, set map[string]string) ([]byte, error) {
	m := s.New()
	if err := m.Params().Apply(set); err != nil {
		return nil, err
	}
	v, err := m.Measure(context.Background(), r, rng.New([32]byte{1}))
	if err != nil {
		return nil, err
	}
	return json.Marshal(v)
}

// sameFigure compares the values.
func sameFigure(s *suite, in *mmap.Space, rows int) error {
	for _, missing := range []bool{false, true} {
		var values [2][]byte
		for k, in := range []*mmap.Space{nil, in} {
			r, set, err := s.many(rows, missing, in)
			if err != nil {
				return err
			}
			if values[k], err = s.take(r, set); err != nil {
				return err
			}
		}
		if !bytes.Equal(values[0], values[1]) {
			return fmt.Errorf("missing values %v: %s larger than the memory, and %s in memory", missing, values[1], values[0])
		}
	}
	return nil
}

// manyRows are so many that a byte for each of them is more than nearly anything else that is allocated at once.
const manyRows = 1 << 19

// bounded checks that no allocation on the heap is as long as the tables. One that is may be of a fixed size: then it
// is shorter than tables of more records.
func bounded(s *suite, in *mmap.Space, rows int) error {
	where, most, err := s.largest(in, rows)
	if err == nil && most >= int64(rows) {
		rows *= 4
		where, most, err = s.largest(in, rows)
	}
	if err == nil && most >= int64(rows) {
		err = fmt.Errorf("%stakes %d bytes of the heap for records that are larger than the memory", where, most)
	}
	return err
}

// largest is the largest allocation that the measure of so many records makes on the heap, and where.
func (s *suite) largest(in *mmap.Space, rows int) (where string, most int64, err error) {
	r, set, err := s.many(rows, true, in)
	if err != nil {
		return "", 0, err
	}
	where, most = tabletest.Largest(func() { _, err = s.take(r, set) })
	return where, most, err
}
