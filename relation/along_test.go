package relation_test

import (
	"math"
	"reflect"
	"testing"
)

// TestAlong: a blanked cell takes along what it could be worked out from, and no more.
func TestAlong(t *testing.T) {
	tab, r, _ := restated(t, []string{"s = a + b", "code -> text", "a <= c"},
		numbers("s", 0, 99, 10, 20, math.NaN(), 40), numbers("a", 0, 99, 4, 8, 12, 16), numbers("b", 0, 99, 6, 12, 18, 24),
		numbers("c", 0, 99, 5, 9, 20, 17), texts("code", []string{"x", "y"}, 0, 1, 0, 1),
		texts("text", []string{"Ex", "Why"}, 0, 1, 0, 1))
	const s, a, b, c, code, text = 0, 1, 2, 3, 4, 5
	for name, one := range map[string]struct{ blanked, want map[int][]int }{
		"a part takes the sum":          {map[int][]int{b: {0}}, map[int][]int{b: {0}, s: {0}}},
		"the sum takes a part":          {map[int][]int{s: {1}}, map[int][]int{s: {1}, a: {1}}},
		"what tells nothing stays":      {map[int][]int{b: {2}}, map[int][]int{b: {2}}},
		"two blanked hide each other":   {map[int][]int{a: {3}, b: {3}}, map[int][]int{a: {3}, b: {3}}},
		"a label takes its code":        {map[int][]int{text: {0, 3}}, map[int][]int{text: {0, 3}, code: {0, 3}}},
		"a code takes its label":        {map[int][]int{code: {1}}, map[int][]int{text: {1}, code: {1}}},
		"an order gives nothing away":   {map[int][]int{c: {0}}, map[int][]int{c: {0}}},
		"nothing blanked, nothing goes": {nil, nil},
	} {
		if got := r.Along(tab, one.blanked); !reflect.DeepEqual(got, one.want) {
			t.Errorf("%s: %v, expected %v", name, got, one.want)
		}
	}
}
