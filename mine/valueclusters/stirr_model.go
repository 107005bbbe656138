package valueclusters

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/dither-data/dither/internal/mining/categorical"
	"github.com/dither-data/dither/internal/system/sorting"
	"github.com/dither-data/dither/mine"
)

// STIRRModel is the weights of values, plain data.
type STIRRModel struct {
	Combiner   string           `json:"combiner"`
	Least      float64          `json:"least"`     // smallest strength of a similar pair
	MaxValues  int              `json:"maxValues"` // attributes with more values have no list of pairs; 0: all have
	Rounds     int              `json:"rounds"`
	Change     float64          `json:"change"` // largest change of a weight in the last round
	Converged  bool             `json:"converged"`
	Attributes []STIRRAttribute `json:"attributes"`
}

// STIRRAttribute is an attribute with the values that occur, in the order of their codes.
type STIRRAttribute struct {
	Name   string  `json:"name"`
	Values []Value `json:"values"`
}

// Value is a value with its weight in every basin. The weights of a basin, over all values of all attributes, have unit
// length.
type Value struct {
	Label   string    `json:"label"`
	Weights []float64 `json:"weights"`
}

// faint is the smallest magnitude of a weight, as a share of the largest it is compared with, that has a sign.
const faint = 1e-9

// sides returns every value's weight as a share of the attribute's largest, for every basin but the first that tells
// anything of the attribute.
func (a *STIRRAttribute) sides(all []STIRRAttribute) (out [][]float64) {
	if len(a.Values) == 0 {
		return nil
	}
	for b := 1; b < len(a.Values[0].Weights); b++ {
		own, largest := a.largest(b), 0.0
		for i := range all {
			largest = max(largest, all[i].largest(b))
		}
		if own <= faint*largest {
			continue
		}
		side := make([]float64, len(a.Values))
		for v := range side {
			side[v] = a.Values[v].Weights[b] / own
		}
		out = append(out, side)
	}
	return out
}

func (a *STIRRAttribute) largest(b int) (w float64) {
	for _, v := range a.Values {
		w = max(w, math.Abs(v.Weights[b]))
	}
	return w
}

// Similar returns the pairs of values of an attribute that are on the same side in every basin but the first. Strength
// is the smaller magnitude of the two weights as a share of the attribute's largest, the least over these basins, in
// (0, 1]. An attribute of more than MaxValues values has no pairs. Cost: O(v^2 b) for an attribute of v values and b
// basins.
func (m *STIRRModel) Similar() []mine.Alike {
	var out []mine.Alike
	for i := range m.Attributes {
		a := &m.Attributes[i]
		if m.MaxValues > 0 && len(a.Values) > m.MaxValues {
			continue
		}
		sides := a.sides(m.Attributes)
		from := len(out)
		for x := range a.Values {
			for y := x + 1; y < len(a.Values) && len(sides) > 0; y++ {
				strength := 1.0
				for _, s := range sides {
					if math.Signbit(s[x]) != math.Signbit(s[y]) {
						strength = 0
					}
					strength = min(strength, math.Abs(s[x]), math.Abs(s[y]))
				}
				if strength > faint && strength >= m.Least {
					out = append(out, mine.Alike{Attribute: a.Name, A: a.Values[x].Label, B: a.Values[y].Label, Strength: strength})
				}
			}
		}
		sorting.Stable(out[from:], func(a, b mine.Alike) int { return cmp.Compare(b.Strength, a.Strength) })
	}
	return out
}

// The most values that Text shows on either side, and the most attributes.
const (
	stirrShown = 25
	widest     = 50
)

// Text prints, for every attribute and every basin but the first, the values on either side, the weightiest first; of
// many values those at the ends, and of many attributes the first 50.
func (m *STIRRModel) Text() string {
	var w strings.Builder
	end := "not converged"
	if m.Converged {
		end = "converged"
	}
	fmt.Fprintf(&w, "STIRR, combiner %s: %s after %d rounds, largest change of a weight in the last %.2g\n", m.Combiner,
		end, m.Rounds, m.Change)
	for _, a := range m.Attributes[:min(widest, len(m.Attributes))] {
		for b := 1; len(a.Values) > 0 && b < len(a.Values[0].Weights); b++ {
			values := slices.Clone(a.Values)
			slices.SortStableFunc(values, func(x, y Value) int { return cmp.Compare(y.Weights[b], x.Weights[b]) })
			var parts []string
			for k, v := range values {
				switch {
				case k < stirrShown || k >= len(values)-stirrShown:
					parts = append(parts, fmt.Sprintf("%s %+.3f", v.Label, v.Weights[b]))
				case k == stirrShown:
					parts = append(parts, fmt.Sprintf("and %d between", len(values)-2*stirrShown))
				}
			}
			w.WriteString(categorical.List(fmt.Sprintf("%s, basin %d", a.Name, b+1), parts))
		}
	}
	if n := len(m.Attributes) - widest; n > 0 {
		fmt.Fprintf(&w, "and %d more attributes\n", n)
	}
	return w.String()
}
