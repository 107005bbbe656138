package all_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/dither-data/dither/catalog"
	"github.com/dither-data/dither/generate"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/found"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/table"
)

// TestKnowingMoreFindsNoFewer takes the share of people found of techniques with their defaults, of all in a long test,
// against intruders who know more and more: the upper bound of who knows more is not below the lower bound of who knows
// less. All are counted on the same people, of whom nearly all are found by both or by neither, so of two intruders who
// find equally many the bounds are apart in far less than 1 % of the samples; seeds are fixed.
func TestKnowingMoreFindsNoFewer(t *testing.T) {
	// the table has no sets of items
	methods := slices.DeleteFunc(slices.Clone(catalog.Methods()),
		func(m protect.Method) bool { return m.Purpose == protect.Items })
	// some of them
	some := every(methods, long.Of(80, 1))
	s := stage(t, study.WithoutIdentifiers(generate.Patients(long.Of(150, 400), rng.New([32]byte{1}))), some)
	who := growing(s.table)
	for _, r := range append(s.protected, s.original, s.noise, s.suppressed) {
		var less measure.Value
		for k := range who {
			v, err := found.Measure.New().Measure(t.Context(), r.Against(&who[k]), rng.New([32]byte{7}))
			if err != nil {
				t.Fatalf("%s, %s: %v", r.name, who[k].Name, err)
			}
			if v.Hi < less.Lo {
				t.Errorf("%s: who %s finds %v [%v, %v], who knows less %v [%v, %v]", r.name, who[k].Name, v.Score, v.Lo, v.Hi,
					less.Score, less.Lo, less.Hi)
			}
			if v.Lo > less.Lo {
				less = v
			}
		}
	}
}

// growing returns intruders each of whom knows what the one before does, and more.
func growing(t *table.Table) (out []intruder.Intruder) {
	var names []string
	for j := range t.Width() {
		if t.Attr(j).Role&(table.Class|table.Identifier|table.Weight) == 0 {
			names = append(names, t.Attr(j).Name)
		}
	}
	for k := 1; k <= len(names); k += 3 {
		out = append(out, intruder.Intruder{Name: fmt.Sprintf("knows %d columns", k), Knows: names[:k:k], Secret: []string{}})
	}
	return append(out, intruder.Intruder{Name: "knows all", Knows: []string{intruder.All}, Secret: []string{}})
}

// every is each nth technique.
func every(methods []protect.Method, n int) (some []protect.Method) {
	for k := 0; k < len(methods); k += n {
		some = append(some, methods[k])
	}
	return some
}
