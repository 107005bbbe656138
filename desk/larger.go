package desk

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/dither-data/dither/catalog"
	"github.com/dither-data/dither/database/postgres"
	"github.com/dither-data/dither/format"
	"github.com/dither-data/dither/internal/system/mmap"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/mine"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/study/trial"
	"github.com/dither-data/dither/table"
)

// A table that takes more memory than the request allows has its columns in a space (package space): the same code
// reads, profiles, fits, applies, certifies and writes it, and the release is the same, byte by byte. What would take
// memory for every record besides is refused with what to do instead.

// inMemory is how many times its file a table and what is done with it take in memory at most.
const inMemory = 4

// leastMemory is how many bytes the program takes by itself, whatever the table.
const leastMemory = 100 << 20

// packed is how many times as much one takes whose file is packed.
const packed = 25

// larger returns how the source is read, with its policy, in a space where its file, with others that are read besides,
// is larger than the memory that the request allows. The context that it returns ends when the disk is full, and end
// gives everything back: no table of the request may be used after it. Where the work ended for that, end says so
// instead of the error it is told.
func (s *Source) larger(ctx context.Context, besides ...string) (
	in reader, _ context.Context, end func(error) error, err error) {
	in = reader{Source: *s}
	end = func(err error) error { return err }
	if in.pol, err = s.policy(); err != nil || s.Memory == 0 {
		return in, ctx, end, err
	}
	if s.Memory < 0 {
		return in, ctx, end, number("memory", int(s.Memory), "expected a number of bytes above 0")
	}
	size := int64(0)
	for _, path := range append([]string{s.Path}, besides...) {
		if path == "" {
			continue
		}
		if path == standardInput || postgres.Is(path) {
			return in, ctx, end, usage(
				fmt.Errorf("%s is read in memory: write it into a file first, or leave out memory", nameOf(path)),
			)
		}
		st, err := os.Stat(path)
		if err != nil {
			return in, ctx, end, nil // anyone who reads it says what is wrong with it
		}
		if size += st.Size(); format.Packs(path) {
			size += (packed - 1) * st.Size()
		}
	}
	if size <= s.Memory/inMemory {
		return in, ctx, end, nil
	}
	ctx, cancel := context.WithCancelCause(ctx)
	if in.space, err = mmap.New(os.TempDir(), s.Memory/2, cancel); err != nil {
		cancel(nil)
		return in, ctx, end, err
	}
	return in, ctx, func(err error) error {
		cause := context.Cause(ctx)
		cancel(nil)
		closed := in.space.Close()
		if errors.Is(err, context.Canceled) && cause != nil {
			err = cause
		}
		return cmp.Or(err, closed)
	}, nil
}

// small refuses of a table in a space what is asked for and takes memory for every record.
func (l *Loaded) small(s *reader) error {
	if s.whole() {
		return nil
	}
	for _, asked := range []struct {
		what string
		is   bool
	}{
		{"to leave out incomplete records (complete)", l.Policy.Complete},
		{"to merge variants of texts (merge-variants)", l.Policy.File.Merge},
		{"to make sets of items of cells, rows or columns (a file of transactions, .dat or .basket, can be mined)",
			len(l.Info.Items) > 0},
		{l.ownersIn(), l.Table.WithRole(table.Person) >= 0 || l.Table.WithRole(table.Household) >= 0},
	} {
		if asked.is {
			return s.needs(l.File.Name, asked.what)
		}
	}
	if astray := l.Table.Astray(); len(astray) > 0 {
		return s.needs(l.File.Name, "to change columns after they were read ("+strings.Join(astray, ", ")+")")
	}
	return nil
}

// ownersIn names what tells whose a record is, and how to say that a column that is taken for it does not.
func (l *Loaded) ownersIn() string {
	const what = "a column that tells whose a record is (person, household)"
	for _, role := range []table.Role{table.Person, table.Household} {
		if j := l.Table.WithRole(role); j >= 0 && !l.Roles[j].Given {
			return fmt.Sprintf("%s, as %s is taken to do because it repeats (--role %s=identifier if it does not),", what,
				l.Roles[j].Column, l.Roles[j].Column)
		}
	}
	return what
}

// setValued reports whether a table has a column of sets of items.
func setValued(t *table.Table) bool {
	return slices.ContainsFunc(t.Attrs(), func(a table.Attribute) bool { return a.Kind == table.SetValued })
}

// minable refuses of a table in a space a miner that needs all records at hand, and to learn by a law.
func (s *reader) minable(m *mine.Miner, byLaw bool) error {
	switch {
	case s.space == nil:
		return nil
	case byLaw:
		return tooLarge(nameOf(s.Path), "to learn by the noise model of a release (noise-model, plan)")
	case m.Shards != "":
		return nil
	}
	var can []string
	for _, o := range catalog.Miners() {
		if o.Shards != "" && findsPatterns(&o) == findsPatterns(m) {
			can = append(can, o.Name)
		}
	}
	return usage(fmt.Errorf("%s: %s is larger than the memory that it is given, and the miner needs all records at "+
		"hand: give more memory, mine a part of the records, or take a miner that does not (%s)",
		m.Name, nameOf(s.Path), strings.Join(can, ", ")))
}

// tooLarge is the error for what needs a table in memory.
func tooLarge(name, what string) error {
	return usage(fmt.Errorf("%s is larger than the memory that it is given, and %s takes memory for every record: leave "+
		"that out, prepare the file so that it is not needed, or give more memory", name, what))
}

// fromShards refuses of a table in a space a technique that is not fitted to one, and what else the release of one
// cannot have.
func (s *settled) fromShards() error {
	if s.in.whole() {
		return nil
	}
	for _, asked := range []struct {
		what string
		is   bool
	}{
		{"the record of the run (record)", s.q.Record != ""}, {"to blank cells (blank-lookups)", s.t.Policy.BlankLookups},
		{"people who recur (recur)", s.t.Policy.Recur},
		{"weights that are rounded (round-weights)", s.t.Policy.RoundWeights > 0},
		{"missing values that are imputed (impute)", s.r.Impute != "" || s.r.Imputed != nil},
		{"dates that are moved (dates-shift)", s.t.Policy.DatesShift != ""},
		{"thresholds of the policy", len(s.t.Policy.Thresholds) > 0},
		{"earlier releases", len(s.t.Policy.Earlier) > 0},
		{"what others shared (shared)", len(s.t.Policy.Shared) > 0},
		{"pseudonyms", len(s.r.Pseudonymise) > 0},
	} {
		if asked.is {
			return s.in.needs(s.t.File.Name, asked.what)
		}
	}
	if s.r.Method.Shards != "" || s.in.sharded != nil {
		return nil
	}
	var fitted []string
	for _, m := range catalog.Methods() {
		if m.Shards != "" {
			fitted = append(fitted, m.Name)
		}
	}
	return usage(fmt.Errorf("%s: %s is larger than the available memory, but the technique is fitted to all "+
		"records in memory: use one that is not (%s), allow more memory, or protect the table in parts",
		s.r.Method.Name, s.t.File.Name, strings.Join(fitted, ", ")))
}

// whoIsWho tells where nothing keeps whose record is whose in a release that is written.
func (j *judged) whoIsWho() {
	switch {
	case j.broken != nil || j.by.trial || j.by.sharded != nil || j.p.Synthetic:
	case j.q.PlanOut != "" && j.in.space != nil:
		j.d.note(message.Say("told.who.larger"))
	case j.q.PlanOut == "" && !j.r.KeepOrder:
		j.d.remark(Note{message.Say("told.who.nowhere"), "planout"})
	}
}

// judgedRows is how many people of a release that is larger than the memory are tried.
const judgedRows = trial.MostRecords

// part returns the part of a release that is judged: all of it or, where it is larger than the memory, some people
// drawn at random. Fewer people are easier to find, so what keeps the limits for them keeps them for all.
func (d *Desk) part(
	rel *measure.Release,
	p protect.Plan,
	seen study.Seen,
	asked bool,
	seed rng.Seed,
	o *study.Outcome,
) (*measure.Release, error) {
	n := rel.Original.Rows()
	if rel.Original.Space() == nil || n <= judgedRows || !asked {
		return rel, nil
	}
	rows := rel.Original.Drawn(judgedRows, rng.New(seed).Fork("judged"))
	part := &measure.Release{
		Original: rel.Original.Gather(rows),
		Released: rel.Released.Gather(rows),
		Paired:   true,
		Recoding: measure.Recoding{Hierarchies: rel.Hierarchies},
		Making:   measure.Making{Again: rel.Again},
		Work:     measure.NewWorkspace(),
	}
	note := message.Say("note.part").Count("judged", judgedRows).Count("records", n)
	d.note(note)
	o.Notes, o.Some = append(slices.Clip(o.Notes), note), part.Original
	if p == nil {
		return part, nil
	}
	return part, study.WithSeen(part, p, seen)
}
