package main

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/dither-data/dither/desk"
	"github.com/dither-data/dither/internal/text/numfmt"
	"github.com/dither-data/dither/tools/internal/rerun"
)

// What is hidden in the walk through the hiding techniques, what must be kept there, and what the table is for.
const (
	secrets = "diagnosis=asthma=>readmitted=no\nadmission=emergency,diagnosis=hip fracture=>readmitted=no\n" +
		"region=north,admission=emergency=>readmitted=no\n"

	hidingLimits = "name: hiding\nsource: the owner of the rules\nlimits:\n  - {measure: patterns, max: 0}\n  - " +
		"{measure: hidingfailure, max: 0}\n"

	hospital = `asset:
  bed planning:
    weight: 0.6
    attributes: {admission: {aw: 0.3, cw: 0.3}, diagnosis: {aw: 0.4, cw: 0.4}, days: {aw: 0.3, cw: 0.3}}
    constraints:
      a bed is used: {on: days, expr: "days >= 1", weight: 0.5}
    complex:
      planned or short: {op: or, weight: 0.5, of: [{on: admission, expr: 'admission = "planned"'}, {on: days, expr: "days <= 14"}]}
  readmissions:
    weight: 0.4
    attributes: {readmitted: {aw: 0.5, cw: 0.5}, diagnosis: {aw: 0.25, cw: 0.25}, smoking: {aw: 0.25, cw: 0.25}}
`
)

// The walk's table, and from where on a rule of it can be found.
const (
	walked          = 10_000
	leastSupport    = "0.06"
	leastConfidence = "0.6"
)

// walk goes through the three steps of Nai Fovino & Masera (2008, section 6.1) for the techniques that hide, and for
// those that perturb.
func (w work) walk(ctx context.Context, p *rerun.Page) error {
	at := func(name string) string { return filepath.Join(w.dir, name) }
	for name, text := range map[string]string{"rules.txt": secrets, "hiding.yaml": hidingLimits,
		"purposes.yaml": hospital} {
		if err := os.WriteFile(at(name), []byte(text), 0o600); err != nil {
			return err
		}
	}
	if _, err := (&desk.Desk{}).Generate(ctx,
		desk.GenerateRequest{Name: "patients", Rows: walked, Output: at("patients.csv"), SeedFile: w.seed,
			Overwrite: true}); err != nil {
		return err
	}
	q := w.ask(at("patients.csv"), "readmitted", nil)
	q.Said.SensitiveFile, q.Said.Limits, q.Said.IQM, q.Fixed = at(
		"rules.txt",
	), at(
		"hiding.yaml",
	), at(
		"purposes.yaml",
	), map[string]string{
		"support":    leastSupport,
		"confidence": leastConfidence,
	}
	hiding, err := (&desk.Desk{}).Choose(ctx, q)
	if hiding == nil {
		return err
	}
	fmt.Fprintf(p, "\n## The three steps, for rules that are to be hidden\n\nNai Fovino & Masera (2008, section 6.1) "+
		"choose in three steps: test interesting techniques by general parameters and keep the acceptable ones; take test "+
		"data with the "+
		"characteristics of the target; rank what is left by the quality of the data for the owner's purposes. They walk "+
		"through it with techniques that hide association rules, on a made-up table of a hospital. So does this: %s "+
		"records of "+
		"`dither generate patients`, in which three rules on readmission must not be found with a support of %s and a "+
		"confidence of %s. An information quality model says what the table is for: bed planning (0.6) needs admission, "+
		"diagnosis and days, "+
		"and two constraints; studies of readmission (0.4) need readmission, diagnosis and smoking. The command is `dither "+
		"choose patients.csv --class readmitted --sensitive rules.txt --limits hiding.yaml --iqm purposes.yaml --set "+
		"support=%s --set confidence=%s -o release.csv`.\n",
		numfmt.Count(walked), leastSupport, leastConfidence, leastSupport, leastConfidence)
	steps(p, hiding)
	q = w.ask(at("patients.csv"), "readmitted", nil)
	q.Said.IQM = at("purposes.yaml")
	table, err := (&desk.Desk{}).Choose(ctx, q)
	if table == nil {
		return err
	}
	p.WriteString("\n## The three steps, for a table\n\nThe same table and purposes, with no patterns to hide, only " +
		"people: the default limits apply. The command is `dither choose patients.csv --class readmitted --iqm " +
		"purposes.yaml -o release.csv`. Columns that no purpose needs cost nothing, so list every purpose.\n")
	steps(p, table)
	return nil
}

// steps prints what each of the three steps found.
func steps(p *rerun.Page, c *desk.Chosen) {
	candidates(p, c)
	performance(p, c)
	fmt.Fprintf(p, "\n**2. Data like yours.** Trials are made on %s of the table's %s records.\n",
		numfmt.Count(float64(c.Tried)), numfmt.Count(float64(c.Records)))
	deficits(p, c)
	outcome(p, c)
}

// candidates prints which techniques were tried, and which are over a limit.
func candidates(p *rerun.Page, c *desk.Chosen) {
	broke, unusable := map[string][]string{}, 0
	for _, x := range c.Rejected {
		switch {
		case x.Demand != nil:
			by := fmt.Sprintf("%s by %.3g", c.Candidates[x.Candidate].Name, x.By)
			broke[x.Demand.Measure] = append(broke[x.Demand.Measure], by)
		case x.NotHere:
			unusable++
		}
	}
	fmt.Fprintf(p, "\n**1. Candidates.** %d were tried with their strongest noise; of these %d cannot be used here. "+
		"Over a limit, at the worse end of the interval:\n\n", len(c.Candidates), unusable)
	for _, name := range slices.Sorted(maps.Keys(broke)) {
		fmt.Fprintf(p, "- %s: %s\n", name, strings.Join(broke[name], ", "))
	}
	if len(broke) == 0 {
		p.WriteString("- nobody\n")
	}
}

// performance prints how the techniques that lose least work on this machine.
func performance(p *rerun.Page, c *desk.Chosen) {
	p.WriteString("\nPerformance of those that lose least: seconds are processor time and differ from run to run; the " +
		"slope, with its 95 % interval, says how they grow with the records.\n\n| technique | seconds | slope | declared " +
		"cost | memory | hiding failure | level of privacy |\n|---|--:|--:|---|--:|--:|--:|\n")
	for _, o := range c.Operating {
		fmt.Fprintf(
			p,
			"| %s | %.2g | %s | %s | %.0f MB | %s | %s |\n",
			c.Candidates[o.Setting.Candidate].Name,
			o.Seconds,
			slope(o.Slope, o.Lo, o.Hi),
			strings.ReplaceAll(o.Declared, "|", "\\|"),
			o.Allocated/1e6,
			figure(o.HidingFailure),
			figure(o.Level),
		)
	}
}

// deficits prints what the best of the ranking lose, by aspect, and how many lose more at any noise level.
func deficits(p *rerun.Page, c *desk.Chosen) {
	p.WriteString("\n**3. By purpose.** Deficits, in per cent, of those that lose least:\n\n| technique | loses |")
	for _, a := range c.Aspects {
		fmt.Fprintf(p, " %s |", strings.TrimPrefix(a.Name, "iqm-"))
	}
	p.WriteString(" first of all weights |\n|---|--:|" + strings.Repeat("--:|", len(c.Aspects)) + "--:|\n")
	for _, o := range c.Ranking[:min(6, len(c.Ranking))] {
		fmt.Fprintf(p, "| %s | %.2f |", c.Candidates[o.Candidate].Name, 100*o.Total)
		for k := range c.Aspects {
			fmt.Fprintf(p, " %.2f |", 100*o.Losses[k])
		}
		fmt.Fprintf(p, " %s |\n", numfmt.Percent(o.Share))
	}
	outdone := 0
	for _, x := range c.Rejected {
		if x.Demand == nil && !x.NotHere && x.Outdone {
			outdone++
		}
	}
	if outdone > 0 {
		fmt.Fprintf(p, "\n%s more meet the limits, or may, and lose more at any noise level.\n",
			numfmt.Count(float64(outdone)))
	}
}

// outcome prints what was chosen, and what follows.
func outcome(p *rerun.Page, c *desk.Chosen) {
	if c.Chosen != nil {
		fmt.Fprintf(p, "\nChosen and confirmed: %s, which loses %.2f %%. ",
			c.Candidates[c.Chosen.Candidate].Name, 100*c.Chosen.Total)
	} else {
		p.WriteString("\nNothing is chosen. ")
	}
	p.WriteString(strings.Join(c.Told().Consequences(), " ") + "\n")
}

func slope(v, lo, hi float64) string {
	if v != v {
		return "–"
	}
	return fmt.Sprintf("%.2f (%.2f to %.2f)", v, lo, hi)
}

func figure(v float64) string {
	if v != v {
		return "–"
	}
	return fmt.Sprintf("%.3f", v)
}
