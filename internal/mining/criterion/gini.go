package criterion

// Cut divides ordered cells behind one of them.
type Cut struct {
	Behind      int       // cells up to this one are on the left
	Left, Right []float64 // records by class; valid until the next one is looked at
	Gini        float64
}

// Cuts visits every division of ordered cells whose records are given by cell, in it by class: gini is the impurity of
// the two sides, weighted by their records (Breiman et al. 1984). A side without records counts 0.
func Cuts(cells []float64, classes int, visit func(Cut)) {
	s := Cut{Left: make([]float64, classes), Right: make([]float64, classes)}
	for at, n := range cells {
		s.Right[at%classes] += n
	}
	for s.Behind = range len(cells)/classes - 1 {
		for c, n := range cells[s.Behind*classes:][:classes] {
			s.Left[c] += n
			s.Right[c] -= n
		}
		l, pl := Purity(s.Left)
		r, pr := Purity(s.Right)
		s.Gini = 1 - (pl+pr)/(l+r)
		visit(s)
	}
}

// Purity returns the number of records and the sum of the squared shares of the classes, times that number.
func Purity(counts []float64) (n, pure float64) {
	for _, v := range counts {
		n += v
		pure += float64(v * v)
	}
	if n == 0 {
		return 0, 0
	}
	return n, pure / n
}
