package profile

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/dither-data/dither/table"
)

// Few is how many people a value has at least that tells of none of them, where no limit says otherwise.
const Few = 5

// Other is the category of values that are withheld.
const Other = "other"

const (
	// manyWords is how many words make a rare value a text whatever else its column holds, unless all begin with capitals;
	// someWords is how many do where its usual values have fewer.
	manyWords, someWords = 4, 3
	// manySigns is how many letters of a script without spaces are as good as manyWords.
	manySigns = 8
	// plates is how many letters and digits a code of a person or a car has at least.
	plates = 6
	// mostlyOne is the share of the records with one value from which on the others are remarks, if they are many.
	mostlyOne = 0.75
)

// Points reports whether a text holds what tells who somebody is in whichever column it stands: a mail address, a
// telephone, bank, card or social security number, a licence plate, the address of a home or of a computer, a position,
// a hash of an identifier, or a name. Cost: O(length) for a text without digits.
func Points(s string) bool { return namesOne(s) || locates(s) }

// namesOne reports whether a text names somebody.
func namesOne(s string) bool {
	return strings.Contains(s, " ") && (callsSomebody(s) || titled().MatchString(s) || initialled().MatchString(s) ||
		patronymic().MatchString(s))
}

// locates reports whether a text holds what only one person has, or a few, besides a name.
func locates(s string) bool {
	if strings.Contains(s, "@") && mail().MatchString(s) {
		return true
	}
	digits := strings.IndexFunc(s, unicode.IsDigit) >= 0
	switch {
	case isHash(s):
		return true
	case !digits:
		return isNetwork(s)
	case len(s) < plates+1 || isDate(s):
		return false
	}
	return phone().MatchString(s) || hasWord(s) && home().MatchString(s) || place().MatchString(s) ||
		social().MatchString(s) || plate().MatchString(s) || isNetwork(s) || isAccount(s) || isCard(s)
}

// hasWord reports whether a text has three letters in a row, or a sign for a word, as every address has.
func hasWord(s string) bool {
	run := 0
	for _, r := range s {
		if run++; !unicode.IsLetter(r) {
			run = 0
		} else if run > 2 || r >= '\u2e80' {
			return true
		}
	}
	return false
}

func isHash(s string) bool { return len(s) >= 17 && hash().MatchString(s) }

// isNetwork reports whether a text holds the address of a computer; a time of the day has too few parts to be one.
func isNetwork(s string) bool {
	if strings.Count(s, ".") < 3 && strings.Count(s, ":") < 2 {
		return false
	}
	return slices.ContainsFunc(network().FindAllString(s, -1), func(at string) bool {
		if four := strings.Split(at, "."); len(four) == 4 {
			return !slices.ContainsFunc(four, func(part string) bool { n, ok := decimal(part); return !ok || n > 255 })
		}
		eight, gaps := strings.Split(at, ":"), strings.Count(at, "::")
		return gaps == 0 && len(eight) == 8 && !slices.Contains(eight, "") ||
			gaps == 1 && len(eight) > 3 && len(eight) <= 9 && at[0] != ':' && at[len(at)-1] != ':'
	})
}

// blanks are what parts the groups of a number.
var blanks = strings.NewReplacer(" ", "", "-", "")

// isAccount reports whether a text holds a bank account number (ISO 13616): its remainder by 97 is 1.
func isAccount(s string) bool {
	return slices.ContainsFunc(account().FindAllString(strings.ToUpper(s), -1), func(at string) bool {
		at = blanks.Replace(at)
		rest := 0
		for _, c := range at[4:] + at[:4] {
			if v := int(c - '0'); v <= 9 {
				rest = (10*rest + v) % 97
			} else {
				rest = (100*rest + int(c-'A') + 10) % 97
			}
		}
		return len(at) >= 15 && rest == 1
	})
}

// AreCards reports whether all numbers of a column are those of payment cards or devices, by their lengths and check
// digits: three different ones or more. Cost: O(records).
func AreCards(c *table.Column) bool {
	if c.Kind != table.Numeric || c.Dates != "" {
		return false
	}
	different := map[float64]bool{}
	for _, v := range c.Num {
		switch {
		case math.IsNaN(v) || different[v]:
		case v < 1e12 || v > 1<<53 || v != math.Trunc(v) || !checks(strconv.FormatFloat(v, 'f', 0, 64)):
			return false
		case len(different) < enough: // the rest differ, or say nothing new
			different[v] = true
		}
	}
	return len(different) > 2
}

// isCard reports whether a text holds the number of a payment card (ISO 7812), by its check digit.
func isCard(s string) bool { return slices.ContainsFunc(card().FindAllString(s, -1), checks) }

// checks reports whether the last of the digits of a text checks the others, as that of a card does.
func checks(s string) bool {
	sum, twice := 0, false
	for k := len(s) - 1; k >= 0; k-- {
		d := int(s[k]) - '0'
		if d < 0 || d > 9 {
			continue
		}
		if twice {
			if d *= 2; d > 9 {
				d -= 9
			}
		}
		sum, twice = sum+d, !twice
	}
	return sum%10 == 0
}

// shape is what a value looks like beside others of its column.
type shape struct {
	words   int
	titles  bool   // every word begins with a capital or a digit, as in a heading or a name
	code    string // letters as A and digits as 9, without how many; empty for what is no code
	person  bool   // two words or more that begin with capitals, and nothing else
	letters int    // signs for words count twice
	silent  bool   // it says that there is nothing to say
}

func shapeOf(s string) shape {
	parts := strings.Fields(s)
	out := shape{words: len(parts), person: len(parts) > 1 && person().MatchString(s), titles: true,
		silent: nothing()[strings.ToLower(s)]}
	for _, p := range parts {
		out.titles = out.titles && !unicode.IsLower([]rune(p)[0]) && (isCapital(p) || len(p) < 4)
	}
	letters, digits, signs := 0, 0, 0
	var code strings.Builder
	last := rune(0)
	for _, r := range s {
		switch {
		case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai):
			signs++
			letters++
			r = 'A'
		case unicode.IsLetter(r):
			letters++
			r = 'A'
		case unicode.IsDigit(r):
			digits++
			r = '9'
		}
		if r != last {
			code.WriteRune(r)
		}
		last = r
	}
	if out.letters = letters + signs; signs >= manySigns {
		out.words, out.titles = max(out.words, manyWords), false
	}
	_, loose := loosely(s)
	if digits > 2 && letters+digits >= plates && (letters > 0 || digits > plates) && letters <= 2*digits+4 &&
		!isDate(s) && !loose {
		out.code = code.String()
	}
	return out
}

// usual is what the values look like that enough people have, which are the vocabulary of a column.
type usual struct {
	words, values int            // the most words of one of them, and how many there are
	persons       int            // that look like names: New York is one
	coded         bool           // each of them holds a digit
	most, all     int            // records of the commonest, and of all values
	empty         int            // records without a value
	nothing       int            // records of words that say that there is nothing to say
	rare, named   int            // values that few have, and how many of them look like names
	may           int            // values that may be names where most are
	things        bool           // the column is called what has names of its own
	codes         map[string]int // records of usual values by the shape of codes, less those of rare ones
}

// Telling returns by label whether the values of a column are withheld, and how many are: those that tell who somebody
// is by their form, no matter who has them; and those that fewer than few people have and that read like a text, a
// name, or a code of a person. A rare code that is written like the usual ones of its column is one of a vocabulary,
// and so is a rare word among words: these stay. Of says by row whose the record is; nil where every record is a
// person's. It is nil where nothing is withheld, and for what is no categories. Cost: O(records + labels).
func Telling(c *table.Column, of []int32, few int) (withheld []bool, values int) {
	if c.Kind != table.Categorical {
		return nil, 0
	}
	people, records := peopleOf(c, of, few)
	shapes := make([]shape, len(c.Labels))
	u := usual{codes: map[string]int{}, coded: true, empty: c.Len(), things: brands.in(tokens(c.Name)) != ""}
	for k, l := range c.Labels {
		if records[k] > 0 && !strings.EqualFold(l, Other) {
			shapes[k] = shapeOf(l)
			u.add(l, shapes[k], people[k] < few, records[k])
		}
	}
	withheld = make([]bool, len(c.Labels))
	same := likeOthers(c.Labels, records, u.mostly())
	for k, l := range c.Labels {
		if records[k] > 0 && !strings.EqualFold(l, Other) &&
			(same[k] || people[k] < few && u.tells(shapes[k]) || u.points(l, shapes[k])) {
			withheld[k] = true
			values++
		}
	}
	if values == 0 {
		return nil, 0
	}
	return withheld, values
}

// TellsAlone reports whether a text tells who somebody is where it stands alone, as the label of a value that nobody
// has does: by its form, or as a text, a name or a code of a person.
func TellsAlone(s string) bool {
	look := shapeOf(s)
	return Points(s) || look.code != "" || look.person || look.words >= manyWords && !look.titles
}

// Rare returns how many categories of a column fewer than few people have, by Telling's count of people. Cost:
// O(records + labels).
func Rare(c *table.Column, of []int32, few int) (n int) {
	people, _ := peopleOf(c, of, few)
	for k, have := range people {
		if have > 0 && have < few && !strings.EqualFold(c.Labels[k], Other) {
			n++
		}
	}
	return n
}

// peopleOf counts the people who have each label, up to few, and the records that do.
func peopleOf(c *table.Column, of []int32, few int) (people, records []int) {
	people, records = make([]int, len(c.Labels)), make([]int, len(c.Labels))
	for _, v := range c.Cat {
		if v >= 0 {
			records[v]++
		}
	}
	if of == nil {
		return records, records
	}
	who := make([][]int32, len(c.Labels)) // the first few
	for i, v := range c.Cat {
		if v >= 0 && len(who[v]) < few && !slices.Contains(who[v], of[i]) {
			who[v] = append(who[v], of[i])
		}
	}
	for k := range who {
		people[k] = len(who[k])
	}
	return people, records
}

func (u *usual) add(label string, s shape, rare bool, records int) {
	u.all, u.empty, u.most = u.all+records, u.empty-records, max(u.most, records)
	if mayCall(label) {
		u.may++
	}
	if s.silent {
		u.nothing += records
		return
	}
	if rare {
		u.rare++
		u.codes[s.code] -= records
		if s.person {
			u.named++
		}
		return
	}
	u.values++
	u.coded = u.coded && strings.ContainsFunc(label, unicode.IsDigit)
	u.codes[s.code] += records
	if u.words = max(u.words, s.words); s.person {
		u.persons++
	}
}

// mostly reports whether nearly all records of a column have one value, such as none.
func (u *usual) mostly() bool {
	return u.values+u.nothing > 0 && float64(u.most) >= mostlyOne*float64(u.all)
}

// points reports whether a value tells who somebody is, no matter who has it. Names of three words or less do not
// where the column is called what may be called after somebody. What only may be a name is one where most values of
// the column are.
func (u *usual) points(label string, s shape) bool {
	if locates(label) {
		return true
	}
	if u.things && s.words < manyWords {
		return false
	}
	return namesOne(label) || u.may > 2 && 2*u.may >= u.values+u.rare && mayCall(label)
}

// silent reports whether nearly all records say that there is nothing to say, or say nothing.
func (u *usual) silent() bool {
	n := u.all + u.empty
	return n >= enough && float64(u.nothing+u.empty) >= mostlyOne*float64(n)
}

// remarks reports whether nearly all values say that there is nothing to say, and the others are many of a few people
// each. A word of theirs is no vocabulary, as those of a column of countries are of which one is common.
func (u *usual) remarks() bool {
	return float64(u.nothing) >= mostlyOne*float64(u.all) && u.rare > u.values+1 && u.rare > 2
}

// tells reports whether a value that few people have is withheld. A rare code is one of a vocabulary where more records
// have usual ones of its shape.
func (u *usual) tells(s shape) bool {
	switch {
	case s.silent:
		return false
	case u.sentence(s):
		return true
	case u.all < enough:
		return false
	case s.code != "":
		return u.codes[s.code] <= 0
	case u.person(s):
		return true
	}
	return u.remarks() && s.letters > 3
}

// sentence reports whether a rare value reads like a text: by its words, or by more of them than usual values have.
func (u *usual) sentence(s shape) bool {
	switch {
	case s.words >= manyWords:
		return !s.titles || s.words > manyWords+1
	case s.words >= someWords && !s.titles && !u.things && s.words > u.words && u.values+u.nothing > 0:
		return true
	}
	return s.words > 1 && s.letters >= plates && u.silent() && u.values <= u.rare
}

// person reports whether a rare value that looks like a name is one: no usual value does, and most rare ones do or the
// usual ones are codes.
func (u *usual) person(s shape) bool {
	return s.person && u.persons == 0 && !u.things && (u.named > 1 && 2*u.named >= u.rare || u.coded && u.values > 0)
}

// Withhold makes an identifier of a column that holds nothing but values that are withheld.
func (s *Suggestion) Withhold() {
	s.Role, s.Remark = table.Identifier, Texts
	s.Why = []Clause{general("withheld")}
}
