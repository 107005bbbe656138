package workbench

import (
	"fmt"
	"html/template"
	"slices"
	"strings"
	"sync"

	"github.com/dither-data/dither/internal/text/numfmt"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/message/words"
	"github.com/dither-data/dither/report"
	"github.com/dither-data/dither/table"
)

// called are the names of the languages of the path (words.Languages), in themselves.
var called = map[string]string{"en": "English", "de": "Deutsch", "fr": "Français"}

// language is that of the pages of the path: what the browser asks for first, until somebody takes another.
type language struct {
	mu  sync.Mutex
	tag string // empty for English
}

func (l *language) get() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.tag == "" {
		return message.English().Tag()
	}
	return l.tag
}

// set takes a language by its tag.
func (l *language) set(tag string) error {
	if called[tag] == "" {
		return errForm
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.tag = tag
	return nil
}

// first takes the first language of a list, as browsers send it, where nobody has taken one.
func (l *language) first(list string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, part := range strings.Split(list, ",") {
		tag, _, _ := strings.Cut(strings.TrimSpace(part), ";")
		if tag, _, _ = strings.Cut(strings.ToLower(tag), "-"); l.tag == "" && called[tag] != "" {
			l.tag = tag
		}
	}
}

// speaks is the language that the pages are in.
func (s *Server) speaks() *message.Language {
	tag, all := s.language.get(), words.Languages()
	return all[slices.IndexFunc(all, func(l *message.Language) bool { return l.Tag() == tag })]
}

// spoken is a sentence in all languages, by tag, as a child hands it over. What is not there in a language is in
// English.
type spoken map[string]string

func inAll(s message.Sentence) spoken {
	out := spoken{}
	for _, l := range words.Languages() {
		text, tag := l.Tell(s)
		out[tag] = text
	}
	return out
}

// funcsOf are what templates say in a language with.
func funcsOf(l *message.Language) template.FuncMap {
	english := func(tag string) template.HTMLAttr {
		if tag == l.Tag() {
			return ""
		}
		return template.HTMLAttr(` lang="` + tag + `"`)
	}
	html := func(text, tag string) template.HTML {
		text = template.HTMLEscapeString(report.Printable(text))
		if tag != l.Tag() {
			text = `<span lang="` + tag + `">` + text + `</span>`
		}
		return template.HTML(text)
	}
	return template.FuncMap{
		"name":      report.Printable,
		"again":     func(top shell, row trayRow) rowOf[trayRow] { return rowOf[trayRow]{top, row} },
		"given":     func(top shell, row limitRow) rowOf[limitRow] { return rowOf[limitRow]{top, row} },
		"tag":       l.Tag,
		"languages": tongues,
		"english":   func() template.HTMLAttr { return english(message.English().Tag()) },
		"count":     func(n int) string { return l.Digits(whole(n)) },
		"role":      roleName,
		"kind":      kindName,
		"lost":      lostOf,
		"say": func(key string, args ...any) (string, error) {
			s, err := said(key, args)
			return report.Printable(l.Say(s)), err
		},
		"told": func(s message.Sentence) string { text, _ := l.Tell(s); return report.Printable(text) },
		"tell": func(s message.Sentence) template.HTML { return html(l.Tell(s)) },
		"pick": func(s spoken) template.HTML {
			tag := l.Tag()
			if s[tag] == "" {
				tag = message.English().Tag()
			}
			return html(s[tag], tag)
		},
	}
}

// tongue is a language to choose.
type tongue struct{ Tag, Name string }

func tongues() (out []tongue) {
	for _, l := range words.Languages() {
		out = append(out, tongue{l.Tag(), called[l.Tag()]})
	}
	return out
}

// said is a sentence with the arguments that a template gives: names and values in turn.
func said(key string, args []any) (message.Sentence, error) {
	s := message.Say(key)
	for k := 0; k+1 < len(args); k += 2 {
		as, ok := args[k].(string)
		if !ok {
			return s, fmt.Errorf("%s: argument %d has no name", key, k)
		}
		switch v := args[k+1].(type) {
		case int:
			s = s.Count(as, v)
		case string:
			s = s.Name(as, v)
		case message.Sentence:
			s = s.Part(as, v)
		case *message.Sentence:
			s = s.Part(as, *v)
		default:
			return s, fmt.Errorf("%s: {%s} is a %T", key, as, v)
		}
	}
	return s, nil
}

// roleName is what a role is called; several at once are called as policies call them.
func roleName(role string) message.Sentence {
	if slices.Contains(table.RoleNames(), role) {
		return message.Say("workbench.role." + role)
	}
	return message.Name(role)
}

func kindName(kind string) message.Sentence { return message.Say("workbench.kind." + kind) }

// lostOf is what a search weighed, by the name of a purpose; other names are written as they are.
func lostOf(purpose string) message.Sentence {
	if slices.Contains(purposes, purpose) || purpose == forHiding {
		return message.Say("workbench.try." + purpose)
	}
	return message.Name(purpose)
}

func whole(n int) string { return numfmt.Count(float64(n)) }

// records and people are numbers of them.
func records(n int) message.Sentence { return message.Say("workbench.count.records").Count("n", n) }
func persons(n int) message.Sentence { return message.Say("workbench.count.people").Count("n", n) }

// ofAll is a number of what is counted: of people where the table tells them apart.
func (i *inspected) ofAll(n int) message.Sentence {
	if i.people() {
		return persons(n)
	}
	return records(n)
}
