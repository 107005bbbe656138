package protecttest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/dither-data/dither/internal/executor"
	"github.com/dither-data/dither/internal/system/mmap"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// shards checks a technique that is fitted to tables larger than the memory: plan and release of a table in a space, in
// chunks of several sizes, are those of one on the heap, and what they take of the heap does not grow with the records.
func (s *suite) shards() error {
	if err := s.leaves(); err != nil || s.m.Shards == "" {
		return err
	}
	if err := tabletest.Within(0, s.alike); err != nil { // with nothing allowed, pages are given back all the time
		return err
	}
	if !long.Enabled() { // nothing else takes as long
		return nil
	}
	return tabletest.Within(1<<40, s.bounded)
}

// alike compares plans and releases.
func (s *suite) alike(in *mmap.Space) error {
	here := s.mixed(long.Of(2_000, 20_000))
	there, err := tabletest.Into(in, here)
	if err != nil {
		return err
	}
	var plans [2][]byte
	var fitted [2]protect.Plan
	for k, t := range []*table.Table{here, there} {
		if fitted[k], err = s.fit(context.Background(), t, 1, s.few()); err != nil {
			return err
		}
		if plans[k], err = json.Marshal(fitted[k]); err != nil {
			return err
		}
	}
	if !bytes.Equal(plans[0], plans[1]) {
		return errors.New("the plan of a table larger than the memory is another")
	}
	want, err := apply(fitted[0], here, 1)
	if err != nil {
		return err
	}
	options := []protect.Options{{Chunk: 999, Workers: 3}, {}, {Chunk: 7000, Workers: 1}, {Chunk: 1 << 20}}
	for _, opt := range options[:long.Of(1, len(options))] {
		out, err := executor.Run(context.Background(), fitted[1], there, Seed(1).Fork("apply"), opt)
		if err == nil {
			err = equal(want, out)
		}
		if err == nil && len(out.Astray()) > 0 {
			err = fmt.Errorf("columns %v are on the heap", out.Astray())
		}
		if err != nil {
			return fmt.Errorf("a table larger than the memory, chunks of %d: %w", opt.Chunk, err)
		}
	}
	return nil
}

// few are parameters by which trees are grown on few of the records.
func (s *suite) few() map[string]string {
	if s.m.New().Params().Has("fitRows") {
		return map[string]string{"fitRows": "2000"}
	}
	return nil
}

// manyRows are so many that a byte for each of them is more than nearly anything else that is allocated at once, in 128
// chunks.
const manyRows = 1 << 17

// bounded checks that nothing on the heap is as long as the table: no allocation at once, and nothing that is kept from
// chunk to chunk. What is may be of a fixed size: then it is shorter than a table of more records. Neither depends on
// when garbage is collected.
func (s *suite) bounded(in *mmap.Space) error {
	rows := manyRows
	h, err := s.taken(in, rows)
	if err == nil && h.exceeds(rows) {
		rows *= 3
		h, err = s.taken(in, rows)
	}
	switch {
	case err != nil:
		return err
	case h.most >= int64(rows):
		return fmt.Errorf("%stakes %d bytes of the heap for %d records that are larger than the memory", h.where, h.most,
			rows)
	case h.exceeds(rows):
		return fmt.Errorf("%d bytes of the heap are kept for %d records that are larger than the memory", h.kept, rows)
	}
	return nil
}

// heap is what a technique takes of the heap: the largest allocation and where it is made, and what is kept from chunk
// to chunk.
type heap struct {
	where string
	most  int64
	kept  uint64
}

func (h heap) exceeds(rows int) bool { return h.most >= int64(rows) || h.kept >= 2*uint64(rows) }

// taken is what fitting to so many records and releasing them takes.
func (s *suite) taken(in *mmap.Space, rows int) (h heap, err error) {
	t, err := tabletest.Into(in, s.mixed(rows))
	if err != nil {
		return h, err
	}
	h.where, h.most = tabletest.Largest(func() {
		var p protect.Plan
		if p, err = s.fit(context.Background(), t, 1, s.few()); err != nil {
			return
		}
		before := tabletest.Live()
		progress := func(done, total int) {
			if done == total || done%50 == 0 {
				now := tabletest.Live()
				h.kept = max(h.kept, now-min(before, now))
			}
		}
		_, err = executor.Run(context.Background(), p, t, Seed(1).Fork("apply"),
			protect.Options{Chunk: rows / 128, Workers: 1, Progress: progress})
	})
	return h, err
}

// leaves checks of plans that gather the records of leaves that their groups are those of these leaves, and that
// nothing of a record is read but what they say.
func (s *suite) leaves() error {
	a, err := s.plan()
	if err != nil {
		return err
	}
	for _, p := range append(separable(a.p), a.p) {
		with, columns, ok := protect.Gathers(p)
		if !ok {
			continue
		}
		l, leaf := p.(protect.LeafPlan), make([]int32, a.t.Rows())
		l.Segmentation().Trees[0].Route(a.t, leaf)
		groups, err := p.(protect.Grouper).Group(a.t)
		if err != nil {
			return err
		}
		number := make([]int32, len(leaf))
		group, back := map[int32]int32{}, map[int32]int32{}
		tree.Number(groups, number)
		for i, k := range number {
			w := with[leaf[i]]
			if g, ok := group[w]; ok && g != k {
				return errors.New("records of leaves that meet are not of one group")
			}
			if v, ok := back[k]; ok && v != w {
				return errors.New("records of one group are of leaves that do not meet")
			}
			group[w], back[k] = k, w
		}
		want, err := l.ApplyLeaves(a.t, leaf, Seed(2))
		if err != nil {
			return err
		}
		other, all := a.t.Columns(), make([]int, a.t.Rows())
		for i := range all {
			all[i] = i
		}
		for j := range other {
			if c := &other[j]; !slices.Contains(columns, c.Name) {
				*c = c.Blank(all)
			}
		}
		t, err := a.t.WithColumns(other)
		if err != nil {
			return err
		}
		got, err := l.ApplyLeaves(t, leaf, Seed(2))
		if err != nil {
			return err
		}
		for _, name := range p.Changes() {
			j := a.t.Find(name)
			x, y := want.Column(j), got.Column(j)
			if !x.Equal(&y) {
				return fmt.Errorf("column %q depends on more than the leaf and %q", name, columns)
			}
		}
	}
	return nil
}
