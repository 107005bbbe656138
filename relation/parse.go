package relation

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"github.com/dither-data/dither/calendar"
	"github.com/dither-data/dither/table"
)

// Parse reads a relation as users write it:
//
//	total = a + b - 2 * c + 5          linear
//	bmi = 10000 * weight / height^2    ratio; without ^2 as well
//	cost = price * amount              product
//	in <= out        in < out          order
//	age = years(born, admitted)        completed years, months or weeks, to a column or to a day such as 2020-12-31
//	code -> label    a, b -> c         determines
//	died if status = dead              has a value exactly there (a value above 0: paid above 0 if status = due)
//	youngest unless children = 0       has a value exactly elsewhere (likewise: paid above 0 unless status = free)
//	never sex = Female and role = Husband
//
// A name or a value that is not of letters, digits, dots and underscores stands in double quotes. An error says where
// it could not be read, and what was expected.
func Parse(text string) (Relation, error) {
	p := &parser{text: text}
	if err := p.lex(); err != nil {
		return Relation{}, err
	}
	r, err := p.relation()
	if err == nil && p.at < len(p.tokens) {
		err = p.expected("the end")
	}
	if err == nil {
		err = r.Check()
	}
	if err != nil {
		return Relation{}, fmt.Errorf("relation %q: %w", text, err)
	}
	return r, nil
}

type token struct {
	text   string
	quoted bool
	at     int // in the text, from 1
}

type parser struct {
	text   string
	tokens []token
	at     int
}

// lex takes the text apart.
func (p *parser) lex() error {
	for i := 0; i < len(p.text); {
		rest := p.text[i:]
		switch c := rest[0]; {
		case c == ' ' || c == '\t':
			i++
			continue
		case c == '"':
			s, err := strconv.QuotedPrefix(rest)
			if err != nil {
				return fmt.Errorf("relation %q: the quote at %d does not end", p.text, i+1)
			}
			name, err := strconv.Unquote(s)
			if err != nil {
				return fmt.Errorf("relation %q: the quote at %d cannot be read", p.text, i+1)
			}
			p.tokens = append(p.tokens, token{name, true, i + 1})
			i += len(s)
			continue
		}
		n := len(rest) - len(strings.TrimLeftFunc(rest, plain))
		if n == 0 {
			n = 1
			if strings.HasPrefix(rest, "->") || strings.HasPrefix(rest, "<=") {
				n = 2
			}
		}
		p.tokens = append(p.tokens, token{rest[:n], false, i + 1})
		i += n
	}
	return nil
}

// plain reports whether a letter may stand in a name without quotes.
func plain(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' || r == '.' }

// quoted writes a name or a value.
func quoted(s string) string {
	if s != "" && strings.IndexFunc(s, func(r rune) bool { return !plain(r) }) < 0 && !isNumber(s) &&
		s != "never" && s != "if" && s != "unless" && s != "and" && s != "above" {
		return s
	}
	return strconv.Quote(s)
}

func isNumber(s string) bool { _, err := strconv.ParseFloat(s, 64); return err == nil }

func number(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

func dayText(day int) string { return calendar.Day.Label(day) }

func (p *parser) peek() token {
	if p.at < len(p.tokens) {
		return p.tokens[p.at]
	}
	return token{at: len(p.text) + 1}
}

// take takes a mark or a word of the language, if it is next.
func (p *parser) take(s string) bool {
	if t := p.peek(); t.text != s || t.quoted {
		return false
	}
	p.at++
	return true
}

func (p *parser) expected(what string) error {
	return fmt.Errorf("expected %s at %d", what, p.peek().at)
}

func (p *parser) name() (string, error) {
	t := p.peek()
	if t.text == "" && !t.quoted || !t.quoted && strings.IndexFunc(t.text, plain) < 0 {
		return "", p.expected("a name")
	}
	p.at++
	return t.text, nil
}

// value reads a name and the value after its equals sign, which is written as keys are.
func (p *parser) value() (name, value string, err error) {
	if name, err = p.name(); err != nil {
		return "", "", err
	}
	if !p.take("=") {
		return "", "", p.expected(`"="`)
	}
	negative := p.take("-")
	if value, err = p.name(); err != nil {
		return "", "", errors.Join(p.expected("a value"))
	}
	if negative {
		value = "-" + value
	}
	if t := p.tokens[p.at-1]; !t.quoted && isNumber(value) {
		v, _ := strconv.ParseFloat(value, 64)
		value = string(table.AppendNumber(nil, v, 0))
	}
	return name, value, nil
}

func (p *parser) relation() (r Relation, err error) {
	if p.take("never") {
		return p.never()
	}
	first, err := p.name()
	if err != nil {
		return r, err
	}
	switch {
	case p.take("<="):
		return p.order(first, false)
	case p.take("<"):
		return p.order(first, true)
	case p.take("above"):
		if !p.take("0") || p.peek().text != "if" && p.peek().text != "unless" {
			return r, p.expected(`"above 0 if"`)
		}
		return p.only(first, true)
	case p.peek().text == "if" || p.peek().text == "unless":
		return p.only(first, false)
	case p.take("="):
		return p.equation(first)
	}
	r = Relation{Kind: Determines, Columns: []string{first}}
	for p.take(",") {
		if err := p.another(&r); err != nil {
			return r, err
		}
	}
	if !p.take("->") {
		return r, p.expected(`"=", "<=", "<", "->", "if" or "unless"`)
	}
	return r, p.another(&r)
}

func (p *parser) another(r *Relation) error {
	n, err := p.name()
	r.Columns = append(r.Columns, n)
	return err
}

func (p *parser) order(first string, strict bool) (Relation, error) {
	r := Relation{Kind: Order, Columns: []string{first}, Strict: strict}
	return r, p.another(&r)
}

func (p *parser) only(first string, zero bool) (Relation, error) {
	not := p.take("unless")
	if !not && !p.take("if") {
		return Relation{}, p.expected(`"if"`)
	}
	name, value, err := p.value()
	return Relation{Kind: OnlyTogether, Columns: []string{first, name}, Value: value, Zero: zero, Not: not}, err
}

func (p *parser) never() (Relation, error) {
	r := Relation{Kind: NeverTogether}
	a, other, err := p.value()
	if err != nil {
		return r, err
	}
	if !p.take("and") {
		return r, p.expected(`"and"`)
	}
	b, value, err := p.value()
	r.Columns, r.Other, r.Value = []string{a, b}, other, value
	return r, err
}
