// Package headcount counts the people that records belong to. With a nil list of owners every record is a separate
// person.
package headcount

// Tally counts whose some records are.
type Tally struct {
	whose   []int32 // by record; nil where every record is a person's
	records int
	have    map[int32]int // by person: records in the tally
}

// Of returns an empty tally. Whose says by record whose it is (table.Table.People); nil says that every record is a
// person's.
func Of(whose []int32) *Tally { return &Tally{whose: whose} }

// Several returns so many empty tallies.
func Several(n int, whose []int32) []Tally {
	all := make([]Tally, n)
	for k := range all {
		all[k].whose = whose
	}
	return all
}

// All returns the tally of all records that an owner is told of.
func All(whose []int32) *Tally {
	a := Of(whose)
	for i := range whose {
		a.Add(i)
	}
	return a
}

// Add adds a record, and returns of how many people the tally is then.
func (a *Tally) Add(record int) int {
	a.records++
	if a.whose != nil {
		if a.have == nil {
			a.have = map[int32]int{}
		}
		a.have[a.whose[record]]++
	}
	return a.Size()
}

// Remove takes a record out that was added, and returns of how many people the tally is then.
func (a *Tally) Remove(record int) int {
	a.records--
	if a.whose != nil {
		p := a.whose[record]
		if a.have[p]--; a.have[p] == 0 {
			delete(a.have, p)
		}
	}
	return a.Size()
}

// Join adds the records of another tally of the same table, none of which is in this one.
func (a *Tally) Join(b *Tally) {
	a.records += b.records
	if a.have == nil && b.have != nil {
		a.have = map[int32]int{}
	}
	for p, n := range b.have {
		a.have[p] += n
	}
}

// AddKnown adds those of some records whose value is known: not NaN.
func (a *Tally) AddKnown(v []float64, records []int32) {
	for _, i := range records {
		if v[i] == v[i] {
			a.Add(int(i))
		}
	}
}

// Size returns of how many people the tally is.
func (a *Tally) Size() int {
	if a.whose != nil {
		return len(a.have)
	}
	return a.records
}

// Records returns how many records are in the tally.
func (a *Tally) Records() int { return a.records }

// Clear forgets the records.
func (a *Tally) Clear() {
	a.records = 0
	clear(a.have)
}

// Count returns of how many people some records are.
func Count(whose, records []int32) int {
	if whose == nil {
		return len(records)
	}
	a := Of(whose)
	for _, i := range records {
		a.Add(int(i))
	}
	return a.Size()
}

// Own returns whose some records are, numbered anew from 0; nil where every record is a person's.
func Own(whose, records []int32) []int32 {
	if whose == nil {
		return nil
	}
	out, number := make([]int32, len(records)), map[int32]int32{}
	for at, i := range records {
		n, known := number[whose[i]]
		if !known {
			n = int32(len(number))
			number[whose[i]] = n
		}
		out[at] = n
	}
	return out
}
