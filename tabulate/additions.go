package tabulate

// Addition is a cell that others add up to: those whose code in one dimension is just below its own.
type Addition struct {
	Cell  int32
	Parts []int32 // ascending
	// Empty is how many other codes are just below that of the cell: no record has them there.
	Empty int
}

// keys are the cells as mixed numbers of their codes in all dimensions, the total where a table is not divided by one:
// cells of several tables that are one and the same have one key. New refuses tables whose keys do not fit.
func (s *Set) keys() (of []uint64, base []uint64) {
	base = make([]uint64, len(s.Dims))
	next := uint64(1)
	for _, j := range s.Used() {
		base[j] = next
		next *= uint64(len(s.Dims[j].Labels))
	}
	of = make([]uint64, len(s.Cells))
	for c := range s.Cells {
		for k, j := range s.Of[s.Cells[c].Table] {
			of[c] += base[j] * uint64(s.Cells[c].Codes[k])
		}
	}
	return of, base
}

// First returns, for every cell, the first that is the same one in whatever table: tables share what both show. Cost:
// that of the cells.
func (s *Set) First() []int32 {
	keys, _ := s.keys()
	return firsts(keys)
}

func firsts(keys []uint64) []int32 {
	at, out := make(map[uint64]int32, len(keys)), make([]int32, len(keys))
	for c, k := range keys {
		first, ok := at[k]
		if !ok {
			first = int32(c)
			at[k] = first
		}
		out[c] = first
	}
	return out
}

// Additions returns the sums that an intruder reckons with, over the first of each cell that several tables have. Cost:
// that of the cells times the dimensions.
func (s *Set) Additions() []Addition {
	keys, base := s.keys()
	first, cell := firsts(keys), make(map[uint64]int32, len(keys))
	for c, k := range keys {
		if _, ok := cell[k]; !ok {
			cell[k] = int32(c)
		}
	}
	below := make([][]int, len(s.Dims)) // by dimension and code, how many codes are just below
	for j := range s.Dims {
		below[j] = make([]int, len(s.Dims[j].Up))
		for _, up := range s.Dims[j].Up {
			if up >= 0 {
				below[j][up]++
			}
		}
	}
	type sum struct {
		cell int32
		dim  int
	}
	var out []Addition
	at := map[sum]int{}
	for c := range s.Cells {
		if first[c] != int32(c) {
			continue
		}
		for k, j := range s.Of[s.Cells[c].Table] {
			code := s.Cells[c].Codes[k]
			up := s.Dims[j].Up[code]
			if up < 0 {
				continue
			}
			of := sum{cell[keys[c]-base[j]*uint64(code-up)], j}
			n, ok := at[of]
			if !ok {
				n = len(out)
				at[of], out = n, append(out, Addition{Cell: of.cell, Empty: below[j][up]})
			}
			out[n].Parts = append(out[n].Parts, int32(c))
			out[n].Empty--
		}
	}
	return out
}
