package report

import (
	"slices"

	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/study"
)

// Next says what to do with a release that was judged, the last line of a text. The files are those that were written.
func Next(o *study.Outcome, files []Made) message.Sentence {
	key, read := "withheld", pathOf(files, "report")
	helps := o.Verdict != nil &&
		slices.ContainsFunc(o.Verdict.Reasons, func(r study.Reason) bool { return len(r.Remedies) > 0 })
	switch {
	case o.Verdict != nil && o.Verdict.State == study.Withheld && !helps:
		key = "choose"
	case o.Verdict != nil && o.Verdict.State == study.Withheld && o.Method == nil:
		key = "elsewhere"
	case o.Verdict != nil && o.Verdict.State == study.Withheld:
	case o.Verdict != nil && o.Verdict.State == study.Unjudged && o.Verdict.Gate.Limits > 0 && helps:
		key = "open"
	case o.Verdict == nil || o.Verdict.State == study.Unjudged:
		key = "unjudged"
	case o.Verdict.State == study.WithCare:
		key = "care"
	case o.Verdict.State == study.Meets:
		key = "meets"
	}
	does := message.Say("next."+key).Part("release", releaseOf(o, files))
	if read != "" {
		does = message.Say("next.read").Name("report", read).Part("does", does)
	}
	return message.Say("next.line").Part("does", does)
}

// releaseOf is the release by the name of its file.
func releaseOf(o *study.Outcome, files []Made) message.Sentence {
	if path := pathOf(files, "release"); path != "" {
		return message.Name(Printable(path))
	}
	return fileOr(o.ReleasedFile, "screen.release")
}

// pathOf is the path of the file of a kind; empty where none was written.
func pathOf(files []Made, what string) string {
	for _, m := range files {
		if m.What == what {
			return Printable(m.Path)
		}
	}
	return ""
}
