package workbench

import (
	"context"
	"strings"
	"sync"

	"github.com/dither-data/dither/message"
)

// history is what the policy was before each change that was made on the page, and after each that was undone. It is
// kept while the server runs. Where the policy was changed by hand meanwhile nothing is offered, so that no edit of an
// editor is lost.
type history struct {
	mu           sync.Mutex
	past, future []version
	now          string // the policy after the last change
}

// version is a policy that can be taken again.
type version struct {
	text string
	says message.Sentence // what was changed between it and the next
}

// mostVersions is how many changes can be undone.
const mostVersions = 100

// changed notes a change of the policy.
func (h *history) changed(from, to string, says message.Sentence) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if from != h.now {
		h.past = nil
	}
	h.past, h.future, h.now = append(h.past, version{from, says}), nil, to
	if len(h.past) > mostVersions {
		h.past = h.past[1:]
	}
}

// offers are what can be undone and done again from a policy; nil for nothing.
func (h *history) offers(text string) (undo, redo *message.Sentence) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if text != h.now {
		return nil, nil
	}
	top := func(list []version) *message.Sentence {
		if len(list) == 0 {
			return nil
		}
		return &list[len(list)-1].says
	}
	return top(h.past), top(h.future)
}

// last is the policy that undoing, or doing again, takes from the one that stands.
func (h *history) last(back bool, text string) (v version, ok bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	list := h.future
	if back {
		list = h.past
	}
	if len(list) == 0 || text != h.now {
		return v, false
	}
	return list[len(list)-1], true
}

// turned moves the last version of the past, or of the future, to the other.
func (h *history) turned(back bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	from, to := &h.future, &h.past
	if back {
		from, to = to, from
	}
	last := len(*from) - 1
	v := (*from)[last]
	*from, *to = (*from)[:last], append(*to, version{h.now, v.says})
	h.now = v.text
}

// turn undoes the last change, or does again what was undone last.
func (s *Server) turn(ctx context.Context, seen string, back bool) error {
	return s.swap(ctx, seen, func(text []byte) ([]byte, error) {
		v, ok := s.history.last(back, string(text))
		if !ok {
			return nil, wrong("undone")
		}
		return []byte(v.text), nil
	}, s.work.endTrial, func(string, string) { s.history.turned(back) })
}

// changing says what changes of keys change.
func changing(list []change) message.Sentence {
	if len(list) != 1 {
		return message.Say("workbench.undo.several").Count("n", len(list))
	}
	path := list[0].path
	if len(path) == 3 && path[0] == "columns" {
		return message.Say("workbench.undo.column").Name("key", path[2]).Name("column", path[1])
	}
	return message.Name(strings.Join(path, "."))
}
