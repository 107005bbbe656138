package workbench

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/policy"
	"github.com/dither-data/dither/study"
)

// sampled is how many people a trial on a sample takes: enough for its figures to mean something, few enough to be
// there at once.
const sampled = 1500

// mostKept is how many results with their drawings are kept in memory.
const mostKept = 12

// mostLine bounds a line that a child writes: a result with its drawings.
const mostLine = 64 << 20

// childTime is how long a child may take to end. It takes little more than grace where the computer is not busy.
const childTime = 5 * time.Second

// work is the one piece of work under way, and what came of those before. The latest wins: beginning one ends the one
// before.
type work struct {
	s    *Server
	mu   sync.Mutex
	now  *running
	done map[string]*result // by what made them
	kept []string           // of done, the oldest first
	said error              // why the last one failed; nil when it did not
	told string             // of the last search, which chose nothing

	adopting bool // what was chosen is being written into the policy
}

// running is a child at work.
type running struct {
	of    *inspected
	job   job
	stop  context.CancelFunc
	over  chan struct{}
	shown event // how far it is
	began time.Time
}

func newWork(s *Server) *work { return &work{s: s, done: map[string]*result{}} }

// running reports whether a child is at work.
func (w *work) running() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.now != nil || w.adopting
}

// end ends what is under way and waits until it is gone.
func (w *work) end() {
	w.mu.Lock()
	r := w.now
	w.mu.Unlock()
	if r != nil {
		r.stop()
		<-r.over
	}
}

// endTrial ends a trial, but nothing that is being signed: that has a policy of its own.
func (w *work) endTrial() {
	w.mu.Lock()
	trial := w.now != nil && w.now.job.Sign == nil
	w.mu.Unlock()
	if trial {
		w.end()
	}
}

// result is what came of a trial of a policy; nil where it is not in memory.
func (w *work) result(id string) *result {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.done[id]
}

// id is that of a trial of a policy on so many people.
func (i *inspected) id(sample int) string { return i.idOf(string(i.text), strconv.Itoa(sample)) }

// idOf is that of a trial of another policy of the same table: one for all texts that say the same, in whatever order
// and with whatever comments.
func (i *inspected) idOf(text, on string) string {
	if p, err := policy.Parse(policyName, []byte(text)); err == nil {
		if said, err := json.Marshal(p); err == nil {
			text = string(said)
		}
	}
	return digest(text, i.File.SHA256, on)
}

// job is a trial of the policy as it stands.
func (s *Server) job(sample int) job {
	return job{
		Version: s.opt.Version,
		Table:   s.folder.table,
		Policy:  s.folder.path(policyName),
		Seed:    s.folder.path(seedName),
		Sample:  sample,
	}
}

// begin starts a trial of the policy as it stands, unless its result is there.
func (w *work) begin(i *inspected, sample int) error {
	if w.result(i.id(sample)) == nil {
		return w.start(i, w.s.job(sample))
	}
	w.end()
	return nil
}

// start runs a job in a child.
func (w *work) start(i *inspected, j job) error {
	w.end()
	if err := w.s.folder.ordinary(seedName); err != nil {
		return err
	}
	j.Seen = i.seen
	ctx, stop := context.WithCancel(context.Background())
	c := w.s.opt.Child(ctx)
	in, err := c.StdinPipe()
	// it cleans up and ends when its input does, and is killed where it does not
	c.Cancel, c.WaitDelay = func() error { return in.Close() }, childTime
	if err != nil {
		stop()
		return err
	}
	out, err := c.StdoutPipe()
	if err == nil {
		err = c.Start()
	}
	if err == nil {
		err = json.NewEncoder(in).Encode(j)
	}
	if err != nil {
		stop()
		return err
	}
	r := &running{of: i, job: j, stop: stop, over: make(chan struct{}), began: time.Now()}
	w.mu.Lock()
	w.now, w.said, w.told = r, nil, ""
	w.mu.Unlock()
	go w.follow(r, c, in, out)
	return nil
}

// follow reads what a child says until it ends, and takes what it chose.
func (w *work) follow(r *running, c *exec.Cmd, in io.Closer, out io.Reader) {
	chosen := w.finish(r, c, in, out)
	r.stop()
	close(r.over)
	if chosen != "" { // after it is over: an edit waits for that while it keeps others from the policy
		w.adopt(r, chosen)
	}
}

// finish reads what a child says until it ends, and returns the policy that it chose.
func (w *work) finish(r *running, c *exec.Cmd, in io.Closer, out io.Reader) (text string) {
	lines := bufio.NewScanner(out)
	lines.Buffer(make([]byte, 64<<10), mostLine)
	var last event
	for lines.Scan() {
		var e event
		if json.Unmarshal(lines.Bytes(), &e) != nil {
			continue
		}
		if last = e; e.Work != "" {
			w.mu.Lock()
			r.shown = e
			w.mu.Unlock()
		}
	}
	in.Close()
	err := c.Wait()
	w.mu.Lock()
	defer w.mu.Unlock()
	w.now = nil
	switch {
	case last.Result != nil:
		text = w.keep(r, last.Result)
		w.adopting = text != ""
	case last.Error != "":
		w.said = errors.New(last.Error)
	case err != nil:
		w.said = wrong("ended")
	}
	return text
}

// keep notes a result, and returns the policy that was chosen.
func (w *work) keep(r *running, res *result) (text string) {
	if res.Choice != nil {
		for _, c := range res.Choice.Tray {
			c.ID = r.of.idOf(c.Policy, "search")
			w.tray(c)
		}
		text, w.told = res.Choice.Policy, res.Choice.Said
		if res.Candidate.Policy == "" {
			return text
		}
	} else {
		res.Candidate.Policy = string(r.of.text)
	}
	id := r.of.idOf(res.Candidate.Policy, strconv.Itoa(r.job.Sample))
	if res.Candidate.ID = id; r.job.Sign != nil {
		if err := w.s.folder.here(); err != nil {
			w.said = err
		}
		return ""
	}
	if w.done[id] == nil {
		w.kept = append(w.kept, id)
	}
	w.done[id] = res
	if len(w.kept) > mostKept {
		delete(w.done, w.kept[0])
		w.kept = w.kept[1:]
	}
	w.tray(res.Candidate)
	return text
}

// tray keeps a candidate in the folder.
func (w *work) tray(c candidate) {
	if err := w.s.folder.keep(c); err != nil {
		w.said = fmt.Errorf("the result is not kept: %w", err)
	}
}

// jobView is what is shown of the work under way.
type jobView struct {
	Running bool
	What    message.Sentence
	Text    string           // how far
	Share   int              // per cent; -1 where that is not known
	Said    message.Sentence // why the last one failed
	Told    string           // of the last search, which chose nothing
}

func (w *work) view() *jobView {
	w.mu.Lock()
	defer w.mu.Unlock()
	v := &jobView{Told: w.told, Share: -1}
	job := func(key string) message.Sentence { return message.Say("workbench.job." + key) }
	if w.said != nil {
		v.Said = excuse(w.said)
	}
	if w.adopting {
		v.Running, v.What, v.Text = true, job("adopting"), job("writing").String()
		return v
	}
	r := w.now
	if r == nil {
		return v
	}
	v.Running, v.What, v.Text = true, job("all"), r.shown.Work
	switch {
	case r.job.Sign != nil:
		v.What = job("sign")
	case r.job.Choose != nil:
		v.What = job("search")
	case r.job.Sample > 0:
		v.What = job("sample")
	}
	if r.shown.Total > 0 {
		v.Share = min(int(100*r.shown.Done/r.shown.Total), 99) // how much a search has to do is not known before
	}
	if v.Text == "" {
		v.Text = job("starting").String()
	}
	return v
}

// handle serves the forms about work, and how far it is.
func (w *work) handle(mux *http.ServeMux) {
	mux.HandleFunc("POST /run", w.s.form(func(r *http.Request) error {
		i, err := w.s.asked(r)
		if err != nil {
			return err
		}
		sample := 0
		if r.PostForm.Get("sample") != "" {
			sample = sampled
		}
		return w.begin(i, sample)
	}))
	mux.HandleFunc("POST /cancel", w.s.form(func(*http.Request) error {
		w.end()
		w.mu.Lock()
		w.said, w.told = nil, ""
		w.mu.Unlock()
		return nil
	}))
	mux.HandleFunc("POST /choose", w.s.form(w.takeChoice))
	mux.HandleFunc("POST /sign", w.s.form(w.s.takeSignature))
	mux.HandleFunc("GET /job", func(out http.ResponseWriter, _ *http.Request) {
		w.s.write(out, http.StatusOK, "job", shell{Job: w.view()})
	})
}

// people says on how many a trial is.
func (c *candidate) people() message.Sentence {
	on := "all"
	switch {
	case c.Searched:
		on = "search"
	case c.Sample > 0:
		on = "sample"
	}
	return message.Say("workbench.on."+on).Count("n", c.Records)
}

// verdict says what became of a candidate; what a search found was not released, and so not judged.
func (c *candidate) verdict() message.Sentence {
	if c.Searched {
		return message.Say("workbench.searched")
	}
	return study.State(c.State).Word()
}

// when is the time of a candidate, for a table.
func (c candidate) when() string {
	return strings.TrimSuffix(strings.Replace(c.Time, "T", " ", 1), "Z") + " UTC"
}
