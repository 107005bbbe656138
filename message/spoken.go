package message

import (
	"bytes"
	"encoding/json"
)

// Spoken is a sentence as JSON documents hold it.
type Spoken struct {
	// which sentence it is: stable, where the words are for people; empty for a name or for the words of another
	Key  string `json:"key"`
	Text string `json:"text"` // in English
}

// Written is what MarshalJSON writes: a Spoken.
func (s Sentence) Written() any { return Spoken{s.Key(), s.String()} }

// MarshalJSON writes a sentence by its key and its English words.
func (s Sentence) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false) // who writes the document decides what is escaped
	err := e.Encode(s.Written())
	return b.Bytes(), err
}

// UnmarshalJSON reads what MarshalJSON writes. The sentence has the key, and says the words that are there: the
// arguments are in no document.
func (s *Sentence) UnmarshalJSON(data []byte) error {
	var w Spoken
	if err := json.Unmarshal(data, &w); err != nil {
		return err
	}
	*s = Sentence{}
	if w.Text != "" {
		*s = Sentence{&template{key: w.Key, args: []argument{{said, text(w.Text)}}}}
	}
	return nil
}

// said is the name of the argument that is the whole sentence in words.
const said = ""
