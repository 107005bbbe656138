package recoding

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/dither-data/dither/hierarchy"
	"github.com/dither-data/dither/protect/internal/named"
	"github.com/dither-data/dither/table"
)

// given returns the classes written by hand, by column.
func (q *GlobalTechnique) given(t *table.Table, may []int) (map[int]*hierarchy.Hierarchy, error) {
	out := map[int]*hierarchy.Hierarchy{}
	breaks, err := named.Assign(t, "breaks", q.Breaks)
	if err != nil {
		return nil, err
	}
	for _, b := range breaks {
		if err := named.Check(t, "breaks", b.Column, may); err != nil {
			return nil, err
		}
		a := t.Attr(b.Column)
		switch {
		case a.Kind != table.Numeric:
			return nil, fmt.Errorf("parameter %q: column %q is %s; give its classes in %q", "breaks", a.Name, a.Kind, "groups")
		case out[b.Column] != nil:
			return nil, fmt.Errorf("parameter %q: column %q is named twice", "breaks", a.Name)
		}
		if out[b.Column], err = limits(a, b.Text); err != nil {
			return nil, err
		}
	}
	groups, err := named.Assign(t, "groups", q.Groups)
	if err != nil {
		return nil, err
	}
	byColumn := map[int][]string{}
	for _, g := range groups {
		if err := named.Check(t, "groups", g.Column, may); err != nil {
			return nil, err
		}
		byColumn[g.Column] = append(byColumn[g.Column], g.Text)
	}
	for j, list := range byColumn {
		a := t.Attr(j)
		if a.Kind != table.Categorical {
			return nil, fmt.Errorf("parameter %q: column %q is %s; give its limits in %q", "groups", a.Name, a.Kind, "breaks")
		}
		if out[j], err = joined(a, list); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// limits reads the limits between intervals: "20|40|60".
func limits(a *table.Attribute, text string) (*hierarchy.Hierarchy, error) {
	var cuts []float64
	for _, field := range strings.Split(text, "|") {
		v, ok := a.ParseValue(strings.TrimSpace(field))
		if !ok {
			what := "a number"
			if a.Dates != "" {
				what = fmt.Sprintf("a date (%s)", a.Dates)
			}
			return nil, fmt.Errorf("parameter %q: %q is not %s, for column %q", "breaks", strings.TrimSpace(field), what, a.Name)
		}
		cuts = append(cuts, v)
	}
	h, err := hierarchy.Cut(a, cuts)
	if err != nil {
		return nil, fmt.Errorf("parameter %q: %w", "breaks", err)
	}
	return h, nil
}

// rest stands for all values that are in no other class.
const rest = "*"

// joined reads classes of categories: "value|value:label" each. Those in none keep their name.
func joined(a *table.Attribute, list []string) (*hierarchy.Hierarchy, error) {
	group, others := make([]string, len(a.Labels)), ""
	for _, text := range list {
		values, label, err := classOf(a, text)
		switch {
		case err != nil:
			return nil, err
		case values == rest && others != "":
			return nil, fmt.Errorf("parameter %q: column %q has %q twice", "groups", a.Name, rest)
		case values == rest:
			others = label
			continue
		}
		for _, v := range strings.Split(values, "|") {
			v = strings.TrimSpace(v)
			code := a.Code(v)
			if code < 0 {
				return nil, fmt.Errorf("parameter %q: column %q has no category %q", "groups", a.Name, v)
			}
			if group[code] != "" {
				return nil, fmt.Errorf("parameter %q: category %q of column %q is in two classes", "groups", v, a.Name)
			}
			group[code] = label
		}
	}
	for code, label := range group {
		if label == "" {
			group[code] = others
		}
	}
	for _, label := range group {
		if k := a.Code(label); label != "" && k >= 0 && group[k] != label {
			return nil, fmt.Errorf("parameter %q: a class of column %q is called as a category that is not in it", "groups",
				a.Name)
		}
	}
	for code, label := range a.Labels {
		group[code] = cmp.Or(group[code], label)
	}
	return hierarchy.Join(a.Name, a.Labels, group), nil
}

// classOf takes a class apart. One of one value needs no label.
func classOf(a *table.Attribute, text string) (values, label string, err error) {
	values = text
	if k := strings.LastIndexByte(text, ':'); k >= 0 {
		values, label = strings.TrimSpace(text[:k]), strings.TrimSpace(text[k+1:])
	}
	if label == "" && (values != text || values == rest) {
		return "", "", fmt.Errorf("parameter %q: a class of column %q has no label; expected one after the colon", "groups",
			a.Name)
	}
	return values, cmp.Or(label, values), nil
}
