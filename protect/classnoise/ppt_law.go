package classnoise

// PPTLaw is the binomial law of the number of records that have one of two classes afterwards.
type PPTLaw struct {
	Trials         int
	P              float64
	Mean, Variance float64
}

// PPTNewLaw returns the law of the number of minority records in a leaf with m majority and n minority records: m+n
// draws with probability n/(m+n) each.
func PPTNewLaw(m, n int) PPTLaw {
	l := PPTLaw{Trials: m + n}
	if l.Trials > 0 {
		l.P = float64(n) / float64(l.Trials)
	}
	l.Mean = float64(float64(l.Trials) * l.P)
	l.Variance = float64(l.Mean * (1 - l.P))
	return l
}

// PPTMoments returns mean and variance of the number of changed classes in a leaf with the given class counts: a record
// of a class with count c of N changes with probability 1 - c/N.
func PPTMoments(counts []int) (mean, variance float64) {
	n := 0.0
	for _, k := range counts {
		n += float64(k)
	}
	for _, k := range counts {
		if c := float64(k); c > 0 {
			mean += float64(c * (1 - c/n))
			variance += c * (1 - c/n) * c / n
		}
	}
	return mean, variance
}
