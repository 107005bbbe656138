// Package noisekey hashes a plan and the table that it is applied to. Noise is keyed by the hash, so that one seed
// never gives the same noise to two releases that differ in a setting or in a value: their difference would show what
// the noise hides.
//
// The hash of a column is that of its values in the order of the records, so parts of a table that lie in several
// places are hashed one after the other: Head, then the values of every part (table.Column.Hash), then Join with the
// other columns. A hash of columns of few values can be guessed from the values: it is as confidential as the table.
package noisekey

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"runtime"
	"sync"

	"github.com/dither-data/dither/table"
)

// Size is the length of the hash of a column, in bytes.
const Size = sha256.Size

// Of returns the hash of a plan, by its JSON, and of all columns of a table. Cost: O(bytes), the columns in parallel.
func Of(plan any, t *table.Table) (string, error) {
	sums := make([][Size]byte, t.Width())
	var wg sync.WaitGroup
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	for j := range sums {
		slots <- struct{}{}
		wg.Go(func() {
			sums[j] = column(t.Column(j))
			<-slots
		})
	}
	wg.Wait()
	return Join(plan, sums)
}

// Join returns the hash of a plan and of a table whose columns have these hashes, in their order. A plan that writes
// nothing of itself is an error: its noise would be that of every other such plan.
func Join(plan any, columns [][Size]byte) (string, error) {
	data, err := json.Marshal(plan)
	if err != nil {
		return "", err
	}
	if s := string(data); s == "{}" || s == "null" {
		return "", fmt.Errorf("the plan (%T) writes nothing of itself in JSON, so its noise would be that of others: "+
			"export the fields that decide what it releases", plan)
	}
	h := sha256.New()
	sum := sha256.Sum256(data)
	h.Write(sum[:])
	for j := range columns {
		h.Write(columns[j][:])
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// Head writes what is hashed (SHA-256) before the values of a column: its name and its labels.
func Head(w io.Writer, a *table.Attribute) error {
	for _, s := range append([]string{a.Name}, a.Labels...) {
		if _, err := w.Write(append(binary.LittleEndian.AppendUint64(nil, uint64(len(s))), s...)); err != nil {
			return err
		}
	}
	return nil
}

// column hashes the name and the values of a column; missing numbers are all alike.
func column(c table.Column) (sum [Size]byte) {
	h := sha256.New()
	_ = Head(h, &c.Attribute) // a hash takes everything
	c.Hash(h)
	h.Sum(sum[:0])
	return sum
}
