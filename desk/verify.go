package desk

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/dither-data/dither/format"
	"github.com/dither-data/dither/internal/system/wholefile"
	"github.com/dither-data/dither/internal/text/spelling"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/record"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/table"
)

// VerifyRequest asks whether a record is as it was written, and whether files are those that it is about. Paths that
// are empty are not checked.
type VerifyRequest struct {
	Record   string // path
	Original string
	Release  string
	Plan     string
	SeedFile string
	Seed     string // in place of the file: a short seed (rng.ShortSeed)
	Key      string // the public key of who must have signed it, as ssh-keygen writes it
	// Files are paths of what else the run read, by what the record calls it: policy, sensitive, quality model, hierarchy
	// 1, limits, holdout, earlier release 1. Those that are not given are looked for where the plan says that they were,
	// then under their names beside the record and beside the plan.
	Files map[string]string
}

// Verdicts of a check.
const (
	Holds      = "holds"
	Fails      = "fails"
	NotChecked = "not checked"
)

// Checked is one thing that a record can be checked for.
type Checked struct {
	What   string        `json:"what"`
	Result string        `json:"result"` // Holds, Fails or NotChecked
	Why    message.Words `json:"why"`    // it fails or was not checked, or what holds
}

// Verification is what a record was checked for.
type Verification struct {
	Record *record.Record // nil for a file that is none
	Checks []Checked
}

// Count returns how many checks came to a result.
func (v *Verification) Count(result string) (n int) {
	for _, c := range v.Checks {
		if c.Result == result {
			n++
		}
	}
	return n
}

// Err is a *Mismatch where anything fails.
func (v *Verification) Err() error {
	for _, c := range v.Checks {
		if c.Result == Fails {
			return &Mismatch{c}
		}
	}
	return nil
}

// Mismatch is the error for a record that does not hold.
type Mismatch struct{ Checked }

// Error is one line.
func (m *Mismatch) Error() string {
	return "the record does not hold: " + m.What + ": " + m.Why.String()
}

// verifying is a verification in the making.
type verifying struct {
	Verification
	q    *VerifyRequest
	keys []digestKey // that its digests may have
	how  *plan       // nil where none is given
	run  *run        // what the plan keeps of the run; nil where it keeps nothing
	sums map[string]string
	at   places
}

// Verify checks a record: its form, its chain and its signature, what a person signed, the files that are given, and,
// with the original, the release, the plan and the seed, that the same release comes out again. What is not checked is
// named, with what it takes. Cost: reading the files, and that of the technique.
func (d *Desk) Verify(ctx context.Context, q VerifyRequest) (*Verification, error) {
	f := &files{reads: []string{q.Record, q.Original, q.Release, q.Key}, plan: []string{q.Plan, q.SeedFile}}
	f.reads = slices.AppendSeq(f.reads, maps.Values(q.Files))
	if err := d.check(f); err != nil {
		return nil, err
	}
	data, err := wholefile.Read(q.Record)
	if err != nil {
		return nil, err
	}
	q.Files = renamed(q.Files)
	v := &verifying{q: &q, sums: map[string]string{}}
	o := record.Open(data)
	v.Record = o.Record
	v.opened(o)
	if o.Record == nil {
		return &v.Verification, nil
	}
	if err := v.signer(o); err != nil {
		return nil, err
	}
	v.signings(o.Signed)
	if err := v.secrets(); err != nil {
		return nil, err
	}
	if err := v.files(); err != nil {
		return nil, err
	}
	return &v.Verification, v.again(ctx, d)
}

func (v *verifying) add(what, result string, why message.Sentence) {
	v.Checks = append(v.Checks, Checked{what, result, message.Words{Sentence: why}})
}

// test adds a check that was made.
func (v *verifying) test(what string, ok bool, wrong message.Sentence) {
	if ok {
		v.add(what, Holds, message.Sentence{})
	} else {
		v.add(what, Fails, wrong)
	}
}

// opened adds what the file itself shows.
func (v *verifying) opened(o *record.Opened) {
	var chain, signature []message.Sentence
	for _, f := range o.Faults {
		if f.Part == "signature" || f.Part == "envelope" && o.Record != nil {
			signature = append(signature, message.Text(f.Error()))
		} else {
			chain = append(chain, message.Text(f.Error()))
		}
	}
	if o.Record == nil {
		v.add("form", Fails, message.Apart(chain))
		return
	}
	v.add("form", Holds, message.Say("verified.canonical"))
	v.test("chain", chain == nil, message.Apart(chain))
	switch {
	case signature != nil:
		v.add("signature", Fails, message.Apart(signature))
	case o.Signer == "":
		v.add("signature", NotChecked, message.Say("verified.unsigned"))
	default:
		v.test("signature", o.Signed, message.Say("verified.otherSigned"))
	}
}

// signer checks who signed.
func (v *verifying) signer(o *record.Opened) error {
	switch {
	case v.q.Key == "" && o.Signer == "":
		return nil
	case v.q.Key == "":
		v.add("signer", NotChecked, message.Say("verified.whoseKey").Name("key", o.Fingerprint()))
		return nil
	}
	data, err := wholefile.Read(v.q.Key)
	if err != nil {
		return err
	}
	key, err := record.ParsePublic(data)
	if err != nil {
		return fmt.Errorf("%s: %w", v.q.Key, err)
	}
	v.test("signer", o.Signed && o.By(key), message.Say("verified.otherKey"))
	return nil
}

// seed is the one that is given.
func (q *VerifyRequest) seed() (rng.Seed, error) {
	switch {
	case q.Seed == "":
		return readSeed(q.SeedFile)
	case q.SeedFile != "":
		return rng.Seed{}, usage(errTwoSeeds)
	}
	return shortSeed(q.Seed)
}

// secrets reads the seed and the plan, which have the key of the digests.
func (v *verifying) secrets() error {
	if v.q.Plan != "" {
		how, err := readPlan(v.q.Plan)
		if err != nil {
			return err
		}
		v.how = how
		if key := how.key(); !key.none() {
			v.run, v.keys = &run{}, append(v.keys, key)
			_ = json.Unmarshal(how.file.Run, v.run) // it has a key, so it was read once
		}
	}
	const what = "seed"
	if v.q.SeedFile == "" && v.q.Seed == "" {
		v.add(what, NotChecked, message.Say("verified.asked.seed"))
		return nil
	}
	seed, err := v.q.seed()
	if err != nil {
		return err
	}
	v.keys = append(v.keys, recordKey(seed))
	v.test(what, rng.Commitment(seed) == v.Record.Commitment, message.Say("verified.otherSeed"))
	return nil
}

// files compares digests. Where one thing occurs twice, as a plan that was applied and written again, either will do.
func (v *verifying) files() error {
	digests := v.digests()
	given := map[string]string{"original": v.q.Original, "release": v.q.Release, "plan": v.q.Plan}
	for what := range v.q.Files {
		if _, main := given[what]; main || digests[what] == nil {
			return usage(
				fmt.Errorf("--file %s: the record names no such file%s", what,
					spelling.Hint(what, slices.Collect(maps.Keys(digests)))),
			)
		}
	}
	v.locate()
	for _, what := range slices.Sorted(maps.Keys(digests)) {
		path, sum := given[what], ""
		if path == "" {
			path = v.at.path[what]
		}
		var err error
		switch {
		case what == "parameters" && v.how != nil:
			sum = record.SumOf(v.Record.Schema, v.how.file.Params)
		case what == limitsOfRun:
			continue // they stand in the policy, too, which comes later
		case path == "":
			v.add(what, NotChecked, v.asked(what))
			continue
		default:
			sum, err = sumOf(path)
		}
		if err != nil {
			return err
		}
		v.sums[what] = sum
		v.digest(what, sum, digests[what])
	}
	if err := v.limits(digests[limitsOfRun]); err != nil {
		return err
	}
	for _, what := range slices.Sorted(maps.Keys(given)) {
		if given[what] != "" && digests[what] == nil {
			v.add(what, Fails, message.Say("verified.none"))
		}
	}
	return nil
}

// noiseModel is what a record calls the noise model of a release, and law what it was called in older ones.
const (
	noiseModel = "noise model"
	law        = "law"
)

// renamed are things by their names, that of an older record among them.
func renamed[T any](by map[string]T) map[string]T {
	of, old := by[law]
	if _, is := by[noiseModel]; !old || is {
		return by
	}
	by = maps.Clone(by)
	delete(by, law)
	by[noiseModel] = of
	return by
}

// digests are those in the record, by what they are of. What somebody signs is held against the record itself.
func (v *verifying) digests() map[string][]string {
	out := map[string][]string{}
	for _, s := range v.Record.Steps {
		if s.Kind == signStep {
			continue
		}
		for _, m := range []map[string]string{renamed(s.In), renamed(s.Out)} {
			for what, digest := range m {
				out[what] = append(out[what], digest)
			}
		}
	}
	return out
}

// asked says what it takes to check something.
func (v *verifying) asked(what string) message.Sentence {
	switch what {
	case "original", "release", "plan":
		return message.Text("--" + what + " FILE")
	case "parameters":
		return message.Say("verified.asked.plan")
	}
	switch {
	case !v.at.lost[what].Empty():
		return v.at.lost[what]
	case v.run == nil && readBy(what):
		return message.Say("verified.asked.fileOrPlan").Name("what", what)
	}
	return message.Say("verified.asked.file").Name("what", what)
}

// digest compares one.
func (v *verifying) digest(what, sum string, digests []string) {
	ok, keyed := false, false
	for _, d := range digests {
		if keyed = keyed || strings.HasPrefix(d, "hmac-"); d == record.Plain(sum) {
			ok = true
		}
		for _, key := range v.keys {
			ok = ok || d == record.Keyed(key.bytes(), what, sum)
		}
	}
	if keyed && !ok && len(v.keys) == 0 {
		v.add(what, NotChecked, message.Say("verified.keyed"))
		return
	}
	if !ok && v.at.guessed[what] != "" {
		v.add(what, NotChecked, message.Say("verified.guessed").Name("file", v.at.guessed[what]).Name("what", what))
		return
	}
	v.test(what, ok, message.Say("verified.other"))
}

// again makes the release again and compares bytes.
func (v *verifying) again(ctx context.Context, d *Desk) error {
	const what = "same release again"
	var lack []string
	for _, p := range []struct{ flag, path string }{{"--original", v.q.Original}, {"--release", v.q.Release},
		{"--plan", v.q.Plan}, {"--seed-file", cmp.Or(v.q.SeedFile, v.q.Seed)}} {
		if p.path == "" {
			lack = append(lack, p.flag+" FILE")
		}
	}
	switch {
	case v.Record.Command != "protect":
		v.add(what, NotChecked, message.Say("verified.noRelease"))
		return nil
	case lack != nil:
		v.add(what, NotChecked, message.Listed(message.Texts(lack)))
		return nil
	case v.run == nil:
		v.add(what, NotChecked, message.Say("verified.noRun"))
		return nil
	case v.Err() != nil:
		v.add(what, NotChecked, message.Say("verified.above"))
		return nil
	}
	for _, c := range v.Checks {
		if readBy(c.What) && c.Result != Holds {
			v.add(what, NotChecked, message.Say("verified.because").Text("what", c.What).Part("why", c.Why.Sentence))
			return nil
		}
	}
	same, err := d.remade(ctx, v)
	if err != nil {
		return err
	}
	wrong := message.Say("verified.bytes.other")
	if v.Record.Program != d.Version {
		wrong = message.Say("verified.bytes.version").Text("of", v.Record.Program).Text("this", d.Version)
	}
	v.test(what, same, wrong)
	return nil
}

// remade reports whether the plan makes the same release of the original, byte by byte.
func (d *Desk) remade(ctx context.Context, v *verifying) (bool, error) {
	quiet := *d
	quiet.Note = nil
	l, err := quiet.told(ctx, reader{Source: v.run.source(v.q.Original), kept: v.how.reading()})
	if err != nil {
		return false, err
	}
	l.unlisted(v.how)
	pol := l.Policy
	r := study.Request{
		Method:       v.how.method,
		Plan:         v.how.Plan,
		Restated:     v.how.file.Restated,
		Imputed:      v.how.file.Imputed,
		KeepOrder:    pol.KeepOrder,
		Recur:        v.how.file.Recurs != "",
		Keep:         pol.Kept(),
		Pseudonymise: pol.Pseudonymised(),
		RoundWeights: pol.RoundWeights,
	}
	if r.DatesShift, err = study.ParseDateShift(pol.DatesShift); err != nil {
		return false, err
	}
	if r.Seed, err = v.q.seed(); err != nil {
		return false, err
	}
	if pol.BlankLookups {
		r.Blank, r.Besides = l.blanks(), l.Readings()
	}
	made, err := quiet.made(ctx, r, l)
	if err != nil {
		return false, err
	}
	out, opt, err := quiet.output(v.run.Release, l, made)
	if err != nil {
		return false, err
	}
	if v.run.Sensitive != "" {
		var sensitive *table.Table
		if out, sensitive, err = remadeTwo(made, out, l.Hierarchies); err != nil {
			return false, err
		}
		sum, err := writtenSum(ctx, v.run.Sensitive, sensitive, opt)
		if err != nil || !slices.Contains(v.digests()[sensitiveTable], record.Plain(sum)) {
			return false, err
		}
	}
	sum, err := writtenSum(ctx, v.run.Release, out, opt)
	return sum == v.sums["release"], err
}

// writtenSum is the SHA-256 of a file of a table, whose name says the format.
func writtenSum(ctx context.Context, path string, t *table.Table, opt format.Options) (string, error) {
	h, name := sha256.New(), filepath.Base(path)
	if name == standardOutput {
		name = "txt"
	}
	if err := format.WriteTo(ctx, h, name, t, opt); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// VerifyDocument is what a record was checked for. It holds nothing confidential.
type VerifyDocument struct {
	Schema  string         `json:"schema"`
	Version string         `json:"version"`    // of the program
	Result  string         `json:"result"`     // PASS or FAIL
	Holds   int            `json:"holds"`      // how many checks hold
	Fails   int            `json:"fails"`      // how many do not
	Open    int            `json:"notChecked"` // how many could not be checked with what was given
	Checks  []Checked      `json:"checks"`
	Record  *record.Record `json:"record"` // what the file holds; null for a file that is no record
}

// Document is what was checked, by this version of the program.
func (v *Verification) Document(version string) VerifyDocument {
	return VerifyDocument{
		schemaOf("verify"),
		version,
		v.Result(),
		v.Count(Holds),
		v.Count(Fails),
		v.Count(NotChecked),
		v.Checks,
		v.Record,
	}
}

// Result is PASS or FAIL.
func (v *Verification) Result() string {
	if v.Count(Fails) > 0 {
		return "FAIL"
	}
	return "PASS"
}
