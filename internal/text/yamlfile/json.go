package yamlfile

import (
	"encoding/json"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"
)

// jsonReader reads a text that is JSON, which is YAML too, with the places that the parser of YAML would give. That one
// keeps kilobytes for each entry of a map until a text is parsed: 300 MB for a policy of 50,000 columns.
type jsonReader struct {
	s    *Source
	text string
	d    *json.Decoder
	// read are the bytes of the text up to the last token, and at is where they end.
	read int
	at   Place
}

// inJSON reads a text that is a map in JSON. It is false where it is not, or anything is wrong with it: parsed as YAML,
// the text tells what.
func (s *Source) inJSON(text string) (any, bool) {
	if !strings.HasPrefix(strings.TrimLeft(text, " \r\n"), "{") {
		return nil, false
	}
	r := &jsonReader{s: s, text: text, d: json.NewDecoder(strings.NewReader(text)), at: Place{1, 1}}
	r.d.UseNumber()
	t, at, ok := r.token()
	if !ok {
		return nil, false
	}
	v, ok := r.value(t, at, "", 0)
	if !ok {
		return nil, false
	}
	_, err := r.d.Token()
	return v, err == io.EOF
}

// token returns the next token and where it begins.
func (r *jsonReader) token() (t json.Token, at Place, ok bool) {
	t, err := r.d.Token()
	if err != nil {
		return nil, at, false
	}
	between := r.text[r.read:]
	r.pass(len(between) - len(strings.TrimLeft(between, " \t\r\n,:")))
	at = r.at
	r.pass(int(r.d.InputOffset()) - r.read)
	if text, is := t.(string); is && strings.ContainsRune(text, utf8.RuneError) { // half of a pair of surrogates
		return nil, at, false
	}
	return t, at, true
}

// pass goes on by so many bytes of the text.
func (r *jsonReader) pass(n int) {
	part := r.text[r.read : r.read+n]
	r.read += n
	if k := strings.LastIndexByte(part, '\n'); k >= 0 {
		r.at.Line += strings.Count(part, "\n")
		r.at.Column, part = 1, part[k+1:]
	}
	r.at.Column += utf8.RuneCountInString(part)
}

// value returns what begins with a token.
func (r *jsonReader) value(t json.Token, at Place, path string, depth int) (any, bool) {
	if _, ok := r.s.Values.Of(path); !ok {
		r.s.Values.set(path, at)
	}
	if depth > maxDepth {
		return nil, false
	}
	switch t := t.(type) {
	case json.Delim:
		if t == '[' {
			return r.list(path, depth)
		}
		return r.object(path, depth)
	case json.Number:
		v, err := r.s.number(string(t), at)
		return v, err == nil
	}
	return t, true
}

func (r *jsonReader) list(path string, depth int) (any, bool) {
	list := []any{}
	for r.d.More() {
		t, at, ok := r.token()
		if !ok {
			return nil, false
		}
		v, ok := r.value(t, at, Pointer(path, strconv.Itoa(len(list))), depth+1)
		if !ok {
			return nil, false
		}
		list = append(list, v)
	}
	_, _, ok := r.token()
	return list, ok
}

func (r *jsonReader) object(path string, depth int) (any, bool) {
	out := map[string]any{}
	for r.d.More() {
		t, at, ok := r.token()
		name, is := t.(string)
		if _, twice := out[name]; !ok || !is || twice {
			return nil, false
		}
		step := Pointer(path, name)
		if len(out) == 0 {
			r.s.Values.set(path, at)
		}
		r.s.Keys.set(step, at)
		t, at, ok = r.token()
		if !ok {
			return nil, false
		}
		if out[name], ok = r.value(t, at, step, depth+1); !ok {
			return nil, false
		}
	}
	_, _, ok := r.token()
	return out, ok
}
