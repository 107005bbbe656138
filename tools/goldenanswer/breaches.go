package main

// threshold returns the amplification from which on a property of probability rho1 may get the probability rho2 by a
// release: an upward breach is impossible below it (Evfimievski, Gehrke & Srikant 2003, statement 1).
func threshold(rho1, rho2 float64) float64 { return rho2 * (1 - rho1) / (rho1 * (1 - rho2)) }

// safe reports whether an operator of that amplification rules out that a probability of rho1 becomes rho2. Equality,
// within 1e-9 of it, does not.
func safe(gamma, rho1, rho2 float64) bool {
	limit := threshold(rho1, rho2)
	return limit > gamma && limit-gamma > 1e-9*gamma
}
