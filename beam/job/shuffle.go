package job

import (
	"context"
	"fmt"
	"io"
	"reflect"
	"slices"

	"github.com/dither-data/dither/beam/store"
	"github.com/dither-data/dither/format"
	"github.com/dither-data/dither/internal/system/mmap"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// The records of a release come in the random order of one machine, which is that of keyed hashes of their positions
// in the whole table (table.Table.Order). It is cut into as many consecutive parts as there are shards: Apply parts the
// records of its shard, and Shuffle brings those of a part together, in order. So where a record stands tells nothing
// of where it stood, nor of which shard it was in.

// sent says what a shard sends to the parts of the release: a file for each (piece), with the rows of its records in
// the shard and their columns.
type sent struct {
	Records []int             // by part
	Attrs   []table.Attribute // of what is released, in the order of the plan's schema
}

// partFile is the name of a file of the release, one of so many, of the extension of the shards.
func partFile(part, parts int, shard string) string {
	return fmt.Sprintf("part-%05d-of-%05d%s", part+1, parts, extension(store.Base(shard)))
}

// rows is the column of what a shard sends that says which of its records it is.
var rows = table.Attribute{Kind: table.Categorical}

// order is what the random order of the release is drawn from.
func (q *Job) order(folder string, p protect.Plan) (rng.Source, error) {
	key, err := noiseKey(folder, p)
	if err != nil {
		return rng.Source{}, err
	}
	src, err := q.source()
	return src.Fork("shuffle").Fork(key), err
}

// send parts the release of a shard, whose records have their positions in the whole table.
func (q *Job) send(folder string, released *table.Table, p protect.Plan, shard int) error {
	src, err := q.order(folder, p)
	if err != nil {
		return err
	}
	of := make([][]int, len(q.Shards)) // rows by part
	for i, k := range released.Parts(len(of), src) {
		of[k] = append(of[k], i)
	}
	s := sent{Attrs: released.Attrs()}
	for k, some := range of {
		at := make([]int32, len(some))
		for n, i := range some {
			at[n] = int32(i)
		}
		cols := []table.Column{{Attribute: rows, Cat: at}}
		for j := range released.Width() {
			c := released.Column(j)
			cols = append(cols, c.Gather(some))
		}
		if err := bundle(folder, piece(releasedFile(shard), k), cols); err != nil {
			return err
		}
		s.Records = append(s.Records, len(some))
	}
	return write(folder, releasedFile(shard)+".json", s)
}

// sentBy reads what all shards send, whose releases have the same attributes.
func (m *merged) sentBy(folder string) ([]sent, []table.Attribute, error) {
	all := make([]sent, len(m.Rows))
	for k := range all {
		var err error
		if all[k], err = read[sent](folder, releasedFile(k)+".json"); err != nil {
			return nil, nil, err
		}
		if !reflect.DeepEqual(all[k].Attrs, all[0].Attrs) {
			return nil, nil, fmt.Errorf("the plan releases columns of other values from shard to shard: apply it on one machine")
		}
	}
	return all, all[0].Attrs, nil
}

// Shuffle writes a part of the release, its records in their random order, unless the release is withheld. The records
// of a part are in memory: about as many as a shard has.
func Shuffle(ctx context.Context, folder string, part int) error {
	q, m, _, p, err := planned(folder)
	if err != nil {
		return err
	}
	v, err := read[verdict](folder, verdictFile)
	if err != nil || v.Broken != nil {
		return err
	}
	src, err := q.order(folder, p)
	if err != nil {
		return err
	}
	t, err := m.part(folder, part)
	if err != nil {
		return err
	}
	t = t.Gather(t.Order(src))
	cols := make([]table.Column, len(m.Names))
	for k, name := range m.Names {
		cols[k] = t.Compact(t.Find(name))
	}
	if t, err = table.New(cols...); err != nil {
		return err
	}
	name := partFile(part, len(q.Shards), q.Shards[0])
	return putRelease(ctx, folder, name, func(w io.Writer) error {
		return format.WriteTo(ctx, w, name, t, m.Info.Like(format.Options{}))
	})
}

// part brings the records of a part of the release together, in the order of their positions in the whole table, which
// they have as identities.
func (m *merged) part(folder string, part int) (*table.Table, error) {
	all, attrs, err := m.sentBy(folder)
	if err != nil {
		return nil, err
	}
	n := 0
	for k := range all {
		n += all[k].Records[part]
	}
	cols := []table.Column{room(rows, n, nil)}
	for _, a := range attrs {
		cols = append(cols, room(a, n, nil))
	}
	ids, lo := make([]table.RecordID, n), 0
	for k := range all {
		hi := lo + all[k].Records[part]
		some := make([]table.Column, len(cols))
		for j := range cols {
			some[j] = cols[j].Slice(lo, hi)
		}
		if err := unbundle(folder, piece(releasedFile(k), part), some); err != nil {
			return nil, err
		}
		for i := lo; i < hi; i++ {
			ids[i] = table.RecordID(m.First[k] + uint64(cols[0].Cat[i]))
		}
		lo = hi
	}
	t, err := table.New(cols[1:]...)
	if err != nil {
		return nil, err
	}
	return t.Identified(ids), nil
}

// released returns the whole release in the order of the original, in a space.
func (m *merged) released(folder string, s *mmap.Space) (*table.Table, error) {
	all, attrs, err := m.sentBy(folder)
	if err != nil {
		return nil, err
	}
	total := 0
	for _, n := range m.Rows {
		total += n
	}
	cols := make([]table.Column, len(attrs))
	for j, a := range attrs {
		cols[j] = room(a, total, s)
	}
	for k := range all {
		for part, n := range all[k].Records {
			some := []table.Column{room(rows, n, nil)}
			for _, a := range attrs {
				some = append(some, room(a, n, nil))
			}
			if err := unbundle(folder, piece(releasedFile(k), part), some); err != nil {
				return nil, err
			}
			for j := range cols {
				put := cols[j].Slice(int(m.First[k]), int(m.First[k])+m.Rows[k])
				scatter(&put, &some[j+1], some[0].Cat)
			}
		}
	}
	t, err := table.New(cols...)
	if err != nil {
		return nil, err
	}
	return t.In(s), nil
}

// scatter puts the values of a column into rows of another.
func scatter(into, values *table.Column, rows []int32) {
	for n, i := range rows {
		if into.Kind == table.Numeric {
			into.Num[i] = values.Num[n]
		} else {
			into.Cat[i] = values.Cat[n]
		}
	}
}

// original returns the whole table as it is read in one piece, in a space: the columns in the order of the files, with
// the labels and the domains of what was read, in place of those of the plan.
func (m *merged) original(folder string, schema []table.Attribute, s *mmap.Space) (*table.Table, error) {
	t, err := m.whole(folder, valuesFile, schema, s)
	if err != nil {
		return nil, err
	}
	cols := make([]table.Column, len(m.Read))
	for k, a := range m.Read {
		c := t.Column(t.Find(a.Name))
		if c.Kind != a.Kind { // the plan has categories of what looks like numbers here
			a = c.Attribute
		}
		if a.Kind == table.Categorical && !slices.Equal(a.Labels, c.Labels) {
			recode(&c, a.Labels)
		}
		c.Attribute = a
		cols[k] = c
	}
	out, err := table.New(cols...)
	if err != nil {
		return nil, err
	}
	return out.In(s), nil
}

// recode gives the categories of a column the codes of other labels, which have all that occur.
func recode(c *table.Column, labels []string) {
	to := make([]int32, len(c.Labels))
	for code, l := range c.Labels {
		to[code] = int32(slices.Index(labels, l))
	}
	for i, code := range c.Cat {
		if code >= 0 {
			c.Cat[i] = to[code]
		}
	}
}
