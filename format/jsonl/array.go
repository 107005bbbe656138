package jsonl

import (
	"bytes"

	"github.com/dither-data/dither/format/text"
)

// cutArray divides an array, whose bracket stands at a byte, before records, by its size alone. Nothing is known of the
// records but where they end; the text ends in a bracket, so that whatever reads on finds it. Cost: O(bytes).
func cutArray(data []byte, at int) (chunks []chunk, err error) {
	lo, deep := at+1, 0
	for i := at; i < len(data); i++ {
		switch data[i] {
		case '"':
			if i = endOfText(data, i); i < 0 {
				return nil, text.At(data, at, "the array does not end: a text in it has no end")
			}
		case '{', '[':
			if deep == 1 && i-lo >= chunkBytes {
				chunks = append(chunks, chunk{lo: lo, hi: i})
				lo = i
			}
			deep++
		case '}', ']':
			if deep--; deep > 0 {
				continue
			}
			if rest := bytes.TrimLeft(data[i+1:], " \t\r\n"); len(rest) > 0 {
				return nil, text.At(data, len(data)-len(rest), "found something behind the array, expected one array of records")
			}
			if data[i] == ']' {
				return append(chunks, chunk{lo: lo, hi: i}), nil
			}
		}
	}
	return nil, text.At(data, at, "the array does not end in a bracket of its own")
}

// endOfText returns where the quotes are that end the text whose quotes stand at a byte; -1 for nowhere.
func endOfText(data []byte, at int) int {
	for i := at + 1; i < len(data); i++ {
		switch data[i] {
		case '\\':
			i++
		case '"':
			return i
		}
	}
	return -1
}

// elements tells a sink the records of a part of an array, which ends in the bracket or before another record.
func (s *scanner) elements(to sink) error {
	last := s.data[s.end] == ']'
	if s.blank(); last && s.pos == s.end {
		return nil
	}
	for {
		if s.data[s.pos] != '{' {
			return s.fault("expected an object, as each element of the array is a record")
		}
		s.pos++
		to.begin()
		if err := s.object(to); err != nil {
			return err
		}
		if s.blank(); last && s.pos == s.end {
			return nil
		}
		if s.data[s.pos] != ',' {
			return s.fault("expected a comma or the end of the array behind the object")
		}
		s.pos++
		if s.blank(); !last && s.pos == s.end {
			return nil
		}
	}
}
