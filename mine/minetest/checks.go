package minetest

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"reflect"
	"runtime"
	"slices"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/mine"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/param/paramtest"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/segment"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

func filled(s *suite) error {
	if s.New == nil {
		return errors.New("the miner has no New")
	}
	return s.Card.Check()
}

// parameters checks that every parameter refuses what it should and that the set refuses unknown names.
func parameters(s *suite) error {
	set := s.New().Params()
	if err := set.Apply(map[string]string{"no such parameter": "1"}); err == nil {
		return errors.New("an unknown parameter is taken")
	}
	for _, p := range set {
		if p.Help == "" {
			return fmt.Errorf("parameter %q has no help", p.Name)
		}
		for _, bad := range badValues(p.Type, p.Min, p.Max) {
			if err := s.New().Params().Apply(map[string]string{p.Name: bad}); err == nil {
				return fmt.Errorf("parameter %q takes %q", p.Name, bad)
			}
		}
	}
	return paramtest.Refused(s.New, func(l mine.Learner) error {
		_, err := mine.Fit(context.Background(), l, tabletest.Must(tabletest.Baskets("basket", 1)), rng.Source{})
		return err
	})
}

func badValues(kind param.Type, lo, hi *float64) []string {
	if kind == param.TypeNames {
		return nil
	}
	bad := []string{"", "?!"}
	if lo != nil {
		bad = append(bad, fmt.Sprintf("%.0f", *lo-1), "NaN")
	}
	if hi != nil {
		bad = append(bad, fmt.Sprintf("%.0f", *hi+1))
	}
	return bad
}

// fingerprint hashes all values and identities of a table.
func fingerprint(t *table.Table) uint64 {
	h := fnv.New64a()
	word := func(v uint64) { _ = binary.Write(h, binary.LittleEndian, v) }
	for i := range t.Rows() {
		word(uint64(t.ID(i)))
	}
	for j := range t.Width() {
		c := t.Column(j)
		c.Hash(h)
	}
	return h.Sum64()
}

func untouched(s *suite) error {
	t := Mixed(400, 0.1)
	was := fingerprint(t)
	m, err := s.fit(context.Background(), t)
	if err != nil {
		return err
	}
	show(m, t)
	if fingerprint(t) != was {
		return errors.New("the table is written to")
	}
	return nil
}

// shown is what a model says of a table.
type shown struct {
	Classes  []int32
	Routes   []int32
	Segments []segment.Segment
	Division *division
	Similar  []mine.Alike
}

func show(m mine.Model, t *table.Table) (out shown) {
	if c, ok := m.(mine.Classifier); ok {
		out.Classes = make([]int32, t.Rows())
		c.Predict(t, out.Classes)
	}
	if g, ok := m.(mine.Segmenter); ok {
		out.Routes = make([]int32, t.Rows())
		g.Route(t, out.Routes)
		out.Segments = g.Segments()
	}
	if c, ok := m.(mine.Clusterer); ok {
		out.Division = divide(c, t)
	}
	if v, ok := m.(mine.ValueClusterer); ok {
		out.Similar = v.Similar()
	}
	return out
}

func deterministic(s *suite) error {
	procs := runtime.GOMAXPROCS(0)
	defer runtime.GOMAXPROCS(procs)
	for _, missing := range []float64{0.1, 0}[:long.Of(1, 2)] {
		t := Mixed(3000, missing)
		var first mine.Model
		for _, n := range []int{1, 2, 2}[:long.Of(2, 3)] {
			runtime.GOMAXPROCS(n)
			m, err := s.fit(context.Background(), t)
			if err != nil {
				return err
			}
			if first == nil {
				first = m
			}
			if !reflect.DeepEqual(show(first, t), show(m, t)) {
				return fmt.Errorf("the model of a second run on %d cores differs", n)
			}
		}
	}
	return nil
}

func cancellable(s *suite) error {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := s.fit(ctx, Mixed(400, 0)); !errors.Is(err, context.Canceled) {
		return fmt.Errorf("with a cancelled context fit gives error %v, expected %v", err, context.Canceled)
	}
	return nil
}

func predictions(s *suite) error {
	for _, t := range []*table.Table{Mixed(400, 0), Mixed(400, 0.3)} {
		m, err := s.fit(context.Background(), t)
		if err != nil {
			return err
		}
		labels := int32(len(t.Attr(t.WithRole(table.Class)).Labels))
		for i, c := range show(m, t).Classes {
			if c < 0 || c >= labels {
				return fmt.Errorf("record %d is predicted class %d of %d", i, c, labels)
			}
		}
	}
	return nil
}

// segments checks that routes are segment numbers and that a segment holds the known values of its records.
func segments(s *suite) error {
	for _, t := range []*table.Table{Mixed(400, 0), Mixed(400, 0.3)} {
		m, err := s.fit(context.Background(), t)
		if err != nil {
			return err
		}
		out := show(m, t)
		for i, k := range out.Routes {
			if k < 0 || int(k) >= len(out.Segments) {
				return fmt.Errorf("record %d is in segment %d of %d", i, k, len(out.Segments))
			}
			if t.Attr(0).Role&table.Identifier != 0 && out.Segments[k].Influential(0) {
				return fmt.Errorf("segment %d constrains an identifier", k)
			}
			if j := outside(t, i, &out.Segments[k]); j >= 0 && complete(t, i) {
				return fmt.Errorf("record %d is outside its segment %d in column %q", i, k, t.Attr(j).Name)
			}
		}
	}
	return nil
}

// complete reports whether a record has no missing value.
func complete(t *table.Table, i int) bool {
	for j := range t.Width() {
		if t.MissingAt(i, j) {
			return false
		}
	}
	return true
}

// outside returns a column in which a record is outside a segment, -1 when there is none.
func outside(t *table.Table, i int, s *segment.Segment) int {
	for j := range t.Width() {
		if iv, ok := s.Num[j]; ok && !iv.Contains(t.Num(j)[i]) {
			return j
		}
		if codes, ok := s.Cat[j]; ok && !slices.Contains(codes, t.Cat(j)[i]) {
			return j
		}
	}
	return -1
}

// odd fits on odd tables: a model must work on the table it was fitted on.
func odd(s *suite) (err error) {
	for name, t := range oddTables() {
		func() {
			defer func() {
				if p := recover(); p != nil {
					err = fmt.Errorf("%s: panic: %v", name, p)
				}
			}()
			if m, fault := s.fit(context.Background(), t); fault == nil {
				show(m, t)
			}
		}()
	}
	return err
}
