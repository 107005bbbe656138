// Package noise is a technique.
package noise

// One adds one.
type One struct{}

// Add adds one.
func (One) Add(x int) int { return other(x) }

func other(x int) int { return x + 1 }
