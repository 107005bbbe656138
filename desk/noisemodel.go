package desk

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/dither-data/dither/catalog"
	"github.com/dither-data/dither/internal/system/wholefile"
	"github.com/dither-data/dither/mine"
	"github.com/dither-data/dither/noisemodel/modelfile"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/table"
)

// publishing returns the names of the techniques whose law can be published.
func publishing() (out []string) {
	for _, m := range catalog.Methods() {
		if slices.Contains(m.Claims, protect.Publishes) {
			out = append(out, m.Name)
		}
	}
	return out
}

// publishes refuses a law of a technique that has none to publish, and of a release that differs from what its law
// says.
func (q *ProtectRequest) publishes(m protect.Method, blank bool) error {
	switch {
	case q.NoiseModelOut == "" || m.Name == "":
		return nil
	case !slices.Contains(m.Claims, protect.Publishes):
		return usage(
			fmt.Errorf("%s has no noise model to publish: %s; techniques that have one: %s", m.Name, m.Unpublished(),
				strings.Join(publishing(), ", ")),
		)
	case blank:
		return usage(errors.New("a release with blanked cells does not follow its noise model; drop either " +
			"--blank-lookups or --noise-model-out"))
	}
	return nil
}

// lawOf returns the law of a release that was made, nil where its technique publishes none: the parts of the plan, and
// of every record how many items its original has where estimates need it.
func lawOf(method string, made *study.Protected) (*modelfile.Model, error) {
	p, ok := made.Plan.(protect.Published)
	if !ok {
		return nil, nil
	}
	parts, err := p.Published()
	if err != nil {
		return nil, err
	}
	l := &modelfile.Model{
		Method:  method,
		Release: modelfile.Release{Records: made.Output.Rows()},
		Parts:   slices.Clone(parts),
	}
	for k := range l.Parts {
		if s := l.Parts[k].Sizes; s != nil {
			own := *s
			own.Records = sizes(made.Original, made.Output, l.Parts[k].Columns[0])
			l.Parts[k].Sizes = &own
		}
	}
	return l, nil
}

// sizes returns how many items the original of every record of a release has in a column; -1 where they are missing.
func sizes(original, released *table.Table, column string) []int {
	at := make(map[table.RecordID]int, original.Rows())
	for i := range original.Rows() {
		at[original.ID(i)] = i
	}
	sets, out := original.Sets(original.Find(column)), make([]int, released.Rows())
	for i := range out {
		row := at[released.ID(i)]
		if out[i] = len(sets.Present.Row(row)); sets.MissingAt(row) {
			out[i] = -1
		}
	}
	return out
}

// keptOf returns the column of a law that the policy keeps, so that it is released as it is; empty where there is none.
func keptOf(l *modelfile.Model, keep []string) string {
	for _, p := range l.Parts {
		for _, name := range p.Columns {
			if slices.Contains(keep, name) {
				return name
			}
		}
	}
	return ""
}

// lawOf returns the law of a release for its files, the plan and the one that is published; nil where it has none and
// none was asked for.
func (s *settled) lawOf(p *study.Protected) (*modelfile.Model, error) {
	l, err := lawOf(s.r.Method.Name, p)
	switch asked := s.q.NoiseModelOut != ""; {
	case !asked && (err != nil || l == nil):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("%s: there is no noise model to publish: %w", s.r.Method.Name, err)
	case keptOf(l, s.r.Keep) != "" && asked:
		return nil, fmt.Errorf("%s: column %q is kept unchanged, so the release does not follow its noise model; "+
			"name it in the parameter \"except\"",
			s.r.Method.Name, keptOf(l, s.r.Keep))
	case p.Imputed != nil && asked:
		return nil, errors.New("what is imputed does not follow the noise model, so there is none to publish: leave out " +
			"the imputation (impute)")
	case keptOf(l, s.r.Keep) != "" || p.Imputed != nil || s.t.Policy.BlankLookups || s.r.RoundWeights > 0:
		return nil, nil
	}
	return l, nil
}

// writeLaw writes the law of the release, whose file has that SHA-256, and returns it; nil where there is none.
func (j *judged) writeLaw(sum string) (*modelfile.Model, error) {
	if j.law == nil {
		return nil, nil
	}
	l := *j.law
	l.Release.SHA256 = sum
	data, err := modelfile.Encode(l)
	if err != nil {
		return nil, err
	}
	return &l, j.files.add(j.q.NoiseModelOut, func(w io.Writer) error { _, err := w.Write(data); return err })
}

// readLaw reads the law of a release: a file of it, or the plan that the release was made by.
func readLaw(law, plan string) (*modelfile.Model, error) {
	if law != "" {
		data, err := wholefile.Read(law)
		if err != nil {
			return nil, err
		}
		l, err := modelfile.Decode(data)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", law, err)
		}
		return l, nil
	}
	how, err := readPlan(plan)
	if err != nil {
		return nil, err
	}
	if how.file.Law == nil {
		return nil, usage(fmt.Errorf("%s: the plan has no noise model that can be published; techniques that have "+
			"one: %s", plan, strings.Join(publishing(), ", ")))
	}
	return how.file.Law, nil
}

// ofRelease refuses the law of another release.
func ofRelease(law *modelfile.Model, l *Loaded) error {
	if sum := law.Release.SHA256; sum != "" && sum != l.File.SHA256 {
		return usage(fmt.Errorf("%s: the noise model belongs to another release: the SHA-256 is not that of the "+
			"file it was written with", l.File.Name))
	}
	return nil
}

// byLaw tells a learner the law in a file, or of a plan, where one is given. It refuses a law that the learner would
// not look at, and a learner of releases without one.
func byLaw(miner mine.Miner, learner mine.Learner, file, plan string) (*modelfile.Model, error) {
	by, ok := learner.(mine.LawLearner)
	switch given := file != "" || plan != ""; {
	case given && !ok:
		return nil, usage(
			fmt.Errorf("%s does not use noise models; miners that do: %s", miner.Name, strings.Join(lawMiners(), ", ")),
		)
	case !given && ok && by.NeedsLaw():
		return nil, usage(fmt.Errorf("%s learns from a release with its noise model, the file written by protect "+
			"--noise-model-out; name it with --noise-model", miner.Name))
	case !given:
		return nil, nil
	}
	law, err := readLaw(file, plan)
	if err == nil {
		by.ByLaw(law)
	}
	return law, err
}

// lawMiners returns the names of the miners that learn by a law.
func lawMiners() (out []string) {
	for _, m := range catalog.Miners() {
		if _, ok := m.New().(mine.LawLearner); ok {
			out = append(out, m.Name)
		}
	}
	return out
}
