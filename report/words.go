package report

import (
	"strings"

	"github.com/dither-data/dither/message"

	"github.com/dither-data/dither/document"
)

// columns are the heads of a table: the keys of their titles under a common one. Behind a key, n says that the column
// holds numbers and wide that it holds sentences.
func columns(under string, keys ...string) (out []document.Column) {
	for _, k := range keys {
		key, what, _ := strings.Cut(k, " ")
		out = append(out, document.Column{Title: message.Say(under + "." + key), Numeric: what == "n", Wide: what == "wide"})
	}
	return out
}

// row is a row whose cells say these.
func row(cells ...message.Sentence) (r document.Row) {
	for _, s := range cells {
		r.Cells = append(r.Cells, document.Cell{Says: s})
	}
	return r
}

// prose is a paragraph of these sentences; those that say nothing are left out.
func prose(look string, sentences ...message.Sentence) document.Prose {
	p := document.Prose{Look: look}
	for _, s := range sentences {
		if !s.Empty() {
			p.Says = append(p.Says, s)
		}
	}
	return p
}

// fold is blocks that are folded.
func fold(title message.Sentence, blocks ...document.Block) document.Fold {
	return document.Fold{Title: title, Blocks: blocks}
}

// part is blocks below a heading.
func part(title message.Sentence, blocks ...document.Block) document.Part {
	return document.Part{Title: title, Blocks: blocks}
}

// swatches is the key to charts of the original and the release.
func swatches() document.List {
	return document.List{Look: "swatches", Items: []message.Sentence{message.Say("before"), message.Say("after")},
		Marks: []string{"swatch was", "swatch is"}}
}
