package anonymity

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/noisemodel"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/table"
)

// chosen is a plan that reaches k in combinations of columns.
type chosen struct {
	noisemodel.Mechanism
	combinations [][]string
}

func (c chosen) Combinations() [][]string { return c.combinations }

// TestCombinations: k is the worst of the combinations, each as if an intruder knew no more than its columns, and every
// record has the highest risk it has in any. Where none of their columns is known it is k in what is.
func TestCombinations(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		tab := protecttest.RandomTable(t)
		var names []string
		for j := range tab.Width() {
			if tab.Attr(j).Kind.Scalar() && tab.Attr(j).Role&(table.Identifier|table.Weight) == 0 {
				names = append(names, tab.Attr(j).Name)
			}
		}
		some := rapid.SliceOfNDistinct(rapid.SampledFrom(names), 1, len(names), rapid.ID[string])
		combinations := rapid.SliceOfN(some, 1, 3).Draw(t, "combinations")
		knows := some.Draw(t, "knows")
		r := &measure.Release{Original: tab, Released: tab, Paired: true}
		_, together := takeOf(t, r, nil, knows...)
		r.Mechanisms = []noisemodel.Mechanism{chosen{combinations: combinations}}
		v, d := takeOf(t, r, nil, knows...)
		least, met := together.Smallest, false
		risk := make([]float64, tab.Rows())
		for _, columns := range combinations {
			var known []string
			for _, name := range knows {
				for _, c := range columns {
					if c == name {
						known = append(known, name)
					}
				}
			}
			if len(known) == 0 {
				continue
			}
			_, one := kAnonymityTake(t, tab, nil, known...)
			if !met || one.Smallest < least {
				least, met = one.Smallest, true
			}
			for i, v := range one.Records() {
				risk[i] = max(risk[i], v)
			}
		}
		if int(v.Score) != least || d.Smallest != least {
			t.Fatalf("k = %v, expected %d", v.Score, least)
		}
		if !met {
			if d.Combinations != nil {
				t.Fatalf("%+v", d.Combinations)
			}
			return
		}
		if d.Together != together.Smallest || d.Combinations[0].Smallest != least || len(v.Notes) == 0 {
			t.Fatalf("%+v; together %d", d, together.Smallest)
		}
		if text := d.Sentence().String(); !strings.Contains(text, fmt.Sprintf("it has %d.", together.Smallest)) {
			t.Fatal(text)
		}
		for i, want := range risk {
			if d.Records()[i] != want {
				t.Fatalf("row %d has risk %v, expected %v", i, d.Records()[i], want)
			}
		}
	})
}
