// Package modelfile is the noise model of a release as its custodian publishes it: the technique and its probabilities,
// column by column, so that recipients can estimate the original distributions. It is a small file next to the release
// (Encode, Decode).
//
// It holds no seed, no secret, and nothing of the original that the release does not show itself but what the technique
// makes public by design: select-a-size and cut-and-paste tell how many items every record had. Names of columns are
// those of the release; categories are counted, not named.
//
// A Part is the law of columns that are released together, and of one kind: exactly one of its fields besides Columns
// is set. A further kind of noise is a further field. Columns that no part names are released as they are.
package modelfile

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/dither-data/dither/internal/noise/randomised"
	"github.com/dither-data/dither/noisemodel/transition"
)

// Schema names the format.
const Schema = "dither/law/1"

const notice = "PUBLIC: how the release was made, without its random numbers. Users who estimate what the " +
	"original was like need it; it may go with the release."

// Model is the law of a release.
type Model struct {
	Notice  string  `json:"notice"` // first, so that anyone who opens the file reads it
	Schema  string  `json:"schema"`
	Method  string  `json:"method"` // name of the technique
	Release Release `json:"release"`
	Parts   []Part  `json:"parts"`
}

// Release says which release the law is of.
type Release struct {
	Records int    `json:"records"`
	SHA256  string `json:"sha256,omitempty"` // of its file, in hexadecimal
}

// Part is the law of some columns.
type Part struct {
	Columns  []string  `json:"columns"`
	Items    *Items    `json:"items,omitempty"`    // sets, item by item: MASK, EMASK
	Sizes    *Sizes    `json:"sizes,omitempty"`    // sets, by their number of items: select-a-size, cut-and-paste
	Record   *Record   `json:"record,omitempty"`   // categories of a record as one: FRAPP
	Category *Category `json:"category,omitempty"` // categories by themselves: randomised response, PRAM
	// pairs of categories that are exchanged together: multivariate randomised response
	Group  *Group  `json:"group,omitempty"`
	Number *Number `json:"number,omitempty"` // numbers: value distortion, value-class membership, mixtures
}

// Items keeps an item that is there with probability One, and one that is not stays away with probability Zero.
type Items struct {
	One  float64 `json:"one"`
	Zero float64 `json:"zero"`
}

// Bits returns the operator as it is calculated with.
func (i *Items) Bits() randomised.Bits { return randomised.Bits{One: i.One, Zero: i.Zero} }

// Sizes are the operators by the number of items that the original has.
type Sizes struct {
	Operators []Operator `json:"operators"` // ascending by number of items
	// of every record of the release, in its order, the items of the original; -1 where the set is missing
	Records []int `json:"records,omitempty"`
}

// Operator is what is done to a record of so many items: select-a-size with its probabilities, or cut-and-paste.
type Operator struct {
	Items int       `json:"items"`
	Kept  []float64 `json:"kept,omitempty"` // probabilities that j = 0..Items of them are kept
	Most  *int      `json:"most,omitempty"` // of cut-and-paste: the most that are cut
	Rho   float64   `json:"rho"`            // probability that an item that is not there is added, or pasted
}

// Sizes returns the operator as it is calculated with.
func (o *Operator) Sizes() randomised.Sizes {
	if o.Most != nil {
		return randomised.CutAndPaste(o.Items, *o.Most, o.Rho)
	}
	return randomised.Sizes{Kept: o.Kept, Rho: o.Rho}
}

// Record is the gamma-diagonal matrix on the combinations of the columns' categories. The cells of a record that are
// missing take no part, and stay missing.
type Record struct {
	Gamma      float64 `json:"gamma"`
	Categories []int   `json:"categories"` // by column
}

// Category keeps a category of so many with probability Keep, and otherwise gives any other with the same probability.
type Category struct {
	Categories int     `json:"categories"`
	Keep       float64 `json:"keep"`
}

// Bits returns the law of one category, there or not.
func (c *Category) Bits() randomised.Bits {
	return randomised.Bits{One: c.Keep, Zero: 1 - (1-c.Keep)/float64(c.Categories-1)}
}

// Group sends all values with probability Theta as they are, and otherwise the other value of all of them.
type Group struct {
	Theta float64 `json:"theta"`
}

// Weights returns what a released record counts for that has the values, and one that has the other value of all of
// them.
func (g *Group) Weights() [2]float64 { return (&transition.Group{Theta: g.Theta}).Weights() }

// Encode writes a law: JSON, a line for every part. Notice and Schema are set.
func Encode(l Model) ([]byte, error) {
	l.Notice, l.Schema = notice, Schema
	var out bytes.Buffer
	out.WriteString("{")
	for _, f := range []struct {
		name  string
		value any
	}{{"notice", l.Notice}, {"schema", l.Schema}, {"method", l.Method}, {"release", l.Release}} {
		data, err := json.Marshal(f.value)
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&out, "\n %q: %s,", f.name, data)
	}
	out.WriteString("\n \"parts\": [")
	for k, p := range l.Parts {
		data, err := json.Marshal(p)
		if err != nil {
			return nil, err
		}
		if k > 0 {
			out.WriteString(",")
		}
		fmt.Fprintf(&out, "\n  %s", data)
	}
	out.WriteString("\n ]\n}\n")
	return out.Bytes(), nil
}

// Decode reads a law. Unknown fields, a wrong schema and probabilities that are none are errors.
func Decode(data []byte) (*Model, error) {
	var l Model
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&l); err != nil {
		return nil, fmt.Errorf("noise model: %w", err)
	}
	if _, err := dec.Token(); err != io.EOF {
		return nil, errors.New("noise model: something follows the JSON value")
	}
	if l.Schema != Schema {
		return nil, fmt.Errorf("noise model: the schema is %q; expected %q", l.Schema, Schema)
	}
	if err := l.Check(); err != nil {
		return nil, fmt.Errorf("noise model: %w", err)
	}
	return &l, nil
}

// Check refuses a law that could not be calculated with.
func (l *Model) Check() error {
	seen := map[string]bool{}
	for k := range l.Parts {
		p := &l.Parts[k]
		if len(p.Columns) == 0 {
			return fmt.Errorf("part %d names no columns", k+1)
		}
		for _, name := range p.Columns {
			if seen[name] {
				return fmt.Errorf("part %d: column %q already has a noise model", k+1, name)
			}
			seen[name] = true
		}
		if err := p.check(l.Release.Records); err != nil {
			return fmt.Errorf("part %d: %w", k+1, err)
		}
	}
	return nil
}

// check refuses a part without a law, with two, and with one that is none.
func (p *Part) check(records int) error {
	kinds, err := 0, error(nil)
	one := func(set bool, check func() error) {
		if set && err == nil {
			kinds++
			err = check()
		}
	}
	one(p.Items != nil, func() error { return probabilities(p.Items.One, p.Items.Zero) })
	one(p.Sizes != nil, func() error { return p.Sizes.check(records) })
	one(p.Record != nil, func() error { return p.Record.check(len(p.Columns)) })
	one(p.Category != nil, func() error {
		if p.Category.Categories < 2 {
			return errors.New("expected two categories or more")
		}
		return probabilities(p.Category.Keep)
	})
	one(p.Group != nil, func() error { return probabilities(p.Group.Theta) })
	one(p.Number != nil, func() error { return p.Number.Check() })
	switch {
	case err != nil:
		return err
	case kinds != 1:
		return fmt.Errorf("there are %d noise models; expected one of items, sizes, record, category, group and "+
			"number", kinds)
	case len(p.Columns) > 1 && p.Record == nil && p.Group == nil:
		return errors.New("such a noise model has one column")
	}
	return nil
}

func (s *Sizes) check(records int) error {
	for k := range s.Operators {
		o := &s.Operators[k]
		if k > 0 && o.Items <= s.Operators[k-1].Items {
			return errors.New("the operators are not in ascending order of the numbers of items")
		}
		if err := o.Check(); err != nil {
			return err
		}
	}
	if s.Records != nil && len(s.Records) != records {
		return fmt.Errorf("the numbers of items are of %d records; the release has %d", len(s.Records), records)
	}
	for _, m := range s.Records {
		if m >= 0 && s.Of(m) == nil {
			return fmt.Errorf("there is no operator for records of %d items", m)
		}
	}
	return nil
}

// Of returns the operator for records of so many items; nil where there is none.
func (s *Sizes) Of(items int) *Operator {
	k, ok := slices.BinarySearchFunc(s.Operators, items, func(o Operator, m int) int { return o.Items - m })
	if !ok {
		return nil
	}
	return &s.Operators[k]
}

// Check refuses an operator that is none.
func (o *Operator) Check() error {
	err := probabilities(o.Rho)
	switch {
	case o.Items < 0:
		err = errors.New("there are less than no items")
	case err != nil:
	case o.Most != nil && (o.Kept != nil || *o.Most < 0):
		err = errors.New("expected the most that are cut, 0 or more, or the probabilities of how many are kept")
	case o.Most == nil:
		err = (randomised.Sizes{Kept: o.Kept, Rho: o.Rho}).Check(o.Items)
	}
	if err != nil {
		return fmt.Errorf("the operator for records of %d items: %w", o.Items, err)
	}
	return nil
}

func (r *Record) check(columns int) error {
	if !(r.Gamma >= 1) || math.IsInf(r.Gamma, 1) {
		return fmt.Errorf("gamma is %v; expected 1 or more", r.Gamma)
	}
	if len(r.Categories) != columns || slices.ContainsFunc(r.Categories, func(k int) bool { return k < 1 }) {
		return errors.New("expected a number of categories for every column")
	}
	return nil
}

func probabilities(p ...float64) error {
	for _, x := range p {
		if !(x >= 0 && x <= 1) {
			return fmt.Errorf("%v is not a probability", x)
		}
	}
	return nil
}
