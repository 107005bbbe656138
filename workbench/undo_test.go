package workbench

import (
	"net/http"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
)

// TestUndo: what was set on the page is undone step by step and set again, back to the policy byte for byte; a new
// change ends what could be set again, and a change by hand ends both, so that it is never lost.
func TestUndo(t *testing.T) {
	long.Only(t, "many steps on the page")
	s := serve(t, people(t))
	v := visit(t, s, true)
	texts := []string{s.policyText(t)}
	for _, form := range [][]string{{"what", "role", "column", "town", "value", "other"},
		{"what", "suggestions"}, {"what", "method", "value", "rankswap"}} {
		if code, body := v.set("table", form...); code != http.StatusOK {
			t.Fatalf("%q: %d: %s", form, code, body)
		}
		texts = append(texts, s.policyText(t))
	}
	turn := func(what string, want int) {
		t.Helper()
		if code, body := v.set("try", "what", what); code != http.StatusOK || s.policyText(t) != texts[want] {
			t.Errorf("%s: %d: %s\n%s", what, code, s.policyText(t), body)
		}
	}
	offered := func(what string) bool {
		t.Helper()
		_, page := v.get("/data")
		return strings.Contains(page, `id="`+what+`"`)
	}
	if _, page := v.get("/sign"); !strings.Contains(page, "Undo: method") || offered("redo") {
		t.Errorf("what can be undone is not offered:\n%s", page)
	}
	for k := 2; k >= 0; k-- {
		turn("undo", k)
	}
	if _, page := v.get("/data"); offered("undo") || !strings.Contains(page, "Redo: role of town") {
		t.Errorf("what can be set again:\n%s", page)
	}
	if code, body := v.set("data", "what", "undo"); code != http.StatusUnprocessableEntity ||
		!strings.Contains(body, "nothing to undo") {
		t.Errorf("undoing nothing: %d", code)
	}
	turn("redo", 1)
	turn("redo", 2)
	turn("undo", 1)
	v.set("table", "what", "known", "column", "age", "value", "")
	if offered("redo") || !offered("undo") {
		t.Error("after another change nothing can be set again")
	}
	byHand := s.policyText(t) + "# ours\n"
	must.NoError(t, s.folder.write(policyName, []byte(byHand)))
	if offered("undo") || offered("redo") {
		t.Error("a change by hand could be lost")
	}
	if code, _ := v.set("data", "what", "undo"); code != http.StatusUnprocessableEntity || s.policyText(t) != byHand {
		t.Errorf("%d: a change by hand is lost: %s", code, s.policyText(t))
	}
	v.set("table", "what", "known", "column", "age", "value", "yes")
	if _, body := v.set("table", "what", "undo"); s.policyText(t) != byHand || strings.Contains(body, `id="undo"`) {
		t.Errorf("%s", s.policyText(t))
	}
}
