package valueclusters

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/dither-data/dither/internal/mining/categorical"
	"github.com/dither-data/dither/internal/system/sorting"
	"github.com/dither-data/dither/mine"
)

// VICUSModel is the groups of values, plain data.
type VICUSModel struct {
	Least      float64          `json:"least"` // smallest mean similarity of groups that were merged
	Attributes []VICUSAttribute `json:"attributes"`
}

// VICUSAttribute is an attribute with the values that occur, in the order of their codes.
type VICUSAttribute struct {
	Name       string      `json:"name"`
	Column     int         `json:"column"`
	Codes      []int32     `json:"codes"`
	Labels     []string    `json:"labels"`
	Group      []int32     `json:"groups"`     // by value; groups are numbered by their first values
	Similarity [][]float64 `json:"similarity"` // S, in [0, 1]
}

// Groups returns how many groups there are.
func (a *VICUSAttribute) Groups() int {
	if len(a.Group) == 0 {
		return 0
	}
	return int(slices.Max(a.Group)) + 1
}

// Similar returns the pairs of values of a group; strength is their similarity. Cost: O(v^2) for an attribute of v
// values.
func (m *VICUSModel) Similar() []mine.Alike {
	var out []mine.Alike
	for k := range m.Attributes {
		a := &m.Attributes[k]
		from := len(out)
		for i := range a.Group {
			for j := i + 1; j < len(a.Group); j++ {
				if a.Group[i] == a.Group[j] {
					out = append(out, mine.Alike{Attribute: a.Name, A: a.Labels[i], B: a.Labels[j], Strength: a.Similarity[i][j]})
				}
			}
		}
		sorting.Stable(out[from:], func(x, y mine.Alike) int { return cmp.Compare(y.Strength, x.Strength) })
	}
	return out
}

// Text prints the groups.
func (m *VICUSModel) Text() string {
	var w strings.Builder
	fmt.Fprintf(&w, "VICUS, groups of values with a mean similarity of %g or more\n", m.Least)
	for k := range m.Attributes {
		a := &m.Attributes[k]
		for g := range a.Groups() {
			var labels []string
			for i, of := range a.Group {
				if int(of) == g {
					labels = append(labels, a.Labels[i])
				}
			}
			w.WriteString(categorical.List(fmt.Sprintf("%s, group %d", a.Name, g+1), labels))
		}
	}
	return w.String()
}
