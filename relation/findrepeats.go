package relation

import (
	"math/bits"

	"github.com/dither-data/dither/table"
)

// repetition is how many times as many different records independent columns would make at least, from which records
// that repeat another one tell nothing.
const repetition = 2

// different returns what share of the records count as evidence: all of them, unless columns drawn independently would
// make at least twice as many different records as there are. Then a few records were taken over and over, and each
// counts once: what holds in five records holds in all their repetitions. A table of a few coarse categories repeats
// records by itself, with independent columns too. Identifiers do not make records different. Cost: two passes over the
// sample, and one over all records where most of the sample repeats.
func (f *finder) different() float64 {
	m := len(f.rows)
	seen, apart := make(map[uint64]struct{}, m), make(map[uint64]struct{}, m)
	for i := range m {
		var own, moved uint64
		for k := range f.cols {
			if c := &f.cols[k]; !c.hidden {
				own = mixed(own, uint64(c.code[i]+1))
				moved = mixed(moved, uint64(c.code[(i+k)%m]+1))
			}
		}
		seen[own], apart[moved] = struct{}{}, struct{}{}
	}
	if m == 0 || repetition*len(seen) > len(apart) {
		return 1
	}
	if n := f.t.Rows(); n > m {
		return float64(f.differentOf(n)) / float64(n)
	}
	return float64(len(seen)) / float64(m)
}

// differentOf counts the different records among all n.
func (f *finder) differentOf(n int) int {
	own := make([]uint64, n)
	for k := range f.cols {
		if f.cols[k].hidden {
			continue
		}
		key := f.keys(k)
		for i := range own {
			v, ok := key(i)
			if own[i] = mixed(own[i], v); !ok {
				own[i] = mixed(own[i], 1)
			}
		}
	}
	seen := map[uint64]struct{}{}
	for _, v := range own {
		seen[v] = struct{}{}
	}
	return len(seen)
}

// mixed adds a value to a hash of those before it.
func mixed(hash, v uint64) uint64 { return table.Spread(bits.RotateLeft64(hash, 5) ^ v) }
