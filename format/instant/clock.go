package instant

import "strconv"

// perTick is how many nanoseconds a unit of times of day is.
func (u Unit) perTick() int64 {
	switch u {
	case Nano:
		return 1
	case Micro:
		return 1e3
	case Milli:
		return 1e6
	case Sec, Day:
	}
	return 1e9
}

// AppendTime appends a time of day, which a file counts from midnight, as text: 08:30:00, or 08:30:00.5 where it is
// finer than a second. ok is false for what lies outside a day.
func (u Unit) AppendTime(dst []byte, k int64) (_ []byte, ok bool) {
	per := u.perTick()
	if k < 0 || k >= 86400*1e9/per {
		return dst, false
	}
	second := k * per / 1e9
	for i, part := range [...]int64{second / 3600, second / 60 % 60, second % 60} {
		if i > 0 {
			dst = append(dst, ':')
		}
		dst = append(dst, byte('0'+part/10), byte('0'+part%10))
	}
	if fine := k * per % 1e9; fine > 0 {
		end := len(dst)
		dst = strconv.AppendInt(dst, 1e9+fine, 10)
		dst[end] = '.'
		for dst[len(dst)-1] == '0' {
			dst = dst[:len(dst)-1]
		}
	}
	return dst, true
}

// ParseTime returns what AppendTime makes such a text of; ok is false for any other text.
func (u Unit) ParseTime(text string) (k int64, ok bool) {
	if len(text) < 8 || len(text) > 18 {
		return 0, false
	}
	second, digits, fine := int64(0), text[:2]+text[3:5]+text[6:8], text[min(len(text), 9):]
	for len(fine) < 9 {
		fine += "0"
	}
	for i, c := range []byte(digits + fine) {
		if c < '0' || c > '9' {
			return 0, false
		}
		if i%2 == 1 && i < 6 {
			second = second*60 + int64(digits[i-1]-'0')*10 + int64(c-'0')
		}
	}
	nanos, _ := strconv.ParseInt(fine, 10, 64)
	k = (second*1e9 + nanos) / u.perTick()
	back, ok := u.AppendTime(nil, k)
	return k, ok && string(back) == text
}
