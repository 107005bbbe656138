package desk

import (
	"fmt"

	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/table"
)

// pairs is what is known of who is who in a release.
type pairs struct {
	known bool  // the plan holds it for this very release
	rows  []int // of the original's file, by the row of the release's
	have  []int // the rows of the original table that are in the release, ascending
	sole  bool  // the release has some of them only

	stranger message.Sentence // in what the plan is one of other files; it says nothing where it is not, or does not tell
}

// kept is who is who by a plan. It is known when the plan was written with this very release of this very original
// and the request does not say that rows are not to be paired.
func (l *opened) kept(how *plan, released study.File) (p pairs, err error) {
	if how == nil || how.file.Pairing == nil {
		return p, nil
	}
	if p.stranger = how.stranger(l.t.File, released); !p.stranger.Empty() {
		l.d.note(p.stranger)
		return p, nil
	}
	if l.unpaired() {
		return p, nil
	}
	p.rows, err = how.file.Pairing.Rows()
	p.known = err == nil
	return p, err
}

// byKey is who is who by a column that both files hold.
func (l *opened) byKey(released *table.Table) (known bool, rows []int, err error) {
	if rows, err = study.ByKey(l.t.Table, released, l.q.Key); err != nil {
		return false, nil, &Usage{Field: "key", Value: l.q.Key, Err: err}
	}
	return true, rows, nil
}

// stranger says of a plan that was written with another release or another original that it was, and nothing of one
// that was not, or that does not tell. Such a plan is no error, for a plan may be applied again, to other tables too:
// only who is who is not known. But one that has nothing to do with the release has another law, by which the release
// looks safer or less safe than it is.
func (p *plan) stranger(original, released study.File) message.Sentence {
	if p == nil || p.file.Pairing == nil {
		return message.Sentence{}
	}
	switch own := p.file.Pairing; {
	case own.Release != released.SHA256:
		return message.Say("told.stranger.release").Name("file", released.Name)
	case own.Original != original.SHA256:
		return message.Say("told.stranger.original").Name("file", original.Name)
	}
	return message.Sentence{}
}

// order decides whether row i of the release is taken for row i of the original: by what the request says, by the
// columns that the plan leaves alone, and last by whether the rows look like it. Rows of a release in another
// order are not compared: everybody would look safe.
func (l *opened) order(r *measure.Release) (paired bool, err error) {
	rows, released := count(r.Original.Rows()), count(r.Released.Rows())
	switch {
	case r.Paired:
		return !l.unpaired() && (l.q.Paired || l.d.inOrder(r, l.how)), nil
	case l.q.Paired:
		return false, &Usage{Field: "paired", Err: fmt.Errorf("the tables differ in length (%s and %s), so their rows are "+
			"not in the same order", rows, released)}
	}
	l.d.note(message.Say("told.pairs.lengths").Count("rows", r.Original.Rows()).Count("released", r.Released.Rows()))
	return false, nil
}

// inOrder reports whether rows of tables of one length, of which the request says nothing, are those of the same
// people.
func (d *Desk) inOrder(r *measure.Release, how *plan) bool {
	if how != nil {
		if how.file.Shuffled && how.file.Pairing == nil {
			d.remark(Note{message.Say("told.pairs.unsaid"), "paired"})
			return false
		}
		names, reordered := study.Strays(r, how.Plan, how.file.Imputed != nil)
		switch {
		case len(names) == 0:
		case reordered:
			d.note(message.Say("told.pairs.reordered").Listed("columns", names))
			return false
		default:
			d.note(message.Say("told.pairs.others").Listed("columns", names))
		}
	}
	if !study.LooksPaired(r.Original, r.Released) {
		d.remark(Note{message.Say("told.pairs.random"), "pairing"})
		return false
	}
	if how == nil {
		d.remark(Note{message.Say("told.pairs.inOrder"), "unpaired"})
	}
	return true
}

// match tells the release whose records it has where it has some only.
func (p *pairs) match(r *measure.Release) {
	if p.sole {
		r.Matched = r.Original.Gather(p.have)
	}
}

// pairing is who is who in what was written.
func pairing(made *study.Protected, original, released study.File) *protect.Pairing {
	rows := make([]int, made.Output.Rows())
	for i := range rows {
		rows[i] = int(made.Output.ID(i))
	}
	return protect.NewPairing(released.SHA256, original.SHA256, rows)
}
