package reading

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/dither-data/dither/calendar"
	"github.com/dither-data/dither/format"
	"github.com/dither-data/dither/format/decimal"
	"github.com/dither-data/dither/internal/text/spelling"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/policy"
	"github.com/dither-data/dither/profile"
	"github.com/dither-data/dither/table"
)

// Texts that programs write for no value, that people answer instead of one, and that mean missing among numbers alone:
// all in lower case.
var (
	nulls = listed("(null)|<null>|null|\\n|nat|<na>|#n/a|#null!|nan|#div/0!|#value!|#ref!|#name?|#num!|" +
		"#wert!|#bezug!|#zahl!|#nv|#valeur!|#nombre?|#n/d!|#valor!|#¡valor!|#arg!|#adr!|#waarde!")
	answers = listed("n/a|n.a.|n. a.|not available|not stated|no answer|no data|refused|refusal|refused to answer|" +
		"prefer not to say|don't know|k.a.|k. a.|k.a|keine angabe|keine angaben|ohne angabe|nicht angegeben|verweigert|" +
		"weiß nicht|non disponible|non renseigné|sans réponse|refus|s/d|sin dato|sin datos|no contesta|ns/nc|" +
		"non risponde|non disponibile|geen antwoord|brak danych|brak odpowiedzi|odmowa|bd.|b.d.|nie dotyczy|" +
		"нет данных|отказ|不详|未填|拒答|無回答|不明|무응답|모름|*|**|***|-|--|---")
	amongNumbers = listed("unknown|missing|none|nil|na|.|..|...|x|xx|nd|n.d.|unbekannt|fehlt|fehlend|inconnu|desconocido|" +
		"sconosciuto|onbekend|nieznane|nieznany|brak|okänd|ukjent|未知|неизвестно|缺失|nsp|ne sait pas|no sabe|no responde|" +
		"ignorado|não informado|weiß ich nicht|w.n.|n/d|n.r.|nr|not done|not applicable|" +
		"0000-00-00|0000-00-00 00:00:00|00.00.0000|00/00/0000|00000000|._|" +
		".a|.b|.c|.d|.e|.f|.g|.h|.i|.j|.k|.l|.m|.n|.o|.p|.q|.r|.s|.t|.u|.v|.w|.x|.y|.z")
)

const (
	// rarely is the share of the records that hold an answer instead of a value at most, where it is a category.
	rarely = 0.1
	// mostly is the share of the other values that are numbers or dates from which on a column was meant to hold them.
	mostly = 0.5
)

func listed(texts string) map[string]bool {
	all := map[string]bool{}
	for _, t := range strings.Split(texts, "|") {
		all[t] = true
	}
	return all
}

// NoValue is a number or a usual text that was read as missing because it cannot be a value of its column.
type NoValue struct {
	Column  string `json:"column"`
	Code    string `json:"code"`
	Records int    `json:"records"` // that hold it
}

// Says says so, and how to keep it.
func (v *NoValue) Says() message.Sentence {
	return message.Say("why.missing").Name("column", v.Column).Count("records", v.Records).Name("value", v.Code).
		Name("flag", spelling.Word(v.Column+"="+v.Code))
}

// Unused says that it counts as a value all the same, where only what is declared is used.
func (v *NoValue) Unused() message.Sentence {
	return message.Say("why.unused").Name("column", v.Column).Count("records", v.Records).Name("value", v.Code).
		Name("flag", spelling.Word(v.Column+"="+v.Code))
}

// Without returns the table without what cannot be a value of its column, which is missing instead, the policy that
// says so of every column, and what it was. The policy keeps what it says is a value. Cost: O(n + labels) per column,
// and that of a sort for one of numbers that ends in a usual code.
func Without(t *table.Table, info *format.Info, pol *policy.Policy) (*table.Table, *policy.Policy, []NoValue, error) {
	found := NoValues(t, info, pol)
	codes := map[string][]string{}
	said := &policy.Policy{Columns: map[string]policy.Column{}}
	for _, v := range found {
		codes[v.Column] = append(codes[v.Column], v.Code)
	}
	if found == nil {
		return t, pol, nil, nil
	}
	kinds := maps.Clone(pol.Kinds())
	for name, list := range codes {
		own := policy.Column{}
		for _, code := range list {
			own.Missing = append(own.Missing, policy.Text(code))
		}
		c := t.Column(t.Find(name))
		if _, forced := kinds[name]; !forced && c.Kind == table.Categorical && !meantOtherwise(info, name) &&
			slices.ContainsFunc(c.Labels, func(l string) bool { return isNumber(l, info) }) {
			kinds[name], own.Kind = c.Kind, c.Kind.String() // as its format has it
		}
		said.Columns[name] = own
	}
	opt := format.Options{Kinds: kinds, Dates: pol.Dates(), Numbers: pol.Numbers()}
	t, _, err := blank(t, codes, opt, info)
	return t, pol.With(said), found, err
}

// NoValues finds what cannot be a value of its column, but for what the policy says is one.
func NoValues(t *table.Table, info *format.Info, pol *policy.Policy) (found []NoValue) {
	for j := range t.Width() {
		c := t.Column(j)
		found = append(found, noValues(&c, info, pol.Columns[c.Name])...)
	}
	return found
}

// meantOtherwise reports whether the reader noted that a column of texts may have been meant as numbers or dates.
func meantOtherwise(info *format.Info, name string) bool {
	return slices.ContainsFunc(info.Notes, func(n format.Note) bool { return n.AsText == name })
}

// isNumber reports whether a text is a number in the notation of its file.
func isNumber(s string, info *format.Info) bool {
	point := byte('.')
	if info.DecimalComma {
		point = ','
	}
	_, _, ok := decimal.Parse([]byte(s), point)
	return ok
}

// noValues finds what cannot be a value of a column, but for what the policy says is one.
func noValues(c *table.Column, info *format.Info, own policy.Column) (out []NoValue) {
	add := func(code string, n int) {
		if t := policy.Text(code); !slices.Contains(own.NotMissing, t) && !slices.Contains(own.Values, t) {
			out = append(out, NoValue{c.Name, code, n})
		}
	}
	if c.Kind == table.Numeric {
		for _, k := range profile.NoValues(*c) {
			if !own.Declares(k.Value) {
				add(strconv.FormatFloat(k.Value, 'f', -1, 64), k.Count)
			}
		}
		return out
	}
	for _, k := range noTexts(c, info) {
		add(c.Labels[k.label], k.count)
	}
	return out
}

// usedLabel is a label and how many records hold it.
type usedLabel struct{ label, count int }

// noTexts finds the labels of a column that cannot be values of it.
func noTexts(c *table.Column, info *format.Info) (out []usedLabel) {
	if c.Kind != table.Categorical || c.Ordered {
		return nil
	}
	var may []int
	for k, l := range c.Labels {
		if w := strings.ToLower(strings.TrimSpace(l)); nulls[w] || answers[w] || amongNumbers[w] {
			may = append(may, k)
		}
	}
	if may == nil {
		return nil
	}
	counts, all := make([]int, len(c.Labels)), 0
	for _, v := range c.Cat {
		if v >= 0 {
			counts[v]++
			all++
		}
	}
	numbers, worded := others(c, may, counts, info)
	for _, k := range may {
		w, n := strings.ToLower(strings.TrimSpace(c.Labels[k])), counts[k]
		if n > 0 && (numbers || nulls[w] && worded || answers[w] && worded && float64(n) <= rarely*float64(all)) {
			out = append(out, usedLabel{k, n})
		}
	}
	return out
}

// others reports of the labels besides those that may mean missing whether most of their records hold numbers or dates,
// and whether they are two at least that hold letters or digits, so that a minus is no sign among others.
func others(c *table.Column, may, counts []int, info *format.Info) (numbers, worded bool) {
	numeric, rest, words := 0, 0, 0
	var values []string
	for k, l := range c.Labels {
		if counts[k] == 0 || slices.Contains(may, k) {
			continue
		}
		rest += counts[k]
		values = append(values, l)
		var date calendar.Seen
		if isNumber(l, info) || date.Add([]byte(l)) {
			numeric += counts[k]
		}
		if strings.ContainsFunc(l, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
			words++
		}
	}
	numbers = float64(numeric) >= mostly*float64(rest) || calendar.Words(values) != ""
	return rest > 0 && numbers, words >= 2
}
