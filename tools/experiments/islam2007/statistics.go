package main

import (
	"fmt"
	"slices"
	"strings"
)

// column collects one figure of many runs.
func column(rs []*result, f func(*result) float64) []float64 {
	out := make([]float64, len(rs))
	for i, r := range rs {
		out[i] = f(r)
	}
	return out
}

func mean(v []float64) float64 {
	s := 0.0
	for _, x := range v {
		s += x
	}
	return s / float64(len(v))
}

// quantile interpolates linearly.
func quantile(v []float64, q float64) float64 {
	v = slices.Sorted(slices.Values(v))
	h := q * float64(len(v)-1)
	i := int(h)
	if i+1 >= len(v) {
		return v[len(v)-1]
	}
	return v[i] + (h-float64(i))*(v[i+1]-v[i])
}

// within returns the share of values for which ok holds, in per cent.
func within(v []float64, ok func(float64) bool) float64 {
	n := 0
	for _, x := range v {
		if ok(x) {
			n++
		}
	}
	return 100 * float64(n) / float64(len(v))
}

// span writes a middle and the smallest and largest value, or one number when all print alike.
func span(middle float64, v []float64, decimals int) string {
	f := func(x float64) string { return fmt.Sprintf("%.*f", decimals, x) }
	lo, hi := f(slices.Min(v)), f(slices.Max(v))
	if lo == hi {
		return f(middle)
	}
	return fmt.Sprintf("%s (%s-%s)", f(middle), lo, hi)
}

func meanSpan(v []float64, decimals int) string { return span(mean(v), v, decimals) }

func medianSpan(v []float64, decimals int) string { return span(quantile(v, 0.5), v, decimals) }

// tally counts words in the order of their first occurrence.
func tally(words []string) string {
	var order []string
	n := map[string]int{}
	for _, w := range words {
		if n[w] == 0 {
			order = append(order, w)
		}
		n[w]++
	}
	for i, w := range order {
		order[i] = fmt.Sprintf("%d %s", n[w], w)
	}
	return strings.Join(order, ", ")
}
