package study

// Remark is one thing that a release leaves open.
type Remark struct {
	Title string // what it is, in a few words that need not end a sentence
	Text  string // in full, for the custodian
	Users string // for the users of the release, without what to do about it; empty where it is not for them
}

// ofPeople is a remark on people with several records: how many there are, and what becomes of them, is not for users.
func ofPeople(title, more string) Remark {
	return Remark{title, title + ": " + more + ".", title + "."}
}

// plain is a remark that begins with its title and is for users as it is.
func plain(title, rest string) Remark { return Remark{title, title + rest, title + rest} }

// Texts are remarks in full.
func Texts(list []Remark) []string {
	out := make([]string, len(list))
	for k, r := range list {
		out[k] = r.Text
	}
	return out
}

// TextsForUsers are the remarks that are for the users of a release.
func TextsForUsers(list []Remark) (out []string) {
	for _, r := range list {
		if r.Users != "" {
			out = append(out, r.Users)
		}
	}
	return out
}
