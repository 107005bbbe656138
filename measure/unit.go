package measure

import (
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/table"
)

// UnitKind is what sort of number a figure is. Programs go by it; the words of a Unit are for people.
type UnitKind string

// The kinds of units.
const (
	Share       UnitKind = "share"       // from 0 to 1, shown in per cent
	Percent     UnitKind = "percent"     // in per cent already
	Probability UnitKind = "probability" // from 0 to 1, shown as it is
	Count       UnitKind = "count"
	Heads       UnitKind = "heads" // a count of records, which is of people where some have several
	Bits        UnitKind = "bits"
	Deviations  UnitKind = "deviations" // standard deviations
	Ratio       UnitKind = "ratio"      // of whatever to whatever, shown as it is
)

// Unit is what a figure is in. The zero Unit is that of a plain number. In a JSON object that embeds it, it is the
// fields unit, unitKey and unitKind.
type Unit struct {
	Kind UnitKind         `json:"unitKind"`
	Says message.Words    `json:"unit"`    // share of the persons, bits
	Key  string           `json:"unitKey"` // of the template: of a share or a percentage what it is one of
	Of   message.Sentence `json:"-"`       // of a share or a percentage, what it is one of: of the persons
	One  message.Sentence `json:"-"`       // behind the number 1: record

	People string `json:"-"` // the key of words that name whom a share is of; empty for a share of anything else
}

// In makes a unit of the words: for a share or a percentage what it is one of, "of the persons", which may be nothing,
// and for all others the unit itself, "bits".
func In(kind UnitKind, words message.Sentence) Unit {
	says, of := words, message.Sentence{}
	switch {
	case kind == Share && words.Empty():
		says = message.Say("unit.share")
	case kind == Share:
		says, of = message.Say("unit.shareOf").Part("of", words), words
	case kind == Percent && words.Empty():
		says = message.Say("unit.percent")
	case kind == Percent:
		says, of = message.Say("unit.percentOf").Part("of", words), words
	}
	key := of.Key()
	if of.Empty() {
		key = says.Key()
	}
	return Unit{Kind: kind, Says: message.Words{Sentence: says}, Key: key, Of: of, One: says}
}

// Counting makes a unit of things that are counted, by the key of a template that has a form for one of them, {n}.
func Counting(kind UnitKind, key string) Unit {
	u := In(kind, message.Say(key).Count("n", 2))
	u.One = message.Say(key).Count("n", 1)
	return u
}

// OfPeople makes a unit of a share of the people, by the key of a template that names them, {people}.
func OfPeople(key string) Unit {
	u := In(Share, message.Say(key).Part("people", Subject(table.OfPerson)))
	u.People = key
	return u
}

// Among is the unit where what is counted is of a level: it calls nobody people who may be none.
func (u Unit) Among(l table.Level) Unit {
	if u.People == "" || l == table.OfPerson {
		return u
	}
	own := In(Share, message.Say(u.People).Part("people", Subject(l)))
	own.People = u.People
	return own
}

// Speaking is the unit in the words for whom sentences speak of (Words).
func (u Unit) Speaking(words string) Unit {
	u.Says.Sentence, u.Of, u.One = u.Says.Among(words), u.Of.Among(words), u.One.Among(words)
	return u
}

// Subject is the word for what is counted at a level. Records are people only where something tells whose they are.
func Subject(l table.Level) message.Sentence { return Subjects(l, 2) }

// Subjects is the word for so many of them.
func Subjects(l table.Level, n int) message.Sentence {
	switch l {
	case table.OfPerson:
		return message.Say("subject.people").Count("n", n)
	case table.OfHousehold:
		return message.Say("subject.households").Count("n", n)
	case table.OfRecord:
	}
	return message.Say("subject.records").Count("n", n)
}

// Words says whom sentences speak of at a level (message.Sentence.Among); empty for people.
func Words(l table.Level) string {
	switch l {
	case table.OfRecord:
		return "subject.records"
	case table.OfHousehold:
		return "subject.households"
	case table.OfPerson:
	}
	return ""
}

// Beside is the unit behind a number, rounded as it is written.
func (u Unit) Beside(written float64) message.Sentence {
	if written == 1 {
		return u.One
	}
	return u.Says.Sentence
}

// Scale returns by what a score is multiplied to be shown: 100 for a share, which is shown in per cent, else 1.
func (u Unit) Scale() float64 {
	if u.Kind == Share {
		return 100
	}
	return 1
}

// Percent reports whether figures are shown in per cent.
func (u Unit) Percent() bool { return u.Kind == Share || u.Kind == Percent }

// String returns the unit in words.
func (u Unit) String() string { return u.Says.String() }
