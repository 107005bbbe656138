package document

import (
	"bytes"
	"encoding/json"
	"html/template"
	"math"

	"github.com/dither-data/dither/internal/text/filled"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
)

// figure is a figure as JSON has it: by its numbers and as a reader sees it. What is not a number is null.
type figure struct {
	Key   string           `json:"key"` // of the measure, or of what else it is a figure of
	Title message.Sentence `json:"title"`
	Value *float64         `json:"value"` // in its unit
	Lo    *float64         `json:"lo"`    // lo and hi enclose the value, or are equal to it where there is no interval
	Hi    *float64         `json:"hi"`
	Level *float64         `json:"level"` // of the interval, such as 0.95; null where there is none
	measure.Unit
	Shown    string           `json:"shown"`    // the value as text, page and workbench write it
	Interval string           `json:"interval"` // likewise; empty where there is none
	Says     message.Sentence `json:"says"`     // how to read it
	Beside   message.Sentence `json:"beside"`   // what stands behind it in a line: what it was, who plays it
	Failed   bool             `json:"failed"`   // it could not be taken: says tells why
}

// Written is what MarshalJSON writes.
func (f Figure) Written() any {
	finite := func(v float64) *float64 {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil
		}
		return &v
	}
	out := figure{Key: f.Key, Title: f.Title, Value: finite(f.Value), Lo: finite(f.Lo), Hi: finite(f.Hi),
		Unit: f.Unit, Says: f.Says, Beside: f.Beside, Failed: f.Failed}
	if out.Shown, out.Interval = f.Text(); f.Level > 0 && f.Lo < f.Hi {
		out.Level = &f.Level
	}
	return out
}

// MarshalJSON writes a figure by its numbers and as a reader sees it; what is not a number is null.
func (f Figure) MarshalJSON() ([]byte, error) { return encoded(f.Written()) }

// MarshalJSON writes blocks, each with its kind before its fields.
func (all Blocks) MarshalJSON() ([]byte, error) {
	var out bytes.Buffer
	for k, b := range all {
		body, err := encoded(filled.Copy(b, false))
		if err != nil {
			return nil, err
		}
		out.WriteByte("[,"[min(k, 1)])
		out.WriteString(`{"kind":"` + b.block() + `",`)
		out.Write(body[1:])
	}
	if len(all) == 0 {
		out.WriteByte('[')
	}
	out.WriteByte(']')
	return out.Bytes(), nil
}

// encoded is a value as JSON, in which the marks of HTML stand as they are.
func encoded(value any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(value)
	return bytes.TrimSpace(b.Bytes()), err
}

// Picture is a drawing that is drawn already, of data that are too many to keep.
type Picture template.HTML

// Draw returns it.
func (p Picture) Draw(string) template.HTML { return template.HTML(p) }
