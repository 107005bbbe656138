package desk

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/dither-data/dither/limit"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/policy"
	"github.com/dither-data/dither/record"
)

// This file finds what a run read besides the original, where it was or where it was moved to.

// limitsOfRun is what a record calls what the release had to keep.
const limitsOfRun = "limits"

// readBy reports whether a release depends on a file that a record calls so.
func readBy(what string) bool {
	return what == "policy" || what == "sensitive" || what == "quality model" || strings.HasPrefix(what, "hierarchy ")
}

// places are where files are, by what the record calls them.
type places struct {
	path map[string]string
	// of those of which nobody said that they are these: by their name, or of the run before an evaluation
	guessed map[string]string
	lost    map[string]message.Sentence // why there is none
}

// locate finds the files, and lets the run read the policy, the hierarchies and the others where they are now.
func (v *verifying) locate() {
	v.at = places{map[string]string{}, map[string]string{}, map[string]message.Sentence{}}
	maps.Copy(v.at.path, v.q.Files)
	if v.run == nil {
		return
	}
	v.run.Policy = v.find("policy", v.run.Policy)
	said, p := &v.run.Said, v.policy()
	said.SensitiveFile, said.IQM = v.find("sensitive", p.SensitiveFile), v.find("quality model", p.IQM)
	said.File.Layout = v.find("layout", p.File.Layout)
	trees := p.Hierarchies()
	said.Columns = maps.Clone(said.Columns)
	for k, column := range slices.Sorted(maps.Keys(trees)) {
		if said.Columns == nil {
			said.Columns = map[string]policy.Column{}
		}
		c := said.Columns[column]
		c.Hierarchy = v.find(fmt.Sprintf("hierarchy %d", k+1), trees[column])
		said.Columns[column] = c
	}
	if p.Limits != "" && !slices.Contains(limit.Names(), p.Limits) {
		said.Limits = v.find(limitsOfRun, p.Limits)
	}
}

// policy is that of the run, without the file where this cannot be read.
func (v *verifying) policy() *policy.Policy {
	s := v.run.source("")
	p, err := s.policy()
	if err != nil {
		return &v.run.Said
	}
	return p
}

// find returns where a file is: where it is said to be, where it was, or under its name beside the record or the plan;
// empty where it is nowhere.
func (v *verifying) find(what, was string) string {
	if was == "" || v.at.path[what] != "" {
		return v.at.path[what]
	}
	for k, path := range []string{was, filepath.Join(filepath.Dir(v.q.Record), filepath.Base(was)),
		filepath.Join(filepath.Dir(v.q.Plan), filepath.Base(was))} {
		if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
			continue
		}
		if v.at.path[what] = path; k > 0 || v.Record.Command != "protect" {
			v.at.guessed[what] = path
		}
		return path
	}
	v.at.lost[what] = message.Say("verified.lost").Name("what", what)
	return ""
}

// limits checks what the release had to keep, by the plan, the policy and the file of limits.
func (v *verifying) limits(digests []string) error {
	const what = limitsOfRun
	switch {
	case digests == nil:
		return nil
	case v.Record.Command != "protect":
		v.add(what, NotChecked, message.Say("verified.limits.unkept"))
		return nil
	case v.Record.Schema != record.Schema:
		v.add(what, NotChecked, message.Say("verified.limits.schema").Name("old", v.Record.Schema).
			Name("new", record.Schema))
		return nil
	case v.run == nil:
		v.add(what, NotChecked, message.Say("verified.limits.plan"))
		return nil
	case !v.at.lost[what].Empty():
		v.add(what, NotChecked, v.at.lost[what])
		return nil
	}
	for _, c := range v.Checks {
		if c.What == "policy" && c.Result != Holds {
			v.add(what, NotChecked, message.Say("verified.because").Text("what", c.What).Part("why", c.Why.Sentence))
			return nil
		}
	}
	set, err := limitsOf(v.policy())
	if err != nil && v.at.guessed[what] != "" {
		v.add(what, NotChecked, message.Say("verified.limits.file").Name("file", v.at.guessed[what]))
		return nil
	}
	if err != nil {
		return err
	}
	v.digest(what, record.SumOf(v.Record.Schema, set.Document()), digests)
	return nil
}
