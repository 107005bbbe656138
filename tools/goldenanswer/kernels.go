package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"github.com/dither-data/dither/noisemodel"
	"github.com/dither-data/dither/segment"
	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/wrap"
)

// kernelIn is the law of one attribute:
//   - exact: the value is released as it is;
//   - rounded_normal: sigma_frac, the standard deviation as a share of the domain that the target's leaf leaves;
//   - difference_pmf: pmf, the probabilities of the differences;
//   - transition: one more field, whatever it is called: the probability of every released value, by original value. It
//     is an object of objects or, in the order of the attribute's values (or of the field values), a list of rows.
type kernelIn map[string]json.RawMessage

func (k kernelIn) kind() (kind string) {
	_ = json.Unmarshal(k["kind"], &kind) // what is no word is no kind
	return kind
}

// lawful is a plan that is nothing but its laws, by column; a column without one is released as it is. The leaf of the
// target in a tree sets the domain of the noise.
type lawful struct {
	tree     *tree.Tree
	segments []segment.Segment
	law      []noisemodel.Column
}

func (in *disclosureIn) lawful(t *tree.Tree) (*lawful, error) {
	l := &lawful{t, t.Segments(), make([]noisemodel.Column, len(t.Attrs))}
	for j := range t.Attrs {
		k, ok := in.Kernels[t.Attrs[j].Name]
		if !ok {
			continue
		}
		var err error
		if l.law[j], err = k.law(&t.Attrs[j], j); err != nil {
			return nil, fmt.Errorf("attribute %q: %w", t.Attrs[j].Name, err)
		}
	}
	return l, nil
}

// law returns the law in a segment; nil for an attribute that is released as it is.
func (k kernelIn) law(a *table.Attribute, j int) (noisemodel.Column, error) {
	switch kind := k.kind(); kind {
	case "exact":
		return nil, nil
	case "rounded_normal":
		return k.normal(a, j)
	case "difference_pmf":
		d, err := k.differences()
		return noisemodel.Everywhere(d), err
	case "transition":
		m, err := k.transition(a)
		return noisemodel.Everywhere(m), err
	default:
		return nil, fmt.Errorf("the kernel %q is unknown", kind)
	}
}

func (k kernelIn) normal(a *table.Attribute, j int) (noisemodel.Column, error) {
	var share float64
	err := json.Unmarshal(k["sigma_frac"], &share)
	return noisemodel.Noise(a, j, wrap.Noise{Spread: 100 * share}), err
}

func (l *lawful) Schema() []table.Attribute { return l.tree.Attrs }

func (l *lawful) Changes() []string {
	var names []string
	for j, law := range l.law {
		if law != nil {
			names = append(names, l.tree.Attrs[j].Name)
		}
	}
	return names
}

func (l *lawful) Law(j int) (noisemodel.Column, bool) {
	return func(_ *segment.Segment, t *table.Table, row int) noisemodel.Kernel {
		leaf := make([]int32, 1)
		l.tree.Route(t.Gather([]int{row}), leaf)
		return l.law[j](&l.segments[leaf[0]], t, row)
	}, l.law[j] != nil
}

// differences is the law of noise that does not wrap: the probabilities of the differences.
type differences map[float64]float64

func (k kernelIn) differences() (*differences, error) {
	var pmf map[string]float64
	if err := json.Unmarshal(k["pmf"], &pmf); err != nil {
		return nil, err
	}
	d := differences{}
	for by, p := range pmf {
		v, err := strconv.ParseFloat(by, 64)
		if err != nil {
			return nil, fmt.Errorf("a difference of %q", by)
		}
		d[v] = p
	}
	return &d, nil
}

func (d *differences) P(x, y float64) float64 { return (*d)[y-x] }

// transitions is the law of values that become each other: the probabilities by original and released value.
type transitions map[[2]float64]float64

func (m *transitions) P(x, y float64) float64 { return (*m)[[2]float64{x, y}] }

func (k kernelIn) transition(a *table.Attribute) (*transitions, error) {
	values, err := k.values(a)
	if err != nil {
		return nil, err
	}
	var field json.RawMessage
	for name, text := range k {
		if name != "kind" && name != "values" {
			field = text
		}
	}
	m := transitions{}
	return &m, values.each(field, func(x float64, row json.RawMessage) error {
		return values.each(row, func(y float64, text json.RawMessage) error {
			var p float64
			err := json.Unmarshal(text, &p)
			m[[2]float64{x, y}] = p
			return err
		})
	})
}

// domain is the values of an attribute in their order, by the names they have as keys: codes of categories, or numbers.
type domain struct {
	names  []string
	values []float64
}

// all returns the values of an attribute: its categories, or the numbers of its grid.
func all(a *table.Attribute) (out []any) {
	switch a.Kind {
	case table.Numeric:
		for x := a.Domain.Lo; a.Step > 0 && x <= a.Domain.Hi; x += a.Step {
			out = append(out, x)
		}
	case table.Categorical:
		for _, l := range a.Labels {
			out = append(out, l)
		}
	case table.SetValued: // has no law
	}
	return out
}

// values returns what the field values lists, or all values of the attribute.
func (k kernelIn) values(a *table.Attribute) (d domain, err error) {
	var listed []any
	if text, ok := k["values"]; ok {
		if err := json.Unmarshal(text, &listed); err != nil {
			return d, err
		}
	} else {
		listed = all(a)
	}
	for _, l := range listed {
		name := fmt.Sprint(l)
		v, ok := l.(float64)
		switch a.Kind {
		case table.Numeric:
		case table.Categorical:
			v = float64(a.Code(name))
			ok = v >= 0
		case table.SetValued:
			ok = false
		}
		if !ok {
			return d, fmt.Errorf("there is no value %q", name)
		}
		d.names, d.values = append(d.names, name), append(d.values, v)
	}
	return d, nil
}

// each visits the entries of an object by value, or those of a list in the order of the values.
func (d *domain) each(text json.RawMessage, visit func(v float64, entry json.RawMessage) error) error {
	var list []json.RawMessage
	if json.Unmarshal(text, &list) == nil {
		if len(list) != len(d.values) {
			return fmt.Errorf("%d probabilities or rows, expected %d", len(list), len(d.values))
		}
		for c, entry := range list {
			if err := visit(d.values[c], entry); err != nil {
				return err
			}
		}
		return nil
	}
	var named map[string]json.RawMessage
	if err := json.Unmarshal(text, &named); err != nil {
		return err
	}
	for name, entry := range named {
		c := slices.Index(d.names, name)
		if c < 0 {
			return fmt.Errorf("there is no value %q", name)
		}
		if err := visit(d.values[c], entry); err != nil {
			return err
		}
	}
	return nil
}
