// Package combined reads the parameter "combinations" of techniques that reach k in chosen combinations of keys instead
// of in all of them together.
//
// An item names columns, joined by +, or is a number: all combinations of so many keys. Behind a colon stands how many
// people share what they show there; without one it is the technique's k. So 2:5,3:3 asks for 5 in all of two keys and
// for 3 in all of three, and age+sex+zip,age+job:10 for k in the first and for 10 in the second.
package combined

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/internal/named"
	"github.com/dither-data/dither/table"
)

// Name is that of the parameter.
const Name = "combinations"

// Param declares it.
func Param(items *[]string) param.Param {
	return param.Names(items, Name, "reach k in each of these combinations of keys, not in all keys together: "+
		"age+sex+zip,age+job; or 3: in all of three keys; a k of its own stands behind a colon: 2:5,3:3")
}

// Set is a combination of keys.
type Set struct {
	Columns []int `json:"columns"` // positions in the schema, ascending
	K       int   `json:"k"`       // people who share what they show in them
}

// Largest is the highest k and the number of keys that can be asked for; most is how many combinations.
const (
	Largest = 1_000_000
	most    = 5000
)

// item is one of the parameter, taken apart.
type item struct {
	columns []int // nil: all combinations of so many keys
	size, k int
}

// Read reads the items. Keys are those that were named, or else, given being false, those by role, in whose place stand
// the columns of the items where each names some. It returns the combinations, each once and with the highest k that is
// asked for in it, and the keys; open are the columns that may be named.
func Read(t *table.Table, items []string, k int, keys []int, given bool, open []int) ([]Set, []int, error) {
	list, all := make([]item, len(items)), []int{}
	for n, text := range items {
		one, err := read(t, text, k, open)
		if err != nil {
			return nil, nil, err
		}
		list[n], all, given = one, append(all, one.columns...), given || one.columns == nil
	}
	if !given {
		slices.Sort(all)
		keys = slices.Compact(all)
	}
	var out []Set
	at := map[string]int{}
	for n, one := range list {
		for _, j := range one.columns {
			if !slices.Contains(keys, j) {
				return nil, nil, fmt.Errorf("parameter %q: column %q of %q is not a key", Name, t.Attr(j).Name, items[n])
			}
		}
		sets := [][]int{one.columns}
		if one.columns == nil {
			var err error
			if sets, err = ofSize(keys, one.size); err != nil {
				return nil, nil, err
			}
		}
		for _, columns := range sets {
			key := fmt.Sprint(columns)
			if old, twice := at[key]; twice {
				out[old].K = max(out[old].K, one.k)
				continue
			}
			at[key] = len(out)
			out = append(out, Set{columns, one.k})
		}
	}
	return out, keys, nil
}

// read takes an item apart.
func read(t *table.Table, text string, k int, open []int) (item, error) {
	out, what := item{k: k}, text
	names := func() []string {
		if t.Find(what) >= 0 {
			return []string{what}
		}
		return strings.Split(what, "+")
	}
	if cut := strings.LastIndexByte(text, ':'); cut >= 0 && t.Find(names()[len(names())-1]) < 0 {
		own, err := strconv.Atoi(text[cut+1:])
		if err != nil || own < 1 || own > Largest {
			return out, fmt.Errorf("parameter %q: behind the colon of %q stands a k, a whole number from 1 to %d", Name, text,
				Largest)
		}
		what, out.k = text[:cut], own
	}
	if n, err := strconv.Atoi(what); err == nil && t.Find(what) < 0 {
		out.size = n
		return out, nil
	}
	var err error
	out.columns, err = named.Columns(t, Name, names(), open)
	return out, err
}

// ofSize returns all combinations of n keys: those of the first keys first.
func ofSize(keys []int, n int) (out [][]int, err error) {
	if n < 1 || n > len(keys) {
		return nil, fmt.Errorf("parameter %q: there are no combinations of %d of the %d keys; expected 1 to %d", Name, n,
			len(keys), len(keys))
	}
	at := make([]int, n) // positions in keys, ascending
	for k := range at {
		at[k] = k
	}
	for {
		if len(out) == most {
			return nil, fmt.Errorf("parameter %q: there are more than %d combinations of %d of the %d keys; name fewer keys, "+
				"or the combinations themselves", Name, most, n, len(keys))
		}
		own := make([]int, n)
		for k, p := range at {
			own[k] = keys[p]
		}
		out = append(out, own)
		k := 0 // the first that can move on: as sets of bits they come in ascending order
		for k < n-1 && at[k]+1 == at[k+1] {
			k++
		}
		if at[k]++; at[k] == len(keys) {
			return out, nil
		}
		for first := range k {
			at[first] = first
		}
	}
}

// Check refuses combinations that are not of the keys, or ask for no k from 1 to Largest.
func Check(sets []Set, keys []int) error {
	for _, s := range sets {
		if len(s.Columns) == 0 || !slices.IsSorted(s.Columns) ||
			slices.ContainsFunc(s.Columns, func(j int) bool { return !slices.Contains(keys, j) }) {
			return errors.New("a combination is none of the keys")
		}
		if s.K < 1 || s.K > Largest {
			return fmt.Errorf("a combination has k = %d; expected 1 to %d", s.K, Largest)
		}
	}
	return nil
}

// Least and Most return the lowest and the highest k of combinations, of which there is one at least.
func Least(sets []Set) int { return slices.MinFunc(sets, func(a, b Set) int { return a.K - b.K }).K }

// Most returns the highest.
func Most(sets []Set) int { return slices.MaxFunc(sets, func(a, b Set) int { return a.K - b.K }).K }

// Names returns the columns of each combination.
func Names(sets []Set, attrs []table.Attribute) (out [][]string) {
	for _, s := range sets {
		out = append(out, protect.Names(attrs, s.Columns))
	}
	return out
}

// listed is how many combinations are named.
const listed = 5

// Sentence says in what k holds.
func Sentence(sets []Set, attrs []table.Attribute) message.Sentence {
	least, highest := Least(sets), Most(sets)
	list := make([]message.Sentence, len(sets))
	for n, names := range Names(sets, attrs) {
		if list[n] = message.Quoted(strings.Join(names, "+")); least < highest {
			list[n] = message.Say("plan.combined.one").Part("columns", list[n]).Count("k", sets[n].K)
		}
	}
	if least < highest {
		return message.Say("plan.combined.each").Count("n", len(sets)).Count("least", least).Count("most", highest).
			Part("columns", message.First(list, listed))
	}
	return message.Say("plan.combined.all").Count("n", len(sets)).Count("k", least).
		Part("columns", message.First(list, listed))
}
