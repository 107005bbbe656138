package relation

import (
	"strconv"

	"github.com/dither-data/dither/calendar"
)

// day is the notation of a day in a relation.
const day = calendar.Notation("yyyy-mm-dd")

// equation reads what stands behind the equals sign: completed units, a product, a ratio or a sum.
func (p *parser) equation(first string) (Relation, error) {
	if t := p.peek(); !t.quoted && p.at+1 < len(p.tokens) && p.tokens[p.at+1].text == "(" {
		switch u := Unit(t.text); u {
		case Years, Months, Weeks:
			p.at += 2
			return p.elapsed(first, u)
		}
	}
	r := Relation{Kind: Linear, Columns: []string{first}, Coefficients: []float64{1}}
	for sign := p.sign(1); ; {
		v, name, err := p.term(&r)
		if err != nil || r.Kind != Linear {
			return r, err
		}
		if name == "" {
			r.Constant += float64(sign * v)
		} else {
			r.Columns, r.Coefficients = append(r.Columns, name), append(r.Coefficients, float64(-sign*v))
		}
		switch {
		case p.take("+"):
			sign = p.sign(1)
		case p.take("-"):
			sign = p.sign(-1)
		default:
			return r, nil
		}
	}
}

func (p *parser) sign(s float64) float64 {
	if p.take("-") {
		return -s
	}
	return s
}

// term reads a number, a column, or a number times a column. A product or a ratio of columns makes the relation one.
func (p *parser) term(r *Relation) (v float64, name string, err error) {
	v = 1
	if t := p.peek(); !t.quoted {
		if f, err := strconv.ParseFloat(t.text, 64); err == nil {
			p.at++
			if v = f; !p.take("*") {
				return v, "", nil
			}
		}
	}
	if name, err = p.name(); err != nil {
		return 0, "", err
	}
	kind, power := Linear, 0
	switch {
	case len(r.Columns) > 1 || r.Constant != 0:
		return v, name, nil
	case p.take("*"):
		kind = Product
	case p.take("/"):
		kind, power = Ratio, 1
	default:
		return v, name, nil
	}
	by, err := p.name()
	if err != nil {
		return 0, "", err
	}
	if kind == Ratio && p.take("^") {
		if !p.take("2") {
			return 0, "", p.expected(`"2"`)
		}
		power = 2
	}
	*r = Relation{Kind: kind, Columns: []string{r.Columns[0], name, by}, Factor: v, Power: power}
	return 0, "", nil
}

// elapsed reads the columns of completed units, or a column and a day.
func (p *parser) elapsed(first string, u Unit) (Relation, error) {
	r := Relation{Kind: Elapsed, Columns: []string{first}, Unit: u}
	if err := p.another(&r); err != nil {
		return r, err
	}
	if !p.take(",") {
		return r, p.expected(`","`)
	}
	from := p.at
	text := ""
	for p.at < len(p.tokens) && p.peek().text != ")" {
		text += p.peek().text
		p.at++
	}
	if v, isDay, ok := day.Number(text); ok && isDay && !p.tokens[from].quoted {
		r.Day = int(v)
	} else if p.at = from; p.another(&r) != nil {
		return r, p.expected("a column or a day such as 2020-12-31")
	}
	if !p.take(")") {
		return r, p.expected(`")"`)
	}
	return r, nil
}
