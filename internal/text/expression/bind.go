package expression

import "fmt"

// Domain is what a column of a table holds.
type Domain struct {
	Kind Kind
	// Read returns the number of a text where the numbers of the column are written in another way, as dates are; nil
	// where they are not.
	Read func(text string) (v float64, ok bool)
}

// Bind returns the expression for a table whose columns hold what domains says, by Columns: texts that are compared
// with dates are read as dates. Operands that could fit on no record, as a text in arithmetic, are a *Fault: it is told
// once and before any record is looked at. Cost: O(length).
func (e *Expression) Bind(domains []Domain) (out *Expression, err error) {
	defer caught(&out, &err)
	b := &binder{&parser{text: e.text}, e, domains}
	return &Expression{e.Columns, e.text, b.condition(e.root)}, nil
}

type binder struct {
	*parser // for the faults
	e       *Expression
	domains []Domain
}

func (b *binder) condition(c condition) condition {
	switch n := c.(type) {
	case *disjunction:
		return &disjunction{b.condition(n.left), b.condition(n.right)}
	case *conjunction:
		return &conjunction{b.condition(n.left), b.condition(n.right)}
	case *negation:
		return &negation{b.condition(n.of)}
	case *comparison:
		left, right := b.dated(n.left, n.right, n.at), b.dated(n.right, n.left, n.at)
		if x, y := b.kind(left), b.kind(right); x != y {
			b.fail(n.at, "a number is compared with a text; "+b.hint(n.left, n.right))
		}
		return &comparison{n.op, left, right, n.at}
	case *membership:
		list := make([]Value, len(n.list))
		for k, v := range n.list {
			l, _ := b.dated(literal{v}, n.of, n.at).(literal)
			if list[k] = l.Value; l.Kind != b.kind(n.of) {
				b.fail(n.at, "a number is compared with a text; "+b.hint(n.of, literal{v}))
			}
		}
		return &membership{n.of, list, n.at}
	}
	return c
}

// hint says which column holds what.
func (b *binder) hint(operands ...operand) string {
	for _, o := range operands {
		if c, ok := o.(column); ok {
			what := "numbers, which stand without quotes"
			if b.domains[c.k].Kind == Text {
				what = "categories, which stand in quotes"
			}
			if b.domains[c.k].Read != nil {
				what = "dates, which stand in quotes"
			}
			return fmt.Sprintf("column %q holds %s", b.e.Columns[c.k].Name, what)
		}
	}
	return "the two sides must be of one kind"
}

// dated returns an operand, read as a date where it is a text and the other a column of dates.
func (b *binder) dated(o, other operand, at int) operand {
	l, isText := o.(literal)
	c, ok := other.(column)
	if !ok || !isText || l.Kind != Text || b.domains[c.k].Read == nil {
		return o
	}
	v, ok := b.domains[c.k].Read(l.Text)
	if !ok {
		b.fail(at, fmt.Sprintf("the text is not a date in the notation of column %q", b.e.Columns[c.k].Name))
	}
	return literal{Value{Kind: Number, Number: v}}
}

// kind returns what an operand is.
func (b *binder) kind(o operand) Kind {
	switch n := o.(type) {
	case literal:
		return n.Kind
	case column:
		return b.domains[n.k].Kind
	case *arithmetic:
		if b.kind(n.left) == Text || b.kind(n.right) == Text {
			b.fail(n.at, "arithmetic on text is not possible; "+b.hint(n.left, n.right))
		}
	}
	return Number
}
