package profile

import "github.com/dither-data/dither/table"

// onceEach returns the rows of a table of which no earlier one of the same person has the same values in all
// quasi-identifiers, and whose they are, numbered from 0: of is nil where no column has the role Person. A record that
// names nobody is a person of its own.
func onceEach(t *table.Table) (rows []int, of []int32, people int) {
	j := t.WithRole(table.Person)
	if j < 0 {
		return nil, nil, t.Rows()
	}
	person := t.Column(j)
	var known []table.Column
	for k := range t.Width() {
		if t.Attr(k).Role&table.Quasi != 0 {
			known = append(known, t.Column(k))
		}
	}
	number, seen := map[string]int32{}, map[string]bool{}
	for i := range t.Rows() {
		name := person.AppendKey(nil, i)
		who, ok := number[string(name)]
		if !ok || person.MissingAt(i) {
			who = int32(people)
			people++
			number[string(name)] = who
		}
		key := append([]byte{byte(who), byte(who >> 8), byte(who >> 16), byte(who >> 24)}, 0)
		for k := range known {
			key = known[k].AppendKey(key, i)
		}
		if !seen[string(key)] {
			seen[string(key)] = true
			rows, of = append(rows, i), append(of, who)
		}
	}
	return rows, of, people
}

// inPeople turns counts of records into those of people, where a class holds one record of a person at most.
func (e *Exposure) inPeople(p partition, of []int32, people int) {
	size := make([]int32, len(of)) // of the class of a record
	for k, row := range p.rows {
		size[row] = p.sizes[p.class[k]]
	}
	count := func(below int32) int {
		some := map[int32]bool{}
		for i, s := range size {
			if s < below {
				some[of[i]] = true
			}
		}
		return len(some)
	}
	e.Rows, e.Uniques, e.BelowFive = people, count(1), count(5)
	if people > 0 {
		e.UniqueShare = float64(e.Uniques) / float64(people)
	}
}
