package protecttest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"

	"github.com/dither-data/dither/internal/executor"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// recurs releases a table and then another in which people were removed, in another order, with other identities, in
// other chunks and by a plan that went through JSON: what can be memoised is released alike, and is not where the plan
// differs from the one before in nothing but the seed.
func (s *suite) recurs() error {
	a, err := s.plan()
	if err != nil || protect.Synthetic(a.p) { // whose records are nobody's
		return err
	}
	kept, _, lack := protect.Recurring(a.p)
	if len(kept) == 0 || len(lack) > 0 {
		_, _, err := executor.Recurring(context.Background(), a.p, a.t, recurring(a.t, 1), Seed(2), protect.Options{})
		if recodes := len(kept)+len(lack) == 0 && err == nil; !recodes && err == nil {
			return errors.New("draws that cannot be kept are not refused")
		}
		return nil
	}
	data, err := json.Marshal(a.p)
	if err != nil {
		return err
	}
	back := s.m.Plan()
	if err := json.Unmarshal(data, back); err != nil {
		return err
	}
	if again, err := json.Marshal(back); err != nil || !bytes.Equal(data, again) {
		return fmt.Errorf("a plan that was read is written in other bytes (%v)", err)
	}
	release := func(p protect.Plan, t *table.Table, seed byte, opt protect.Options) (*table.Table, error) {
		out, _, err := executor.Recurring(context.Background(), p, t, recurring(t, seed), Seed(seed+10), opt)
		return out, err
	}
	first, err := release(a.p, a.t, 1, protect.Options{Chunk: 64, Workers: 2})
	if err != nil {
		return err
	}
	rows := rand.New(rand.NewPCG(5, 6)).Perm(a.t.Rows())
	rows = rows[:len(rows)*2/3]
	next, err := release(back, a.t.Gather(rows), 1, protect.Options{Chunk: 50, Workers: 1})
	if err != nil {
		return err
	}
	other, err := release(a.p, a.t, 2, protect.Options{})
	if err != nil {
		return err
	}
	differ := 0
	for _, name := range kept {
		j := first.Find(name)
		x, y, z := first.Column(j), next.Column(j), other.Column(j)
		for k, i := range rows {
			if !x.Same(i, &y, k) {
				return fmt.Errorf("column %q: a value that stayed is released as another", name)
			}
		}
		differ += x.Differ(&z)
	}
	if differ == 0 && !s.opt.Drawless {
		return errors.New("the seed changes nothing that is kept")
	}
	return nil
}

// recurring takes every record for a person, whom its identity names.
func recurring(t *table.Table, seed byte) executor.Recur {
	labels, codes := make([]string, t.Rows()), make([]int32, t.Rows())
	for i := range codes {
		labels[i], codes[i] = strconv.FormatUint(uint64(t.ID(i)), 10), int32(i)
	}
	return executor.Recur{Person: table.CatColumn("person", labels, codes), Seed: rng.New([32]byte{seed})}
}
