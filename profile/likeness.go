package profile

import (
	"math"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/dither-data/dither/internal/portable"
)

// likeness is what the values of a column look like, whatever its heading says: the key of the sentence that says so.
// It is a guess that errs on the side of a quasi-identifier, and ends where a word of the heading is known.
type likeness string

const (
	likeNothing likeness = ""
	likeAges    likeness = "likeAges"
	likeYears   likeness = "likeYears"
	likePlaces  likeness = "likePlaces"
	likeSexes   likeness = "likeSexes"
	likeMonths  likeness = "likeMonths"
	likeTimes   likeness = "likeTimes"
)

const (
	// someRecords is how many records a column has at least whose values say what they are.
	someRecords = 50
	// oldAge is an age that few reach, fewOld the share of the records above it at most; firstYear and lastYear bound
	// years of birth.
	oldAge, fewOld, firstYear, lastYear = 90, 0.04, 1880, 2035
	// evenly is the share of the rarer of two sexes at least, unsexed that of neither at most.
	evenly, unsexed = 0.35, 0.05
	// someTens is the share of the different codes of places at most that end in 0: amounts are rounded more often.
	someTens = 0.4
)

// ordinary are words of what is counted, measured or rated, of which whole numbers may be spread like ages, or be two.
var ordinary = words(`experience hours hour minutes minute seconds weeks week months month days duration los stay score
	scores points rating rate percent percentage percentile share ratio index rank level grade count counts total sum
	number amount quantity price cost value temperature temp pulse heart bpm speed length width height size depth area
	volume distance weight mass pressure humidity frequency dose drinks rings test exam mark marks selector group arm
	split fold cluster batch visit wave round treatment stunden minuten tage wochen monate punkte anzahl menge preis
	laenge breite hoehe groesse gewicht`)

// unnamed reports whether the values look like something, under a heading that says nothing that is known.
func (c *Column) unnamed(like likeness, name []string) bool {
	if like == likeNothing || c.like != like {
		return false
	}
	if like == likeMonths || like == likeTimes { // which nothing else looks like
		return true
	}
	for _, known := range []vocabulary{ordinary, demographic, sensitive, clinical} {
		if known.in(name) != "" {
			return false
		}
	}
	return true
}

// likeNumbers finds what n numbers, whose runs are given in ascending order, look like; codes of missing values do not
// count.
func (c *Column) likeNumbers(runs []run) likeness {
	if c.Step != 1 || c.Dates != "" {
		return likeNothing
	}
	runs = slices.Clone(runs)
	runs = slices.DeleteFunc(runs, func(r run) bool {
		return slices.ContainsFunc(c.Codes, func(k Code) bool { return k.Value == r.value })
	})
	n := 0
	for _, r := range runs {
		n += r.count
	}
	switch {
	case n < someRecords || len(runs) < 2:
	case areSexes(runs, n):
		return likeSexes
	case areAges(runs, n):
		return likeAges
	case areYears(runs):
		return likeYears
	case areMonths(runs):
		return likeMonths
	case arePlaces(runs, n):
		return likePlaces
	}
	return likeNothing
}

// areSexes reports whether numbers are sexes as ISO 5218 has them: 1 and 2, about as often, and rarely 0 or 9 for one
// that is not known or does not apply.
func areSexes(runs []run, n int) bool {
	var one, two int
	for _, r := range runs {
		switch r.value {
		case 1:
			one = r.count
		case 2:
			two = r.count
		case 0, 9:
		default:
			return false
		}
	}
	return float64(min(one, two)) >= evenly*float64(n) && float64(n-one-two) <= unsexed*float64(n)
}

// areAges reports whether numbers are spread like the ages of people: from the young, or grown up, to the old, dense
// in the middle half, with neither a long tail nor many above 90.
func areAges(runs []run, n int) bool {
	lo, hi := runs[0].value, runs[len(runs)-1].value
	if lo < 0 || lo > 30 || hi < 50 || hi > 120 || hi-lo < 30 || 3*n < 4*len(runs) {
		return false
	}
	q1, q3 := middle(runs, n)
	old := 0
	for _, r := range runs {
		if r.value > oldAge {
			old += r.count
		}
	}
	spread := q3 - q1
	chance := 1 - portable.Exp(-float64(n)/2/(spread+1)) // how dense half of the records are over so many years
	return spread >= 10 && hi-lo <= 4.5*spread &&
		hi-q3 <= 2.5*spread && q1-lo <= 2.5*spread && dense(runs, q1, q3) >= 0.8*chance &&
		float64(old) <= fewOld*float64(n)
}

// areYears reports whether numbers may be years in which people were born.
func areYears(runs []run) bool {
	lo, hi := runs[0].value, runs[len(runs)-1].value
	return lo >= firstYear && hi <= lastYear && hi-lo >= decades && 2*len(runs) >= decades
}

// areMonths reports whether numbers are months, yyyymm.
func areMonths(runs []run) bool {
	return len(runs) >= 5 && !slices.ContainsFunc(runs, func(r run) bool {
		year, month := int(r.value)/100, int(r.value)%100
		return year < firstYear || year > lastYear || month < 1 || month > 12
	})
}

// arePlaces reports whether numbers may be codes of places, such as postcodes: of four to six digits, all as long, that
// repeat often and unevenly, close together or with gaps; amounts are rounded, and measurements lie around a middle.
func arePlaces(runs []run, n int) bool {
	lo, hi := runs[0].value, runs[len(runs)-1].value
	if lo < 1000 || hi >= 1e6 || math.Floor(portable.Log10(lo)) != math.Floor(portable.Log10(hi)) || len(runs) < 5 ||
		n < 5*len(runs) || lo >= firstYear-80 && hi <= lastYear+65 {
		return false
	}
	tens := 0
	for _, r := range runs {
		if math.Mod(r.value, 10) == 0 {
			tens++
		}
	}
	q1, q3 := middle(runs, n)
	return float64(tens) <= someTens*float64(len(runs)) && (hi-lo <= lo/10 || dense(runs, q1, q3) < 0.5) &&
		uneven(runs, n) && !peaked(runs)
}

// middle returns the quartiles, of which each is a value of the column.
func middle(runs []run, n int) (q1, q3 float64) {
	seen := 0
	for _, r := range runs {
		if seen < (n+3)/4 {
			q1 = r.value
		}
		if seen < (3*n+3)/4 {
			q3 = r.value
		}
		seen += r.count
	}
	return q1, q3
}

// dense is the share of the whole numbers from lo to hi that occur.
func dense(runs []run, lo, hi float64) float64 {
	some := 0.0
	for _, r := range runs {
		if r.value >= lo && r.value <= hi {
			some++
		}
	}
	return some / (hi - lo + 1)
}

// uneven reports whether values occur about as unequally often as chance has it, or more: those that number people of
// whom each has as many records do not.
func uneven(runs []run, n int) bool {
	mean, squares := float64(n)/float64(len(runs)), 0.0
	for _, r := range runs {
		squares += float64((float64(r.count) - mean) * (float64(r.count) - mean))
	}
	return squares/float64(len(runs)) >= mean/2
}

// peaked reports whether neighbouring values occur about equally often, and those in the middle most: a measurement.
func peaked(runs []run) bool {
	inner, outer, jumps, all := 0, 0, 0.0, 0
	for k, r := range runs {
		if all += r.count; k >= len(runs)/4 && k < len(runs)-len(runs)/4 {
			inner += r.count
		} else {
			outer += r.count
		}
		if k > 0 {
			d := float64(r.count - runs[k-1].count)
			jumps += d * d / 2
		}
	}
	return 2*inner >= 3*outer && jumps <= 2*float64(all)
}

// sexes are the two texts of a column of sexes, in lower case and in order.
var sexes = []string{"f m", "female male", "f h", "frau mann", "m w", "maennlich weiblich", "männlich weiblich",
	"k m", "kobieta mężczyzna", "femme homme", "h m", "hombre mujer", "femenino masculino", "femmina maschio",
	"man vrouw", "m v", "feminino masculino", "kvinna man", "kvinde mand", "kvinne mann", "mies nainen", "muž žena",
	"m ž", "férfi nő", "erkek kadın", "e k", "ж м", "женский мужской", "женщина мужчина", "女 男", "女性 男性", "남 여",
	"남성 여성", "أنثى ذكر", "boy girl", "men women", "man woman"}

// postcode matches the postcodes that hold more than digits: 00-950, 1000-205, 123-4567, 01310-100, 114 55, 1011 AB,
// SW1A 1AA, K1A 0B1.
var postcode = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(\d{2}-\d{3}|\d{4}-\d{3}|\d{3}-\d{4}|\d{5}-\d{3,4}|\d{3} \d{2}|\d{4} ?[A-Z]{2}|` +
		`[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}|[A-Z]\d[A-Z] ?\d[A-Z]\d)$`)
})

func isNoPostcode(s string) bool { return len(s) < 5 || len(s) > 10 || !postcode().MatchString(s) }

// likeTexts finds what n texts look like. Those of an identifier that happen to be written like postcodes repeat
// equally often.
func likeTexts(labels []string, counts []int32, n int) likeness {
	var used []string
	var runs []run
	for k, count := range counts {
		if count > 0 {
			used, runs = append(used, labels[k]), append(runs, run{count: int(count)})
		}
	}
	switch each := n / max(1, len(runs)); {
	case len(runs) > 1 && !slices.ContainsFunc(used, isNoTime):
		return likeTimes
	case n < someRecords:
	case len(runs) == 2:
		two := []string{strings.ToLower(strings.TrimSpace(used[0])), strings.ToLower(strings.TrimSpace(used[1]))}
		if slices.Sort(two); slices.Contains(sexes, strings.Join(two, " ")) {
			return likeSexes
		}
	case len(runs) < 5 || each < 2 || !uneven(runs, n):
	case each >= fewEach && allLong(used), !slices.ContainsFunc(used, isNoPostcode):
		return likePlaces
	}
	return likeNothing
}

// isNoTime reports whether a text is no time of the day, such as 8:05 or 23:59:59.
func isNoTime(s string) bool {
	part := strings.Split(s, ":")
	if len(part) < 2 || len(part) > 3 {
		return true
	}
	for k, p := range part {
		n, ok := decimal(p)
		if !ok || len(p) > 2 || k > 0 && len(p) < 2 || n > [...]int{23, 59, 59}[k] {
			return true
		}
	}
	return false
}

// allLong reports whether all texts are numbers of as many digits, of four to six.
func allLong(texts []string) bool {
	n := len(texts[0])
	return n >= 4 && n <= 6 && !slices.ContainsFunc(texts, func(s string) bool { return len(s) != n || !isNumber(s) })
}

// onlySex takes back that numbers are sexes where several columns hold ones and twos: there they mean yes and no.
func onlySex(columns []Column) {
	var two []*Column
	for k := range columns {
		if c := &columns[k]; c.like == likeSexes && c.Summary != nil {
			two = append(two, c)
		}
	}
	for _, c := range two {
		if len(two) > 1 {
			c.like = likeNothing
		}
	}
}
