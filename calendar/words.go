package calendar

import (
	"bytes"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// names are the months of a year, in a language, as they are written: in small letters, with capitals or in capitals.
type names [12]string

// months are names of months in every language; signs has the word that says in a notation which they are.
var months = sync.OnceValue(func() (out []names) {
	for _, list := range []string{
		"jan feb mar apr may jun jul aug sep oct nov dec",
		"jan. feb. mar. apr. may jun. jul. aug. sep. oct. nov. dec.",
		"january february march april may june july august september october november december",
		"jan feb mär apr mai jun jul aug sep okt nov dez",
		"jan. feb. märz apr. mai juni juli aug. sept. okt. nov. dez.",
		"januar februar märz april mai juni juli august september oktober november dezember",
		"janv févr mars avr mai juin juil août sept oct nov déc",
		"janv. févr. mars avr. mai juin juil. août sept. oct. nov. déc.",
		"janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
		"ene feb mar abr may jun jul ago sep oct nov dic",
		"enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
		"gen feb mar apr mag giu lug ago set ott nov dic",
		"gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
		"jan feb mrt apr mei jun jul aug sep okt nov dec",
		"januari februari maart april mei juni juli augustus september oktober november december",
		"jan fev mar abr mai jun jul ago set out nov dez",
		"janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
		"sty lut mar kwi maj cze lip sie wrz paź lis gru",
		"stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia",
		"ledna února března dubna května června července srpna září října listopadu prosince",
		"januari februari mars april maj juni juli augusti september oktober november december",
		"januar februar marts april maj juni juli august september oktober november december",
		"januar februar mars april mai juni juli august september oktober november desember",
		"января февраля марта апреля мая июня июля августа сентября октября ноября декабря",
	} {
		small := names(strings.Fields(list))
		var begun, big names
		for k, w := range small {
			r, n := utf8.DecodeRuneInString(w)
			begun[k], big[k] = string(unicode.ToUpper(r))+w[n:], strings.ToUpper(w)
		}
		out = append(out, small, begun, big)
	}
	return out
})

// signs holds which month says in a notation what the months are called: December, or the first that no others have
// where others before have that word for December, too, as Dutch and Swedish have English's.
var signs = sync.OnceValue(func() map[names]int {
	out, all := make(map[names]int), months()
	for k, n := range all {
		out[n] = 11
		if !slices.ContainsFunc(all[:k], func(o names) bool { return o[11] == n[11] }) {
			continue
		}
		out[n] = slices.IndexFunc(n[:], func(word string) bool {
			return !slices.ContainsFunc(all, func(o names) bool { return o != n && slices.Contains(o[:], word) })
		})
	}
	return out
})

// worded is how dates with month words are written: day, month and year, or month, day and year, with these texts
// between them.
type worded struct {
	names  names
	first  string // between the first two
	second string // before the year
}

// The forms of dates with month words: what is a day, the word and what is a year stand between marks.
var forms = sync.OnceValue(func() (out []*regexp.Regexp) {
	for _, word := range []string{`(\pL+\.)`, `(\pL+)`} {
		out = append(out, regexp.MustCompile(`^(\d{1,2}|dd?)( de |[ ./-]{1,2})`+word+`( de |[ ,./-]{1,2})`+
			`(\d{2}|\d{4}|yy|yyyy)$`),
			regexp.MustCompile(`^`+word+`([ ./-]{1,2})(\d{1,2}|dd?)([ ,./-]{1,2})(\d{2}|\d{4}|yy|yyyy)$`))
	}
	return out
})

// wordedLike returns the layouts of dates with month words that are written like a text, of all languages with such a
// word. In a notation, in which no digit stands, the word is their sign.
func wordedLike(text string, notation bool) (out []*Layout) {
	if utf8.RuneCountInString(text) > 30 {
		return nil
	}
	for k, form := range forms() {
		part := form.FindStringSubmatch(text)
		if part == nil {
			continue
		}
		day, word := part[1], part[3]
		if k%2 == 1 {
			day, word = part[3], part[1]
		}
		for _, n := range months() {
			if at := slices.Index(n[:], word); at >= 0 && (!notation || at == signs()[n]) {
				out = append(out, &Layout{shape: shape{digits: len(part[5])}, monthFirst: k%2 == 1, bareDay: day == "d",
					words: &worded{n, part[2], part[4]}, perDay: 1})
			}
		}
	}
	return out
}

// compileWords reads a notation with a month word, which is the sign of its language; false for any other. What is
// wrong with its years of two digits is looked at elsewhere.
func compileWords(text string) (*Layout, bool) {
	if strings.ContainsFunc(text, unicode.IsDigit) {
		return nil, false
	}
	all := wordedLike(text, true)
	if all == nil {
		return nil, false
	}
	return all[0], true
}

// number reads a date with a month word; day is bare where it has one digit.
func (w *worded) read(l *Layout, c []byte) (year, month, day int, bare, ok bool) {
	read := func() bool {
		n := 0
		day, n = short(c, 0)
		bare, c = n == 1, c[n:]
		return n > 0
	}
	if !l.monthFirst && !read() {
		return 0, 0, 0, false, false
	}
	before, behind := w.first, w.second
	if l.monthFirst {
		before, behind = "", w.first
	}
	if c, ok = bytes.CutPrefix(c, []byte(before)); !ok {
		return 0, 0, 0, false, false
	}
	for k, name := range w.names {
		if rest, is := bytes.CutPrefix(c, []byte(name)); is && bytes.HasPrefix(rest, []byte(behind)) {
			month, c = k+1, rest[len(behind):]
			break
		}
	}
	if month == 0 {
		return 0, 0, 0, false, false
	}
	if l.monthFirst {
		if !read() {
			return 0, 0, 0, false, false
		}
		if c, ok = bytes.CutPrefix(c, []byte(w.second)); !ok {
			return 0, 0, 0, false, false
		}
	}
	year, end := fixed(c, 0, l.digits)
	return year, month, day, bare, end == len(c)
}

// append writes a date with a month word.
func (w *worded) append(l *Layout, dst []byte, year, month, day int) []byte {
	if l.monthFirst {
		dst = l.appendDay(append(append(dst, w.names[month-1]...), w.first...), day)
	} else {
		dst = append(append(l.appendDay(dst, day), w.first...), w.names[month-1]...)
	}
	return l.appendYear(append(dst, w.second...), year)
}

// notation writes the notation of dates with a month word.
func (w *worded) notation(l *Layout) Notation {
	day, month := "dd", w.names[signs()[w.names]]
	if l.bareDay {
		day = "d"
	}
	if l.monthFirst {
		day, month = month, day
	}
	s := day + w.first + month + w.second + strings.Repeat("y", l.digits)
	if l.digits == 2 && l.hundred > 0 {
		s += " from " + strconv.Itoa(l.hundred)
	}
	return Notation(s)
}

// Words returns the notation of which all texts are dates with a month word, such as 27 Jan 1945, 27-JAN-45 or 27.
// Januar 1945; "" where they are not of one. Years of two digits are taken to be of the hundred years from 1926 on,
// which may be others. The languages are English, German, French, Spanish, Italian, Dutch, Portuguese, Polish, Czech,
// Swedish, Danish, Norwegian and Russian. Cost: O(texts).
func Words(texts []string) Notation {
	if len(texts) == 0 {
		return ""
	}
	for _, l := range wordedLike(texts[0], false) {
		if l.digits == 2 {
			l.hundred = 1926
		}
		zero, bare, all := false, false, true
		for _, t := range texts {
			year, month, day, short, ok := l.words.read(l, []byte(t))
			if all = ok && exists(max(year, 4), month, day); !all {
				break
			}
			bare, zero = bare || short, zero || !short && day < 10
		}
		if l.bareDay = bare; all && !(bare && zero) {
			return l.Notation()
		}
	}
	return ""
}

// Worded reports whether the notation has words for months.
func (n Notation) Worded() bool { return n.must().words != nil }

// TwoDigits reports whether years have two digits.
func (l *Layout) TwoDigits() bool { return l.digits == 2 }
