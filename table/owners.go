package table

// Owned returns the table with whose its records are, by row: records of one person have one number, from 0. Nil says
// that every record is a person's. It goes with the records wherever they go, so that who has no column that tells
// persons apart, which never reaches a technique, counts people all the same.
func (t *Table) Owned(whose []int32) *Table {
	if whose != nil && len(whose) != t.rows {
		panic("table: owners for another table")
	}
	n := *t
	n.owners = whose
	return &n
}

// Owners returns by row whose the record is, numbered as in the table that told it: of a part of that table some
// numbers are absent. It is nil where every record is a person's. It is shared and must not be written.
func (t *Table) Owners() []int32 { return t.owners }

// People returns by row whose the record is, numbered from 0 as they come, and how many people there are. Of is nil
// where every record is a person's. Cost: O(n) where it is not.
func (t *Table) People() (of []int32, n int) {
	if t.owners == nil {
		return nil, t.rows
	}
	of, number := make([]int32, t.rows), map[int32]int32{}
	for i, p := range t.owners {
		k, known := number[p]
		if !known {
			k = int32(len(number))
			number[p] = k
		}
		of[i] = k
	}
	if len(number) == t.rows {
		return nil, t.rows
	}
	return of, len(number)
}
