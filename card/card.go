// Package card describes what the catalogue shows of a technique, a measure, a miner or a generator.
package card

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// Card is the catalogue entry: enough to choose by, and to cite from.
type Card struct {
	Name    string   `json:"name"`    // published name in lower case, unique; flags and policies use it
	Title   string   `json:"title"`   // the name as printed in the paper
	Short   string   `json:"-"`       // what headings and charts call it; empty where the title is short enough for them
	Aliases []string `json:"aliases"` // other published names
	Summary string   `json:"summary"` // one sentence: what it does
	Paper   string   `json:"paper"`   // author, year, section or equation
	// Needs and Changes say which attributes are read and which are rewritten.
	Needs   string `json:"needs"`
	Changes string `json:"changes"`
	// Preserves and Biases name what survives and what does not, by Muralidhar's bias types A to D and DM where they
	// apply.
	Preserves string `json:"preserves"`
	Biases    string `json:"biases"`
	// Exposes says what an informed intruder still learns.
	Exposes string `json:"exposes"`
	Missing string `json:"missing"` // what happens to missing values
	Cost    string `json:"cost"`    // time, in O(.)
	// Shards says how it works on a table that is larger than the memory; empty for what needs all records at hand.
	Shards string `json:"shards"`
	// People says what is counted of people, not of records, where it is told whose the records are; empty for what counts
	// no people.
	People string `json:"people"`
	// Baseline says that a technique is there to compare others with, and that what it makes is not fit for release.
	Baseline bool `json:"baseline"`
}

// Called is the name for headings and charts.
func (c Card) Called() string { return cmp.Or(c.Short, c.Title, c.Name) }

// Named returns the name, for those who sort entries of several kinds.
func (c Card) Named() string { return c.Name }

var name = regexp.MustCompile(`^[a-z][a-z0-9-]*$`)

// Check returns an error when a field that every entry must fill is empty.
func (c Card) Check() error {
	if !name.MatchString(c.Name) {
		return fmt.Errorf("card %q: the name must be lower case letters, digits and hyphens", c.Name)
	}
	for _, f := range []struct{ field, value string }{{"title", c.Title}, {"summary", c.Summary}, {"paper", c.Paper},
		{"missing", c.Missing}, {"cost", c.Cost}} {
		if f.value == "" {
			return errors.New("card " + c.Name + ": " + f.field + " is empty")
		}
	}
	return nil
}

// Answers reports whether the entry goes by the name, in any letter case.
func (c Card) Answers(n string) bool {
	n = Fold(n)
	if Fold(c.Name) == n || Fold(c.Title) == n {
		return true
	}
	for _, a := range c.Aliases {
		if Fold(a) == n {
			return true
		}
	}
	return false
}

// Alludes reports whether the words are a part of a name of the entry.
func (c Card) Alludes(words string) bool {
	return strings.Contains(Fold(strings.Join(append([]string{c.Name, c.Title}, c.Aliases...), "|")), Fold(words))
}

// Fold drops case, blanks, hyphens and underscores, and what tells British from American spelling (-ise, -ize).
func Fold(s string) string {
	b := make([]byte, 0, len(s))
	for _, r := range []byte(strings.ToLower(s)) {
		switch {
		case r == ' ' || r == '-' || r == '_':
		case r == 'z' && len(b) > 0 && b[len(b)-1] == 'i':
			b = append(b, 's')
		default:
			b = append(b, r)
		}
	}
	return string(b)
}
