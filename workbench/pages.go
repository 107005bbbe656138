package workbench

import (
	"bytes"
	"context"
	"embed"
	"errors"
	"html/template"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/message/words"
	"github.com/dither-data/dither/report"
)

//go:embed pages/*.html
var pagesFS embed.FS

//go:embed workbench.css
var css string

//go:embed workbench.js
var js []byte

var pages = sync.OnceValue(func() map[string]*template.Template {
	out := map[string]*template.Template{}
	for _, l := range words.Languages() {
		out[l.Tag()] = template.Must(template.New("pages").Funcs(funcsOf(l)).ParseFS(pagesFS, "pages/*.html"))
	}
	return out
})

// screen is one page of the workbench.
type screen struct {
	name  string
	under string // the screen that leads to it, where it is no step of the path
	data  func(s *Server, r *http.Request, i *inspected) (any, error)
}

// title and ask are what a screen is called and the question that it answers.
func (c *screen) title() message.Sentence {
	return message.Say("workbench.screen." + c.name + ".title")
}
func (c *screen) ask() message.Sentence { return message.Say("workbench.screen." + c.name + ".ask") }

// shell is what stands around a screen.
type shell struct {
	Screen, File string
	Title, Ask   message.Sentence
	Under        string // the screen that leads to this one
	Nav, Closer  []tab  // the steps of the path, and what leads closer to what this one is about
	Back, Next   *tab
	Undo, Redo   *message.Sentence // what they would change; nil for nothing
	Seen         string            // the digest of the policy that is shown
	Lines        []string
	Fault        message.Sentence // why the policy does not describe the table
	Message      message.Sentence // what became of what was asked for
	Outcome      *outcome         // where nothing else on the screen says it in the language of the page
	Data         any
	Folder       string
	Job          *jobView
}

// outcome is where the policy as it stands has come to.
type outcome struct {
	Untried, Sample bool
	Kind            string
	State, On       message.Sentence
	Sentence, Gate  spoken
}

// rowOf is a row with the page around it, which its forms need.
type rowOf[T any] struct {
	Top shell
	Row T
}

type tab struct {
	Name  string
	Title message.Sentence
	Here  bool
}

// show writes a screen. A message says what was wrong with what was asked for.
func (s *Server) show(w http.ResponseWriter, r *http.Request, name string, wrong message.Sentence, status int) {
	i, text, err := s.now(r.Context())
	v := shell{
		Screen:  name,
		File:    s.fileName(),
		Seen:    digest(string(text)),
		Message: wrong,
		Folder:  filepath.Clean(s.opt.Folder),
		Job:     s.work.view(),
	}
	v.Undo, v.Redo = s.history.offers(string(text))
	for k := range screens {
		c := &screens[k]
		if c.under == "" {
			v.Nav = append(v.Nav, tab{c.name, c.title(), c.name == name})
		} else if c.under == name {
			v.Closer = append(v.Closer, tab{Name: c.name, Title: c.title()})
		}
		if c.name != name {
			continue
		}
		v.Title, v.Ask, v.Under = c.title(), c.ask(), c.under
		if err == nil {
			v.Outcome = s.outcome(i)
			v.Data, err = c.data(s, r, i)
		}
	}
	v.steps()
	if v.Under != "" || s.language.get() == message.English().Tag() && slices.Contains([]string{"look", "sign"}, name) {
		v.Outcome = nil // no step, or the report says it
	}
	if err != nil {
		v.Fault = excuse(err)
	}
	v.Lines = strings.Split(strings.TrimSuffix(report.PrintableLines(string(text)), "\n"), "\n")
	s.write(w, status, "shell", v)
}

// steps says where the path leads from a screen: from one that is no step, back to that which led to it.
func (v *shell) steps() {
	k := slices.IndexFunc(v.Nav, func(t tab) bool { return t.Here })
	if k < 0 {
		if k = slices.IndexFunc(v.Nav, func(t tab) bool { return t.Name == v.Under }); k >= 0 {
			v.Back = &v.Nav[k]
		}
		return
	}
	if k > 0 {
		v.Back = &v.Nav[k-1]
	}
	if k+1 < len(v.Nav) {
		v.Next = &v.Nav[k+1]
	}
}

// outcome is that of the last trial of the policy as it stands, on all records where there is one.
func (s *Server) outcome(i *inspected) *outcome {
	r := s.work.result(i.id(0))
	if r == nil {
		if r = s.work.result(i.id(sampled)); r == nil {
			return &outcome{Untried: true}
		}
	}
	c := &r.Candidate
	return &outcome{Sample: c.Sample > 0, Kind: c.kind(), State: c.verdict(), On: c.people(), Sentence: r.Sentence,
		Gate: r.Gate}
}

func (s *Server) write(w http.ResponseWriter, status int, name string, data any) {
	var b bytes.Buffer
	if err := pages()[s.language.get()].ExecuteTemplate(&b, name, data); err != nil {
		refuse(w, http.StatusInternalServerError, message.Say("workbench.refused.page").Text("why", err.Error()).String())
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write(b.Bytes())
}

// handler serves the pages to those who have the cookie, and the way in to others.
func (s *Server) handler() http.Handler {
	open := http.NewServeMux()
	asset := func(kind string, data []byte) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", kind+"; charset=utf-8")
			_, _ = w.Write(data)
		}
	}
	open.HandleFunc("GET /style.css", asset("text/css", []byte(string(report.Style())+css)))
	open.HandleFunc("GET /script.js", asset("text/javascript", js))
	open.HandleFunc("GET /favicon.ico",
		func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	open.HandleFunc("GET /{$}", s.door)
	open.HandleFunc("POST /enter", s.enter)
	open.Handle("/", s.members())
	return s.guard.protect(open)
}

// door is the first page: it hands in the token of the link, or asks for it.
func (s *Server) door(w http.ResponseWriter, r *http.Request) {
	if s.guard.known(r) {
		http.Redirect(w, r, "/"+screens[0].name, http.StatusSeeOther)
		return
	}
	s.write(w, http.StatusOK, "door", map[string]any{"Spent": s.guard.spent()})
}

func (s *Server) enter(w http.ResponseWriter, r *http.Request) {
	if err := r.ParseForm(); err != nil {
		tooMuch(w, err)
		return
	}
	if !s.guard.enter(w, r, r.PostForm.Get("token")) {
		s.write(w, http.StatusForbidden, "door", map[string]any{"Spent": s.guard.spent(), "Wrong": true})
		return
	}
	s.used()
	s.language.first(r.Header.Get("Accept-Language"))
	http.Redirect(w, r, "/"+screens[0].name, http.StatusSeeOther)
}

// tooMuch answers a form that cannot be read.
func tooMuch(w http.ResponseWriter, err error) {
	var large *http.MaxBytesError
	if errors.As(err, &large) {
		refuse(w, http.StatusRequestEntityTooLarge,
			message.Say("workbench.refused.large").Count("bytes", int(large.Limit)).String())
		return
	}
	refuse(w, http.StatusBadRequest, message.Say("workbench.refused.form").String())
}

// members is what is served to those who have the cookie.
func (s *Server) members() http.Handler {
	mux := http.NewServeMux()
	for _, c := range screens {
		mux.HandleFunc("GET /"+c.name,
			func(w http.ResponseWriter, r *http.Request) { s.show(w, r, c.name, message.Sentence{}, http.StatusOK) })
	}
	mux.HandleFunc("POST /edit", s.form(s.takeEdit))
	mux.HandleFunc("POST /purpose", s.form(s.takePurpose))
	mux.HandleFunc("POST /language", s.form(func(r *http.Request) error {
		return s.language.set(r.PostForm.Get("language"))
	}))
	s.work.handle(mux)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !s.guard.known(r) {
			s.write(w, http.StatusUnauthorized, "door", map[string]any{"Spent": s.guard.spent()})
			return
		}
		s.crowd.trust(r)
		s.used()
		mux.ServeHTTP(w, r)
	})
}

// form reads a form and goes back to the screen it is of, which says what was wrong where something was.
func (s *Server) form(do func(r *http.Request) error) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if err := r.ParseForm(); err != nil {
			tooMuch(w, err)
			return
		}
		back := ""
		for _, c := range screens {
			if c.name == r.PostForm.Get("screen") {
				back = c.name
			}
		}
		if back == "" {
			refuse(w, http.StatusBadRequest, excuse(errForm).String())
			return
		}
		switch err := do(r); {
		case err == nil:
			http.Redirect(w, r, "/"+back, http.StatusSeeOther)
		case errors.Is(err, errStale):
			s.show(w, r, back, excuse(err), http.StatusConflict)
		default:
			s.show(w, r, back, unchanged(err), http.StatusUnprocessableEntity)
		}
	}
}

// asked is the table under the policy that the sender of a form has seen.
func (s *Server) asked(r *http.Request) (*inspected, error) {
	i, _, err := s.now(r.Context())
	if err == nil && r.PostForm.Get("seen") != i.seen {
		err = errStale
	}
	return i, err
}

// takeEdit changes the policy as a form asks.
func (s *Server) takeEdit(r *http.Request) error {
	i, err := s.asked(r)
	if err != nil {
		return err
	}
	switch what := r.PostForm.Get("what"); what {
	case "restore":
		return s.restore(r.Context(), i.seen, r.PostForm.Get("value"))
	case "undo", "redo":
		return s.turn(r.Context(), i.seen, what == "undo")
	}
	list, err := s.changes(i, r.PostForm)
	if err != nil {
		return err
	}
	return s.edit(r.Context(), i.seen, list)
}

// restore takes the policy of a candidate again.
func (s *Server) restore(ctx context.Context, seen, id string) error {
	all, err := s.folder.candidates()
	if err != nil {
		return err
	}
	k := slices.IndexFunc(all, func(c candidate) bool { return c.ID == id })
	if k < 0 {
		return errForm
	}
	return s.replace(ctx, seen, message.Say("workbench.undo.restored"), func([]byte) ([]byte, error) {
		return []byte(all[k].Policy), nil
	})
}
