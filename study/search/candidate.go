package search

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/dither-data/dither/catalog"
	"github.com/dither-data/dither/internal/text/spelling"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/stages"
	"github.com/dither-data/dither/protect/within"
)

// Levels is how many steps a dial has from little noise to much.
const Levels = 256

// Candidate is a technique, or several one after another, with the parameters that are searched.
type Candidate struct {
	Name   string // unique
	Method protect.Method
	Set    map[string]string // parameters that are not searched and differ from their defaults
	Dials  []Dial            // none for a technique that has no amount of noise: it is tried as it is
}

// Dial is a parameter that says how much noise there is.
type Dial struct {
	Param string
	param.Noise
	Whole bool // it takes whole numbers
}

// text writes the value at a level, with three digits.
func (d Dial) text(level int) string {
	v := d.At(float64(level) / Levels)
	if d.Whole {
		return strconv.Itoa(int(math.Round(v)))
	}
	if level > 0 && level < Levels { // the ends stay what they are
		v, _ = strconv.ParseFloat(strconv.FormatFloat(v, 'g', 3, 64), 64)
	}
	return strconv.FormatFloat(v, 'f', -1, 64)
}

// Setting is a candidate with a level for each of its dials.
type Setting struct {
	Candidate int   `json:"candidate"` // place in the request
	Levels    []int `json:"levels,omitempty"`
}

// Params returns all parameters of a setting that differ from their defaults, by name.
func (c *Candidate) Params(s Setting) map[string]string {
	out := maps.Clone(c.Set)
	if out == nil {
		out = map[string]string{}
	}
	for k, d := range c.Dials {
		out[d.Param] = d.text(s.Levels[k])
	}
	return out
}

// Describe writes a setting as the command line takes it: technique, then name=value in the order of the names.
func (c *Candidate) Describe(s Setting) string {
	set := c.Params(s)
	words := []string{c.Method.Name}
	for _, k := range slices.Sorted(maps.Keys(set)) {
		words = append(words, k+"="+set[k])
	}
	return strings.Join(words, " ")
}

// at is the setting with all dials on one level.
func (c *Candidate) at(k, level int) Setting {
	s := Setting{Candidate: k}
	for range c.Dials {
		s.Levels = append(s.Levels, level)
	}
	return s
}

// grid returns the settings of candidate k on a grid of so many steps for every dial.
func (c *Candidate) grid(k, steps int) []Setting {
	grid := []Setting{{Candidate: k}}
	for range c.Dials {
		var next []Setting
		for _, set := range grid {
			for l := range steps + 1 {
				next = append(next, Setting{k, append(slices.Clone(set.Levels), l*Levels/steps)})
			}
		}
		grid = next
	}
	return grid
}

// NewCandidate makes a candidate of a technique: every parameter that is declared to be an amount of noise is a dial.
func NewCandidate(m protect.Method, set map[string]string) Candidate {
	c := Candidate{Name: strings.ReplaceAll(m.Name, stages.Joint, ", "), Method: m, Set: set}
	for _, p := range m.New().Params() {
		if _, given := set[p.Name]; p.Noise != nil && !given {
			c.Dials = append(c.Dials, Dial{p.Name, *p.Noise, p.Type == param.TypeInt})
		}
	}
	return c
}

// Fix sets parameters in all candidates that have them: they are searched no more. A name that no candidate has is an
// error, and so is a value that a parameter cannot have.
func Fix(candidates []Candidate, set map[string]string) ([]Candidate, error) {
	out := slices.Clone(candidates)
	var known []string
	for k, c := range out {
		own := maps.Clone(c.Set)
		for _, p := range c.Method.New().Params() {
			_, of := stages.Split(p.Name) // an option without a stage is that of every stage that has it
			known = append(known, p.Name, of)
			v, given := set[of]
			if exact, own := set[p.Name]; own {
				v, given = exact, true
			}
			if given {
				if own == nil {
					own = map[string]string{}
				}
				own[p.Name] = v
			}
		}
		if err := c.Method.New().Params().Apply(own); err != nil {
			return nil, fmt.Errorf("%s: %w", c.Name, err)
		}
		out[k] = NewCandidate(c.Method, own)
		out[k].Name = c.Name
	}
	for _, name := range sortedKeys(set) {
		if !slices.Contains(known, name) {
			return nil, fmt.Errorf("no candidate has a parameter %q%s", name, spelling.Hint(name, known))
		}
	}
	return out, nil
}

// purposes are those of the techniques that make the values of a table uncertain.
var purposes = []protect.Purpose{protect.KeepsRules, protect.Generalises, protect.Aggregates, protect.Swaps,
	protect.NoiseNumbers, protect.Redraws, protect.Draws, protect.Randomises}

// numbers are techniques for numbers that work inside the segments of trees, where CAPT and RPT treat the other
// columns.
var numbers = []string{"shuffle", "rankswap", "cgadp", "mdav"}

// Candidates returns what may be chosen for a table: every technique of the catalogue that makes values uncertain and
// is no baseline, and compositions. Where patterns are to be hidden it returns the techniques that hide some, and
// compositions of one that protects people and one that hides. Which of them apply to a table shows when they are
// tried.
func Candidates(hiding bool) (out []Candidate) {
	for _, m := range catalog.Methods() {
		if of := slices.Contains(purposes, m.Purpose); m.Baseline || hiding != (m.Purpose == protect.Hides) ||
			!hiding && !of {
			continue
		}
		out = append(out, NewCandidate(m, nil))
	}
	if hiding {
		return append(out, versatile()...)
	}
	return append(out, compositions()...)
}

// protectors and hiders are what is composed where patterns are to be hidden: a hider alone protects nobody.
var (
	protectors = []string{"segmentsynthesis", "forestframework"}
	hiders     = []string{"hide1b", "hide2a", "hide2b", "exacthiding"}
)

// versatile are techniques that protect people, then hide patterns in their release; none in a program that does not
// import those (package catalog/all).
func versatile() (out []Candidate) {
	for _, p := range protectors {
		for _, h := range hiders {
			if _, err := catalog.Method(h); err != nil {
				continue
			}
			out = append(out, composed(p+", "+h, nil, p, h))
		}
	}
	return out
}

// composed is a candidate of techniques one after another.
func composed(name string, set map[string]string, names ...string) Candidate {
	m, err := catalog.Method(strings.Join(names, stages.Joint))
	if err != nil {
		panic("chooser: " + err.Error()) // the names are those of the catalogue
	}
	c := NewCandidate(m, set)
	c.Name = name
	return c
}

// compositions are techniques one after another: one for numbers, inside the leaves of a tree or of a forest, then CAPT
// for categories and RPT for the class; and one for numbers, then PRAM for categories.
func compositions() (out []Candidate) {
	for _, n := range numbers {
		for _, by := range []string{within.Tree, within.Forest} {
			first := stages.Prefix(1) + within.Prefix
			out = append(out, composed(n+" inside a "+by+", capt, rpt",
				map[string]string{first + "by": by, first + "small": within.Together}, n+within.Suffix, "capt", "rpt"))
		}
		out = append(out, composed(n+", pram", nil, n, "pram"))
	}
	return out
}
