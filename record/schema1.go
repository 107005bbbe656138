package record

import (
	"bytes"
	"encoding/json"
)

// The first schema. Its file has the same form; its chain hashes other bytes.
const (
	schema1      = "dither/record/1"
	payloadType1 = "application/vnd.dither.record.v1+json"
)

// base1 is the record with empty hashes and steps that are null, and a line feed.
func base1(r *Record) []byte {
	own := *r
	own.Base, own.Head, own.Steps = "", "", nil
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(own) // texts always encode
	return b.Bytes()
}

// step1 is the step with an empty hash.
func step1(s *Step) []byte {
	own := *s
	own.Hash = ""
	return value1(own)
}

// value1 is JSON with some characters of its texts escaped as for HTML.
func value1(v any) []byte {
	b, _ := json.Marshal(v) // parameters, limits and steps always encode
	return b
}
