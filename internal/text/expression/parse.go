package expression

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Fault is what is wrong with the text of an expression, or with its operands.
type Fault struct {
	At      int // character of the text, from 1
	Message string
}

// Error says where the fault is, and repeats no literal.
func (f *Fault) Error() string { return fmt.Sprintf("at character %d: %s", f.At, f.Message) }

const (
	// maxText is more than any constraint needs, in bytes.
	maxText = 10_000
	// maxDepth bounds how far brackets, minus signs and not stand in each other.
	maxDepth = 200
)

// words are not names of columns, unless they stand in backquotes.
var words = []string{"and", "or", "not", "in"}

// Parse reads an expression. An error is a *Fault. Whether the columns exist is for the caller to find out. Cost:
// O(length).
func Parse(text string) (e *Expression, err error) {
	e = &Expression{text: text}
	p := &parser{e: e, text: text}
	defer caught(&e, &err)
	if len(text) > maxText {
		p.fail(0, fmt.Sprintf("the expression has %d bytes, expected at most %d", len(text), maxText))
	}
	if !utf8.ValidString(text) {
		p.fail(0, "the text is not UTF-8")
	}
	p.next()
	root := p.disjunction()
	if p.kind != end {
		p.fail(p.at, "expected and, or, or the end")
	}
	e.root = p.condition(root)
	return e, nil
}

// caught turns a fault that is thrown into an error. What else is thrown goes on.
func caught(e **Expression, err *error) {
	switch f := recover().(type) {
	case nil:
	case *Fault:
		*e, *err = nil, f
	default:
		panic(f)
	}
}

// tokens are what the text is made of.
type token uint8

const (
	end token = iota
	number
	text
	name
	word // and, or, not, in
	sign // an operator, a bracket or a comma
)

// parser reads by recursive descent. It leaves by a panic with a *Fault, which Parse turns into its error.
type parser struct {
	e     *Expression
	text  string
	pos   int // behind the token
	kind  token
	at    int    // byte where the token starts
	token string // without quotes
	depth int
}

func (p *parser) fail(at int, message string) {
	panic(&Fault{utf8.RuneCountInString(p.text[:at]) + 1, message})
}

// next reads a token.
func (p *parser) next() {
	p.pos += len(p.text[p.pos:]) - len(strings.TrimLeft(p.text[p.pos:], " \t\r\n"))
	p.at = p.pos
	if p.pos == len(p.text) {
		p.kind, p.token = end, ""
		return
	}
	rest := p.text[p.pos:]
	switch c := rest[0]; {
	case digit(c):
		n := span(rest, digit)
		if n+1 < len(rest) && rest[n] == '.' && digit(rest[n+1]) {
			n += 1 + span(rest[n+1:], digit)
		}
		p.take(number, rest[:n], n)
	case letter(c):
		n := span(rest, func(c byte) bool { return letter(c) || digit(c) })
		if p.take(name, rest[:n], n); slices.Contains(words, p.token) {
			p.kind = word
		}
	case c == '\'' || c == '"' || c == '`':
		inside, _, closed := strings.Cut(rest[1:], string(c))
		if !closed {
			p.fail(p.at, "the quotes are not closed")
		}
		kind := text
		if c == '`' {
			kind = name
		}
		p.take(kind, inside, len(inside)+2)
	default:
		for _, s := range []string{"!=", "<=", ">=", "=", "<", ">", "+", "-", "*", "/", "(", ")", ","} {
			if strings.HasPrefix(rest, s) {
				p.take(sign, s, len(s))
				return
			}
		}
		p.fail(p.at, "this character has no meaning here")
	}
}

func (p *parser) take(kind token, token string, length int) {
	p.kind, p.token = kind, token
	p.pos += length
}

func digit(c byte) bool  { return '0' <= c && c <= '9' }
func letter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' || c == '_' }

func span(s string, of func(byte) bool) int {
	n := 0
	for n < len(s) && of(s[n]) {
		n++
	}
	return n
}

func isName(s string) bool {
	return s != "" && !digit(s[0]) && span(s, func(c byte) bool { return letter(c) || digit(c) }) == len(s)
}

// is reports whether the token is one of some words or signs.
func (p *parser) is(kind token, any ...string) bool {
	return p.kind == kind && slices.Contains(any, p.token)
}

// deeper counts how far things stand in each other.
func (p *parser) deeper() func() {
	if p.depth++; p.depth > maxDepth {
		p.fail(p.at, "nested too deeply")
	}
	return func() { p.depth-- }
}

// parsed is a node, and where it starts.
type parsed struct {
	node any // a condition or an operand
	at   int
}

func (p *parser) condition(n parsed) condition {
	c, ok := n.node.(condition)
	if !ok {
		p.fail(n.at, "expected a condition, such as a comparison; this is a value")
	}
	return c
}

func (p *parser) operand(n parsed) operand {
	o, ok := n.node.(operand)
	if !ok {
		p.fail(n.at, "expected a value; this is a condition")
	}
	return o
}

func (p *parser) disjunction() parsed {
	n := p.conjunction()
	for p.is(word, "or") {
		p.next()
		n.node = &disjunction{p.condition(n), p.condition(p.conjunction())}
	}
	return n
}

func (p *parser) conjunction() parsed {
	n := p.negation()
	for p.is(word, "and") {
		p.next()
		n.node = &conjunction{p.condition(n), p.condition(p.negation())}
	}
	return n
}

func (p *parser) negation() parsed {
	if !p.is(word, "not") {
		return p.comparison()
	}
	defer p.deeper()()
	at := p.at
	p.next()
	return parsed{&negation{p.condition(p.negation())}, at}
}

func (p *parser) comparison() parsed {
	n := p.sum()
	at := p.at
	switch {
	case p.is(sign, "=", "!=", "<", "<=", ">", ">="):
		left, op := p.operand(n), p.token
		p.next()
		n.node = &comparison{op, left, p.operand(p.sum()), at}
		if p.is(sign, "=", "!=", "<", "<=", ">", ">=") {
			p.fail(p.at, "a comparison does not chain: join two with and")
		}
	case p.is(word, "in"):
		of := p.operand(n)
		p.next()
		n.node = &membership{of, p.list(), at}
	}
	return n
}

// list reads the literals behind in.
func (p *parser) list() (out []Value) {
	p.want("(")
	for {
		negative := p.is(sign, "-")
		if negative {
			p.next()
		}
		switch {
		case p.kind == number:
			v := p.number()
			if negative {
				v.Number = -v.Number
			}
			out = append(out, v)
		case p.kind == text && !negative:
			out = append(out, Value{Kind: Text, Text: p.token})
		default:
			p.fail(p.at, "expected a number, or a text in quotes")
		}
		p.next()
		if !p.is(sign, ",") {
			p.want(")")
			return out
		}
		p.next()
	}
}

func (p *parser) want(s string) {
	if !p.is(sign, s) {
		p.fail(p.at, "expected "+s)
	}
	p.next()
}

func (p *parser) number() Value {
	v, err := strconv.ParseFloat(p.token, 64)
	if err != nil {
		p.fail(p.at, "the number is too large")
	}
	return Value{Kind: Number, Number: v}
}

func (p *parser) sum() parsed { return p.chain(p.product, "+", "-") }

func (p *parser) product() parsed { return p.chain(p.unary, "*", "/") }

// chain reads operands with operators of one rank between them, which bind to the left.
func (p *parser) chain(next func() parsed, ops ...string) parsed {
	n := next()
	for p.is(sign, ops...) {
		left, op, at := p.operand(n), p.token[0], p.at
		p.next()
		n.node = &arithmetic{op, left, p.operand(next()), at}
	}
	return n
}

func (p *parser) unary() parsed {
	if !p.is(sign, "-") {
		return p.atom()
	}
	defer p.deeper()()
	at := p.at
	p.next()
	return parsed{&arithmetic{'-', literal{Value{Kind: Number}}, p.operand(p.unary()), at}, at}
}

func (p *parser) atom() parsed {
	n := parsed{at: p.at}
	switch {
	case p.kind == number:
		n.node = literal{p.number()}
	case p.kind == text:
		n.node = literal{Value{Kind: Text, Text: p.token}}
	case p.kind == name:
		n.node = column{p.column()}
	case p.is(sign, "("):
		defer p.deeper()()
		p.next()
		n.node = p.disjunction().node
		if !p.is(sign, ")") {
			p.fail(p.at, "expected )")
		}
	default:
		p.fail(p.at, "expected a column, a number, or a text in quotes")
	}
	p.next()
	return n
}

// column returns which of the columns the token names.
func (p *parser) column() int {
	k := slices.IndexFunc(p.e.Columns, func(c Column) bool { return c.Name == p.token })
	if k < 0 {
		k = len(p.e.Columns)
		p.e.Columns = append(p.e.Columns, Column{p.token, utf8.RuneCountInString(p.text[:p.at]) + 1})
	}
	return k
}
