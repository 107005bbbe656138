// Package contract is what a technique is.
package contract

// Technique adds noise.
type Technique interface{ Add(x int) int }

// Run is the way in which a technique is used.
func Run(t Technique, x int) int { return t.Add(x) }
