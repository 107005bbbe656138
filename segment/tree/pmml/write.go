// Package pmml writes decision trees as PMML 4.4 (Data Mining Group), and reads trees of other programs from it.
package pmml

import (
	"encoding/xml"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/table"
)

// The parts of a document of PMML 4.4 (Data Mining Group) that a tree has.
type file struct {
	XMLName    xml.Name  `xml:"PMML"`
	Space      string    `xml:"xmlns,attr,omitempty"`
	Version    string    `xml:"version,attr"`
	Header     header    `xml:"Header"`
	Dictionary []field   `xml:"DataDictionary>DataField"`
	Model      *model    `xml:"TreeModel"`
	Others     []another `xml:",any"`
}

type another struct{ XMLName xml.Name }

type header struct {
	Application struct {
		Name string `xml:"name,attr"`
	} `xml:"Application"`
}

type field struct {
	Name       string      `xml:"name,attr"`
	Optype     string      `xml:"optype,attr"`
	Type       string      `xml:"dataType,attr"`
	Extensions []extension `xml:"Extension"`
	Intervals  []interval  `xml:"Interval"`
	Values     []value     `xml:"Value"`
}

type extension struct {
	Extender string `xml:"extender,attr"`
	Name     string `xml:"name,attr"`
	Value    string `xml:"value,attr"`
}

type interval struct {
	Closure string   `xml:"closure,attr"`
	Lo      *float64 `xml:"leftMargin,attr"`
	Hi      *float64 `xml:"rightMargin,attr"`
}

type value struct {
	Value    string `xml:"value,attr"`
	Property string `xml:"property,attr,omitempty"`
}

type model struct {
	Function string        `xml:"functionName,attr"`
	Missing  string        `xml:"missingValueStrategy,attr,omitempty"`
	NoChild  string        `xml:"noTrueChildStrategy,attr,omitempty"`
	Split    string        `xml:"splitCharacteristic,attr,omitempty"`
	Fields   []miningField `xml:"MiningSchema>MiningField"`
	Root     *node         `xml:"Node"`
}

type miningField struct {
	Name  string `xml:"name,attr"`
	Usage string `xml:"usageType,attr,omitempty"`
}

type node struct {
	ID       string    `xml:"id,attr,omitempty"`
	Score    *string   `xml:"score,attr"`
	Records  *float64  `xml:"recordCount,attr"`
	Default  string    `xml:"defaultChild,attr,omitempty"`
	True     *struct{} `xml:"True"`
	Simple   *part     `xml:"SimplePredicate"`
	Set      *part     `xml:"SimpleSetPredicate"`
	Compound *part     `xml:"CompoundPredicate"`
	Counts   []count   `xml:"ScoreDistribution"`
	Kids     []*node   `xml:"Node"`
}

// part is a predicate of any kind.
type part struct {
	XMLName  xml.Name
	Field    string  `xml:"field,attr,omitempty"`
	Operator string  `xml:"operator,attr,omitempty"`
	Boolean  string  `xml:"booleanOperator,attr,omitempty"`
	Value    *string `xml:"value,attr"`
	Array    *array  `xml:"Array"`
	Parts    []part  `xml:",any"`
}

type array struct {
	Type string `xml:"type,attr"`
	N    int    `xml:"n,attr"`
	Text string `xml:",chardata"`
}

type count struct {
	Value   string  `xml:"value,attr"`
	Records float64 `xml:"recordCount,attr"`
}

// Write returns the tree as a TreeModel of PMML 4.4. A record whose tested value is missing follows all branches, as
// Predict has it (weightedConfidence); one with a category that its node has no branch for gets the class of that node
// in PMML, where Predict follows all branches. What PMML has no place for, grids and notations of dates, are
// extensions, which other programs ignore. It fails on texts that XML does not hold. Cost: O(nodes).
func Write(t *tree.Tree) ([]byte, error) {
	if len(t.Nodes) == 0 {
		return nil, errors.New("tree: it has no nodes")
	}
	d := file{
		Space:   "http://www.dmg.org/PMML-4_4",
		Version: "4.4",
		Model: &model{
			Function: "classification",
			Missing:  "weightedConfidence",
			NoChild:  "returnLastPrediction",
			Split:    "multiSplit",
		},
	}
	d.Header.Application.Name = "dither"
	for j := range t.Attrs {
		a := &t.Attrs[j]
		if a.Kind == table.SetValued { // no tree tests sets
			continue
		}
		for _, text := range append([]string{a.Name}, a.Labels...) {
			if strings.ContainsFunc(text, func(r rune) bool {
				return r < ' ' && r != '\t' && r != '\n' && r != '\r' || r == '\ufffd' || r >= 0xfffe && r <= 0xffff
			}) {
				return nil, fmt.Errorf("tree: column %d has a name or a label that XML cannot hold", j+1)
			}
		}
		d.Dictionary = append(d.Dictionary, fieldOf(a))
		f := miningField{Name: a.Name}
		if j == t.Class {
			f.Usage = "target"
		}
		d.Model.Fields = append(d.Model.Fields, f)
	}
	d.Model.Root = nodeOf(t, 0)
	d.Model.Root.True = &struct{}{}
	out, err := xml.MarshalIndent(d, "", " ")
	return append(append([]byte(xml.Header), out...), '\n'), err
}

func fieldOf(a *table.Attribute) field {
	f := field{Name: a.Name, Optype: "continuous", Type: "double"}
	extend := func(name, value string) { f.Extensions = append(f.Extensions, extension{"dither", name, value}) }
	if a.Kind == table.Categorical {
		f.Optype, f.Type = "categorical", "string"
		if a.Ordered {
			f.Optype = "ordinal"
		}
		for _, l := range a.Labels {
			f.Values = append(f.Values, value{Value: l})
		}
		return f
	}
	if a.Step == 1 {
		f.Type = "integer"
	}
	if a.Dates != "" {
		if extend("dates", string(a.Dates)); a.Dates.PerDay() == 1 {
			f.Type = "dateDaysSince[1970]"
		} else if a.Dates.PerDay() == 86400 {
			f.Type = "dateTimeSecondsSince[1970]"
		}
	}
	if a.Step != 1 {
		extend("step", strconv.FormatFloat(a.Step, 'g', -1, 64))
	}
	if lo, hi := a.Domain.Lo, a.Domain.Hi; lo < hi && !math.IsInf(lo, 0) && !math.IsInf(hi, 0) {
		f.Intervals = append(f.Intervals, interval{"closedClosed", &lo, &hi})
	}
	return f
}

// nodeOf is a node and what hangs on it; the predicate that leads to it is its parent's affair.
func nodeOf(t *tree.Tree, i int32) *node {
	n := &t.Nodes[i]
	w := n.Weight()
	out := &node{ID: strconv.Itoa(int(i)), Score: &t.ClassLabels()[n.Label], Records: &w}
	for c, v := range n.Counts {
		out.Counts = append(out.Counts, count{t.ClassLabels()[c], v})
	}
	if n.Leaf() {
		return out
	}
	out.Default = strconv.Itoa(int(n.Kids[n.Heavy]))
	a := &t.Attrs[n.Attr]
	for k, at := range n.Kids {
		kid := nodeOf(t, at)
		if n.Branch == nil {
			cut := strconv.FormatFloat(n.Cut, 'g', -1, 64)
			kid.Simple = &part{Field: a.Name, Operator: [2]string{"lessOrEqual", "greaterThan"}[k], Value: &cut}
		} else {
			kid.isIn(a, n.Branch, int32(k))
		}
		out.Kids = append(out.Kids, kid)
	}
	return out
}

// isIn sets the predicate of a branch: that the value is one of those that take it. Quotes within quotes are read in
// more than one way, so labels with quotes stand alone.
func (n *node) isIn(a *table.Attribute, branch []int32, k int32) {
	var labels []string
	odd := false
	for code, b := range branch {
		if b == k {
			labels = append(labels, a.Labels[code])
			odd = odd || strings.ContainsAny(a.Labels[code], "\"\\\r\n\t") || strings.TrimSpace(a.Labels[code]) != a.Labels[code]
		}
	}
	switch {
	case len(labels) == 1:
		n.Simple = &part{Field: a.Name, Operator: "equal", Value: &labels[0]}
	case odd:
		n.Compound = &part{Boolean: "or"}
		for k := range labels {
			n.Compound.Parts = append(n.Compound.Parts,
				part{XMLName: xml.Name{Local: "SimplePredicate"}, Field: a.Name, Operator: "equal", Value: &labels[k]})
		}
	default:
		n.Set = &part{Field: a.Name, Boolean: "isIn", Array: &array{Type: "string", N: len(labels)}}
		for k, l := range labels {
			labels[k] = `"` + l + `"`
		}
		n.Set.Array.Text = strings.Join(labels, " ")
	}
}
