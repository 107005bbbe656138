package chart

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// advance holds the advance widths of the printable ASCII characters, from the blank on, in thousandths of the font
// size. Helvetica, Arial, Liberation Sans and Nimbus Sans share them.
var advance = [95]uint16{
	278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, // blank to /
	556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, // 0 to ?
	1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778, // @ to O
	667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556, // P to _
	333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, // ` to o
	556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584, // p to ~
}

// slack widens every estimate: bold weights and the fonts a browser falls back to run a little wider.
const (
	slack     = 1.04
	slackBold = 1.10
)

// width returns the width of s in pixels.
func (f face) width(s string) float64 {
	sum := 0
	for _, r := range s {
		sum += runeAdvance(r)
	}
	k := slack
	if f.bold {
		k = slackBold
	}
	return float64(sum) / 1000 * f.size * k
}

// runeAdvance estimates the advance width of a character in thousandths of the font size. Outside ASCII it leans to the
// wide side.
func runeAdvance(r rune) int {
	switch {
	case r >= 32 && r < 127:
		return int(advance[r-32])
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		return 0
	case r == '…':
		return 1000
	case r == '≤' || r == '≥' || r == '−' || r == '→' || r == '·':
		return 600
	case wide(r):
		return 1000
	case unicode.IsUpper(r):
		return 780
	case r < 0x250:
		return 560
	case unicode.IsLower(r):
		return 640
	}
	return 720
}

// wide reports whether a character fills a square: Chinese, Japanese, Korean, fullwidth forms, pictographs.
func wide(r rune) bool {
	return r >= 0x1100 && r <= 0x115F || r >= 0x2E80 && r <= 0xA4CF || r >= 0xAC00 && r <= 0xD7A3 ||
		r >= 0xF900 && r <= 0xFAFF ||
		r >= 0xFE30 && r <= 0xFE6F ||
		r >= 0xFF00 && r <= 0xFF60 ||
		r >= 0x1F000 && r <= 0x3FFFF
}

// fit returns s on one line, cut at its end so that it is at most max wide, and whether it was cut.
func (f face) fit(s string, max float64) (string, bool) {
	s = Printable(s)
	if f.width(s) <= max {
		return s, false
	}
	return strings.TrimRight(s[:f.head(s, max-f.width("…"))], " ,") + "…", true
}

// squeeze is fit for names, which often differ in their last letters: it cuts in the middle.
func (f face) squeeze(s string, max float64) (string, bool) { return f.cut(s, max, 0.45) }

// cut is fit with a cut that leaves so large a share of the room to the end of the text.
func (f face) cut(s string, max, share float64) (string, bool) {
	s = Printable(s)
	if f.width(s) <= max {
		return s, false
	}
	room := max - f.width("…")
	tail := len(s)
	for tail > 0 {
		_, n := utf8.DecodeLastRuneInString(s[:tail])
		if f.width(s[tail-n:]) > room*share {
			break
		}
		tail -= n
	}
	for tail < len(s) { // a mark that combines with a letter that is gone goes too
		r, n := utf8.DecodeRuneInString(s[tail:])
		if runeAdvance(r) > 0 {
			break
		}
		tail += n
	}
	head := f.head(s, room-f.width(s[tail:]))
	return s[:head] + "…" + s[tail:], true
}

// shares are the cuts that distinct tries.
var shares = []float64{0.45, 0.7, 1, 0}

// distinct is squeeze for one of several names: where two would look alike it cuts elsewhere, and shows the part in
// which they differ; names that no cut tells apart get their place among all. Cost: O(names).
func (f face) distinct(s string, room float64, all []string) (string, bool) {
	s = Printable(s)
	if f.width(s) <= room {
		return s, false
	}
	for _, share := range shares {
		short, _ := f.cut(s, room, share)
		if !f.ambiguous(s, short, all, func(o string) string { o, _ = f.cut(o, room, share); return o }) {
			return short, true
		}
	}
	at := 0 // where s leaves the name that it is alike with for longest
	for _, o := range all {
		if o = Printable(o); o != s {
			at = max(at, common(s, o))
		}
	}
	middle := func(o string) string {
		if at >= len(o) {
			return o
		}
		rest, _ := f.fit("…"+o[at:], room)
		return rest
	}
	if short := middle(s); at > 0 && f.width(short) <= room && !f.ambiguous(s, short, all, middle) {
		return short, true
	}
	mark := " #" + strconv.Itoa(slices.IndexFunc(all, func(o string) bool { return Printable(o) == s })+1)
	short, _ := f.fit(s, room-f.width(mark))
	return short + mark, true
}

// labels returns the names of what a drawing shows.
func labels[T any](of []T, name func(T) string) []string {
	out := make([]string, len(of))
	for k := range of {
		out[k] = name(of[k])
	}
	return out
}

// ambiguous reports whether another of the names is shortened to the same.
func (f face) ambiguous(s, short string, all []string, shorten func(string) string) bool {
	return slices.ContainsFunc(all, func(o string) bool {
		o = Printable(o)
		return o != s && shorten(o) == short
	})
}

// common returns how many bytes, whole characters, two texts begin with alike.
func common(a, b string) int {
	for i, r := range a {
		if !strings.HasPrefix(b[min(i, len(b)):], string(r)) {
			return i
		}
	}
	return len(a)
}

// head returns how many bytes of s, whole characters, are at most max wide.
func (f face) head(s string, max float64) int {
	end := 0
	for i, r := range s {
		next := i + utf8.RuneLen(r)
		if f.width(s[:next]) > max {
			break
		}
		end = next
	}
	return end
}

// unseen are the letters that nobody sees and no writing needs: soft hyphens, blanks of no width, invisible operators,
// marks of notes, and tags.
var unseen = &unicode.RangeTable{
	R16: []unicode.Range16{{0x00AD, 0x00AD, 1}, {0x180E, 0x180E, 1}, {0x200B, 0x200B, 1}, {0x2060, 0x2064, 1},
		{0x206A, 0x206F, 1}, {0xFEFF, 0xFEFF, 1}, {0xFFF9, 0xFFFB, 1}},
	R32:         []unicode.Range32{{0xE0000, 0xE007F, 1}},
	LatinOffset: 1,
}

// Printable returns a text on one line without what could steer a terminal or make a label lie, since names and labels
// come from files: control characters become blanks, and the marks that turn the direction of writing go, as do those
// that nobody sees and no writing needs.
func Printable(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.Is(unicode.Bidi_Control, r) || unicode.Is(unseen, r):
			return -1
		case unicode.IsControl(r) || r == 0x2028 || r == 0x2029:
			return ' '
		case r == 0xFFFE || r == 0xFFFF:
			return unicode.ReplacementChar // legal nowhere in XML
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD"))
}

var escaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&#34;", "'", "&#39;")

// escape makes a text safe inside SVG, as content and as attribute.
func escape(s string) string { return Isolated(s, "&#x2068;", "&#x2069;") }
