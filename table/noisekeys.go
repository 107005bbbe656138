package table

// NoiseKeys returns the identities that what is drawn for some columns together is keyed by: those of the records
// (IDs), or what Keyed gave instead. Where the law of a draw depends on more than the values of these columns, such as
// the record's segment, DrawsIn keeps the draws of two laws apart.
func (t *Table) NoiseKeys(columns ...int) (ids []RecordID, first RecordID) {
	return t.NoiseKeysIn(nil, columns...)
}

// NoiseKeysIn is Draws for draws by one of several laws: law tells, by row, which one, as a number that is the same in
// every table. Under one identity two laws would share a draw, and the difference of what they make of a value would
// show the value. It is not called where the identities are those of the records. Cost: a copy of the identities,
// unless there is one column and no law.
func (t *Table) NoiseKeysIn(law func(i int) uint64, columns ...int) (ids []RecordID, first RecordID) {
	for _, j := range columns {
		if t.cols[j].NoiseKeys == nil {
			return t.IDs()
		}
	}
	switch {
	case len(columns) == 0:
		return t.IDs()
	case len(columns) == 1 && law == nil:
		return t.cols[columns[0]].NoiseKeys, 0
	}
	ids = make([]RecordID, t.rows) // sums of numbers that look random, which meet as rarely as they do
	for _, j := range columns {
		for i, id := range t.cols[j].NoiseKeys {
			ids[i] += id
		}
	}
	if law != nil {
		for i := range ids {
			ids[i] += RecordID(Spread(law(i)))
		}
	}
	return ids, 0
}

// Spread maps numbers onto others that look unlike, one to one (the finaliser of SplitMix64; Steele, Lea & Flood 2014).
func Spread(v uint64) uint64 {
	v += 0x9e3779b97f4a7c15
	v = (v ^ v>>30) * 0xbf58476d1ce4e5b9
	v = (v ^ v>>27) * 0x94d049bb133111eb
	return v ^ v>>31
}

// Keyed returns the table with other identities of its records, and for each column those by which its values are drawn
// (nil: by the records'). Both must look random, and each has one number for every row. A column keeps them until its
// values are replaced by WithNum or WithCat.
func (t *Table) Keyed(ids []RecordID, draws [][]RecordID) *Table {
	if len(ids) != t.rows || len(draws) != len(t.cols) {
		panic("table: identities for another table")
	}
	n := *t
	n.ids, n.cols = ids, t.Columns()
	for j, d := range draws {
		if d != nil && len(d) != t.rows {
			panic("table: identities for another column")
		}
		n.cols[j].NoiseKeys = d
	}
	return &n
}

// Unkeyed returns the column without what its values were drawn by.
func (c Column) Unkeyed() Column {
	c.NoiseKeys = nil
	return c
}
