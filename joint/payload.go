package joint

import (
	"encoding/binary"
	"fmt"
)

// AppendWords appends numbers to a payload, eight bytes each.
func AppendWords(dst []byte, words []uint64) []byte {
	for _, w := range words {
		dst = binary.LittleEndian.AppendUint64(dst, w)
	}
	return dst
}

// Reader takes a payload apart. After the first error it returns zeros of the right length; End returns that error.
type Reader struct {
	rest []byte
	err  error
}

// NewReader reads a payload.
func NewReader(payload []byte) *Reader { return &Reader{rest: payload} }

func (r *Reader) fail(format string, args ...any) {
	if r.err == nil {
		r.err = fmt.Errorf(format, args...)
	}
	r.rest = nil
}

// Bytes takes n bytes; nil after an error.
func (r *Reader) Bytes(n int) []byte {
	if n < 0 || n > len(r.rest) {
		r.fail("%d bytes are missing", n-len(r.rest))
		return nil
	}
	b := r.rest[:n:n]
	r.rest = r.rest[n:]
	return b
}

// Word takes a number.
func (r *Reader) Word() uint64 {
	b := r.Bytes(8)
	if b == nil {
		return 0
	}
	return binary.LittleEndian.Uint64(b)
}

// Words takes n numbers; nil after an error.
func (r *Reader) Words(n int) []uint64 {
	if n < 0 || n > len(r.rest)/8 {
		r.fail("%d numbers are announced, %d are there", n, len(r.rest)/8)
		return nil
	}
	out := make([]uint64, n)
	for i := range out {
		out[i] = r.Word()
	}
	return out
}

// End returns the first error, or one where something is left over.
func (r *Reader) End() error {
	if r.err == nil && len(r.rest) > 0 {
		r.fail("%d bytes too many", len(r.rest))
	}
	return r.err
}
