// Package encodings lets package text know every encoding of the Encoding Standard (WHATWG) under all its labels, once
// it is imported. Their tables take a megabyte of a program; without it text knows UTF-8, UTF-16 and those of single
// bytes.
package encodings

import (
	"github.com/dither-data/dither/format/text"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/htmlindex"
)

func init() {
	text.Register(func(label string) (encoding.Encoding, string, bool) {
		e, err := htmlindex.Get(label)
		if err != nil {
			return nil, "", false
		}
		name, err := htmlindex.Name(e)
		return e, name, err == nil
	})
}
