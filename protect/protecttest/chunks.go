package protecttest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"github.com/dither-data/dither/internal/executor"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/table"
)

// order applies the plan to the records in another order, and fits another one to them: it is the same, to the last
// bit.
func (s *suite) order() error {
	a, err := s.plan()
	if err != nil {
		return err
	}
	rows := rand.New(rand.NewPCG(3, 4)).Perm(a.t.Rows())
	shuffled := a.t.Gather(rows)
	if err := s.refit(a, shuffled); err != nil {
		return err
	}
	out, err := apply(a.p, shuffled, 1)
	if err != nil {
		return err
	}
	if err := equal(a.out, out); err != nil {
		return fmt.Errorf("rows in another order: %w", err)
	}
	return nil
}

// refit fits a plan to the records in another order.
func (s *suite) refit(a *planned, shuffled *table.Table) error {
	p, err := s.fit(context.Background(), shuffled, 1, nil)
	if err != nil {
		return fmt.Errorf("fit to rows in another order: %w", err)
	}
	var files [2][]byte
	for k, p := range []protect.Plan{a.p, p} {
		if files[k], err = protect.Encode(s.m.Name, s.m.New().Params().Values(), p); err != nil {
			return err
		}
	}
	if at := differ(files[0], files[1]); at >= 0 {
		return fmt.Errorf("rows in another order have another plan: %s instead of %s", excerpt(files[1], at),
			excerpt(files[0], at))
	}
	return nil
}

// differ returns the first byte that differs, -1 where none does.
func differ(a, b []byte) int {
	if bytes.Equal(a, b) {
		return -1
	}
	at := 0
	for at < min(len(a), len(b)) && a[at] == b[at] {
		at++
	}
	return at
}

// excerpt returns what a file says at a byte.
func excerpt(file []byte, at int) []byte { return file[max(0, at-80):min(len(file), at+40)] }

// chunks applies the plan, and every step of a composite, to parts of the table, split at random; the records of a
// group stay together.
func (s *suite) chunks() error {
	a, err := s.plan()
	if err != nil || protect.Synthetic(a.p) { // those of blank records are another check's
		return err
	}
	for k, p := range separable(a.p) {
		whole, err := apply(p, a.t, 1)
		if err != nil {
			return fmt.Errorf("plan %d: %w", k, err)
		}
		part, err := parts(p, a.t)
		if err != nil {
			return fmt.Errorf("plan %d: %w", k, err)
		}
		var outs []*table.Table
		for _, rows := range part {
			out, err := apply(p, a.t.Gather(rows), 1)
			if err != nil {
				return fmt.Errorf("plan %d: a chunk of %d rows: %w", k, len(rows), err)
			}
			outs = append(outs, out)
		}
		joined, err := table.Concat(outs...)
		if err != nil {
			return err
		}
		if err := equal(whole, joined); err != nil {
			return fmt.Errorf("plan %d: in chunks: %w", k, err)
		}
	}
	return nil
}

// separable returns the plan and its steps, without a composite that does not say how its steps group the records.
func separable(p protect.Plan) []protect.Plan {
	c, ok := p.(protect.Composite)
	if !ok {
		return []protect.Plan{p}
	}
	out := slices.Clone(c.Steps())
	_, grouper := p.(protect.Grouper)
	if grouper || !slices.ContainsFunc(out, func(step protect.Plan) bool { _, ok := step.(protect.Grouper); return ok }) {
		out = append(out, p)
	}
	return out
}

// parts splits the rows at random into parts that hold whole groups.
func parts(p protect.Plan, t *table.Table) ([][]int, error) {
	groups := make([]uint64, t.Rows())
	if g, ok := p.(protect.Grouper); ok {
		var err error
		if groups, err = g.Group(t); err != nil {
			return nil, err
		}
		if len(groups) != t.Rows() {
			return nil, errors.New("the plan does not name the group of every record")
		}
	} else {
		for i := range groups {
			groups[i] = uint64(i)
		}
	}
	r := rand.New(rand.NewPCG(5, 6))
	out := make([][]int, 4)
	of := make(map[uint64]int)
	for i, g := range groups {
		k, ok := of[g]
		if !ok {
			k = r.IntN(3) // the last part stays empty
			of[g] = k
		}
		out[k] = append(out[k], i)
	}
	return out, nil
}

// executor runs the plan with other chunk sizes, workers and cores, and without the executor.
func (s *suite) executor() error {
	a, err := s.plan()
	if err != nil {
		return err
	}
	t := a.t
	if protect.Synthetic(a.p) {
		if t, err = a.p.(protect.Synthesiser).Blank(Seed(1).Fork("apply")); err != nil {
			return err
		}
	}
	direct, err := a.p.Apply(t, Seed(1).Fork("apply"))
	if err != nil {
		return err
	}
	if err := equal(a.out, direct); err != nil {
		return fmt.Errorf("the plan's own Apply: %w", err)
	}
	several := []int{1, 2}
	options := []protect.Options{
		{},
		{Chunk: 7, Workers: 3},
		{Chunk: 1, Workers: 3},
		{Chunk: 7, Workers: 1},
		{Chunk: 64, Workers: 2},
		{Chunk: 499},
	}
	if testing.Short() || !long.Enabled() { // workers meet in these, of uneven numbers of records
		several, options = several[1:], options[:2]
	}
	for _, cores := range several {
		for _, opt := range options {
			old := runtime.GOMAXPROCS(cores)
			out, err := executor.Run(context.Background(), a.p, a.t, Seed(1).Fork("apply"), opt)
			runtime.GOMAXPROCS(old)
			if err == nil {
				err = equal(a.out, out)
			}
			if err != nil {
				return fmt.Errorf("chunks of %d, %d workers, %d cores: %w", opt.Chunk, opt.Workers, cores, err)
			}
		}
	}
	return nil
}
