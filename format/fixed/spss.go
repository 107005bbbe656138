package fixed

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// command is a command of SPSS: its words behind its name.
type command struct {
	name string
	reader
}

// names are the commands that are read, the longest first.
var names = []string{"data list", "variable labels", "var labels", "var lab", "value labels", "add value labels",
	"missing values", "val labels", "val lab"}

// commandOf returns the command that a line begins, in full; "" for none.
func commandOf(line string) string {
	lower := strings.Join(strings.Fields(strings.ToLower(line)), " ")
	for _, n := range names {
		if lower == n || strings.HasPrefix(lower, n+" ") {
			return n
		}
	}
	return ""
}

// commands cuts a syntax into the commands that are read. Each ends in a point at the end of a line, or where another
// one begins.
func commands(text string) (out []command) {
	name, begun := "", 0
	var lines []string
	end := func() {
		if name != "" {
			rest := strings.Join(lines, "\n")
			for range strings.Fields(name) {
				rest = strings.TrimLeft(rest, " \t")
				if at := strings.IndexAny(rest, " \t\n"); at >= 0 {
					rest = rest[at:]
				}
			}
			out = append(out, command{name, reader{words: words(rest, "/()=,", begun)}})
		}
		name, lines = "", nil
	}
	for k, line := range strings.Split(withoutRemarks(text), "\n") {
		if n := commandOf(line); n != "" {
			end()
			name, begun = n, k+1
		}
		trimmed := strings.TrimRight(line, " \t\r")
		lines = append(lines, strings.TrimSuffix(trimmed, "."))
		if strings.HasSuffix(trimmed, ".") {
			end()
		}
	}
	end()
	return out
}

// withoutRemarks is a text without what stands between /* and */, or the end of a line.
func withoutRemarks(text string) string {
	for {
		at := strings.Index(text, "/*")
		if at < 0 {
			return text
		}
		rest := text[at:]
		end := strings.IndexByte(rest, '\n')
		if end < 0 {
			end = len(rest)
		}
		if shut := strings.Index(rest, "*/"); shut >= 0 && shut < end {
			end = shut + 2
		}
		text = text[:at] + rest[end:]
	}
}

// parseSPSS reads DATA LIST, and the labels and missing values that are declared behind it.
func parseSPSS(text string) (*Layout, error) {
	var l *Layout
	for _, c := range commands(text) {
		var err error
		switch {
		case c.name == "data list" && l != nil:
			return nil, c.fault("a second DATA LIST; expected one")
		case c.name == "data list":
			l, err = c.dataList()
		case l == nil:
		case strings.HasPrefix(c.name, "var"):
			err = c.variableLabels(l)
		case c.name == "missing values":
			err = c.missingValues(l)
		default:
			err = c.valueLabels(l)
		}
		if err != nil {
			return nil, err
		}
	}
	if l == nil {
		return nil, errors.New("has no command DATA LIST that ends in a point")
	}
	return l, nil
}

// dataList reads the places of columns.
func (c *command) dataList() (*Layout, error) {
	l := &Layout{Lines: 1}
	for len(c.words) > 0 && c.peek() != "/" {
		switch {
		case c.is("free"), c.is("list"):
			return nil, c.fault("DATA LIST FREE and LIST describe no places: read the file with --delimiter blank or comma")
		case c.is("records"):
			c.is("=")
			n, ok := c.number()
			if !ok {
				return nil, c.fault("expected how many lines a record has")
			}
			l.Lines = n
		default:
			c.next()
		}
	}
	line := -1
	for c.is("/") {
		line++
		if n, ok := c.number(); ok {
			line = n - 1
		}
		at := 0
		for len(c.words) > 0 && c.peek() != "/" {
			if err := c.columns(l, line, &at); err != nil {
				return nil, err
			}
		}
	}
	return l, nil
}

// columns reads some names and where their columns stand; at is where the last one ended.
func (c *command) columns(l *Layout, line int, at *int) error {
	var list []string
	for len(c.words) > 0 && c.peek() != "(" && c.peek() != "/" {
		if _, place := span(c.peek()); place && len(list) > 0 {
			break
		}
		if c.is(",") {
			continue
		}
		if c.is("to") {
			var err error
			if list, err = c.to(list); err != nil {
				return err
			}
			continue
		}
		list = append(list, c.next().text)
	}
	if len(list) == 0 || len(c.words) == 0 || c.peek() == "/" {
		return c.fault("expected the places of columns, as in age 5-7")
	}
	if c.peek() == "(" {
		return c.formats(l, list, line, at)
	}
	place, _ := span(c.next().text)
	if c.is("-") { // 5 - 7
		place, _ = span(fmt.Sprint(place[0]) + "-" + c.next().text)
	}
	all := place[1] - place[0] + 1
	if all < 1 || all%len(list) != 0 {
		return c.fault("%d bytes for %d columns", all, len(list))
	}
	kind, decimals := Number, 0
	if c.is("(") {
		var err error
		if kind, decimals, err = c.kind(); err != nil {
			return err
		}
	}
	width := all / len(list)
	for k, name := range list {
		l.Columns = append(l.Columns, Column{Name: name, Line: line, Start: place[0] - 1 + k*width, Width: width, Type: kind,
			Decimals: decimals})
	}
	*at = place[1]
	return nil
}

// span reads a place: 5, or 5-7.
func span(text string) (place [2]int, ok bool) {
	from, to, both := strings.Cut(text, "-")
	lo, err := strconv.Atoi(from)
	if err != nil {
		return place, false
	}
	hi := lo
	if both && to != "" {
		if hi, err = strconv.Atoi(to); err != nil {
			return place, false
		}
	}
	return [2]int{lo, hi}, true
}

// to adds the names from the last one of a list to the next word: v1 TO v3.
func (c *command) to(list []string) ([]string, error) {
	name := c.next().text
	if len(list) == 0 {
		return nil, c.fault("expected a name before TO")
	}
	from := list[len(list)-1]
	stem := strings.TrimRight(from, "0123456789")
	lo, err := strconv.Atoi(from[len(stem):])
	if !strings.HasPrefix(name, stem) || err != nil {
		return nil, c.fault("%s TO %s are no numbered names", from, name)
	}
	hi, err := strconv.Atoi(name[len(stem):])
	if err != nil || hi < lo || hi-lo > mostBytes {
		return nil, c.fault("%s TO %s are no numbered names", from, name)
	}
	for n := lo + 1; n <= hi; n++ {
		list = append(list, stem+fmt.Sprintf("%0*d", len(from)-len(stem), n))
	}
	return list, nil
}

// kind reads what stands in parentheses behind a place: a type, or decimals.
func (c *command) kind() (kind Type, decimals int, err error) {
	for len(c.words) > 0 && !c.is(")") {
		w := strings.ToLower(c.next().text)
		switch n, err := strconv.Atoi(w); {
		case err == nil:
			decimals = n
		case w == "a" || w == "ahex":
			kind = Text
		case strings.HasPrefix(w, "f") || w == "n" || w == "comma" || w == "dot" || w == "dollar" || w == "e" || w == ",":
		default:
			kind = Open
		}
	}
	return kind, decimals, nil
}

// formats reads columns that follow each other, with formats in parentheses as in Fortran: (A10, 2F5.2).
func (c *command) formats(l *Layout, list []string, line int, at *int) error {
	c.next()
	for len(c.words) > 0 && !c.is(")") {
		if c.is(",") {
			continue
		}
		w := strings.ToLower(c.next().text)
		times := strings.TrimRight(w, "abcdefghijklmnopqrstuvwxyz.0123456789")
		if times == "" {
			times = w[:len(w)-len(strings.TrimLeft(w, "0123456789"))]
		}
		rest := w[len(times):]
		n := 1
		if times != "" {
			n, _ = strconv.Atoi(times)
		}
		name := strings.TrimRight(rest, "0123456789.")
		width, decimals, _ := strings.Cut(rest[len(name):], ".")
		bytes, err := strconv.Atoi(width)
		if name == "x" && width == "" {
			*at += n
			continue
		}
		d, err2 := strconv.Atoi("0" + decimals)
		if err != nil || err2 != nil || n < 1 || n > len(list) {
			return c.fault("the format %q", w)
		}
		kind := Open
		switch name {
		case "a":
			kind = Text
		case "f", "n", "comma", "dot", "e":
			kind = Number
		}
		if len(list) > n && c.peek() == ")" { // the last format is that of all others
			n = len(list)
		}
		for range n {
			l.Columns = append(l.Columns, Column{Name: list[0], Line: line, Start: *at, Width: bytes, Type: kind, Decimals: d})
			list, *at = list[1:], *at+bytes
		}
	}
	if len(list) > 0 {
		return c.fault("no format for %q", list[0])
	}
	return nil
}

// list reads names of columns, and returns them.
func (c *command) list(l *Layout) (cols []*Column, err error) {
	for len(c.words) > 0 && !c.words[0].quoted {
		name := c.words[0].text
		k := slices.IndexFunc(l.Columns, func(o Column) bool { return strings.EqualFold(o.Name, name) })
		switch {
		case c.is("to") && len(cols) > 0:
			end := c.next().text
			last := slices.IndexFunc(l.Columns, func(o Column) bool { return strings.EqualFold(o.Name, end) })
			from := slices.IndexFunc(l.Columns, func(o Column) bool { return o.Name == cols[len(cols)-1].Name })
			if last < from {
				return nil, c.fault("no column %q behind %q", end, cols[len(cols)-1].Name)
			}
			for k := from + 1; k <= last; k++ {
				cols = append(cols, &l.Columns[k])
			}
		case c.is(","):
		case k >= 0:
			c.next()
			cols = append(cols, &l.Columns[k])
		default:
			return cols, nil
		}
	}
	return cols, nil
}

// variableLabels reads labels of columns.
func (c *command) variableLabels(l *Layout) error {
	for len(c.words) > 0 {
		if c.is("/") {
			continue
		}
		cols, err := c.list(l)
		if err != nil {
			return err
		}
		if len(cols) == 0 && !(len(c.words) > 1 && c.words[1].quoted) {
			return c.fault("expected a column and its label")
		}
		if len(cols) == 0 { // of a column that is computed
			c.next()
		}
		label := c.next()
		for _, col := range cols {
			col.Label = label.text
		}
	}
	return nil
}

// valueLabels reads labels of values: a b 1 'yes' 2 'no' /c 'x' 'label'.
func (c *command) valueLabels(l *Layout) error {
	for len(c.words) > 0 {
		c.is("/")
		cols, err := c.list(l)
		if err != nil {
			return err
		}
		for len(c.words) > 0 && c.peek() != "/" {
			value := c.next()
			label := c.next()
			if !label.quoted {
				if len(cols) == 0 { // of a column that is computed
					continue
				}
				return c.fault("expected a label in quotes")
			}
			for _, col := range cols {
				col.labelled(value.text, label.text)
			}
		}
	}
	return nil
}

// missingValues reads which values stand for missing ones: a b (9) c (LO THRU 0, 99).
func (c *command) missingValues(l *Layout) error {
	for len(c.words) > 0 {
		if c.is("/") {
			continue
		}
		cols, err := c.list(l)
		if err != nil {
			return err
		}
		for len(cols) == 0 && len(c.words) > 0 && c.peek() != "(" { // columns that are computed
			c.next()
		}
		if !c.is("(") {
			return c.fault("expected values in parentheses")
		}
		for len(c.words) > 0 && !c.is(")") {
			if c.is(",") {
				continue
			}
			lo := end(c.next().text)
			hi := lo
			if c.is("thru") || c.is("through") {
				hi = end(c.next().text)
			}
			for _, col := range cols {
				col.missing(lo, hi)
			}
		}
	}
	return nil
}

// end is a value, or the lowest or the highest.
func end(text string) string {
	switch strings.ToLower(text) {
	case "lo", "lowest":
		return fmt.Sprint(-math.MaxFloat64)
	case "hi", "highest":
		return fmt.Sprint(math.MaxFloat64)
	}
	return text
}
