package workbench

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"net/http"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/dither-data/dither/desk"
	"github.com/dither-data/dither/internal/system/wholefile"
	"github.com/dither-data/dither/limit"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/report"
	"github.com/dither-data/dither/study/search"
)

// choosing asks a child to search for the technique that loses least under the limits of the policy.
type choosing struct {
	Methods []string      `json:",omitempty"` // among these; none for all
	For     string        // what the release must not lose
	Budget  time.Duration // no further technique is taken up after so long; 0 for no end
}

// chosen is what came of a search.
type chosen struct {
	Policy string      // with what was chosen; empty where nothing was shown to keep the limits
	Tray   []candidate // the best setting of every technique that keeps them, the one that loses least last
	Said   string      // in lines, where nothing was chosen
}

// mostOptions is how many techniques of a search are put into the tray.
const mostOptions = 8

// choose searches. Its result is that of the release that confirms the choice, or of the last that did not keep the
// limits.
func (j *job) choose(ctx context.Context, d *desk.Desk) (*result, error) {
	text, err := wholefile.Read(j.Policy)
	if err != nil {
		return nil, err
	}
	c, err := d.TryChoice(
		ctx,
		desk.TryChoiceRequest{
			TryRequest: desk.TryRequest{Source: j.source(), SeedFile: j.Seed},
			Methods:    j.Choose.Methods,
			For:        j.Choose.For,
			Budget:     j.Choose.Budget,
		},
	)
	if c == nil {
		return nil, err
	}
	r := &result{}
	if c.Protection != nil {
		if r, err = resultOf(c.Protection, 0, report.Options{Choice: c.Told()}); err != nil {
			return nil, err
		}
		after, err := c.Written(policyName, text, c.Confirmed[len(c.Confirmed)-1].Setting)
		if err != nil {
			return nil, err
		}
		r.Candidate.Policy = string(after)
	}
	r.Choice = &chosen{}
	if c.Chosen != nil {
		r.Choice.Policy = r.Candidate.Policy
	} else {
		var b bytes.Buffer
		if err := report.ChoiceText(&b, c.Told(), nil, report.Screen{Verbose: true}); err != nil {
			return nil, err
		}
		r.Choice.Said = b.String()
	}
	for _, o := range slices.Backward(c.Ranking[:min(len(c.Ranking), mostOptions)]) {
		one, err := optionOf(c, o, text)
		if err != nil {
			return nil, err
		}
		r.Choice.Tray = append(r.Choice.Tray, one)
	}
	return r, nil
}

// optionOf is what the list of candidates keeps of a setting that a search found to keep the limits.
func optionOf(c *desk.Chosen, o search.Option, text []byte) (candidate, error) {
	of, lost := &c.Candidates[o.Candidate], 100*o.Total
	after, err := c.Written(policyName, text, o.Setting)
	out := candidate{
		Time:      now(),
		Technique: of.Method.Title,
		Settings:  of.Describe(o.Setting),
		Searched:  true,
		Records:   c.Tried,
		Lost:      &lost,
		For:       c.Purpose,
		Policy:    string(after),
	}
	if o.Risk.Measure == "found" {
		out.Intruder, out.Most, out.Risk = o.Risk.Against, 100*o.Risk.Limit, &figure{
			100 * o.Risk.Value,
			100 * o.Risk.Lo,
			100 * o.Risk.Hi,
		}
	}
	return out, err
}

// purposes are what a release may be for, as the page offers it.
var purposes = []string{"everything", "models", "statistics"}

// forHiding is what is offered where there is something to hide, and is taken then where nobody says what a release is
// for: the search's own default.
const forHiding = "hiding"

// purpose is what the release must not lose, while the server runs.
type purpose struct {
	mu   sync.Mutex
	name string // empty for the first that is offered
}

// purpose is what the release must not lose by what somebody said, and all that is offered.
func (s *Server) purposeOf(i *inspected) (name string, all []string) {
	all = purposes
	if len(i.Policy.Sensitive) > 0 {
		all = append([]string{forHiding}, all...)
	}
	s.purpose.mu.Lock()
	defer s.purpose.mu.Unlock()
	if slices.Contains(all, s.purpose.name) {
		return s.purpose.name, all
	}
	return all[0], all
}

// takePurpose takes what the release must not lose.
func (s *Server) takePurpose(r *http.Request) error {
	i, err := s.asked(r)
	if err != nil {
		return err
	}
	name := r.PostForm.Get("for")
	if _, all := s.purposeOf(i); !slices.Contains(all, name) {
		return errForm
	}
	s.purpose.mu.Lock()
	defer s.purpose.mu.Unlock()
	s.purpose.name = name
	return nil
}

// purposeView is the screen of what a release is for, and for whom.
type purposeView struct {
	Purposes, Limits []offered
	File             string // of limits, that the policy names and this page does not edit
}

// offered is one of several that may be taken.
type offered struct {
	Name string
	Text message.Sentence
	Here bool
}

func (s *Server) purposeScreen(_ *http.Request, i *inspected) (any, error) {
	v := &purposeView{}
	now, all := s.purposeOf(i)
	for _, name := range all {
		v.Purposes = append(v.Purposes, offered{name, message.Say("workbench.purposes." + name), name == now})
	}
	limits := limitsOf(i)
	for _, name := range limit.Names() {
		v.Limits = append(v.Limits, offered{name, message.Say("workbench.purposes." + name), name == limits})
	}
	if !slices.Contains(limit.Names(), limits) {
		v.File = filepath.Base(limits)
	}
	return v, nil
}

// limitsOf is the name of the limits of the policy, or of their file.
func limitsOf(i *inspected) string { return cmp.Or(i.Policy.Limits, "default") }

// budgets are how many minutes a search may take up further techniques.
var budgets = []int{2, 10, 60}

// takeChoice begins a search.
func (w *work) takeChoice(r *http.Request) error {
	i, err := w.s.asked(r)
	if err != nil {
		return err
	}
	minutes, err := strconv.Atoi(r.PostForm.Get("minutes"))
	if err != nil || !slices.Contains(budgets, minutes) {
		return errForm
	}
	c := &choosing{Budget: time.Duration(minutes) * time.Minute}
	if c.For, _ = w.s.purposeOf(i); c.For == forHiding {
		c.For = "" // the default where there is something to hide
	}
	switch r.PostForm.Get("among") {
	case "all":
	case "this":
		c.Methods = []string{i.technique()}
	default:
		return errForm
	}
	j := w.s.job(0)
	j.Choose = c
	return w.start(i, j)
}

// adopt takes the policy of a choice, where nobody has changed it meanwhile.
func (w *work) adopt(r *running, text string) {
	err := w.s.swap(context.Background(), r.of.seen, func([]byte) ([]byte, error) { return []byte(text), nil }, func() {},
		func(from, to string) { w.s.history.changed(from, to, message.Say("workbench.undo.chosen")) })
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.adopting = false; errors.Is(err, errStale) {
		w.said = wrong("meanwhile")
	} else if err != nil {
		w.said = err
	}
}
