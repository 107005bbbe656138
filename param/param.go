// Package param declares a parameter once: its name, default, range, unit and help serve flags, policies, JSON, the
// manual and the tests alike.
//
// A technique returns its Set from Params; each Param points at the field it sets:
//
//	func (q *Technique) Params() param.Set {
//		return param.Set{param.Float(&q.Spread, "spread", 33.33, 0, 1000, "% of the domain", "standard deviation of the noise")}
//	}
//
// New calls param.Default, which puts the defaults into the fields.
package param

import (
	"fmt"
	"math"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/dither-data/dither/internal/portable"
)

// Type is what the values of a parameter are.
type Type string

// The types of parameters.
const (
	TypeFloat  Type = "float"
	TypeInt    Type = "int"
	TypeBool   Type = "bool"
	TypeChoice Type = "choice" // one of Choices
	TypeText   Type = "text"
	TypeNames  Type = "names" // names of columns, with commas between them
)

// Param is one declared parameter.
type Param struct {
	Name    string   `json:"name"`
	Type    Type     `json:"type"`
	Default any      `json:"default"`
	Min     *float64 `json:"min"` // inclusive; numbers only
	Max     *float64 `json:"max"`
	Choices []string `json:"choices"`
	Unit    string   `json:"unit"`
	Help    string   `json:"help"`

	// Aliases are other names that it is taken by, as a paper's own; lists do not show them.
	Aliases []string `json:"-"`

	// Noise is set where the parameter says how much noise there is: between which values anyone who looks for the least
	// that suffices looks.
	Noise *Noise `json:"-"`

	// Guard is set where more of the parameter protects better though it is no amount of noise that one would look for the
	// least of: between which values it does.
	Guard *Noise `json:"-"`

	// Shared says that a technique and a measure that both have the parameter mean the same by it, as they do by those of
	// the builders of trees; any other name that they share is a coincidence.
	Shared bool `json:"-"`

	// Patterns says that the text lists the itemsets and rules that are to be hidden, whatever the parameter is called.
	Patterns bool `json:"-"`

	field any // pointer to what is set
	set   func(string) error
	get   func() any
}

// Noise is how a number changes from little noise to much. Mild is the larger one where more of the parameter is less
// noise.
type Noise struct{ Mild, Strong float64 }

// At returns the value a share of the way from Mild to Strong: in equal factors where one is more than ten times the
// other, else in equal steps.
func (n Noise) At(share float64) float64 {
	if lo, hi := min(n.Mild, n.Strong), max(n.Mild, n.Strong); lo > 0 && hi > 10*lo {
		return float64(n.Mild * portable.Pow(n.Strong/n.Mild, share))
	}
	return n.Mild + float64(share*(n.Strong-n.Mild))
}

// step is the share of the way from mild to strong that a stronger setting is further on.
const step = 0.25

// further returns the value a step of the way on from v to Strong, or Strong where that is less; false where v is it.
// What is milder than Mild, as a value that stands for an automatic one, goes on from there.
func (n Noise) further(v float64) (float64, bool) {
	sign := 1.0
	if n.Strong < n.Mild {
		sign = -1
	}
	if sign*v < sign*n.Mild {
		v = n.Mild
	}
	if sign*v >= sign*n.Strong {
		return v, false
	}
	share := (v - n.Mild) / (n.Strong - n.Mild)
	if lo, hi := min(n.Mild, n.Strong), max(n.Mild, n.Strong); lo > 0 && hi > 10*lo {
		share = portable.Log(v/n.Mild) / portable.Log(n.Strong/n.Mild)
	}
	return n.At(min(1, share+step)), true
}

// holds reports whether v lies between the ends.
func (n Noise) holds(v float64) bool { return v >= min(n.Mild, n.Strong) && v <= max(n.Mild, n.Strong) }

// Stronger returns a value that protects better than the one the parameter is set to, a step of the way to the
// strongest worth trying, with two digits. It is false where the parameter declares none, is there, or has a default
// that is no amount of noise but stands for as much as is needed.
func (p Param) Stronger() (string, bool) {
	way := p.Noise
	if way == nil {
		way = p.Guard
	}
	if way == nil {
		return "", false
	}
	v, err := strconv.ParseFloat(fmt.Sprint(p.get()), 64)
	if err != nil {
		return "", false
	}
	next, ok := way.further(v)
	if automatic := p.Noise != nil && fmt.Sprint(p.get()) == fmt.Sprint(p.Default) && !way.holds(v); !ok || automatic {
		return "", false
	}
	if next, err = strconv.ParseFloat(strconv.FormatFloat(next, 'g', 2, 64), 64); err != nil || next == v {
		return "", false
	}
	if p.Type == TypeInt {
		next = math.Round(next)
	}
	return strconv.FormatFloat(next, 'f', -1, 64), next != v
}

// Guards says that more of the parameter, from mild to strong, protects better, without being noise that a search for
// the least of it turns.
//
//go:noinline
func (p Param) Guards(mild, strong float64) Param {
	noisier := p.Noisier(mild, strong)
	p.Guard = noisier.Noise
	return p
}

// Noisier says that noise grows with the number from mild to strong, the values worth trying. They lie in its range.
//
//go:noinline
func (p Param) Noisier(mild, strong float64) Param {
	if p.Min == nil || min(mild, strong) < *p.Min || max(mild, strong) > *p.Max || mild == strong {
		panic("param: " + p.Name + " has no such values")
	}
	p.Noise = &Noise{mild, strong}
	return p
}

// With returns the parameters with another default for the one of a name, as a technique may have it for a part of
// another. It panics where there is none.
func (s Set) With(name string, def any) Set {
	out := slices.Clone(s)
	out[slices.IndexFunc(out, func(p Param) bool { return p.Name == name })].Default = def
	return out
}

// Field returns a pointer to what the parameter sets: a *float64, *int, *bool, *string or, of names, *[]string.
func (p Param) Field() any { return p.field }

// Set is the parameters of one technique, measure or miner, in the order the manual shows them.
type Set []Param

// Float declares a number in [lo, hi]. None of the declarations is put in the place of its call: there are so many that
// programs would be larger by the thirtieth part.
//
//go:noinline
func Float(p *float64, name string, def, lo, hi float64, unit, help string) Param {
	return Param{Name: name, Type: TypeFloat, Default: def, Min: &lo, Max: &hi, Unit: unit, Help: help, field: p,
		get: func() any { return *p },
		set: func(s string) error {
			v, err := strconv.ParseFloat(s, 64)
			if err != nil || math.IsNaN(v) || v < lo || v > hi {
				return fmt.Errorf("%q is not a number from %v to %v", s, lo, hi)
			}
			*p = v
			return nil
		}}
}

// Int declares a whole number in [lo, hi].
//
//go:noinline
func Int(p *int, name string, def, lo, hi int, unit, help string) Param {
	l, h := float64(lo), float64(hi)
	return Param{Name: name, Type: TypeInt, Default: def, Min: &l, Max: &h, Unit: unit, Help: help, field: p,
		get: func() any { return *p },
		set: func(s string) error {
			v, err := strconv.Atoi(s)
			if err != nil || v < lo || v > hi {
				return fmt.Errorf("%q is not a whole number from %d to %d", s, lo, hi)
			}
			*p = v
			return nil
		}}
}

// Bool declares a yes-no parameter.
//
//go:noinline
func Bool(p *bool, name string, def bool, help string) Param {
	return Param{Name: name, Type: TypeBool, Default: def, Help: help, field: p,
		get: func() any { return *p },
		set: func(s string) error {
			v, err := strconv.ParseBool(s)
			if err != nil {
				return fmt.Errorf("%q is neither true nor false", s)
			}
			*p = v
			return nil
		}}
}

// Choice declares one of several words.
//
//go:noinline
func Choice(p *string, name, def string, choices []string, help string) Param {
	return Param{Name: name, Type: TypeChoice, Default: def, Choices: choices, Help: help, field: p,
		get: func() any { return *p },
		set: func(s string) error {
			if !slices.Contains(choices, s) {
				return fmt.Errorf("%q is not one of %s", s, strings.Join(choices, ", "))
			}
			*p = s
			return nil
		}}
}

// Text declares a text of any kind; the default is the empty one.
//
//go:noinline
func Text(p *string, name, help string) Param {
	return Param{Name: name, Type: TypeText, Default: "", Help: help, field: p,
		get: func() any { return *p },
		set: func(s string) error {
			*p = s
			return nil
		}}
}

// Patterns declares a list of itemsets and rules that are to be hidden, as text.
func Patterns(p *string, name, help string) Param {
	out := Text(p, name, help)
	out.Patterns = true
	return out
}

// Names declares a list of column names, written with commas, a name that holds one in double quotes; the default is
// the empty list.
//
//go:noinline
func Names(p *[]string, name, help string) Param {
	return Param{Name: name, Type: TypeNames, Default: "", Help: help, field: p,
		get: func() any { return JoinNames(*p) },
		set: func(s string) error {
			*p = SplitNames(s)
			return nil
		}}
}

// Parametrised is anything that declares parameters.
type Parametrised interface{ Params() Set }

// Default puts the defaults into a new value and returns it.
func Default[T Parametrised](v T) T {
	for _, p := range v.Params() {
		if err := p.set(fmt.Sprint(p.Default)); err != nil {
			panic("param: the default of " + p.Name + " is refused: " + err.Error())
		}
	}
	return v
}

// Apply sets parameters from text, lists as List writes them. An unknown name and a value out of range are errors that
// name the parameter; nothing is set then.
func (s Set) Apply(values map[string]string) error {
	names := make([]string, 0, len(values))
	for n := range values {
		names = append(names, n)
	}
	sort.Strings(names)
	old := make(map[string]string)
	undo := func() {
		for n, v := range old {
			_ = s.find(n).set(v) // it was accepted before
		}
	}
	for _, n := range names {
		p := s.find(n)
		if p == nil {
			undo()
			return &Fault{Name: n, Err: fmt.Errorf("it takes %s", s.list()), Unknown: true}
		}
		if _, twice := values[p.Name]; twice && n != p.Name {
			undo()
			return &Fault{Name: n, Err: fmt.Errorf("it is another name of %s, which is set, too", p.Name)}
		}
		was, value := fmt.Sprint(p.get()), values[n]
		if listed(value) && p.Type == TypeText && !p.Patterns { // such as of pairs, with commas between them
			value = JoinNames(SplitNames(value))
		}
		if err := p.set(value); err != nil {
			undo()
			return &Fault{Name: n, Err: err}
		}
		old[n] = was
	}
	return nil
}

// Fault is the error of a parameter that is unknown, or has a value that it does not take.
type Fault struct {
	Name    string
	Unknown bool
	Err     error
}

func (f *Fault) Error() string {
	if f.Unknown {
		return fmt.Sprintf("unknown parameter %q; %v", f.Name, f.Err)
	}
	return fmt.Sprintf("parameter %q: %v", f.Name, f.Err)
}

// Unwrap returns what is wrong with the value.
func (f *Fault) Unwrap() error { return f.Err }

// Check refuses what Apply refuses in fields that a program has set itself, with the same words.
func (s Set) Check() error {
	for i := range s {
		p := &s[i]
		if _, names := p.field.(*[]string); names {
			continue // any will do, and they need not be as SplitNames leaves them
		}
		if err := p.set(fmt.Sprint(p.get())); err != nil { // sets the field to what it is
			return &Fault{Name: p.Name, Err: err}
		}
	}
	return nil
}

// find returns the parameter of a name or, where none has it, of an alias.
func (s Set) find(name string) *Param {
	for i := range s {
		if s[i].Name == name {
			return &s[i]
		}
	}
	for i := range s {
		if slices.Contains(s[i].Aliases, name) {
			return &s[i]
		}
	}
	return nil
}

func (s Set) list() string {
	if len(s) == 0 {
		return "no parameters"
	}
	names := make([]string, len(s))
	for i := range s {
		names[i] = s[i].Name
	}
	return strings.Join(names, ", ")
}

// Value is a parameter with what it is set to.
type Value struct {
	Name  string `json:"name"`
	Value any    `json:"value"`
	Unit  string `json:"unit,omitempty"`

	Patterns bool `json:"-"` // the value lists patterns to hide
}

// Values returns what every parameter is set to, in the order of the set.
func (s Set) Values() []Value {
	vs := make([]Value, len(s))
	for i, p := range s {
		vs[i] = Value{p.Name, p.get(), p.Unit, p.Patterns}
	}
	return vs
}

// Merge returns one set of several; when two declare the same name the first wins.
func Merge(sets ...Set) Set {
	var out Set
	for _, s := range sets {
		for _, p := range s {
			if out.find(p.Name) == nil {
				out = append(out, p)
			}
		}
	}
	return out
}

// Shared returns the parameters, each marked as shared.
func (s Set) Shared() Set {
	out := slices.Clone(s)
	for i := range out {
		out[i].Shared = true
	}
	return out
}

// Shares reports whether there is a shared parameter of this name.
func (s Set) Shares(name string) bool {
	p := s.find(name)
	return p != nil && p.Shared
}

// Patterns returns the names of the parameters that list patterns to hide.
func (s Set) Patterns() (names []string) {
	for i := range s {
		if s[i].Patterns {
			names = append(names, s[i].Name)
		}
	}
	return names
}

// Has reports whether the set declares the name.
func (s Set) Has(name string) bool { return s.find(name) != nil }

// Range writes what the parameter takes: "0 to 100", "keep, paper".
func (p Param) Range() string {
	switch {
	case p.Min != nil && *p.Max >= math.MaxInt32:
		return fmt.Sprintf("%v and more", *p.Min)
	case p.Min != nil:
		return fmt.Sprintf("%v to %v", *p.Min, *p.Max)
	case p.Type == TypeBool:
		return "true, false"
	case p.Type == TypeText:
		return "a text"
	case p.Type == TypeNames:
		return "column names"
	}
	return strings.Join(p.Choices, ", ")
}
