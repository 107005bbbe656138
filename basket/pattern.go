package basket

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/dither-data/dither/internal/text/spelling"
	"github.com/dither-data/dither/param"
)

// Pattern is an itemset, or a rule If => Then. Items are codes that ascend.
type Pattern struct {
	If, Then []int32 // Then is empty for an itemset
	At       string  // a disclosure threshold of its own, a number from 0 to 1 as it is written; empty for none
}

// Rule reports whether the pattern is a rule.
func (p Pattern) Rule() bool { return len(p.Then) > 0 }

// Items returns all items of the pattern, ascending.
func (p Pattern) Items() []int32 {
	all := slices.Concat(p.If, p.Then)
	slices.Sort(all)
	return all
}

// Text writes the pattern as Patterns reads it.
func (c *Coding) Text(p Pattern) string {
	side := func(items []int32) string {
		var names []string
		for _, v := range items {
			names = append(names, quoted(c.Items[v].String()))
		}
		return strings.Join(names, ",")
	}
	text := side(p.If)
	if p.Rule() {
		text += "=>" + side(p.Then)
	}
	if p.At != "" {
		text += at + p.At
	}
	return text
}

// at stands before the threshold of a pattern.
const at = " @ "

// Patterns reads itemsets and rules, one in a line or with semicolons between them: bread,milk or bread,milk=>jam,
// where an item of a table with several columns is written as it is listed, such as sex=female or "age in [26, 37)", in
// quotes where it holds a comma, a semicolon, => or @ between blanks. A disclosure threshold of its own may stand
// behind a pattern: bread,milk @ 0.2. Empty lines and those that begin with # are passed over. Errors name the line,
// and no item.
func (c *Coding) Patterns(text string) ([]Pattern, error) {
	names, code := c.names()
	var out []Pattern
	for n, line := range strings.Split(text, "\n") {
		if strings.HasPrefix(strings.TrimSpace(line), "#") {
			continue
		}
		for _, one := range divide(line, ";") {
			if one = strings.TrimSpace(one); one == "" {
				continue
			}
			p, err := parsePattern(one, code, names)
			if err != nil {
				return nil, fmt.Errorf("pattern in line %d: %w", n+1, err)
			}
			if slices.ContainsFunc(out,
				func(o Pattern) bool { return slices.Equal(o.If, p.If) && slices.Equal(o.Then, p.Then) }) {
				return nil, fmt.Errorf("pattern in line %d: it stands there twice", n+1)
			}
			out = append(out, p)
		}
	}
	return out, nil
}

// Named returns those of the columns of which patterns, as Patterns reads them, have an item, and perhaps others whose
// names begin like one of theirs: it knows no values.
func Named(text string, columns []string) (out []string) {
	named := map[string]bool{} // items
	for _, line := range strings.Split(text, "\n") {
		if strings.HasPrefix(strings.TrimSpace(line), "#") {
			continue
		}
		for _, one := range divide(line, ";") {
			for _, side := range divide(one, "=>") {
				for _, item := range param.SplitNames(strings.TrimSpace(side)) {
					named[item] = true
				}
			}
		}
	}
	for _, c := range columns {
		for item := range named {
			if itemOf(item, c) {
				out = append(out, c)
				break
			}
		}
	}
	return out
}

// itemOf reports whether an item reads like one of a column: sex=female, age < 26, age in [26, 37).
func itemOf(item, column string) bool {
	rest, ok := strings.CutPrefix(item, column)
	return ok && slices.ContainsFunc([]string{"=", " < ", " in [", " >= "},
		func(s string) bool { return strings.HasPrefix(rest, s) })
}

// names returns what the items are called, and the items by name.
func (c *Coding) names() (names []string, code map[string]int32) {
	code = make(map[string]int32, len(c.Items))
	names = make([]string, len(c.Items))
	for k, it := range c.Items {
		names[k] = it.String()
		code[names[k]] = int32(k)
	}
	return names, code
}

// quoted puts an item into quotes where it holds what divides patterns.
func quoted(item string) string {
	if strings.ContainsAny(item, `,;"`) || strings.Contains(item, "=>") || strings.Contains(item, at) ||
		strings.HasPrefix(item, "#") ||
		strings.TrimSpace(item) != item {
		return `"` + strings.ReplaceAll(item, `"`, `""`) + `"`
	}
	return item
}

// divide divides a text at what stands outside quotes.
func divide(text, at string) (out []string) {
	quoted, from := false, 0
	for k := range len(text) {
		switch {
		case text[k] == '"':
			quoted = !quoted
		case !quoted && k >= from && strings.HasPrefix(text[k:], at):
			out = append(out, text[from:k])
			from = k + len(at)
		}
	}
	return append(out, text[from:])
}

func parsePattern(text string, code map[string]int32, names []string) (p Pattern, err error) {
	_, item := code[strings.TrimSpace(text)]
	if parts := divide(text, at); len(parts) == 2 && !item {
		text, p.At = parts[0], strings.TrimSpace(parts[1])
		if v, err := strconv.ParseFloat(p.At, 64); err != nil || !(v >= 0 && v <= 1) {
			return p, fmt.Errorf("expected a threshold from 0 to 1 behind @")
		}
		_, item = code[strings.TrimSpace(text)]
	}
	sides := divide(text, "=>")
	if item {
		sides = []string{quoted(strings.TrimSpace(text))} // its name holds a sign of its own
	}
	if len(sides) > 2 {
		return p, fmt.Errorf("=> stands in it twice; an item that holds it is put in quotes")
	}
	if p.If, err = side(sides[0], code, names); err != nil {
		return p, err
	}
	if len(sides) == 2 {
		if p.Then, err = side(sides[1], code, names); err != nil {
			return p, err
		}
	}
	all := p.Items()
	if len(slices.Compact(all)) < len(p.If)+len(p.Then) {
		return p, fmt.Errorf("an item stands in it twice")
	}
	return p, nil
}

// side reads items with commas between them.
func side(text string, code map[string]int32, names []string) ([]int32, error) {
	var out []int32
	for _, name := range param.SplitNames(strings.TrimSpace(text)) {
		v, ok := code[name]
		if !ok {
			if spelling.Hint(name, names) != "" {
				return nil, fmt.Errorf("there is no such item, but one with a similar spelling")
			}
			return nil, fmt.Errorf("there is no such item")
		}
		out = append(out, v)
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("expected items with commas between them, or such a list, => and another")
	}
	slices.Sort(out)
	return out, nil
}
