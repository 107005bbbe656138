package uncertainty

import "github.com/dither-data/dither/table"

// presence says which values are there, of the columns that lack some.
type presence struct {
	always   int // number of columns that lack none
	lacking  []int
	table    *table.Table // the original one
	released []uint64     // by released record, a bit for every lacking column
	inverse  []float64    // 1/k
}

// presenceOf returns nil when no value of the compared columns is missing in either table.
func presenceOf(original, released *table.Table, compared []int) *presence {
	p := &presence{table: original}
	for _, j := range compared {
		if lacks(original, j) || lacks(released, j) {
			p.lacking = append(p.lacking, j)
		}
	}
	if p.lacking == nil {
		return nil
	}
	p.always = len(compared) - len(p.lacking)
	p.inverse = make([]float64, len(compared)+1)
	for k := range compared {
		p.inverse[k+1] = 1 / float64(k+1)
	}
	for i := range released.Rows() {
		p.released = append(p.released, p.bits(released, i, nil)...)
	}
	return p
}

func lacks(t *table.Table, j int) bool {
	for i := range t.Rows() {
		if t.MissingAt(i, j) {
			return true
		}
	}
	return false
}

// original returns the bits of original record i, in buf where it has room.
func (p *presence) original(i int, buf []uint64) []uint64 { return p.bits(p.table, i, buf[:0]) }

func (p *presence) bits(t *table.Table, i int, buf []uint64) []uint64 {
	for k, j := range p.lacking {
		if k%64 == 0 {
			buf = append(buf, 0)
		}
		if !t.MissingAt(i, j) {
			buf[k/64] |= 1 << (k % 64)
		}
	}
	return buf
}
