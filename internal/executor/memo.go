package executor

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"

	"github.com/dither-data/dither/internal/noise/noisekey"
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
	who := noisekey.Persons(r.Person, k.seed.Fork("person"))
	draws := make([][]table.RecordID, t.Width())
	err = parallel.Each(ctx, len(k.columns), func(c int) error {
		col := t.Column(k.columns[c])
		own := k.seed.Fork("value").Fork(col.Name)
		value, pairs := noisekey.Values(&col, own), own.Stream().Pairs()
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
