package yamlfile

import (
	"strconv"
	"strings"
)

// set writes the value of a path, or removes it. Where the end of a map in brackets is hard to find, it takes the
// beginning.
func (e *editor) set(path []string, value string, atEnd bool) (string, bool) {
	last := path[len(path)-1]
	if _, err := strconv.Atoi(last); value == "" && err == nil {
		if _, isKey := e.s.Keys.Of(pointer(path)); !isKey {
			return e.removeItem(path)
		}
	}
	n, found := e.find(path)
	switch {
	case found && value == "":
		return e.remove(n), true
	case found && n.block:
		return e.text[:n.after] + " " + value + e.text[n.after:n.from] + e.text[n.to:], true
	case found:
		lead := ""
		if n.from == n.after {
			lead = " "
		}
		return e.text[:n.from] + lead + value + e.text[n.to:], true
	case value == "":
		return "", false
	}
	return e.insert(path, value, atEnd)
}

// remove takes out an entry: its lines, or itself with one comma.
func (e *editor) remove(n entry) string {
	if !n.flow {
		end := n.to
		if !n.block {
			end = e.next(n.to)
		}
		return e.text[:e.line(n.key)] + e.text[max(end, e.next(n.key)):]
	}
	before, after := e.text[:n.key], e.text[n.to:]
	if rest := strings.TrimLeft(after, " \t\r\n"); strings.HasPrefix(rest, ",") {
		return before + strings.TrimLeft(rest[1:], " ")
	}
	if head := strings.TrimRight(before, " \t\r\n"); strings.HasSuffix(head, ",") {
		before = head[:len(head)-1]
	}
	return before + after
}

// removeItem takes out an item of a list that has lines of its own.
func (e *editor) removeItem(path []string) (string, bool) {
	p, ok := e.s.Values.Of(pointer(path))
	if !ok {
		return "", false
	}
	line := e.line(e.offset(p))
	text := e.text[line:e.next(line)]
	indent := len(text) - len(strings.TrimLeft(text, " "))
	if !strings.HasPrefix(text[indent:], "- ") {
		return "", false
	}
	return e.text[:line] + e.text[max(e.lines(e.next(line), indent, false), e.next(line)):], true
}

// insert adds a key, or an item, that is not there yet.
func (e *editor) insert(path []string, value string, atEnd bool) (string, bool) {
	up, step := path[:len(path)-1], path[len(path)-1]
	if len(up) == 0 {
		return e.insertTop(step, " "+value), true
	}
	entryText := Flow(step) + ": " + value
	if step == Last {
		entryText = value
	}
	if _, err := strconv.Atoi(up[len(up)-1]); err == nil && len(up) > 1 {
		if _, isKey := e.s.Keys.Of(pointer(up)); !isKey {
			return e.insertInItem(up, entryText, atEnd)
		}
	}
	n, found := e.find(up)
	switch {
	case !found && len(up) == 1:
		if step == Last {
			return e.insertTop(up[0], "\n  - "+value), true
		}
		return e.insertTop(up[0], "\n  "+entryText), true
	case !found && step == Last:
		return e.insert(up, "["+value+"]", atEnd)
	case !found:
		return e.insert(up, "{"+entryText+"}", atEnd)
	case n.block && n.from < n.to:
		line := e.text[n.from:e.next(n.from)]
		for at := n.from; strings.TrimSpace(line) == "" || strings.HasPrefix(strings.TrimSpace(line), "#"); {
			at = e.next(at)
			line = e.text[at:e.next(at)]
		}
		lead := line[:len(line)-len(strings.TrimLeft(line, " "))]
		if step == Last {
			lead += "- "
		}
		return e.addLine(n.to, lead+entryText), true
	case n.block || n.from == n.to:
		open, end := "{", "}"
		if step == Last {
			open, end = "[", "]"
		}
		return e.text[:n.after] + " " + open + entryText + end + e.text[n.after:], true
	}
	return e.inBrackets(n.from, n.to, entryText, atEnd)
}

// insertInItem adds a key to the map that is an item of a list: one in brackets.
func (e *editor) insertInItem(up []string, entryText string, atEnd bool) (string, bool) {
	p, ok := e.s.Values.Of(pointer(up))
	if !ok {
		return "", false
	}
	open := strings.LastIndexByte(e.text[:e.offset(p)+1], '{')
	if open < 0 {
		return "", false
	}
	return e.inBrackets(open, open+bracketed(e.text[open:]), entryText, atEnd)
}

// inBrackets adds an entry to what stands in brackets.
func (e *editor) inBrackets(from, to int, entryText string, atEnd bool) (string, bool) {
	if to-from < 2 || strings.IndexByte("{[", e.text[from]) < 0 {
		return "", false
	}
	inside := strings.TrimSpace(e.text[from+1 : to-1])
	switch {
	case inside == "":
		return e.text[:from+1] + entryText + e.text[to-1:], true
	case atEnd:
		end := from + 1 + len(strings.TrimRight(e.text[from+1:to-1], " \t\r\n,"))
		return e.text[:end] + ", " + entryText + e.text[end:], true
	}
	return e.text[:from+1] + entryText + ", " + e.text[from+1:], true
}

// insertTop adds a key of the file at its end.
func (e *editor) insertTop(key, value string) string {
	return e.addLine(len(e.text), Flow(key)+":"+value)
}

// addLine adds a line, or several, at the beginning of one.
func (e *editor) addLine(at int, line string) string {
	head := e.text[:at]
	if head != "" && !strings.HasSuffix(head, "\n") {
		head += "\n"
	}
	return head + line + "\n" + e.text[at:]
}
