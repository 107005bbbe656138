package desk

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/study/judge"
	"github.com/dither-data/dither/table"
)

// recurs finds out whether the same people are in other releases, by the request, the policy or the plan, and refuses a
// release that no other could be like.
func (l *loaded) recurs() (bool, error) {
	q, applied := l.q, l.how != nil && l.how.file.Recurs != ""
	if !l.t.Policy.Recur && !applied {
		return false, nil
	}
	switch {
	case l.by.seen != nil:
		return true, usage(errors.New("a choice takes no account of people who recur (recur): leave it out of the policy, " +
			"choose, and protect with what was chosen and --recur"))
	case judge.Named(l.t.Table, table.Person) == "":
		return true, usage(errors.New("people recur (recur), but no column identifies them: name it with --role " +
			"COLUMN=person, or in the policy"))
	case q.SeedFile == "" && l.t.Policy.Seed == "":
		return true, usage(errors.New("people recur (recur), so the next release needs the seed of this one: name it with " +
			"--seed-file FILE, and keep it"))
	case q.Plan == "" && q.PlanOut == "":
		return true, usage(errors.New("people recur (recur), so the next release needs the plan of this one: keep it with " +
			"--plan-out FILE, and give it next time with --plan FILE"))
	}
	if _, err := os.Stat(q.SeedFile); q.SeedFile != "" && applied && errors.Is(err, fs.ErrNotExist) {
		return true, fmt.Errorf("%s: people recur, but the seed of this plan's releases does not exist: without it "+
			"their noise would be redrawn", q.SeedFile)
	}
	return true, nil
}

// averages says which columns a technique draws anew in every release of people who recur; empty for none. The default
// technique does so, and nobody asked for it.
func (s *settled) averages(p *study.Protected) message.Sentence {
	if !s.r.Recur {
		return message.Sentence{}
	}
	_, met, _ := protect.Recurring(p.Plan)
	if len(met) == 0 {
		return message.Sentence{}
	}
	technique := message.Text(s.r.Method.Name)
	if s.q.Plan == "" && s.t.Policy.Technique() == "" {
		technique = message.Say("told.averages.unnamed").Part("technique", technique)
	}
	return message.Say("told.averages.anew").Part("technique", technique).Listed("columns", met)
}

// sameSeed refuses another seed than that of the releases by the plan before.
func (l *loaded) sameSeed(seed rng.Seed) error {
	if l.how == nil || l.how.file.Recurs == "" || l.how.file.Recurs == rng.Commitment(seed) {
		return nil
	}
	return fmt.Errorf("%s: people recur, but this is not the seed of this plan's releases: their noise would be "+
		"redrawn", cmp.Or(l.q.SeedFile, "seed "+string(l.t.Policy.Seed)))
}
