package job

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/unit"
)

// Noise that is drawn for every record averages out over the records of a person, and shards do not bring these
// together. So a table is refused whose dropped columns tell which records are one person's, or one household's. They
// are looked at as numbers that hide their values: keyed hashes, which are alike where the values are.

func droppedFile(shard int) string { return piece("dropped", shard) }

// unseen are the dropped columns of which nobody said that they are no person's (role identifier), in the order in
// which they are dropped; none where nothing is released.
func (q *Job) unseen() (names []string) {
	if q.Inspect {
		return nil
	}
	roles := q.Said.Roles()
	for _, name := range q.Drop {
		if roles[name]&table.Identifier == 0 {
			names = append(names, name)
		}
	}
	return names
}

// hideDropped returns the unseen columns of a shard, hashed. A column that the shard lacks is missing throughout.
func (q *Job) hideDropped(t *table.Table) ([]table.Column, error) {
	if len(q.unseen()) == 0 {
		return nil, nil
	}
	src, err := q.source()
	if err != nil {
		return nil, err
	}
	var out []table.Column
	for _, name := range q.unseen() {
		out = append(out, hidden(t, name, src.Fork("dropped").Fork(name)))
	}
	return out, nil
}

// hidden is a column as whole numbers below 2^53 that are alike where its texts are.
func hidden(t *table.Table, name string, src rng.Source) table.Column {
	out := room(table.Attribute{Name: name, Kind: table.Numeric, Step: 1}, t.Rows(), nil)
	j := t.Find(name)
	known := map[int32]float64{}
	for i := range out.Num {
		if out.Num[i] = math.NaN(); j < 0 || t.MissingAt(i, j) {
			continue
		}
		code := t.Cat(j)[i]
		v, ok := known[code]
		if !ok {
			v = float64(src.Name(t.Attr(j).Labels[code]).A >> 11)
			known[code] = v
		}
		out.Num[i] = v
	}
	return out
}

// Units refuses a table in which a dropped column tells whose a record is, by what dither inspect finds (package unit).
// It is one element: the columns of all shards are looked at together.
func Units(ctx context.Context, folder string) (err error) {
	q, m, err := begun(folder)
	if err != nil || len(q.unseen()) == 0 {
		return err
	}
	schema := slices.Clone(m.Schema)
	for _, name := range q.unseen() {
		schema = append(schema, table.Attribute{Name: name, Kind: table.Numeric, Step: 1})
	}
	ctx, s, end, err := q.space(ctx, folder, schema, m.Rows)
	if err != nil {
		return err
	}
	defer func() { err = end(err) }()
	kept, err := m.whole(folder, valuesFile, m.Schema, s)
	if err != nil {
		return err
	}
	dropped, err := m.whole(folder, droppedFile, schema[len(m.Schema):], s)
	if err != nil {
		return err
	}
	t, err := table.New(slices.Concat(kept.Columns(), dropped.Columns())...)
	if err != nil {
		return err
	}
	u, err := unit.FindAmong(ctx, t.In(s), func(j int) bool { return j >= len(m.Schema) })
	if err != nil {
		return err
	}
	gone := func(name string) bool { return slices.Contains(q.unseen(), name) }
	for _, k := range slices.Concat(u.Levels, u.Ties) {
		if !slices.ContainsFunc(k.Columns, func(name string) bool { return !gone(name) }) {
			return persons(k.Columns, "tell which records are one person's, or one household's: they repeat, and "+
				strings.Join(k.Holds, ", ")+" stay the same")
		}
	}
	if a := u.Alike; a != nil && slices.ContainsFunc(a.Columns, gone) {
		return persons(slices.DeleteFunc(slices.Clone(a.Columns), func(name string) bool { return !gone(name) }),
			fmt.Sprintf("may tell which records are one person's: %d records agree with others in %s", a.Records,
				strings.Join(a.Columns, ", ")))
	}
	return nil
}

// persons refuses a table whose dropped columns tell whose a record is.
func persons(columns []string, why string) error {
	return usage("dropped columns (%s) %s. Noise would average out over these records, as shards do not bring them "+
		"together: protect the table on one machine, or say that they tell no such thing with --role %s=identifier",
		strings.Join(columns, ", "), why, columns[0])
}
