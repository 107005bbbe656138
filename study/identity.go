package study

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"runtime"
	"sync"

	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/table"
)

// noiseKey hashes a plan and the table it is applied to. The noise is keyed by it, so that one seed never gives the same noise
// to two releases that differ in a setting or in a value: their difference would show what the noise hides.
func noiseKey(p protect.Plan, t *table.Table) (string, error) {
	plan, err := json.Marshal(p)
	if err != nil {
		return "", err
	}
	sums := make([][sha256.Size]byte, t.Width())
	var wg sync.WaitGroup
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	for j := range sums {
		slots <- struct{}{}
		wg.Go(func() {
			sums[j] = digest(t.Column(j))
			<-slots
		})
	}
	wg.Wait()
	h := sha256.New()
	sum := sha256.Sum256(plan)
	h.Write(sum[:])
	for j := range sums {
		h.Write(sums[j][:])
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// digest hashes the name and the values of a column; missing numbers are all alike.
func digest(c table.Column) (sum [sha256.Size]byte) {
	h := sha256.New()
	text := func(s string) {
		h.Write(binary.LittleEndian.AppendUint64(nil, uint64(len(s))))
		h.Write([]byte(s))
	}
	text(c.Name)
	for _, l := range c.Labels {
		text(l)
	}
	c.Hash(h)
	h.Sum(sum[:0])
	return sum
}
