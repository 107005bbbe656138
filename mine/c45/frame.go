package c45

// column describes an input attribute: what its codes mean.
type column struct {
	index  int       // position in the table
	values []float64 // of a numeric attribute: the distinct values of the training records, ascending; a code is a position
	labels int       // of a categorical attribute: the number of declared categories; -1 of a numeric one
	close  bool      // numeric: some neighbouring distinct values are at most minGap apart
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

// narrow stores codes below size, turning -1 into size.
func narrow(from []int32, size int) codes {
	switch {
	case size < 1<<8:
		return codes{b: convert[uint8](from, size)}
	case size < 1<<16:
		return codes{w: convert[uint16](from, size)}
	}
	return codes{i: convert[int32](from, size)}
}

func convert[T code](from []int32, size int) []T {
	to := make([]T, len(from))
	for k, v := range from {
		if v < 0 {
			v = int32(size)
		}
		to[k] = T(v)
	}
	return to
}

func (c *codes) take(rows []int32) codes {
	return codes{take(c.b, rows), take(c.w, rows), take(c.i, rows)}
}

// take returns the elements at the given positions; nil of nil.
func take[T any](from []T, at []int32) []T {
	if from == nil {
		return nil
	}
	to := make([]T, len(at))
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

// extract copies cases into a frame of their own with the columns of the listed attributes.
func (f *frame) extract(c cases, slots []int32, fine *terms) *frame {
	n := &frame{class: take(f.class, c.rows), codes: make([]codes, len(f.codes)), terms: f.terms}
	if n.weight = c.own; c.own == nil {
		n.weight = take(f.weight, c.rows)
	}
	if n.weight != nil {
		n.terms = fine
	}
	for _, a := range slots {
		n.codes[a] = f.codes[a].take(c.rows)
	}
	return n
}

// cases are some cases of a frame.
type cases struct {
	rows []int32
	own  []int64 // their weights in units of 2^-24; nil: those of the frame
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

// identity returns 0, ..., n-1.
func identity(n int) []int32 {
	rows := make([]int32, n)
	for i := range rows {
		rows[i] = int32(i)
	}
	return rows
}
