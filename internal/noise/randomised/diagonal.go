package randomised

import "math"

// Diagonal is the gamma-diagonal matrix of FRAPP on records of a finite domain: a record is released as itself with
// probability Gamma x, and as any other with x = 1/(Gamma + Size - 1). Of all matrices that amplify by at most Gamma it
// has the least condition number (Agrawal & Haritsa 2005, section 3). Gamma is 1 or more; 1 releases nothing.
type Diagonal struct {
	Gamma float64
	Size  float64 // number of possible records, the product of the numbers of categories
}

// Off returns x, the probability of every other record.
func (d Diagonal) Off() float64 { return 1 / (d.Gamma + d.Size - 1) }

// Keep returns (Gamma-1) x: with this probability a record is released as it is; otherwise all its attributes are drawn
// anew, uniformly and independently.
func (d Diagonal) Keep() float64 { return float64((d.Gamma - 1) * d.Off()) }

// Condition returns the condition number of the matrix, (Gamma+Size-1)/(Gamma-1).
func (d Diagonal) Condition() float64 { return 1 / d.Keep() }

// Subset returns the matrix that works on some of the attributes, which have so many combinations of categories: its
// diagonal, and what is off it.
func (d Diagonal) Subset(combinations float64) (diagonal, off float64) {
	off = float64(d.Size / combinations * d.Off())
	return d.Keep() + off, off
}

// Support estimates the share of records that have one of so many combinations of categories of some attributes, from
// its share of n released records.
func (d Diagonal) Support(observed, n, combinations float64) Estimate {
	_, off := d.Subset(combinations)
	return Estimate{(observed - off) / d.Keep(), math.Sqrt(observed*(1-observed)/n) / d.Keep()}
}

// Lowest returns the lowest share of one of so many combinations that can be told from 0 in n records: that which is 4
// standard errors of its estimate. It is infinite where nothing is released, and may be above 1.
func (d Diagonal) Lowest(n, combinations float64) float64 {
	on, off := d.Subset(combinations)
	k := d.Keep()
	// Only the operator is random: of the share s of the records it is a coin of probability on, of the others one of
	// probability off.
	return lowest(n, off*(1-off)/(k*k), (float64(on*(1-on))-float64(off*(1-off)))/(k*k))
}
