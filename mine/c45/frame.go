package c45

import "github.com/dither-data/dither/internal/system/mmap"

// column describes an input attribute: what its codes mean.
type column struct {
	index int // position in the table
	// of a numeric attribute: the distinct values of the training records, ascending; a code is a position
	values []float64
	labels int  // of a categorical attribute: the number of declared categories; -1 of a numeric one
	close  bool // numeric: some neighbouring distinct values are at most minGap apart
}

func (c *column) numeric() bool { return c.labels < 0 }

// size returns the number of codes; it is also the code of a missing value.
func (c *column) size() int {
	if c.numeric() {
		return len(c.values)
	}
	return c.labels
}

// codes are the codes of one attribute, in the narrowest type that holds them; exactly one slice is set.
type codes struct {
	b []uint8
	w []uint16
	i []int32
}

type code interface{ uint8 | uint16 | int32 }

// at returns the code of a case.
func (c *codes) at(r int32) int32 {
	switch {
	case c.b != nil:
		return int32(c.b[r])
	case c.w != nil:
		return int32(c.w[r])
	}
	return c.i[r]
}

// narrow stores codes below size, turning -1 into size, in a space.
func narrow(in *mmap.Space, from []int32, size int) codes {
	switch {
	case size < 1<<8:
		return codes{b: convert[uint8](in, from, size)}
	case size < 1<<16:
		return codes{w: convert[uint16](in, from, size)}
	}
	return codes{i: convert[int32](in, from, size)}
}

func convert[T code](in *mmap.Space, from []int32, size int) []T {
	to := mmap.Make[T](in, len(from))
	for k, v := range from {
		if v < 0 {
			v = int32(size)
		}
		to[k] = T(v)
	}
	return to
}

func (c *codes) take(in *mmap.Space, rows []int32) codes {
	return codes{take(in, c.b, rows), take(in, c.w, rows), take(in, c.i, rows)}
}

// free gives the memory of the codes back.
func (c *codes) free(in *mmap.Space) {
	mmap.Free(in, c.b)
	mmap.Free(in, c.w)
	mmap.Free(in, c.i)
}

// take returns the elements at the given positions, in a space; nil of nil.
func take[T any](in *mmap.Space, from []T, at []int32) []T {
	if from == nil {
		return nil
	}
	to := mmap.Make[T](in, len(at))
	for k, r := range at {
		to[k] = from[r]
	}
	return to
}

// frame is a set of cases, column by column. Nodes own ranges of a permutation of a frame's cases. A node whose cases
// are few beside the frame's, or weigh differently, gets a frame of its own, so that its columns are read from near
// memory.
type frame struct {
	class  []uint16
	weight []int64 // in units of 2^-24; nil: every case weighs 1
	codes  []codes // by slot; none where the attribute is of no more use
	terms  *terms  // of the frame's weights
}

// extract copies cases into a frame of their own, in a space, with the columns of the listed attributes. It takes their
// own weights over.
func (f *frame) extract(in *mmap.Space, c cases, slots []int32, fine *terms) *frame {
	n := &frame{class: take(in, f.class, c.rows), codes: make([]codes, len(f.codes)), terms: f.terms}
	if n.weight = c.own; c.own == nil {
		n.weight = take(in, f.weight, c.rows)
	}
	if n.weight != nil {
		n.terms = fine
	}
	for _, a := range slots {
		n.codes[a] = f.codes[a].take(in, c.rows)
	}
	return n
}

// free gives back the memory of a frame that was extracted, and that of the permutation of its cases.
func (f *frame) free(in *mmap.Space, rows []int32) {
	if in == nil {
		return
	}
	mmap.Free(in, rows)
	mmap.Free(in, f.class)
	mmap.Free(in, f.weight)
	for k := range f.codes {
		f.codes[k].free(in)
	}
}

// cases are some cases of a frame.
type cases struct {
	rows []int32
	own  []int64 // their weights in units of 2^-24; nil: those of the frame
	made bool    // they are a copy, which nobody else has
}

// free gives the memory of a copy back.
func (c *cases) free(in *mmap.Space) {
	if c.made {
		mmap.Free(in, c.rows)
		mmap.Free(in, c.own)
	}
}

// fineWeight returns the weight of case k, in units of 2^-24.
func (f *frame) fineWeight(c cases, k int) int64 {
	switch {
	case c.own != nil:
		return c.own[k]
	case f.weight != nil:
		return f.weight[c.rows[k]]
	}
	return 1 << unitBits
}

// count adds the class weights of cases to counts, in units of 2^-24.
func (f *frame) count(counts []int64, c cases) {
	for k, r := range c.rows {
		counts[f.class[r]] += f.fineWeight(c, k)
	}
}

// identity returns 0, ..., n-1, in a space.
func identity(in *mmap.Space, n int) []int32 {
	rows := mmap.Make[int32](in, n)
	for i := range rows {
		rows[i] = int32(i)
	}
	return rows
}
