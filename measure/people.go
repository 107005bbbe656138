package measure

// people is what Release.People returns.
type people struct {
	of []int32
	n  int
}

// People returns by row of the original whose the record is, numbered from 0, and how many people there are. A record that names nobody is a person of its
// own. Of is nil where every record is. It is shared and must not be written. Cost: O(n) once for a release.
func (r *Release) People() (of []int32, n int) {
	person := r.Persons[r.Person]
	if r.Person == "" || person == nil {
		return nil, r.Original.Rows()
	}
	made, err := r.Memo("people by "+r.Person, func() (any, error) {
		p := people{of: make([]int32, r.Original.Rows())}
		number := map[int32]int32{}
		for i := range p.of {
			who, named := person[r.Original.ID(i)]
			k, known := number[who]
			if !named || !known {
				k = int32(p.n)
				p.n++
			}
			if named {
				number[who] = k
			}
			p.of[i] = k
		}
		return p, nil
	})
	if err != nil {
		return nil, r.Original.Rows() // it never fails
	}
	p := made.(people)
	return p.of, p.n
}
