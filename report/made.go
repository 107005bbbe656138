package report

import (
	"fmt"
	"strings"

	"github.com/dither-data/dither/message"

	"github.com/dither-data/dither/document"
	"github.com/dither-data/dither/study"
)

// madeOf is the section on how the release came about, for those who check the report.
func madeOf(o *study.Outcome, opt Options) *document.Section {
	var blocks []document.Block
	if o.Method != nil {
		blocks = append(blocks, part(message.Say("made.technique"), document.Facts{Items: methodFacts(o, opt.Public)}))
	}
	origin := document.Facts{Look: "hash", Items: []document.Fact{{Name: message.Text("dither"),
		Says: orUnknown(o.Version)}}}
	if !opt.Public {
		if n := message.AllWhole(o.Notes); n != nil {
			blocks = append(blocks, part(message.Say("made.remarks"), document.List{Items: n}))
		}
		if o.Params != nil {
			t := document.Table{Title: message.Say("made.parameters"), Look: "narrow",
				Columns: columns("made.parameter", "name", "value n")}
			for _, v := range o.Params {
				t.Rows = append(t.Rows, row(message.Text(v.Name), message.Text(strings.TrimSpace(parameter(v.Value)+" "+v.Unit))))
			}
			blocks = append(blocks, part(t.Title, t))
		}
		if o.Commitment != "" {
			origin.Items = append(origin.Items, document.Fact{Name: message.Say("made.commitment"),
				Says: message.Text(o.Commitment)})
		}
	}
	blocks = append(blocks, part(message.Say("made.files"), filesOf(o, opt.Public), origin))
	s := &document.Section{Key: "made", Title: message.Say("made.title"),
		Blocks: []document.Block{fold(message.Say("made.fold"), blocks...)}}
	if !opt.Public {
		s.Blocks = append(s.Blocks, prose("note", message.Say("made.internal")))
	}
	return s
}

// methodFacts says what the technique does to the data, in the card's words.
func methodFacts(o *study.Outcome, public bool) (out []document.Fact) {
	c := o.Method
	all := [][2]string{{"technique", c.Title}, {"source", c.Paper}, {"preserves", c.Preserves}, {"biases", c.Biases},
		{"missing", c.Missing}}
	if !public {
		all = append(all, [2]string{"exposes", c.Exposes}, [2]string{"cost", c.Cost})
	}
	for _, f := range all {
		if f[1] != "" {
			out = append(out, document.Fact{Name: message.Say("made.method." + f[0]), Says: message.Text(f[1])})
		}
	}
	return out
}

// filesOf lists the tables; that of a withheld release is none that was released.
func filesOf(o *study.Outcome, public bool) document.Table {
	t := document.Table{Title: message.Say("made.tables"),
		Columns: columns("made.file", "table", "name", "records n", "columns n", "hash")}
	add := func(what string, f study.File, name message.Sentence) {
		r := row(message.Say("made.of."+what), name, message.Count(f.Rows), message.Count(f.Columns),
			message.Text(f.SHA256))
		r.Cells[4].Look = "hash"
		t.Rows = append(t.Rows, r)
	}
	if !public {
		add("original", o.OriginalFile, fileName(o.OriginalFile))
	}
	switch {
	case unwritten(o):
		add("withheld", o.ReleasedFile, message.Say("made.unwritten"))
	case withheld(o):
		add("toWithhold", o.ReleasedFile, fileName(o.ReleasedFile))
	default:
		add("released", o.ReleasedFile, fileName(o.ReleasedFile))
	}
	if o.HoldoutFile != nil && !public {
		add("holdout", *o.HoldoutFile, fileName(*o.HoldoutFile))
	}
	return t
}

func fileName(f study.File) message.Sentence {
	if f.Name == "" {
		return message.Say("unknown")
	}
	return message.Name(f.Name)
}

func orUnknown(s string) message.Sentence {
	if s == "" {
		return message.Say("unknown")
	}
	return message.Text(s)
}

// parameter writes a parameter's value as it is set, an empty one as a dash.
func parameter(v any) string {
	if s := fmt.Sprint(v); s != "" {
		return s
	}
	return "–"
}
