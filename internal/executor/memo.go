package executor

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"math"
	"slices"
	"strconv"

	"github.com/dither-data/dither/internal/system/parallel"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// memo is a table whose values are drawn by person and value.
type memo struct {
	table   *table.Table
	columns []int // those that are
	seed    rng.Source
}

// keyOf keys the columns. A draw depends on the seed, the plan, the column, the person and the value: a value that
// stays has the draw that it had, and one that changes a fresh one, since the difference of two values with one draw is
// that of what is released. The identities of the records, by which all other draws are keyed, are those of this table
// alone.
func keyOf(
	ctx context.Context,
	p protect.Plan,
	t *table.Table,
	r *Recur,
	kept []string,
	src rng.Source,
) (*memo, error) {
	plan, err := json.Marshal(p)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(plan)
	k := &memo{seed: r.Seed.Fork("recur").Fork(hex.EncodeToString(sum[:]))}
	for _, name := range kept {
		k.columns = append(k.columns, t.Find(name))
	}
	who := Persons(r.Person, k.seed.Fork("person"))
	draws := make([][]table.RecordID, t.Width())
	err = parallel.Each(ctx, len(k.columns), func(c int) error {
		col := t.Column(k.columns[c])
		own := k.seed.Fork("value").Fork(col.Name)
		value, pairs := namesOf(&col, own), own.Stream().Pairs()
		ids := make([]table.RecordID, t.Rows())
		for i := range ids {
			ids[i] = table.RecordID(pairs.Of(who[i], value(i)))
		}
		draws[k.columns[c]] = ids
		return nil
	})
	if err != nil {
		return nil, err
	}
	ids, stream := make([]table.RecordID, t.Rows()), src.Fork("recur").Stream()
	for i := range ids {
		ids[i] = table.RecordID(stream.At(uint64(t.ID(i))).A)
	}
	k.table = t.Keyed(ids, draws)
	return k, nil
}

// missing names no value. Names of texts meet it as rarely as each other, and no number has these bits.
var missing = rng.Block{A: math.MaxUint64, B: math.MaxUint64}

// namesOf returns what names the values of a column by row, whatever codes a table has for them: keyed digests of
// texts, and numbers themselves.
func namesOf(c *table.Column, src rng.Source) func(i int) rng.Block {
	switch c.Kind {
	case table.Numeric:
		return func(i int) rng.Block {
			if c.MissingAt(i) {
				return missing
			}
			return rng.Block{A: math.Float64bits(c.Num[i] + 0)} // -0 is 0
		}
	case table.Categorical:
		names := make([]rng.Block, len(c.Labels))
		for v, l := range c.Labels {
			names[v] = src.Name(l)
		}
		return func(i int) rng.Block {
			if c.Cat[i] < 0 {
				return missing
			}
			return names[c.Cat[i]]
		}
	case table.SetValued:
	}
	return func(i int) rng.Block {
		if c.MissingAt(i) {
			return missing
		}
		return src.Name(textOf(c, i))
	}
}

// textOf writes the items of a set, present and unknown ones, unambiguously.
func textOf(c *table.Column, i int) string {
	var text []byte
	for _, codes := range [...][]int32{c.Sets.Present.Row(i), c.Sets.Unknown.Row(i)} {
		labels := make([]string, len(codes))
		for k, v := range codes {
			labels[k] = c.Labels[v]
		}
		slices.Sort(labels)
		text = binary.AppendUvarint(text, uint64(len(labels)))
		for _, l := range labels {
			text = append(binary.AppendUvarint(text, uint64(len(l))), l...)
		}
	}
	return string(text)
}

// Persons returns what names the persons of a column by row: keyed digests, which a number has as it would have as a
// text. Cost: a digest for each.
func Persons(c table.Column, src rng.Source) []rng.Block {
	name := func(i int) rng.Block { return src.Name(strconv.FormatFloat(c.Num[i], 'g', -1, 64)) }
	if c.Kind != table.Numeric {
		name = namesOf(&c, src)
	}
	out := make([]rng.Block, c.Len())
	for i := range out {
		out[i] = name(i)
	}
	return out
}
