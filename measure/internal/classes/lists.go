package classes

// match is a class found for the member of a pattern in a position.
type match struct{ position, class int32 }

// lists holds the classes found for every position, one after the other.
type lists struct {
	ends    []int
	classes []int32
}

// gather sorts what was found by position.
func gather(found [][]match, positions int) lists {
	l := lists{ends: make([]int, positions+1)}
	for _, part := range found {
		for _, m := range part {
			l.ends[m.position+1]++
		}
	}
	for p := range positions {
		l.ends[p+1] += l.ends[p]
	}
	// While it is filled, the end of a position is where its next class goes: first where the one before ends.
	l.classes = make([]int32, l.ends[positions])
	for _, part := range found {
		for _, m := range part {
			l.classes[l.ends[m.position]] = m.class
			l.ends[m.position]++
		}
	}
	return l
}

// of returns the classes of a position.
func (l *lists) of(position int32) []int32 {
	from := 0
	if position > 0 {
		from = l.ends[position-1]
	}
	return l.classes[from:l.ends[position]]
}
