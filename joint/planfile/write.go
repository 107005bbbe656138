package planfile

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/dither-data/dither/internal/text/yamlfile"
	"github.com/dither-data/dither/joint"
)

// Format writes a plan with comments that explain it: what the protocol does, whom it is safe against and what it
// leaks, and what each key is. Parse reads the same plan back.
func Format(p *joint.Plan, q *joint.Protocol) []byte {
	w := &writer{}
	w.comment("A plan between parties: every party keeps the same file. dither joint run compares them, whatever their " +
		"comments and layout, before it reads any data.")
	w.line("version: %d", p.Version)
	w.comment(q.Title + ". " + q.Summary)
	w.comment(fmt.Sprintf("Safe against: %s parties. Parties that may pool what they saw: %s. What it leaks besides the "+
		"result: %s.", q.Threat, q.Survives, q.Leaks))
	w.comment("What users of the result learn: " + q.Exposes + ".")
	w.comment("Cost: " + q.Cost + ".")
	w.line("protocol: %s", yamlfile.Flow(p.Protocol))
	w.comment("Address is the host and port where the other parties reach it; one of two parties needs one. " +
		"Certificate is the fingerprint that dither joint keys prints.")
	w.line("parties:")
	for _, m := range p.Parties {
		w.line("  - name: %s", yamlfile.Flow(m.Name))
		for _, f := range [][2]string{{"role", m.Role}, {"address", m.Address}, {"certificate", m.Certificate}} {
			if f[1] != "" {
				w.line("    %s: %s", f[0], yamlfile.Flow(f[1]))
			}
		}
	}
	w.parameters(p, q)
	w.columns(p)
	w.comment("What is shown at least: no count below cell, no total of fewer contributors. Of a total of two, each can " +
		"see the other's part. Each party also refuses a run whose records differ from an earlier run's by fewer than cell.")
	w.line("least:")
	w.line("  cell: %d", p.Least.Cell)
	w.line("  contributors: %d", p.Least.Contributors)
	if p.Noise != nil {
		w.comment("Every party adds discrete Laplace noise to its part of each total, which makes all totals together " +
			"differentially private, with this epsilon, for each of its records (one more or less), whatever the others do. " +
			"Its run charges epsilon to its ledger before it draws. Totals are then not compared with least before they are " +
			"opened; nothing is shown where the number of records comes out below cell.")
		w.line("noise:")
		w.line("  epsilon: %s", yamlfile.Flow(p.Noise.Epsilon))
	}
	w.comment("Frame is the largest message in bytes, silence the seconds without a sign of a party after which it " +
		"counts as gone, total the seconds of the whole run.")
	w.line("limits:")
	w.line("  frame: %d", p.Limits.Frame)
	w.line("  silence: %d", p.Limits.Silence)
	w.line("  total: %d", p.Limits.Total)
	return []byte(w.b.String())
}

type writer struct{ b strings.Builder }

func (w *writer) line(format string, args ...any) { fmt.Fprintf(&w.b, format+"\n", args...) }

// comment writes a paragraph.
func (w *writer) comment(text string) {
	line := "#"
	for _, word := range strings.Fields(text) {
		if utf8.RuneCountInString(line)+utf8.RuneCountInString(word) >= 100 {
			w.line("%s", line)
			line = "#"
		}
		line += " " + word
	}
	w.line("%s", line)
}

func (w *writer) parameters(p *joint.Plan, q *joint.Protocol) {
	set := q.New().Params()
	if len(set) == 0 && len(p.Parameters) == 0 {
		return
	}
	for _, d := range set {
		w.comment(fmt.Sprintf("%s: %s (%s; default %v)", d.Name, d.Help, d.Range(), d.Default))
	}
	if len(p.Parameters) == 0 {
		w.line("parameters: {}")
		return
	}
	w.line("parameters:")
	for _, key := range slices.Sorted(maps.Keys(p.Parameters)) {
		w.line("  %s: %s", yamlfile.Flow(key), yamlfile.Flow(p.Parameters[key]))
	}
}

func (w *writer) columns(p *joint.Plan) {
	if len(p.Columns) == 0 {
		return
	}
	w.comment("Columns as all parties agreed them. Numbers lie from min to max and are counted with so many decimals; " +
		"values are the categories. Owner is the party that has the column, where not each has it. Role is key for what " +
		"tells people apart, and class for what is predicted.")
	w.line("columns:")
	for k := range p.Columns {
		c := &p.Columns[k]
		w.line("  - name: %s", yamlfile.Flow(c.Name))
		for _, f := range [][2]string{{"owner", c.Owner}, {"role", c.Role}} {
			if f[1] != "" {
				w.line("    %s: %s", f[0], yamlfile.Flow(f[1]))
			}
		}
		if c.Values != nil {
			w.line("    values: %s", yamlfile.Flow(c.Values))
			continue
		}
		if c.Role == joint.Key {
			continue
		}
		w.line("    min: %s", yamlfile.Flow(c.Min))
		w.line("    max: %s", yamlfile.Flow(c.Max))
		w.line("    decimals: %d", c.Decimals)
	}
}
