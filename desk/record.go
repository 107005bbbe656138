package desk

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/dither-data/dither/internal/system/wholefile"
	"github.com/dither-data/dither/limit"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/policy"
	"github.com/dither-data/dither/record"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/study"
)

// recorder makes the record of a run.
type recorder struct {
	record.Record
	key  digestKey // of the digests of what is confidential
	sign ed25519.PrivateKey
}

// run is what a plan keeps of the run that it was written by, so that its record can be checked and its release made
// again. It is as confidential as the plan. Paths are absolute.
type run struct {
	Key     digestKey     `json:"key"`              // of the digests, in hexadecimal
	Policy  string        `json:"policy,omitempty"` // path of the policy file
	Said    policy.Policy `json:"said"`             // what the caller said besides
	Release string        `json:"release"`          // its file name, which says the format
	// that of its sensitive table, where it went out as two
	Sensitive string `json:"sensitiveTable,omitempty"`
}

// sensitiveTable is what a record calls the second table of a release.
const sensitiveTable = "sensitive table"

// source is where the run found the original, which is elsewhere now.
func (r *run) source(original string) Source {
	return Source{Path: original, Policy: r.Policy, Said: r.Said}
}

// recordKey is the key of the digests of a record: a holder of the seed can check them, and a holder of the key knows
// nothing of the seed.
func recordKey(seed rng.Seed) digestKey {
	var key []byte
	s := rng.New(seed).Fork("record").Stream()
	for id := range uint64(2) {
		b := s.At(id)
		key = binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(key, b.A), b.B)
	}
	return keyOf(key)
}

// newRecorder begins a record; nil where none is asked for.
func (d *Desk) newRecorder(path, signKey, command string, key digestKey, commitment string) (*recorder, error) {
	if path == "" {
		if signKey != "" {
			return nil, usage(errors.New("a key signs the record of a run, and none is asked for"))
		}
		return nil, nil
	}
	r := &recorder{
		record.Record{Command: command, Commitment: commitment, Go: runtime.Version(), Program: d.Version},
		key,
		nil,
	}
	if signKey != "" {
		var err error
		if r.sign, err = d.signKey(signKey); err != nil {
			return nil, fmt.Errorf("%s: %w", signKey, err)
		}
	}
	return r, nil
}

// CheckSignKey reads a private key as a run does that signs its record with it. Its error is a record.ErrPassphrase
// where the key has a passphrase and nobody can be asked for it.
func (d *Desk) CheckSignKey(path string) error {
	if _, err := d.signKey(path); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// signKey reads a private key, and asks for its passphrase where it has one.
func (d *Desk) signKey(path string) (ed25519.PrivateKey, error) {
	data, err := wholefile.Read(path)
	if err != nil {
		return nil, err
	}
	key, err := record.ParsePrivate(data, nil)
	if !errors.Is(err, record.ErrPassphrase) {
		return key, err
	}
	if d.Passphrase == nil {
		return nil, fmt.Errorf("%w, and there is no terminal to ask for it; take a key without one (ssh-keygen -t ed25519 "+
			"-N '' -f FILE)", err)
	}
	pass, err := d.Passphrase(path)
	if err != nil {
		return nil, err
	}
	return record.ParsePrivate(data, pass)
}

// recorder begins the record of a release.
func (d *Desk) recorder(q *ProtectRequest, seed rng.Seed, f *files) (*recorder, error) {
	if q.Signed != nil && q.Record == "" {
		return nil, usage(errors.New("who signs a release is said in the record of the run, and none is asked for"))
	}
	r, err := d.newRecorder(q.Record, q.SignKey, "protect", recordKey(seed), rng.Commitment(seed))
	if r == nil {
		return nil, err
	}
	f.sums = map[string]string{}
	if q.PlanOut == "" && q.SeedFile == "" && !seed.Short() {
		d.remark(Note{message.Say("told.key.made"), "record"})
	}
	return r, nil
}

// run is what the plan keeps.
func (r *recorder) run(q *ProtectRequest) json.RawMessage {
	said := q.Said.MapPaths(absolute)
	said.Version, said.Seed = 1, "" // a plan holds no seed
	made := run{Key: r.key, Policy: absolute(q.Policy), Said: *said, Release: filepath.Base(q.Release)}
	if q.SensitiveOut != "" {
		made.Sensitive = filepath.Base(q.SensitiveOut)
	}
	b, _ := json.Marshal(made) // texts always encode
	return b
}

func absolute(path string) string {
	if path == "" {
		return ""
	}
	if abs, err := filepath.Abs(path); err == nil {
		return abs
	}
	return path
}

// keyed is the digest of something confidential.
func (r *recorder) keyed(what, sum string) string { return record.Keyed(r.key.bytes(), what, sum) }

// step adds one.
func (r *recorder) step(s record.Step) { r.Steps = append(r.Steps, s) }

// read is the first step: what was read, of which all but the release is confidential.
func (r *recorder) read(original, released string, paths map[string]string) error {
	in := map[string]string{"original": r.keyed("original", original)}
	if released != "" {
		in["release"] = record.Plain(released)
	}
	for what, path := range paths {
		if path == "" || path == standardInput {
			continue
		}
		sum, err := sumOf(path)
		if err != nil {
			return err
		}
		in[what] = r.keyed(what, sum)
	}
	r.step(record.Step{Kind: "read", In: in})
	return nil
}

// sumOf is the SHA-256 of a file.
func sumOf(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// judged adds what was measured and what the limits came to. Names of measures are public, limits are not.
func (r *recorder) judged(o *study.Outcome, set *limit.Set) {
	taken, failed := map[string]bool{}, 0
	for k := range o.Measures {
		if m := &o.Measures[k]; !m.Err.Empty() && !m.Skip {
			failed++
		} else if m.Err.Empty() {
			taken[m.Name] = true
		}
	}
	r.step(record.Step{Kind: "measure", Counts: map[string]int{"figures": len(o.Measures), "failed": failed},
		Facts: map[string]string{"measures": strings.Join(slices.Sorted(maps.Keys(taken)), " ")}})
	r.gate(o.Verdict, set)
}

// gate is the step that judges.
func (r *recorder) gate(v *study.Verdict, set *limit.Set) {
	g := &v.Gate
	r.step(
		record.Step{
			Kind:  "judge",
			In:    map[string]string{"limits": r.keyed("limits", record.SumOf(record.Schema, set.Document()))},
			Facts: map[string]string{"verdict": string(v.State)},
			Counts: map[string]int{
				"limits":     g.Limits,
				"passed":     g.Passed,
				"failed":     g.Failed,
				"unproven":   g.Unproven,
				"not judged": len(g.NotJudged),
			},
		},
	)
}

// made adds how a release was made.
func (r *recorder) made(w *written, o *study.Outcome) {
	facts := map[string]string{"technique": o.Method.Name, "order": "random"}
	if w.r.KeepOrder {
		facts["order"] = "kept"
	}
	if o.ShortSeed {
		facts["seed"] = "short"
	}
	if w.p.Imputed != nil {
		facts["imputed"] = w.p.Imputed.Method
	}
	r.step(
		record.Step{
			Kind:   "protect",
			In:     map[string]string{"parameters": r.keyed("parameters", record.SumOf(record.Schema, w.params()))},
			Facts:  facts,
			Counts: map[string]int{"records": o.ReleasedFile.Rows, "columns": o.ReleasedFile.Columns},
		},
	)
}

// record adds the record of a release.
func (w *written) record(o *study.Outcome) error {
	own, q, f := *w.rec, w.q, w.files
	r := &own
	paths := map[string]string{
		"policy":        q.Policy,
		"plan":          q.Plan,
		"sensitive":     w.t.Policy.SensitiveFile,
		"quality model": w.t.Policy.IQM,
		"layout":        w.t.Policy.File.Layout,
	}
	trees := w.t.Policy.Hierarchies()
	for k, column := range slices.Sorted(maps.Keys(trees)) { // names of columns are not public
		paths[fmt.Sprintf("hierarchy %d", k+1)] = trees[column]
	}
	for k, path := range w.t.Policy.Shared {
		paths[fmt.Sprintf("shared %d", k+1)] = path
	}
	if err := r.read(o.OriginalFile.SHA256, "", paths); err != nil {
		return err
	}
	if w.by.step != nil {
		r.step(*w.by.step)
	}
	r.made(w, o)
	r.judged(o, w.limits)
	out := r.outputs(w)
	facts := map[string]string{"written": "yes"}
	if w.broken != nil {
		facts["written"] = "no"
	}
	r.step(record.Step{Kind: "write", Facts: facts, Out: out})
	if err := r.signed(q.Signed, o.Verdict.State, out["release"]); err != nil {
		return err
	}
	return r.add(f, q.Record)
}

// outputs are the digests of what is written: those of the public files as they are, the others keyed.
func (r *recorder) outputs(w *written) map[string]string {
	f, q := w.files, w.q
	out := map[string]string{}
	for what, path := range map[string]string{"release": w.places.Release, noiseModel: w.places.Law,
		sensitiveTable: w.places.Sensitive} {
		if s := f.sums[path]; path != "" && s != "" {
			out[what] = record.Plain(s)
		}
	}
	if s := f.sums[w.places.Plan]; s != "" {
		out["plan"] = r.keyed("plan", s)
	}
	if s := f.sums[q.Report]; s != "" && w.t.Policy.Public {
		out["report"] = record.Plain(s)
	} else if s != "" {
		out["report"] = r.keyed("report", s)
	}
	return out
}

// recorder begins the record of an evaluation. Its digests have the key that the plan keeps, where it keeps one,
// so that anyone who can check the record of the release can check this one.
func (b *paired) recorder(seed rng.Seed) (*recorder, error) {
	key := b.how.key()
	r, err := b.d.newRecorder(b.q.Record, b.q.SignKey, b.as.command, key, rng.Commitment(seed))
	if r == nil || !key.none() {
		return r, err
	}
	if r.key = recordKey(seed); b.q.SeedFile == "" {
		b.d.remark(Note{message.Say("told.key.compared"), "recordkey"})
	}
	return r, nil
}

// key is that of the digests of the record that was written with a plan.
func (p *plan) key() digestKey {
	var own run
	if p == nil || json.Unmarshal(p.file.Run, &own) != nil {
		return digestKey{}
	}
	return own.Key
}

// record adds the record of an evaluation.
func (w *weighed) record() error {
	if w.rec == nil {
		return nil
	}
	own, q, o := *w.rec, w.q, w.c.Outcome
	r := &own
	paths := map[string]string{"policy": q.Policy, "plan": q.Plan, "sensitive": w.t.Policy.SensitiveFile,
		"quality model": w.t.Policy.IQM, "layout": w.t.Policy.File.Layout, "holdout": q.Holdout,
		sensitiveTable: q.SensitiveTable}
	for k, path := range q.Said.Earlier {
		paths[fmt.Sprintf("earlier release %d", k+1)] = path
	}
	if err := r.read(o.OriginalFile.SHA256, o.ReleasedFile.SHA256, paths); err != nil {
		return err
	}
	r.judged(o, w.limits)
	if s := w.files.sums[q.Report]; s != "" && w.public {
		r.step(record.Step{Kind: "write", Out: map[string]string{"report": record.Plain(s)}})
	} else if s != "" {
		r.step(record.Step{Kind: "write", Out: map[string]string{"report": r.keyed("report", s)}})
	}
	return r.add(w.files, q.Record)
}

// add puts the file of the record among those that are made.
func (r *recorder) add(f *files, path string) error {
	data, err := r.Write(r.sign)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return f.add(path, func(w io.Writer) error { _, err := w.Write(data); return err })
}
