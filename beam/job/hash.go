package job

import (
	"context"
	"crypto/sha256"
	"errors"
	"io"

	"github.com/dither-data/dither/beam/store"
	"github.com/dither-data/dither/internal/noise/noisekey"
	"github.com/dither-data/dither/protect"
)

// Pack writes the values of a shard by column, for all stages after it. It takes as much room in the working folder as
// the columns in memory: 8 bytes a number, 4 a category. Of a dropped column it keeps keyed hashes, 8 bytes each.
func Pack(ctx context.Context, folder string, shard int) error {
	q, m, err := begun(folder)
	if err != nil {
		return err
	}
	t, dropped, err := q.load(ctx, m, shard)
	if err == nil {
		err = keep(folder, droppedFile(shard), dropped)
	}
	if err != nil {
		return err
	}
	return keep(folder, valuesFile(shard), t.Columns())
}

// begun returns the job and what is known of its table.
func begun(folder string) (*Job, *merged, error) {
	q, err := jobOf(folder)
	if err != nil {
		return nil, nil, err
	}
	m, err := read[merged](folder, tableFile)
	return &q, &m, err
}

// planned is begun with the plan and the name of its technique.
func planned(folder string) (*Job, *merged, string, protect.Plan, error) {
	q, m, err := begun(folder)
	if err != nil {
		return nil, nil, "", nil, err
	}
	f, p, err := planOf(folder)
	if err != nil {
		return nil, nil, "", nil, err
	}
	return q, m, f.Method, p, nil
}

// Hash hashes a column of the plan's schema in the order of the records. Its element is as long as the table: 8 bytes a
// record at the rate of SHA-256, the columns side by side.
func Hash(ctx context.Context, folder string, column int) error {
	_, m, _, p, err := planned(folder)
	if err != nil {
		return err
	}
	h := sha256.New()
	if err := noisekey.Head(h, &p.Schema()[column]); err != nil {
		return err
	}
	for k, rows := range m.Rows {
		if err := ctx.Err(); err != nil {
			return err
		}
		name := piece(valuesFile(k), column)
		f, err := store.Open(ctx, store.Join(folder, name))
		if err != nil {
			return err
		}
		n, err := io.Copy(h, f)
		if err := errors.Join(err, f.Close()); err != nil {
			return err
		}
		if n != int64(rows)*width(&p.Schema()[column]) {
			return damaged(name)
		}
	}
	return put(store.Join(folder, hashFile(column)), store.Bytes(h.Sum(nil)))
}

// noiseKey is the hash of the plan and the table by which noise is keyed.
func noiseKey(folder string, p protect.Plan) (string, error) {
	sums := make([][noisekey.Size]byte, len(p.Schema()))
	for j := range sums {
		data, err := fetch(folder, hashFile(j))
		if err != nil {
			return "", err
		}
		if copy(sums[j][:], data) != noisekey.Size {
			return "", errors.New("a hash of the working folder was changed or damaged: start again")
		}
	}
	return noisekey.Join(p, sums)
}
