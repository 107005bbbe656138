package report

import (
	"bytes"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/message"
)

// The corrections are for those who may have them: in the summary and the internal report, and never in the public one,
// which does not change by a byte for them.
func TestCorrectionsAreInternal(t *testing.T) {
	o := sample(t, 30, 2, 1, same)
	public := render(t, o, Options{Public: true})
	const heading = "How to correct for the noise"
	if strings.Contains(render(t, o, Options{}), heading) {
		t.Error("there is a heading without corrections")
	}
	o.Corrections = message.Texts([]string{"divide the variance by 1.25", "<b>mean</b> of a group"})
	doc := render(t, o, Options{})
	for _, want := range []string{"<summary>" + heading + "</summary>", "<li>Divide the variance by 1.25.</li>",
		"&lt;b&gt;mean&lt;/b&gt; of a group."} {
		if !strings.Contains(doc, want) {
			t.Errorf("the report lacks %q", want)
		}
	}
	if got := render(t, o, Options{Public: true}); got != public {
		t.Error("the public report depends on the corrections")
	}
	var b bytes.Buffer
	must.NoError(t, Text(&b, o, Screen{Verbose: true}))
	if !strings.Contains(b.String(), "\nthem only with authorised users.\n- Divide the variance by 1.25.\n") {
		t.Errorf("the summary lacks the corrections:\n%s", b.String())
	}
}
