package fixed

import (
	"errors"
	"strconv"
	"strings"
)

// types are the types of Stata's numbers.
var types = map[string]bool{"byte": true, "int": true, "long": true, "float": true, "double": true}

// parseStata reads a dictionary of infix or infile, or the command infix.
func parseStata(text string) (*Layout, error) {
	var lines []string
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		if strings.HasPrefix(strings.TrimSpace(line), "*") {
			line = ""
		}
		line, _, _ = strings.Cut(line, "//")
		lines = append(lines, line)
	}
	r := &stata{reader: reader{words: words(strings.Join(lines, "\n"), "{}():,", 1)}, layout: &Layout{Lines: 1}}
	infix := false
	for len(r.words) > 0 {
		w := r.peek()
		if w == "infix" {
			infix = true
		}
		if w == "{" || infix && w != "infix" && w != "dictionary" && w != "using" && !r.words[0].quoted && !r.named {
			break
		}
		r.named = w == "using" || w == "dictionary"
		r.next()
	}
	if !r.is("{") && !infix {
		return nil, errors.New("has no { behind the word dictionary")
	}
	for len(r.words) > 0 && !r.is("}") && !r.is("using") {
		if err := r.item(); err != nil {
			return nil, err
		}
	}
	return r.layout, nil
}

// stata reads a dictionary.
type stata struct {
	reader
	layout *Layout
	named  bool // the next word may be the name of a file
	line   int  // of the record, from 0
	at     int  // byte of the line, from 0
}

// item reads a directive, or a column.
func (r *stata) item() error {
	switch w := r.peek(); {
	case w == "," || w == "clear":
		r.next()
		return nil
	case strings.HasPrefix(w, "_"):
		return r.directive()
	case w == "lines" || strings.HasSuffix(w, "lines"):
		r.next()
		return nil
	}
	if n, ok := r.number(); ok { // 2: or 2 lines
		if r.is(":") {
			r.line, r.at = n-1, 0
			return nil
		}
		if r.is("lines") {
			r.layout.Lines = n
			return nil
		}
		return r.fault("expected a column or 2:, found %d", n)
	}
	return r.column()
}

// directive reads what moves the place at hand.
func (r *stata) directive() error {
	w := strings.ToLower(r.next().text)
	n, given := 1, false
	if r.is("(") {
		if n, given = r.number(); !given || !r.is(")") {
			return r.fault("expected a number in parentheses behind %s", w)
		}
	}
	switch w {
	case "_column", "_col":
		r.at = n - 1
	case "_skip":
		r.at += n
	case "_newline":
		r.line, r.at = r.line+n, 0
	case "_line":
		r.line, r.at = n-1, 0
	case "_lines":
		r.layout.Lines = n
	case "_lrecl", "_firstlineoffile", "_first":
	default:
		return r.fault("the directive %s is not known", w)
	}
	return nil
}

// column reads a column of either kind: byte age 5-6, or byte age %2f "label".
func (r *stata) column() error {
	c := Column{Line: r.line, Start: r.at}
	kind := r.peek()
	if text := strings.TrimRight(kind, "0123456789") == "str" || kind == "strl"; text || types[kind] {
		r.next()
		if text {
			c.Type = Text
		}
	}
	if c.Name = r.next().text; c.Name == "" || strings.ContainsAny(c.Name, "{}(),%") {
		return r.fault("expected the name of a column, found %q", c.Name)
	}
	if r.is(":") { // the name of its labels
		r.next()
	}
	if len(r.words) > 1 && r.words[1].text == ":" { // 2:1-3
		if n, ok := r.number(); ok {
			r.next()
			c.Line = n - 1
		}
	}
	if err := r.place(&c); err != nil {
		return err
	}
	if len(r.words) > 0 && r.words[0].quoted {
		c.Label = r.next().text
	}
	r.layout.Columns = append(r.layout.Columns, c)
	return nil
}

// place reads where a column stands, or how wide it is.
func (r *stata) place(c *Column) error {
	w := r.next().text
	if p, ok := span(w); ok {
		for range 2 { // 5 - 7
			if strings.HasSuffix(w, "-") || !strings.Contains(w, "-") && strings.HasPrefix(r.peek(), "-") {
				w += r.next().text
			}
		}
		if p, ok = span(w); !ok {
			return r.fault("expected the place of %q, as in 5-7", c.Name)
		}
		if c.Start, c.Width = p[0]-1, p[1]-p[0]+1; p[1] < p[0] {
			return r.fault("column %q ends before it begins", c.Name)
		}
		r.at = p[1]
		return nil
	}
	format := strings.ToLower(strings.TrimLeft(strings.TrimPrefix(w, "%"), "-"))
	width, rest, point := strings.Cut(strings.TrimRight(format, "abcdefghijklmnopqrstuvwxyz"), ".")
	n, err := strconv.Atoi(width)
	if !strings.HasPrefix(w, "%") || err != nil {
		return r.fault("expected the place of %q, as in 5-7, or how wide it is, as in %%3f", c.Name)
	}
	if strings.HasSuffix(format, "s") || strings.HasSuffix(format, "str") {
		c.Type = Text
	}
	if point {
		if c.Decimals, err = strconv.Atoi(rest); err != nil {
			return r.fault("the format %q", w)
		}
	}
	c.Width = n
	r.at = c.Start + n
	return nil
}
