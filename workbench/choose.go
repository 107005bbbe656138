package workbench

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/dither-data/dither/desk"
	"github.com/dither-data/dither/internal/system/wholefile"
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
var purposes = []struct{ Name, Text string }{
	{"everything", "of everything that can be lost"},
	{"models", "of what models learn from it"},
	{"statistics", "of its statistics"},
}

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
	c := &choosing{For: r.PostForm.Get("for"), Budget: time.Duration(minutes) * time.Minute}
	if len(i.Policy.Sensitive) > 0 && c.For == "hiding" {
		c.For = "" // the default where there is something to hide
	} else if k := slices.IndexFunc(purposes, func(p struct{ Name, Text string }) bool { return p.Name == c.For }); k < 0 {
		return errForm
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
	err := w.s.swap(context.Background(), r.of.seen, func([]byte) ([]byte, error) { return []byte(text), nil }, func() {})
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.adopting = false; errors.Is(err, errStale) {
		w.said = "the policy was changed meanwhile, so what was chosen is only among what was tried"
	} else if err != nil {
		w.said = err.Error()
	}
}
