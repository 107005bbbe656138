package main

import "github.com/dither-data/dither/generate"

// field returns a customer's code in one of the four columns that mean something, and how many codes the column has.
func field(r generate.CSRecord, column int) (code int32, codes float64) {
	switch column {
	case country:
		return r.Country, 3
	case profession:
		return r.Profession, 3
	case car:
		return r.Car, 4
	default:
		return r.Status, 2
	}
}

// probability returns how likely an answer about a customer is, by the law of the generator.
func probability(answer func(generate.CSRecord) bool) float64 {
	p := generate.CSLaw(func(r generate.CSRecord) string {
		if answer(r) {
			return "yes"
		}
		return "no"
	})["yes"]
	if p == nil {
		return 0
	}
	f, _ := p.Float64()
	return f
}

// connection returns how many times as often as all pairs of values being equally likely would have it a customer has
// two values of two columns, by the law of the generator.
func connection(i int, a int32, j int, b int32) float64 {
	_, m := field(generate.CSRecord{}, i)
	_, n := field(generate.CSRecord{}, j)
	return m * n * probability(func(r generate.CSRecord) bool {
		x, _ := field(r, i)
		y, _ := field(r, j)
		return x == a && y == b
	})
}

// goodCars returns how many of n customers are good and have each car, on the average, by code.
func goodCars(n float64) (out [4]float64) {
	for c := range out {
		out[c] = n * probability(func(r generate.CSRecord) bool { return r.Status == good && r.Car == int32(c) })
	}
	return out
}
