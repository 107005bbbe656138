package profile

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// given are common first names of several languages, but for those that are words or places, too.
var given = words(`aaron abdul abdullah adam adele adrian agnes agnieszka ahmad ahmed aisha alberto alejandro aleksandr
	alessandro alexander alexandra alexei alfred alice alicia amina amir amit amy ana anastasia andre andrea andreas andrei
	andrew andrzej angela anil anita anja anke ann anna anne annette anthony anton antonio arjun arthur arun ashok astrid
	barbara beate beatriz ben benjamin bernd bernhard bianca birgit bjorn boris brian brigitte bruno camille carlos carmen
	carol caroline catherine charles charlotte chiara chris christa christian christina christine christoph christopher
	claire clara claudia claus craig cristina daniel daniela david deborah deepak denise dennis diana diego dieter dimitri
	dirk dmitri dominik donald dora doris dorothy edith eduardo edward ekaterina elena elisabeth elizabeth elke ella emil
	emily emma enrique eric erik erika ernst esra esther eva evelyn fatima fatma felix fernando francesca francesco
	francisco francois franz friedrich fritz gabriel gabriele gary georg george gerald gerhard gertrud gianni giovanni
	gisela giulia giuseppe gregor greta guido gunter gustav hanna hannah hannes hans harald harold hassan heather heidi
	heike heinrich heinz helen helena helga helmut henrik henry herbert hermann hiroshi holger horst hugo hussein ibrahim
	ines ingrid irene irina isabel isabella ivan jacob jacques jakub james jan jana jane janet jason javier jean jennifer
	jens jeremy jessica jiri joachim joan joanna joao joe johan johanna johannes john jonas jonathan jorge jose josef
	joseph juan judith julia julian julie jun jurgen justin kamal karen karin karl karsten katarzyna kate katharina
	katherine kathleen katja keith kenji kenneth kevin khalid klaus konstantin kristina krzysztof kumar kurt lars laura
	lauren lea leila lena leonardo leonie lina linda lisa lorenzo louis louise luca lucas lucia ludwig luis luisa lukas
	lutz magdalena mahmoud maja malgorzata manfred manuel marc marcel marco marcus margaret margarete maria mariam marie
	marina mario marion markus marta martha martin martina mary maryam matteo matthew matthias maurice mehmet mei melanie
	michael michaela michal michel miguel mikhail milan mohamed mohammad mohammed monica monika monique mustafa nadia
	nadine nancy naomi natalia natalie nathalie nicholas nicolas nicole nikolai nina noah nora norbert oleg olga oliver
	olivia omar oscar oskar otto pablo pamela paolo patricia patrick paul paula paulo pawel pedro peter petra philip
	philipp philippe pierre piotr priya rachel rafael rahul rainer raj rajesh ralf ramon raphael raul ravi rebecca regina
	reinhard renate rene ricardo richard robert roberto rodrigo roger roland rolf ronald rosa rudolf ruth sabine sandra
	sanjay sara sarah sebastian sergei sergio sharon sheila silke silvia simon simone sofia sonja sophia sophie stefan
	stefanie steffen stephan stephanie stephen steven sunil susan susanne suresh svetlana sven sylvia takashi tanja tatiana
	teresa theodor theresa thomas thorsten timothy tomas tomasz torsten ulrich ulrike ursula ute uwe valentina vera
	veronica victor vijay viktor vincent vladimir volker waltraud walter werner wilhelm william winfried wolfgang xavier
	yasmin yolanda yuki yusuf yves zainab zofia
	александр александра алексей алина анастасия андрей анна антон артем борис василий виктор виктория виталий владимир
	галина георгий дарья денис дмитрий евгений евгения екатерина елена елизавета иван игорь илья ирина кирилл константин
	ксения людмила максим марина мария михаил надежда наталья никита николай оксана олег ольга павел петр полина роман светлана
	сергей татьяна федор юлия юрий γεωργιος γιωργος γιαννης δημητρης κωνσταντινος μαρια ελενη νικος παναγιωτης βασιλης
	محمد أحمد احمد علي حسن حسين فاطمة مريم عائشة خالد يوسف عمر`)

// nothing are the words that people write where there is nothing to remark on.
var nothing = words(`none no nil nothing normal ok keine keiner kein nichts nein ohne aucun aucune rien non ninguno ninguna
	nada nessuno nessuna niente nenhum nenhuma geen niets nee brak nie inga ingen ingenting nej nei нет 无 無 なし 特になし 없음
	- -- . n/a na unauffällig`)

// saints stand before the first name of one after whom a place is called.
var saints = words(`san santa sao st st. saint sainte sankt`)

// isGiven reports whether a word is a first name, or two with a hyphen, with a capital where its script has them.
func isGiven(word string) bool {
	first, _, _ := strings.Cut(word, "-")
	return isCapital(first) && given()[unaccented.Replace(strings.ToLower(first))]
}

func isCapital(word string) bool {
	r, n := utf8.DecodeRuneInString(word)
	next, _ := utf8.DecodeRuneInString(word[n:])
	return unicode.IsUpper(r) && unicode.IsLower(next) || unicode.Is(unicode.Arabic, r)
}

// isInitial reports whether a word is a letter that stands for a name.
func isInitial(word string) bool {
	r, n := utf8.DecodeRuneInString(word)
	return unicode.IsUpper(r) && word[n:] == "."
}

// spelled writes a text in capitals as names are written, and any other as it is.
func spelled(s string) string {
	if s != strings.ToUpper(s) || s == strings.ToLower(s) {
		return s
	}
	out, last := []rune(strings.ToLower(s)), ' '
	for k, r := range out {
		if !unicode.IsLetter(last) && last != '\'' && last != '’' {
			out[k] = unicode.ToUpper(r)
		}
		last = r
	}
	return string(out)
}

// mayCall reports whether a text may be a name of somebody, where most values of its column may: two words or three of
// which one is a first name, or a few signs that begin with a family name.
func mayCall(s string) bool {
	if n := utf8.RuneCountInString(s); n < 4 {
		r, first := utf8.DecodeRuneInString(s)
		rest, size := utf8.DecodeRuneInString(s[first:])
		return n > 1 && size > 1 && strings.ContainsRune(clans, r) && unicode.In(rest, unicode.Han, unicode.Hangul)
	}
	parts := strings.Fields(spelled(s))
	if len(parts) != 2 && len(parts) != 3 {
		return false
	}
	given := false
	for _, p := range parts {
		if bare := strings.Trim(p, ",."); !isCapital(strings.TrimPrefix(bare, "O'")) && !isInitial(p) {
			return false
		} else if isGiven(bare) {
			given = true
		}
	}
	return given
}

// callsSomebody reports whether a text names somebody: by a first name beside another name, or within a sentence.
func callsSomebody(s string) bool {
	parts := strings.Fields(spelled(s))
	if len(parts) < 2 {
		return false
	}
	for k, p := range parts {
		bare := strings.Trim(p, ".,;:!?()[]\"'’")
		if !isGiven(bare) {
			continue
		}
		switch {
		case len(parts) >= manyWords:
			return true
		case k > 0 && saints()[strings.ToLower(parts[k-1])]:
		case k+1 < len(parts) && bare == p && (isCapital(parts[k+1]) || isInitial(parts[k+1])):
			return true
		case k > 0 && strings.HasSuffix(parts[k-1], ",") && isCapital(strings.TrimPrefix(parts[k-1], "O'")):
			return true
		}
	}
	return false
}

// frame is a sentence without the words in it that begin with capitals, and how many of these follow one another at
// most; empty for what is no sentence, or has none.
func frame(s string) (rest string, run int) {
	parts := strings.Fields(s)
	if len(parts) < manyWords {
		return "", 0
	}
	out, now, small := []string{parts[0]}, 0, 0
	for _, p := range parts[1:] {
		if isCapital(strings.Trim(p, ".,;:!?()[]\"'’")) {
			now++
			run = max(run, now)
			continue
		}
		if now > 0 {
			out = append(out, "_")
		}
		now = 0
		small++
		out = append(out, p)
	}
	if run == 0 || small < 2 {
		return "", 0
	}
	if now > 0 {
		out = append(out, "_")
	}
	return strings.Join(out, " "), run
}

// likeOthers returns by label whether it is a sentence that is another one but for a name: two words with capitals, or
// one where a column holds little else.
func likeOthers(labels []string, records []int, remarks bool) []bool {
	count, of := map[string]int{}, make([]string, len(labels))
	for k, l := range labels {
		if records[k] == 0 {
			continue
		}
		if rest, run := frame(l); run > 1 || run == 1 && remarks {
			of[k] = rest
			count[rest]++
		}
	}
	out := make([]bool, len(labels))
	for k := range out {
		out[k] = of[k] != "" && count[of[k]] > 1
	}
	return out
}
