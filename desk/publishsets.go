package desk

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/dither-data/dither/document"
	"github.com/dither-data/dither/internal/mining/disclosure"
	"github.com/dither-data/dither/internal/mining/itemset"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/mine"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/table"
)

// handout says that patterns are handed out in the place of a table.
type handout struct {
	publish bool   // else they stay with their owner
	people  int    // fewer people than these are few
	output  string // path of what is handed out
	law     bool   // they are estimated from a release
	kind    string // of itemsets: all, closed or maximal
}

// check refuses what cannot be together.
func (h *handout) check() error {
	switch {
	case !h.publish:
		return nil
	case h.people < 1:
		return number("minimum", h.people, "expected at least 1 person")
	case h.output == "":
		return usage(errors.New("patterns that are handed out need a file (-o)"))
	case h.law:
		return usage(errors.New("what is estimated from a release tells no more than the release: hand it out without " +
			"publish"))
	case h.kind != "" && h.kind != "all":
		return usage(fmt.Errorf("what %s itemsets tell is what all of them tell: leave the kind out", h.kind))
	}
	return nil
}

// files are those of the request: what is handed out is for others.
func (h *handout) files(reads []string, replace bool) *files {
	f := &files{reads: reads, main: h.output, replace: replace}
	if f.secret = []string{h.output}; h.publish {
		f.secret, f.shown = nil, f.secret
	}
	return f
}

// handed are the itemsets that are handed out, by length.
type handed struct {
	mine.Patterns
	sets []disclosure.Statement
}

// Each visits the sets.
func (h *handed) Each(ctx context.Context, visit itemset.Visit) (itemset.Tally, error) {
	for _, s := range h.sets {
		if visit != nil && !visit(s.Items, s.Count) {
			break
		}
	}
	return itemset.Tally(len(h.sets)), ctx.Err()
}

// Commonest returns so many of the sets, the commonest first.
func (h *handed) Commonest(ctx context.Context, most int) ([]itemset.Found, itemset.Tally, error) {
	sets := slices.Clone(h.sets)
	slices.SortStableFunc(sets, func(a, b disclosure.Statement) int { return cmp.Compare(b.Count, a.Count) })
	out := make([]itemset.Found, min(most, len(sets)))
	for k := range out {
		out[k] = itemset.Found{Items: sets[k].Items, Count: sets[k].Count}
	}
	return out, itemset.Tally(len(sets)), ctx.Err()
}

// handOut leaves the itemsets out by which counts tell of few people, which let a secret follow, or which name values
// of few people, and says so; the rest is attacked (package disclosure). What still tells of somebody comes with a
// *Broken. Cost: that of the miner, and memory for all frequent itemsets.
func (d *Desk) handOut(ctx context.Context, w io.Writer, s *searched, l *Loaded, h handout) error {
	if !h.publish {
		return nil
	}
	if l.Table.Space() != nil {
		return tooLarge(l.File.Name, "asking what patterns tell")
	}
	t, err := l.Anonymous()
	if err != nil {
		return err
	}
	told := []disclosure.Statement{{Count: s.records}}
	if _, err := s.Each(ctx, func(items []int32, count int) bool {
		told = append(told, disclosure.Statement{Items: slices.Clone(items), Count: count})
		return true
	}); err != nil {
		return err
	}
	limits := disclosure.Limits{Few: (h.people-1)*mostRecords(t) + 1, Least: s.Least()}
	limits.Column, limits.Secret = s.itemColumns(t)
	named := s.named(t, h.people)
	before := disclosure.Attack(told, limits)
	kept := disclosure.Prepare(told, limits, func(k int32) bool { return !named[k] })
	f := disclosure.Attack(kept, limits)
	state := study.Meets
	if f.Open() > 0 {
		state = study.Withheld
	}
	say := func(key string) message.Sentence { return message.Say("models." + key) }
	says := []message.Sentence{
		say("verdict").Part("state", message.Say("state."+document.State(state).Class())),
		say("sets").Count("n", len(kept)-1).Count("all", len(told)-1).Count("people", h.people),
		say("before").Count("groups", before.Open()-before.Secrets).Count("secrets", before.Secrets).
			Count("least", before.Least).Count("people", h.people),
		say("left").Count("least", f.Least),
	}
	if n := count32(named); n > 0 {
		says = append(says, say("named").Count("n", n).Count("people", h.people))
	}
	for _, line := range append(says, say("besides")) {
		if _, err := fmt.Fprintln(w, line.Whole()); err != nil {
			return err
		}
	}
	if state == study.Withheld {
		return &Broken{Verdict: "the patterns are withheld",
			Breaches: []string{say("few").Count("records", s.records).Count("people", h.people).String()}}
	}
	s.Patterns = &handed{s.Patterns, kept[1:]}
	return nil
}

func count32(is []bool) (n int) {
	for _, yes := range is {
		if yes {
			n++
		}
	}
	return n
}

// mostRecords returns how many records the person, or household, of the most has.
func mostRecords(t *table.Table) (most int) {
	of, n := t.People()
	if of == nil {
		return 1
	}
	records := make([]int, n)
	for _, u := range of {
		records[u]++
		most = max(most, records[u])
	}
	return most
}

// itemColumns says which items exclude each other, and which are a secret: values of the class, and of what is
// confidential.
func (s *searched) itemColumns(t *table.Table) (func(int32) int, func(int32) disclosure.Tells) {
	coding := s.Coding()
	names := coding.Columns()
	columns, secrets := make([]int, len(names)), make([]disclosure.Tells, len(names))
	for c, name := range names {
		a := t.Attr(t.Find(name))
		if columns[c] = c; a.Kind == table.SetValued {
			columns[c] = -1
		}
		if a.Role&(table.Class|table.Confidential) == 0 {
			continue
		}
		if secrets[c] = disclosure.Value; a.Kind == table.Categorical && len(a.Labels) == 2 {
			secrets[c] = disclosure.Either
		}
	}
	return func(item int32) int { return columns[coding.ColumnOf(item)] },
		func(item int32) disclosure.Tells { return secrets[coding.ColumnOf(item)] }
}

// named says of every item whether it names a number that few people have, as the limit of an interval.
func (s *searched) named(t *table.Table, people int) []bool {
	out := make([]bool, len(s.Items()))
	coding := s.Coding()
	saved, at, last := coding.Save(), 0, -1
	for k := range out {
		c := coding.ColumnOf(int32(k))
		if at++; c != last {
			at, last = 0, c
		}
		cuts, ends := saved[c].Cuts, []int{at - 1, at}
		if saved[c].Each {
			ends = ends[1:]
		}
		for _, e := range ends {
			if e >= 0 && e < len(cuts) {
				n := peopleWith(t, t.Find(saved[c].Name), cuts[e])
				out[k] = out[k] || n > 0 && n < people
			}
		}
	}
	return out
}

// peopleWith returns how many people have a number in a column.
func peopleWith(t *table.Table, j int, x float64) int {
	of, _ := t.People()
	seen := map[int32]bool{}
	for i, v := range t.Num(j) {
		if v == x {
			unit := int32(i)
			if of != nil {
				unit = of[i]
			}
			seen[unit] = true
		}
	}
	return len(seen)
}
