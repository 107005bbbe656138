package study

import "github.com/dither-data/dither/message"

// Remark is one thing that a release leaves open.
type Remark struct {
	Title message.Sentence // what it is, in a few words that need not end a sentence
	Text  message.Sentence // in full, for the custodian
	Users message.Sentence // for the users of the release, without what to do about it; empty where it is not for them
}

// ofPeople is a remark on people with several records: how many there are, and what becomes of them, is not for users.
func ofPeople(title, more message.Sentence) Remark {
	return Remark{title, message.Say("remark.people").Part("title", title).Part("more", more).Whole(), title.Whole()}
}

// plain is a remark that is for users as it is.
func plain(title, text message.Sentence) Remark { return Remark{title, text.Whole(), text.Whole()} }

// Texts are remarks in full.
func Texts(list []Remark) []message.Sentence {
	out := make([]message.Sentence, len(list))
	for k, r := range list {
		out[k] = r.Text
	}
	return out
}

// TextsForUsers are the remarks that are for the users of a release.
func TextsForUsers(list []Remark) (out []message.Sentence) {
	for _, r := range list {
		if !r.Users.Empty() {
			out = append(out, r.Users)
		}
	}
	return out
}
