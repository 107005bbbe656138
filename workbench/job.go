package workbench

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/dither-data/dither/desk"
	"github.com/dither-data/dither/internal/system/wholefile"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/prediction"
	"github.com/dither-data/dither/report"
	"github.com/dither-data/dither/study"
)

// job is one piece of work for a child process.
type job struct {
	Version string
	Table   string
	Policy  string // path
	Seen    string // digest of the policy's text
	Seed    string // path
	Sample  int    // people; 0 for all
	Sign    *signing
	Choose  *choosing
}

// signing says where what is signed is written, and by whom it was signed.
type signing struct {
	Release, Plan, Report, Public, Record, Signature string // paths
	Signed                                           signature
	Key, Passphrase                                  string // path of the key of the record, and what opens it
}

// signature is what a person answers for.
type signature struct {
	Name     string   `json:"name"`
	Reason   string   `json:"reason"`
	Time     string   `json:"time"`
	Accepted []string `json:"accepted"` // what the release does not protect against, each ticked
	State    string   `json:"state"`    // of the verdict that was shown, and reached
	Gate     string   `json:"gate"`
	Release  string   `json:"release"` // SHA-256
	Policy   string   `json:"policy"`  // SHA-256
}

// signing is what of it the record of the run says.
func (s *signature) signing() (*desk.Signing, error) {
	at, err := time.Parse(time.RFC3339, s.Time)
	return &desk.Signing{Name: s.Name, Reason: s.Reason, Time: at, State: study.State(s.State)}, err
}

// passphrase opens the key.
func (s *signing) passphrase(string) ([]byte, error) { return []byte(s.Passphrase), nil }

// event is a line that a child writes.
type event struct {
	Work        string  `json:",omitempty"`
	Done, Total int64   `json:",omitempty"`
	Error       string  `json:",omitempty"`
	Result      *result `json:",omitempty"`
}

// result is what came of a job.
type result struct {
	Candidate    candidate
	Sections     map[string]string // of the internal report, as fragments
	Titles       map[string]string // of these sections
	Sentence     spoken            // of the verdict, and how many limits are kept
	Gate         spoken
	NotProtected []spoken // what the release does not protect against
	Demands      []study.Demand
	DemandNames  []string           // what each of them is on, and against whom
	Originals    map[string]float64 // what the original reaches on the axes of limits, the riskiest of the intruders'
	Withheld     bool
	SHA256       string  // of the release that was written
	Choice       *chosen `json:",omitempty"` // of a search
}

// Job does one piece of work: it reads it from its input and writes what comes of it to its output, a line of JSON
// each. It ends when its input does, as when the caller is gone, and leaves no file that is not in its place;
// the process is to end then, too.
func Job(ctx context.Context, in io.Reader, out io.Writer) error {
	var j job
	dec := json.NewDecoder(in)
	if err := dec.Decode(&j); err != nil {
		return err
	}
	t := &teller{enc: json.NewEncoder(out)}
	return attended(ctx, in, func(ctx context.Context) {
		if r, err := j.do(ctx, &desk.Desk{Version: j.Version, Begin: t.begin}); err != nil {
			t.tell(event{Error: forPage(err).Error()})
		} else {
			t.tell(event{Result: r})
		}
	})
}

// grace is how long work may take to end by itself. It does not in a long computation.
const grace = 200 * time.Millisecond

// attended works until it is done or the input ends. Work that does not end by itself is left alone, and what it has
// begun is removed.
func attended(ctx context.Context, in io.Reader, do func(context.Context)) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	go func() {
		_, _ = io.Copy(io.Discard, in)
		stop()
	}()
	done := make(chan struct{})
	go func() {
		defer close(done)
		do(ctx)
	}()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
	}
	select {
	case <-done:
		return nil
	case <-time.After(grace):
		wholefile.Abandon()
		return context.Cause(ctx)
	}
}

func (j *job) source() desk.Source { return desk.Source{Path: j.Table, Policy: j.Policy} }

// errChanged is why nothing came of a trial whose policy was edited by hand while it ran: nobody knows which of the two
// it is of.
var errChanged = errors.New("the policy was changed while it was tried. Try it again")

func (j *job) do(ctx context.Context, d *desk.Desk) (*result, error) {
	r, err := j.work(ctx, d)
	if err != nil {
		return nil, err
	}
	if text, err := wholefile.Read(j.Policy); err != nil {
		return nil, err
	} else if digest(string(text)) != j.Seen {
		return nil, errChanged
	}
	return r, nil
}

func (j *job) work(ctx context.Context, d *desk.Desk) (*result, error) {
	switch {
	case j.Choose != nil:
		return j.choose(ctx, d)
	case j.Sign == nil:
		p, err := d.Try(ctx, desk.TryRequest{Source: j.source(), SeedFile: j.Seed, Sample: j.Sample})
		if p == nil {
			return nil, err
		}
		return resultOf(p, j.Sample, report.Options{})
	}
	by, err := j.Sign.Signed.signing()
	if err != nil {
		return nil, err
	}
	d.Passphrase = j.Sign.passphrase
	p, err := d.Protect(
		ctx,
		desk.ProtectRequest{
			Source:   j.source(),
			SeedFile: j.Seed,
			Release:  j.Sign.Release,
			PlanOut:  j.Sign.Plan,
			Report:   j.Sign.Report,
			Record:   j.Sign.Record,
			SignKey:  j.Sign.Key,
			Signed:   by,
		},
	)
	if p == nil {
		return nil, err
	}
	r, err := resultOf(p, 0, report.Options{})
	if err != nil || r.Withheld {
		return r, err
	}
	return r, j.sign(p, r)
}

// resultOf is what a page shows of a release.
func resultOf(p *desk.Protection, sample int, opt report.Options) (*result, error) {
	r := &result{Candidate: candidateOf(p.Outcome, sample), Sections: map[string]string{}, Titles: map[string]string{},
		Withheld: p.Broken != nil, SHA256: p.Outcome.ReleasedFile.SHA256}
	for _, says := range study.Texts(p.Outcome.NotProtected) {
		r.NotProtected = append(r.NotProtected, inAll(says))
	}
	if v := p.Outcome.Verdict; v != nil {
		r.Demands, r.Sentence, r.Gate = v.Demands, inAll(v.Sentence), inAll(v.Counts())
		for k := range v.Demands {
			r.DemandNames = append(r.DemandNames, v.Demands[k].Name().String())
		}
	}
	r.Originals = originalsOf(p)
	for _, name := range report.Sections() {
		var b bytes.Buffer
		title, err := report.Section(&b, name, p.Outcome, opt)
		if err != nil {
			return nil, err
		}
		r.Sections[name], r.Titles[name] = b.String(), title.String()
	}
	return r, nil
}

// originalsOf is where the original stands on the axes of limits.
func originalsOf(p *desk.Protection) map[string]float64 {
	out := map[string]float64{}
	put := func(m *study.Measured, v float64) {
		if old, ok := out[m.Name]; !ok || m.Better == measure.Lower && v > old || m.Better == measure.Higher && v < old {
			out[m.Name] = v
		}
	}
	for k := range p.Original {
		if m := &p.Original[k]; m.Err.Empty() && m.Value.Score == m.Value.Score {
			put(m, m.Value.Score)
		}
	}
	for k := range p.Outcome.Measures {
		m := &p.Outcome.Measures[k]
		if a, ok := m.Value.Detail.(measure.Assault); ok && m.Err.Empty() && a.Attack().Before != nil {
			put(m, *a.Attack().Before)
		}
	}
	return out
}

// sign writes the public report and the signature beside the release.
func (j *job) sign(p *desk.Protection, r *result) error {
	public, err := wholefile.Create(j.Sign.Public, wholefile.Options{})
	if err != nil {
		return err
	}
	signed, err := wholefile.Create(j.Sign.Signature, wholefile.Options{Private: true})
	if err != nil {
		public.Discard()
		return err
	}
	j.Sign.Signed.Gate, j.Sign.Signed.Release = r.Candidate.Gate, r.SHA256
	err = errors.Join(report.HTML(public, p.Outcome, report.Options{Public: true}),
		desk.WriteJSON(signed, j.Sign.Signed), public.Close(), signed.Close())
	if err != nil {
		public.Discard()
		signed.Discard()
		return err
	}
	return wholefile.Place(public, signed)
}

// candidateOf is what the list of candidates keeps of an outcome.
func candidateOf(o *study.Outcome, sample int) candidate {
	c := candidate{Time: now(), Technique: o.Method.Title, Sample: sample, Records: o.Original.Rows()}
	var bound []string // the intruders whom the limit on those found is against
	if v := o.Verdict; v != nil {
		c.State, c.Gate, c.Sentence = string(v.State), v.Counts().String(), v.Sentence.String()
		for _, d := range v.Demands {
			if d.Measure == "found" && d.Max != nil {
				c.Most, bound = 100**d.Max, append(bound, d.Against)
			}
		}
	}
	for _, m := range o.Measures {
		a, ok := m.Value.Detail.(measure.Assault)
		if m.Name != "found" || !m.Err.Empty() || !ok || bound != nil && !slices.Contains(bound, m.Intruder) {
			continue
		}
		switch attack := a.Attack(); {
		case c.Risk != nil && (bound == nil || 100*attack.Hi <= c.Risk.Hi):
			// without a limit the first counts, who knows least
		default:
			c.Intruder, c.Risk, c.Before = m.Intruder, &figure{100 * attack.Share, 100 * attack.Lo, 100 * attack.Hi}, 0
			if attack.Before != nil {
				c.Before = 100 * *attack.Before
			}
		}
	}
	if m := study.Find(o.Measures, "accuracy"); m != nil {
		if d, ok := m.Value.Detail.(prediction.AccuracyDetail); ok && d.ReleasedOriginal == d.ReleasedOriginal {
			c.Accuracy, c.Original = &d.ReleasedOriginal, &d.OriginalOriginal
		}
	}
	return c
}

// now is the time as the files of the folder write it.
func now() string { return time.Now().UTC().Format(time.RFC3339) }

// teller writes events, those of progress not too often.
type teller struct {
	mu   sync.Mutex
	enc  *json.Encoder
	last time.Time
}

func (t *teller) tell(e event) {
	t.mu.Lock()
	defer t.mu.Unlock()
	_ = t.enc.Encode(e) // the caller may be gone
}

func (t *teller) begin(work string) desk.Progress { return &telling{t, work} }

type telling struct {
	t    *teller
	work string
}

// Done tells how far the work is.
func (p *telling) Done(done, total int64) {
	p.t.mu.Lock()
	soon := time.Since(p.t.last) < 200*time.Millisecond
	if !soon {
		p.t.last = time.Now()
	}
	p.t.mu.Unlock()
	if !soon {
		p.t.tell(event{Work: p.work, Done: done, Total: total})
	}
}

// End is told by what begins next.
func (p *telling) End() {}

// named is the file of the folder for a name and a number.
func named(dir, name string, n string, ext string) string {
	return filepath.Join(dir, name+"-"+n+ext)
}

// free reports whether nothing stands at any of the paths.
func free(paths ...string) bool {
	for _, p := range paths {
		if _, err := os.Lstat(p); err == nil {
			return false
		}
	}
	return true
}
