package text

import (
	"encoding/hex"
	"strings"
)

// dashes are where the dashes of a UUID stand (RFC 9562, section 4).
var dashes = [...]int{8, 13, 18, 23}

// AppendUUID appends the 16 bytes of a UUID as text.
func AppendUUID(dst, v []byte) []byte {
	at := len(dst)
	dst = hex.AppendEncode(dst, v)
	for _, k := range dashes {
		dst = append(dst, 0)
		copy(dst[at+k+1:], dst[at+k:])
		dst[at+k] = '-'
	}
	return dst
}

// ParseUUID returns the bytes of such a text; ok is false for any other.
func ParseUUID(text string) (v []byte, ok bool) {
	v, err := hex.DecodeString(strings.ReplaceAll(text, "-", ""))
	return v, err == nil && len(v) == 16 && string(AppendUUID(nil, v)) == text
}
