package yamlfile

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Last is the step of a path that stands for a new item at the end of a list.
const Last = "-"

// ErrByHand is the error for a key that is written in a way that Set does not edit, such as text over several lines.
var ErrByHand = errors.New("this part of the file is written in a way that only a person can edit: change it there")

// Set returns the text of a file in which the value at a path is another one, and all else is as it was, with its
// comments, blank lines and order. The steps of the path are keys and numbers of items; Last adds an item. The value is
// YAML as Flow writes it; an empty one removes the key or the item, where it is there, and what is empty then. What is
// returned has been read again and says what was asked for, and nothing else has changed; where that fails the error is
// ErrByHand. Cost: reading the file twice.
func Set(name string, kind Kind, data []byte, path []string, value string) ([]byte, error) {
	if len(path) == 0 {
		return nil, errors.New("no path")
	}
	mark := data[:len(data)-len(bytes.TrimPrefix(data, []byte("\ufeff")))]
	s, before, err := Parse(name, kind, data)
	if err != nil {
		return nil, err
	}
	if value == "" && at(before, path) == nil {
		return data, nil
	}
	e := &editor{text: string(data[len(mark):]), s: s}
	want, path, err := edited(before, path, value)
	if err != nil {
		return nil, err
	}
	for _, atEnd := range []bool{true, false} {
		text, ok := e.set(path, value, atEnd)
		if !ok {
			continue
		}
		out := append(slices.Clone(mark), text...)
		if _, got, err := Parse(name, kind, out); err == nil && reflect.DeepEqual(got, want) {
			return out, nil
		}
	}
	return nil, ErrByHand
}

// edited returns what the file is to say, and the path of what is to be set: of what is empty when something is
// removed.
func edited(before any, path []string, value string) (any, []string, error) {
	var v any
	if value != "" {
		_, one, err := Parse("value", Kind{Name: "value", MaxSize: 1 << 20}, []byte("v: "+value))
		if err != nil {
			return nil, nil, err
		}
		v = one.(map[string]any)["v"]
	}
	want, err := put(before, path, v)
	if err != nil || v != nil {
		return want, path, err
	}
	for len(path) > 1 { // what is empty goes, too
		if !empty(at(want, path[:len(path)-1])) {
			break
		}
		path = path[:len(path)-1]
		if want, err = put(before, path, nil); err != nil {
			return nil, nil, err
		}
	}
	return want, path, nil
}

func empty(v any) bool {
	switch v := v.(type) {
	case map[string]any:
		return len(v) == 0
	case []any:
		return len(v) == 0
	}
	return false
}

// at returns what stands at a path; nil for nothing.
func at(v any, path []string) any {
	for _, step := range path {
		switch in := v.(type) {
		case map[string]any:
			v = in[step]
		case []any:
			k, err := strconv.Atoi(step)
			if err != nil || k < 0 || k >= len(in) {
				return nil
			}
			v = in[k]
		default:
			return nil
		}
	}
	return v
}

// put returns a copy of a value in which another one stands at the path; nil removes it.
func put(in any, path []string, v any) (any, error) {
	if len(path) == 0 {
		return v, nil
	}
	step := path[0]
	if list, ok := in.([]any); ok || in == nil && step == Last {
		return putItem(list, path, v)
	}
	m, ok := in.(map[string]any)
	if !ok && in != nil {
		return nil, ErrByHand
	}
	out := make(map[string]any, len(m)+1)
	for k, x := range m {
		out[k] = x
	}
	below, err := put(out[step], path[1:], v)
	if err != nil {
		return nil, err
	}
	if out[step] = below; below == nil {
		delete(out, step)
	}
	return out, nil
}

func putItem(list []any, path []string, v any) (any, error) {
	out := slices.Clone(list)
	if path[0] == Last && len(path) == 1 && v != nil {
		return append(out, v), nil
	}
	k, err := strconv.Atoi(path[0])
	if err != nil || k < 0 || k >= len(list) {
		return nil, ErrByHand
	}
	below, err := put(list[k], path[1:], v)
	if out[k] = below; below == nil {
		out = slices.Delete(out, k, k+1)
	}
	return out, err
}

var plainText = regexp.MustCompile(`^[A-Za-z](?:[A-Za-z0-9_./ -]*[A-Za-z0-9_./])?$`)

// Flow writes a value on one line, as Set takes it: texts, numbers, true and false, lists, and maps whose keys come in
// the order of the pairs.
func Flow(v any) string {
	switch v := v.(type) {
	case string:
		switch strings.ToLower(v) {
		case "true", "false", "null", "yes", "no", "on", "off", "y", "n":
		default:
			if plainText.MatchString(v) {
				return v
			}
		}
	case []string:
		list := make([]any, len(v))
		for k, one := range v {
			list[k] = one
		}
		return Flow(list)
	case []any:
		parts := make([]string, len(v))
		for k, one := range v {
			parts[k] = Flow(one)
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case []Pair:
		parts := make([]string, len(v))
		for k, one := range v {
			parts[k] = Flow(one.Key) + ": " + Flow(one.Value)
		}
		return "{" + strings.Join(parts, ", ") + "}"
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return `""`
	}
	return strings.TrimSpace(b.String())
}

// Pair is a key of a map with its value.
type Pair struct {
	Key   string
	Value any
}

// editor changes the text of a file that was read.
type editor struct {
	text string
	s    *Source
}

// entry is where a key and its value stand, as offsets into the text.
type entry struct {
	key, after int  // the key, and behind its colon
	from, to   int  // the value; empty where there is none
	block      bool // the value stands on lines of its own: from and to are beginnings of lines
	flow       bool // the entry stands inside brackets
}

// offset is that of a place.
func (e *editor) offset(p Place) int {
	at := 0
	for range p.Line - 1 {
		at += strings.IndexByte(e.text[at:], '\n') + 1
	}
	for range p.Column - 1 {
		_, n := utf8.DecodeRuneInString(e.text[at:])
		at += n
	}
	return min(at, len(e.text))
}

func pointer(path []string) string {
	p := ""
	for _, step := range path {
		p = Pointer(p, step)
	}
	return p
}

// find returns the entry of a key; not of an item of a list.
func (e *editor) find(path []string) (n entry, ok bool) {
	p, ok := e.s.Keys.Of(pointer(path))
	if !ok {
		return n, false
	}
	for k := 1; k < len(path) && !n.flow; k++ {
		if up, ok := e.find(path[:k]); ok {
			n.flow = up.flow || !up.block && up.from < up.to
		}
	}
	n.key = e.offset(p)
	if rest := e.text[n.key:]; strings.HasPrefix(rest, `"`) || strings.HasPrefix(rest, "'") {
		n.after = n.key + quoted(rest)
	} else {
		n.after = n.key
	}
	colon := strings.IndexByte(e.text[n.after:], ':')
	for k := n.after + colon + 1; colon >= 0 && k < len(e.text) &&
		!strings.ContainsRune(" \t\r\n,}]\"'", rune(e.text[k])); k = n.after + colon + 1 {
		next := strings.IndexByte(e.text[k:], ':')
		if next < 0 {
			return n, false
		}
		colon = k + next - n.after
	}
	if colon < 0 {
		return n, false
	}
	n.after += colon + 1
	e.value(&n, e.line(n.key))
	if n.flow || !strings.HasPrefix(strings.TrimLeft(e.text[e.line(n.key):], " -"), "{") {
		return n, true
	}
	n.flow = true // the file, or an item of a list, is one map in brackets
	e.value(&n, e.line(n.key))
	return n, true
}

// line is the beginning of the line of an offset.
func (e *editor) line(at int) int { return strings.LastIndexByte(e.text[:at], '\n') + 1 }

// next is the beginning of the line behind that of an offset.
func (e *editor) next(at int) int {
	if k := strings.IndexByte(e.text[at:], '\n'); k >= 0 {
		return at + k + 1
	}
	return len(e.text)
}

// value finds the value of an entry whose line begins at an offset.
func (e *editor) value(n *entry, line int) {
	p := n.after
	space := " \t"
	if n.flow {
		space = " \t\r\n"
	}
	for p < len(e.text) && strings.IndexByte(space, e.text[p]) >= 0 {
		p++
	}
	n.from, n.to, n.block = p, p, false
	switch {
	case n.flow || p < len(e.text) && strings.IndexByte("\r\n#", e.text[p]) < 0:
		if p < len(e.text) && !n.flow && strings.IndexByte("|>", e.text[p]) >= 0 {
			n.to = e.lines(e.next(p), n.key-line, false)
			return
		}
		n.to = p + span(e.text[p:], n.flow)
	default:
		n.block, n.from = true, e.next(p)
		n.to = e.lines(n.from, n.key-line, true)
	}
}

// lines returns where the lines end that begin at an offset and are indented by more than so many blanks; items of a
// list may be indented by as many. Comments and empty lines at the end are not among them.
func (e *editor) lines(at, indent int, items bool) int {
	end := at
	for at < len(e.text) {
		next := e.next(at)
		text := strings.TrimRight(e.text[at:next], "\r\n")
		body := strings.TrimLeft(text, " ")
		deep := len(text) - len(body)
		switch {
		case body == "" || strings.HasPrefix(body, "#"):
		case deep > indent || items && deep == indent && (body == "-" || strings.HasPrefix(body, "- ")):
			end = next
		default:
			return end
		}
		at = next
	}
	return end
}

// span is the length of the value at the beginning of a text.
func span(text string, flow bool) int {
	if text == "" {
		return 0
	}
	switch text[0] {
	case '"', '\'':
		return quoted(text)
	case '{', '[':
		return bracketed(text)
	}
	end := strings.IndexAny(text, "\r\n")
	if end < 0 {
		end = len(text)
	}
	if k := strings.Index(text[:end], " #"); k >= 0 {
		end = k
	}
	if flow {
		if k := strings.IndexAny(text[:end], ",]}"); k >= 0 {
			end = k
		}
	}
	return len(strings.TrimRight(text[:end], " \t"))
}

// quoted is the length of the quoted text at the beginning of a text.
func quoted(text string) int {
	q := text[0]
	for k := 1; k < len(text); k++ {
		switch {
		case q == '"' && text[k] == '\\':
			k++
		case text[k] == q && q == '\'' && k+1 < len(text) && text[k+1] == q:
			k++
		case text[k] == q:
			return k + 1
		}
	}
	return len(text)
}

// bracketed is the length of the map or list in brackets at the beginning of a text.
func bracketed(text string) int {
	depth := 0
	for k := 0; k < len(text); k++ {
		switch c := text[k]; {
		case c == '{' || c == '[':
			depth++
		case c == '}' || c == ']':
			if depth--; depth == 0 {
				return k + 1
			}
		case (c == '"' || c == '\'') && strings.IndexByte(" \t\r\n{[,:", text[k-1]) >= 0:
			k += quoted(text[k:]) - 1
		case c == '#' && strings.IndexByte(" \t\n", text[k-1]) >= 0:
			if end := strings.IndexByte(text[k:], '\n'); end >= 0 {
				k += end
			}
		}
	}
	return len(text)
}
