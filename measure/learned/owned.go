package learned

import "github.com/dither-data/dither/measure"

// owned says whose the released records are; of is nil where every record is a person's.
type owned struct {
	of   []int32
	have int // records of the person who has the most
}

// mostOwn is how many records of a person are left out at most with all votes made up for by others.
const mostOwn = 200

func ownedBy(r *measure.Release) owned {
	of, n := r.People()
	o := owned{of: of}
	if of != nil {
		have := make([]int, n)
		for _, p := range of {
			have[p]++
			o.have = max(o.have, have[p])
		}
	}
	return o
}

// most is how many of the nearest records are looked for, so that 20 are left without a person's own.
func (o *owned) most() int { return farthest + min(mostOwn, max(1, o.have)) - 1 }

// records reports which records are those of the person of one.
func (o *owned) records(of int32) func(row int32) bool {
	return func(row int32) bool { return row == of || o.of != nil && of >= 0 && o.of[row] == o.of[of] }
}

// nobodys are no records.
func nobodys(int32) bool { return false }

// folds deals records into folds in turn, those of a person into that of the first one.
func (o *owned) folds(rows []int) []int {
	out, at := make([]int, len(rows)), map[int32]int{}
	for k, r := range rows {
		if o.of == nil {
			out[k] = k % folds
			continue
		}
		f, known := at[o.of[r]]
		if !known {
			f = len(at) % folds
			at[o.of[r]] = f
		}
		out[k] = f
	}
	return out
}
