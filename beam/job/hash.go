package job

import (
	"bufio"
	"context"
	"crypto/sha256"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/dither-data/dither/internal/noisekey"
	"github.com/dither-data/dither/protect"
)

// Pack writes the values of a shard by column, as they are hashed. It takes as much room in the working folder as the columns in memory: 8 bytes a number, 4 a category.
func Pack(ctx context.Context, folder string, shard int) error {
	q, m, _, p, err := begun(folder)
	if err != nil {
		return err
	}
	t, _, err := q.load(ctx, m, p.Schema(), shard)
	if err != nil {
		return err
	}
	for j := range t.Width() {
		c := t.Column(j)
		err := put(filepath.Join(folder, valuesFile(j, shard)), func(w io.Writer) error {
			buf := bufio.NewWriterSize(w, 1<<16)
			c.Hash(buf)
			return buf.Flush()
		})
		if err != nil {
			return err
		}
	}
	return ctx.Err()
}

// begun returns the job, what is known of its table, and its plan.
func begun(folder string) (*Job, *merged, string, protect.Plan, error) {
	q, err := read[Job](folder, jobFile)
	if err != nil {
		return nil, nil, "", nil, err
	}
	m, err := read[merged](folder, tableFile)
	if err != nil {
		return nil, nil, "", nil, err
	}
	f, p, err := planOf(folder)
	if err != nil {
		return nil, nil, "", nil, err
	}
	return &q, &m, f.Method, p, nil
}

// Hash hashes a column of the plan's schema in the order of the records, and removes the values that Pack wrote of it. It is the one stage whose element is as long as the table: 8
// bytes a record at the rate of SHA-256, the columns side by side.
func Hash(ctx context.Context, folder string, column int) error {
	if _, err := os.Stat(filepath.Join(folder, hashFile(column))); err == nil {
		return nil // the stage runs again, and the values are gone
	}
	q, _, _, p, err := begun(folder)
	if err != nil {
		return err
	}
	h := sha256.New()
	if err := noisekey.Head(h, &p.Schema()[column]); err != nil {
		return err
	}
	for k := range q.Shards {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := add(h, filepath.Join(folder, valuesFile(column, k))); err != nil {
			return err
		}
	}
	if err := put(filepath.Join(folder, hashFile(column)), func(w io.Writer) error { _, err := w.Write(h.Sum(nil)); return err }); err != nil {
		return err
	}
	for k := range q.Shards {
		if err := os.Remove(filepath.Join(folder, valuesFile(column, k))); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// add feeds a file to a hash.
func add(h io.Writer, path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = io.Copy(h, f)
	return err
}

// noiseKey is the hash of the plan and the table by which noise is keyed.
func noiseKey(folder string, p protect.Plan) (string, error) {
	sums := make([][noisekey.Size]byte, len(p.Schema()))
	for j := range sums {
		data, err := os.ReadFile(filepath.Join(folder, hashFile(j)))
		if err != nil {
			return "", err
		}
		if copy(sums[j][:], data) != noisekey.Size {
			return "", errors.New("a hash of the working folder was changed or damaged: begin anew")
		}
	}
	return noisekey.Join(p, sums)
}
