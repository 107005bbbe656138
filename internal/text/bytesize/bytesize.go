// Package bytesize reads numbers of bytes as people write them: 2GiB, 500MB, 1073741824.
package bytesize

import (
	"errors"
	"math"
	"strconv"
	"strings"
)

// Size is a number of bytes, as a flag.
type Size int64

// units are those of a size, the longer ones first.
var units = []struct {
	name  string
	bytes float64
}{{"kib", 1 << 10}, {"mib", 1 << 20}, {"gib", 1 << 30}, {"tib", 1 << 40}, {"kb", 1e3}, {"mb", 1e6}, {"gb", 1e9},
	{"tb", 1e12}, {"k", 1 << 10}, {"m", 1 << 20}, {"g", 1 << 30}, {"t", 1 << 40}, {"b", 1}, {"", 1}}

// Set reads a size, at least a byte.
func (s *Size) Set(text string) error {
	lower := strings.ToLower(strings.TrimSpace(text))
	for _, u := range units {
		number, is := strings.CutSuffix(lower, u.name)
		if !is {
			continue
		}
		v, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
		if v = float64(v * u.bytes); err != nil || !(v >= 1 && v < math.MaxInt64) {
			break
		}
		*s = Size(v)
		return nil
	}
	return errors.New("expected a size such as 2GiB or 500MB")
}

// String writes a size as Set reads it; 0 is empty.
func (s *Size) String() string {
	if *s == 0 {
		return ""
	}
	return strconv.FormatInt(int64(*s), 10)
}

// Type is what help calls it.
func (*Size) Type() string { return "size" }
