// Package expression reads and evaluates the conditions that constraints on records are written in: columns, numbers,
// texts, comparisons, in, and, or, not, and arithmetic. There are no calls and no loops, so that a condition of anybody
// can be evaluated on confidential records.
//
//	disj    := conj { "or" conj }
//	conj    := neg { "and" neg }
//	neg     := "not" neg | comp
//	comp    := sum [ ("=" | "!=" | "<" | "<=" | ">" | ">=") sum | "in" "(" literal { "," literal } ")" ]
//	sum     := prod { ("+" | "-") prod }
//	prod    := unary { ("*" | "/") unary }
//	unary   := "-" unary | atom
//	atom    := number | text | column | "(" disj ")"
//	literal := text | [ "-" ] number
//
// A number is digits, and may have a point and digits behind it. A text stands in single or double quotes and has no
// escapes. A column is a name of letters, digits and underscores that does not start with a digit; any other stands in
// backquotes: `education-num`. The words and, or, not and in are lower case; blanks are free. A comparison does not
// chain. The operands of and, or and not are truth values, all others are numbers or texts, and the whole is a truth
// value: what does not fit is refused when it is read.
//
// A missing operand of a comparison, of arithmetic or before in gives Unknown, whatever the other operand is. And, or
// and not follow three-valued logic from left to right; what stands behind a false of and, or a true of or, is not
// looked at. On some records a condition fails: a division by zero, arithmetic on a text, a comparison of a number with
// a text or of a value that cannot be judged (in compares with every literal of its list).
//
// Source: the grammar is that of the constraints of an information quality model (I. Nai Fovino and M. Masera 2008,
// Definition 5: "some logic expression"), which the report leaves open.
package expression

import (
	"slices"
	"strings"
)

// Kind is what a value is.
type Kind uint8

// The kinds of values.
const (
	Missing Kind = iota
	Number
	Text
	Other // a value that no condition can judge, such as a group of values
)

// Value is what a record has in a column: a number, a text, or nothing.
type Value struct {
	Kind   Kind
	Number float64
	Text   string
}

// Truth is what a condition is of a record.
type Truth uint8

// The truths of a condition.
const (
	False   Truth = iota
	True          // it holds
	Unknown       // a value is missing
	Failed        // it cannot be evaluated on the record
)

// Row is a record.
type Row interface {
	// Value returns what the record has in column k of Expression.Columns.
	Value(k int) Value
}

// Column is a column that an expression names.
type Column struct {
	Name string
	At   int // character of the text where it first stands, from 1
}

// Expression is a condition on the values of a record.
type Expression struct {
	Columns []Column // in the order in which they first stand
	text    string
	root    condition
}

// String returns the text that was parsed.
func (e *Expression) String() string { return e.text }

// Names reports whether the expression names a column.
func (e *Expression) Names(column string) bool {
	return slices.ContainsFunc(e.Columns, func(c Column) bool { return c.Name == column })
}

// Eval evaluates the expression on a record. Cost: O(length).
func (e *Expression) Eval(row Row) Truth { return e.root.truth(row) }

// Quoted returns the name of a column as an expression has it. A name with a backquote in it cannot be written; ok is
// then false.
func Quoted(column string) (name string, ok bool) {
	if isName(column) && !slices.Contains(words, column) {
		return column, true
	}
	return "`" + column + "`", column != "" && !strings.Contains(column, "`")
}

// Literal returns a text in quotes. One with both kinds of quotes in it cannot be written; ok is then false.
func Literal(text string) (literal string, ok bool) {
	for _, quote := range []string{"'", `"`} {
		if !strings.Contains(text, quote) {
			return quote + text + quote, true
		}
	}
	return "", false
}

// condition is a node with a truth value, operand one with a plain value.
type (
	condition interface{ truth(Row) Truth }
	operand   interface {
		value(Row) (v Value, failed bool)
	}
)

type (
	disjunction struct{ left, right condition }
	conjunction struct{ left, right condition }
	negation    struct{ of condition }
	comparison  struct {
		op          string
		left, right operand
		at          int
	}
	membership struct {
		of   operand
		list []Value
		at   int
	}
	arithmetic struct {
		op          byte
		left, right operand
		at          int
	}
	column  struct{ k int }
	literal struct{ Value }
)

func (n *disjunction) truth(r Row) Truth { return either(n.left.truth(r), n.right, r, True) }
func (n *conjunction) truth(r Row) Truth { return either(n.left.truth(r), n.right, r, False) }

// either joins two conditions: where one is decisive so is the whole, and the second is not looked at where the first
// is.
func either(left Truth, second condition, r Row, decisive Truth) Truth {
	if left == decisive || left == Failed {
		return left
	}
	switch right := second.truth(r); {
	case right == decisive || right == Failed || left != Unknown:
		return right
	}
	return Unknown
}

func (n *negation) truth(r Row) Truth {
	switch t := n.of.truth(r); t {
	case False:
		return True
	case True:
		return False
	case Unknown, Failed:
		return t
	}
	return Failed
}

func (n *comparison) truth(r Row) Truth {
	a, failed := n.left.value(r)
	if failed {
		return Failed
	}
	b, failed := n.right.value(r)
	switch {
	case failed:
		return Failed
	case a.Kind == Missing || b.Kind == Missing:
		return Unknown
	case a.Kind != b.Kind || a.Kind == Other:
		return Failed
	}
	return truthOf(n.holds(a, b))
}

func truthOf(holds bool) Truth {
	if holds {
		return True
	}
	return False
}

func (n *comparison) holds(a, b Value) bool {
	if a.Kind == Text {
		return ordered(n.op, a.Text, b.Text)
	}
	return ordered(n.op, a.Number, b.Number)
}

func ordered[T float64 | string](op string, a, b T) bool {
	switch op {
	case "=":
		return a == b
	case "!=":
		return a != b
	case "<":
		return a < b
	case "<=":
		return a <= b
	case ">":
		return a > b
	}
	return a >= b
}

func (n *membership) truth(r Row) Truth {
	v, failed := n.of.value(r)
	switch {
	case failed:
		return Failed
	case v.Kind == Missing:
		return Unknown
	}
	found := False
	for _, l := range n.list {
		if l.Kind != v.Kind {
			return Failed
		}
		if l == v {
			found = True
		}
	}
	return found
}

func (n *arithmetic) value(r Row) (Value, bool) {
	a, failed := n.left.value(r)
	if failed {
		return a, true
	}
	b, failed := n.right.value(r)
	switch {
	case failed:
		return b, true
	case a.Kind == Missing || b.Kind == Missing:
		return Value{}, false
	case a.Kind != Number || b.Kind != Number || n.op == '/' && b.Number == 0:
		return Value{}, true
	}
	switch n.op {
	case '+':
		a.Number += b.Number
	case '-':
		a.Number -= b.Number
	case '*':
		a.Number = float64(a.Number * b.Number)
	default:
		a.Number /= b.Number
	}
	return a, false
}

func (n column) value(r Row) (Value, bool)  { return r.Value(n.k), false }
func (n literal) value(_ Row) (Value, bool) { return n.Value, false }
