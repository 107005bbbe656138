package example

import (
	"math"

	"gonum.org/v1/gonum/floats"
)

type share float64

func sums(x, y, z float64, list []float64) float64 {
	a := x*y + z             // want
	a += x * y               // want
	a -= -(x * y)            // want
	b := x * y               // want
	list[0] *= y + 1         // want
	c := share(x) * share(y) // want
	d := 2*3.5 + 2*x - x*0.25 + y/2
	d *= 4
	a = z - x*y   // want
	a = 3*x + 1*y // want want
	e := float64(x*y) + z
	f := x * y / z
	g := 3*4 + len(list)*2
	if x*y > z {
		return math.Sqrt(x*y) + max(x*y, z)
	}
	h := call(x*y, "a rather long argument so that the line", "has to be broken after the product is wrapped", b) // want
	return a + b + float64(c) + d + e + f + float64(g) + h + math.Exp(x) + math.Floor(x) + floats.Sum(list)       // want want
}

func call(x float64, _, _ string, y float64) float64 {
	return (x + y) * x // want
}
