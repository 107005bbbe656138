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

	"github.com/dither-data/dither/internal/text/numfmt"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/report"
)

//go:embed pages/*.html
var pagesFS embed.FS

//go:embed workbench.css
var css string

//go:embed workbench.js
var js []byte

var pages = sync.OnceValue(func() *template.Template {
	return template.Must(
		template.New(
			"pages",
		).Funcs(
			template.FuncMap{
				"name":   report.Printable,
				"whole":  whole,
				"things": things,
				"again":  func(top shell, row trayRow) rowOf[trayRow] { return rowOf[trayRow]{top, row} },
				"given":  func(top shell, row limitRow) rowOf[limitRow] { return rowOf[limitRow]{top, row} },
			},
		).ParseFS(
			pagesFS,
			"pages/*.html",
		),
	)
})

func whole(n int) string { return numfmt.Count(float64(n)) }

// things writes how many there are of a kind.
func things(n int, noun string) string {
	if noun == "person" && n != 1 {
		return whole(n) + " people"
	}
	return numfmt.Counted(n, noun)
}

// screen is one page of the workbench.
type screen struct {
	name, title string
	ask         string // the question that the screen answers
	under       string // the screen that leads to it, where it is none of those that are gone through
	data        func(s *Server, r *http.Request, i *inspected) (any, error)
}

// shell is what stands around a screen.
type shell struct {
	Screen, Title, Ask, File string
	Under                    string // the screen that leads to this one
	Nav                      []tab
	Seen                     string // the digest of the policy that is shown
	Lines                    []string
	Fault                    string // why the policy does not describe the table
	Message                  string // what became of what was asked for
	Notes                    []string
	Data                     any
	Folder                   string
	Job                      *jobView
}

// rowOf is a row with the page around it, which its forms need.
type rowOf[T any] struct {
	Top shell
	Row T
}

type tab struct {
	Name, Title string
	Here        bool
}

// show writes a screen. A message says what was wrong with what was asked for.
func (s *Server) show(w http.ResponseWriter, r *http.Request, name, wrong string, status int) {
	i, text, err := s.now(r.Context())
	v := shell{
		Screen:  name,
		File:    s.fileName(),
		Seen:    digest(string(text)),
		Message: wrong,
		Folder:  filepath.Clean(s.opt.Folder),
		Job:     s.work.view(),
	}
	for _, c := range screens {
		if c.under == "" {
			v.Nav = append(v.Nav, tab{c.name, c.title, c.name == name})
		}
		if c.name != name {
			continue
		}
		v.Title, v.Ask, v.Under = c.title, c.ask, c.under
		if err == nil {
			v.Notes = message.Written(i.remarks())
			v.Data, err = c.data(s, r, i)
		}
	}
	if err != nil {
		v.Fault = excuse(err)
	}
	v.Lines = strings.Split(strings.TrimSuffix(report.PrintableLines(string(text)), "\n"), "\n")
	s.write(w, status, "shell", v)
}

func (s *Server) write(w http.ResponseWriter, status int, name string, data any) {
	var b bytes.Buffer
	if err := pages().ExecuteTemplate(&b, name, data); err != nil {
		refuse(w, http.StatusInternalServerError, message.Say("workbench.refused.page").Text("why", err.Error()).String())
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write(b.Bytes())
}

// handler serves the pages to whoever has the cookie, and the way in to others.
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
	open.HandleFunc(
		"GET /favicon.ico",
		func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) },
	)
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

// members is what is served to whoever has the cookie.
func (s *Server) members() http.Handler {
	mux := http.NewServeMux()
	for _, c := range screens {
		mux.HandleFunc(
			"GET /"+c.name,
			func(w http.ResponseWriter, r *http.Request) { s.show(w, r, c.name, "", http.StatusOK) },
		)
	}
	mux.HandleFunc("POST /edit", s.form(s.takeEdit))
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
			refuse(w, http.StatusBadRequest, excuse(errForm))
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

// asked is the table under the policy that whoever sends a form has before them.
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
	if r.PostForm.Get("what") == "restore" {
		return s.restore(r.Context(), i.seen, r.PostForm.Get("value"))
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
	return s.replace(ctx, seen, func([]byte) ([]byte, error) { return []byte(all[k].Policy), nil })
}
