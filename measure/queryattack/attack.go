package queryattack

import (
	"context"
	"encoding/binary"
	"math/rand/v2"
	"slices"

	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// attack is both tables as queries see them.
type attack struct {
	release       *measure.Release
	known         []intruder.Known
	codings       []coding // by known column
	before, after *Index
	secrets       []secret
	// by record: whose it is; nil where every record is a person's, or that is not known of the release
	people []int32
}

// attack prepares a release for an intruder.
func (m *Meter) attack(r *measure.Release, view *intruder.View) *attack {
	a := &attack{release: r, known: view.Known}
	if r.Paired {
		a.people, _ = r.People()
	}
	var sizes []int
	var was, is [][]int32
	for k := range a.known {
		j := a.known[k].Column
		c := m.knownCoding(r, &a.known[k])
		a.codings = append(a.codings, c)
		sizes = append(sizes, c.size)
		was, is = append(was, c.codes(r.Original.Column(j))), append(is, c.codes(r.Released.Column(j)))
	}
	a.before = NewIndex(r.Original.Rows(), was, sizes, m.Missing == Wildcard)
	a.after = NewIndex(r.Released.Rows(), is, sizes, m.Missing == Wildcard)
	for _, j := range view.Secret {
		a.secrets = append(a.secrets, m.secret(r, j))
	}
	return a
}

// list is the queries of an attack.
type list struct {
	queries  []Query
	about    []int // row of the original that the query was drawn for
	complete bool  // the stop rule ended it, not the number of queries
}

// draw lists random queries, each once: about a random person, of a random number of the known columns that the person
// has a value in.
func (m *Meter) draw(ctx context.Context, a *attack, src rng.Source) (*list, error) {
	l := &list{}
	rows := a.release.Original.Rows()
	columns := make([]table.Column, len(a.known))
	for k := range a.known {
		columns[k] = a.release.Original.Column(a.known[k].Column)
	}
	seen := map[string]bool{}
	var key []byte
	order := make([]int, len(a.known))
	people, r := a.release.Original.Order(src.Fork("people")), src.Fork("queries").Rand()
	for tries := 0; len(l.queries) < m.Queries && rows > 0; {
		if l.complete = tries == m.Tries; l.complete || ctx.Err() != nil {
			return l, ctx.Err()
		}
		tries++
		row := people[r.IntN(rows)]
		q := a.about(columns, row, order, r)
		if key = q.key(key[:0]); len(q) == 0 || seen[string(key)] {
			continue
		}
		seen[string(key)] = true
		l.queries, l.about = append(l.queries, q), append(l.about, row)
		tries = 0
	}
	return l, ctx.Err()
}

// about draws a query about the person in a row; an empty one when the person has no value in a known column.
func (a *attack) about(columns []table.Column, row int, order []int, r *rand.Rand) Query {
	order = order[:0]
	for k := range columns {
		if _, _, ok := a.codings[k].condition(columns[k], &a.known[k], row); ok {
			order = append(order, k)
		}
	}
	if len(order) == 0 {
		return nil
	}
	r.Shuffle(len(order), func(i, k int) { order[i], order[k] = order[k], order[i] })
	order = order[:1+r.IntN(len(order))]
	slices.Sort(order)
	q := make(Query, len(order))
	for i, k := range order {
		lo, hi, _ := a.codings[k].condition(columns[k], &a.known[k], row)
		q[i] = Condition{k, lo, hi}
	}
	return q
}

// key appends what tells a query from others.
func (q Query) key(dst []byte) []byte {
	for _, c := range q {
		dst = binary.AppendUvarint(dst, uint64(c.Column))
		dst = binary.AppendVarint(dst, int64(c.Lo))
		dst = binary.AppendVarint(dst, int64(c.Hi))
	}
	return dst
}
