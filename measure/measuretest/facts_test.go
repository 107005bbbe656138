package measuretest

import (
	"context"
	"testing"

	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
)

// heading is a detail with a headline and figures of columns.
type heading struct{ everywhere bool }

func (heading) Headline(measure.Reader) (h measure.Headline, ok bool) { return h, true }

func (h heading) Column(name string) (float64, bool) { return 0.5, h.everywhere || name == "age" }

// TestFactsChecksFail: a measure must say what it is about and what it takes, and have what it promises to lists.
func TestFactsChecksFail(t *testing.T) {
	entry := measure.Entry{Place: 1, Says: message.Text("it")}
	caption := measure.Caption{Place: 1, Says: message.Text}
	mute := func(string) message.Sentence { return message.Text("x") }
	for _, c := range []struct {
		name   string
		change func(*measure.Measure)
		detail any
		fails  bool
	}{
		{"sound", func(m *measure.Measure) {}, nil, false},
		{"about nothing", func(m *measure.Measure) { m.About = "" }, nil, true},
		{"no effort", func(m *measure.Measure) { m.Effort = "" }, nil, true},
		{"a risk of worth", func(m *measure.Measure) { m.Side = measure.Risk }, nil, true},
		{"worth about a secret", func(m *measure.Measure) { m.About = measure.Secret }, nil, true},
		{"a risk about a secret", func(m *measure.Measure) { m.Side, m.About = measure.Risk, measure.Secret }, nil, false},
		{"a place below 0", func(m *measure.Measure) { m.Place = -1 }, nil, true},
		{"an entry without a place", func(m *measure.Measure) { m.Figure.Says = message.Text("x") }, heading{}, true},
		{"an entry without a text", func(m *measure.Measure) { m.Figure.Place = 1 }, heading{}, true},
		{"a column without its figure", func(m *measure.Measure) { m.Column = measure.Caption{Place: 1, Says: mute} },
			heading{}, true},
		{"a column without a place", func(m *measure.Measure) { m.Column.Says = message.Text }, heading{}, true},
		{"a column without words", func(m *measure.Measure) { m.Column.Place = 1 }, heading{}, true},
		{"a bound of no parameter", func(m *measure.Measure) { m.Bounds = map[string]string{"pairs": "1"} }, nil, true},
		{"a bound out of range", func(m *measure.Measure) { m.Bounds = map[string]string{"column": "9"} }, nil, true},
		{"a bound", func(m *measure.Measure) { m.Bounds = map[string]string{"column": "0"} }, nil, false},
		{"a figure that is there", func(m *measure.Measure) { m.Figure = entry }, heading{}, false},
		{"a figure that is not", func(m *measure.Measure) { m.Figure = entry }, told{}, true},
		{"columns that are there", func(m *measure.Measure) { m.Column = caption }, heading{}, false},
		{"columns that are not", func(m *measure.Measure) { m.Column = caption }, nil, true},
		{"columns of another table", func(m *measure.Measure) { m.Column = caption }, heading{true}, true},
		{"judges that are not", func(m *measure.Measure) { m.Record = entry }, heading{}, true},
	} {
		m := sound()
		m.New = func() measure.Meter {
			return &bent{bend: func(_ context.Context, _ *measure.Release, v measure.Value, err error) (measure.Value, error) {
				v.Detail = c.detail
				return v, err
			}}
		}
		c.change(&m)
		s := newSuite(m, nil)
		err := find(t, "card is filled").run(s)
		if err == nil {
			err = find(t, "score and bounds are in range").run(s)
		}
		if (err != nil) != c.fails {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}
