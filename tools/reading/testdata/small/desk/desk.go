// Package desk serves requests.
package desk

import (
	"example.org/small/contract"
	"example.org/small/loop"
	"example.org/small/protect/noise"
	"example.org/small/study"
)

// Evaluate searches.
func Evaluate() int { return study.Search(try) }

// Protect goes down twice.
func Protect() (sum int) {
	loop.Each(3, func(i int) { sum += contract.Run(noise.One{}, i) })
	return sum + try(4)
}
