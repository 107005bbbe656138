package table

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"

	"github.com/dither-data/dither/calendar"
)

// attributeJSON is the JSON form of an attribute; a limit that is absent is unbounded.
type attributeJSON struct {
	Name     string   `json:"name"`
	Type     string   `json:"type"` // numeric | categorical | set-valued
	Role     string   `json:"role,omitempty"`
	Min      *float64 `json:"min,omitempty"`
	Max      *float64 `json:"max,omitempty"`
	OpenMin  bool     `json:"openMin,omitempty"`
	OpenMax  bool     `json:"openMax,omitempty"`
	Declared bool     `json:"declared,omitempty"`
	Step     float64  `json:"step,omitempty"`
	Stepped  bool     `json:"stepDeclared,omitempty"`
	Dates    string   `json:"dates,omitempty"` // the notation of dates
	Dated    bool     `json:"dated,omitempty"` // the file calls values dates that are none
	Values   []string `json:"values,omitempty"`
	Ordered  bool     `json:"ordered,omitempty"`
}

// MarshalJSON writes the attribute as {"name","type","role","min","max","step",...}. The limits of dates are numbers of
// their unit.
func (a Attribute) MarshalJSON() ([]byte, error) { return json.Marshal(a.Written()) }

// Written is what MarshalJSON writes.
func (a Attribute) Written() any {
	d := attributeJSON{Name: a.Name, Type: a.Kind.String(), Declared: a.Declared, Dated: a.Dated, Ordered: a.Ordered}
	if a.Role != 0 {
		d.Role = a.Role.String()
	}
	switch a.Kind {
	case Categorical, SetValued:
		d.Values = a.Labels
		return d
	case Numeric:
	}
	d.Dates = string(a.Dates)
	d.Step, d.OpenMin, d.OpenMax = a.Step, a.Domain.OpenLo, a.Domain.OpenHi
	d.Stepped = a.StepDeclared
	if !math.IsInf(a.Domain.Lo, -1) {
		d.Min = &a.Domain.Lo
	}
	if !math.IsInf(a.Domain.Hi, 1) {
		d.Max = &a.Domain.Hi
	}
	return d
}

// UnmarshalJSON reads what MarshalJSON writes. Unknown fields, an empty name, an unknown type or role, limits in the
// wrong order, a negative step, a label that occurs twice and a field that belongs to the other type are errors.
func (a *Attribute) UnmarshalJSON(data []byte) error {
	var d attributeJSON
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&d); err != nil {
		return fmt.Errorf("attribute: %w", err)
	}
	if d.Name == "" {
		return errors.New("attribute: it has no name")
	}
	*a = Attribute{Name: d.Name, Declared: d.Declared, Dated: d.Dated, Ordered: d.Ordered}
	var err error
	if d.Role != "" {
		a.Role, err = ParseRole(d.Role)
	}
	if err == nil {
		switch d.Type {
		case Categorical.String():
			err = a.setLabels(&d, Categorical)
		case Numeric.String():
			err = a.setDomain(&d)
		case SetValued.String():
			err = a.setLabels(&d, SetValued)
		default:
			err = fmt.Errorf("the type is %q; expected %s, %s or %s", d.Type, Numeric, Categorical, SetValued)
		}
	}
	if err != nil {
		return fmt.Errorf("attribute %q: %w", d.Name, err)
	}
	return nil
}

func (a *Attribute) setLabels(d *attributeJSON, kind Kind) error {
	a.Kind, a.Labels = kind, d.Values
	if d.Min != nil || d.Max != nil || d.OpenMin || d.OpenMax || d.Step != 0 || d.Stepped {
		return fmt.Errorf("a %s attribute has no min, max or step", kind)
	}
	if d.Dates != "" {
		return fmt.Errorf("a %s attribute has no notation of dates", kind)
	}
	if kind == SetValued && d.Ordered {
		return errors.New("the items of a set-valued attribute have no order")
	}
	seen := make(map[string]bool, len(d.Values))
	for k, l := range d.Values {
		if seen[l] {
			return fmt.Errorf("value %d occurs twice", k+1)
		}
		seen[l] = true
	}
	return nil
}

func (a *Attribute) setDomain(d *attributeJSON) error {
	a.Kind, a.Domain, a.Step, a.StepDeclared = Numeric, Everything(), d.Step, d.Stepped
	a.Domain.OpenLo, a.Domain.OpenHi = d.OpenMin, d.OpenMax
	if d.Min != nil {
		a.Domain.Lo = *d.Min
	}
	if d.Max != nil {
		a.Domain.Hi = *d.Max
	}
	if d.Values != nil || d.Step < 0 || a.Domain.Lo > a.Domain.Hi {
		return errors.New("a numeric attribute has min <= max, a step of 0 or more and no values")
	}
	if d.Dates != "" {
		a.Dates = calendar.Notation(d.Dates)
		if _, err := a.Dates.Layout(); err != nil {
			return err
		}
	}
	return nil
}
