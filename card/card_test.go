package card_test

import (
	"strings"
	"testing"

	"github.com/dither-data/dither/card"
)

var full = card.Card{
	Name:    "linfapt",
	Title:   "Leaf Influential Attribute Perturbation Technique",
	Aliases: []string{"Leaf noise"},
	Summary: "s",
	Paper:   "p",
	Missing: "m",
	Cost:    "O(n)",
}

func TestCheck(t *testing.T) {
	if err := full.Check(); err != nil {
		t.Error(err)
	}
	for field, spoil := range map[string]func(*card.Card){
		"title":   func(c *card.Card) { c.Title = "" },
		"summary": func(c *card.Card) { c.Summary = "" },
		"paper":   func(c *card.Card) { c.Paper = "" },
		"missing": func(c *card.Card) { c.Missing = "" },
		"cost":    func(c *card.Card) { c.Cost = "" },
	} {
		c := full
		spoil(&c)
		if err := c.Check(); err == nil || !strings.Contains(err.Error(), field) || !strings.Contains(err.Error(), c.Name) {
			t.Errorf("without %s: %v", field, err)
		}
	}
	for _, name := range []string{"", "LINFAPT", "2d", "-x", "a b", "a_b", "ä"} {
		c := full
		c.Name = name
		if c.Check() == nil {
			t.Errorf("the name %q is accepted", name)
		}
	}
}

func TestAnswers(t *testing.T) {
	for _, name := range []string{"linfapt", "LINFAPT", "lin-fapt", "leaf noise", "LEAF_NOISE",
		"leaf influential attribute perturbation technique"} {
		if !full.Answers(name) {
			t.Errorf("the card does not answer to %q", name)
		}
	}
	for _, name := range []string{"", "linfap", "linnapt", "leaf"} {
		if full.Answers(name) {
			t.Errorf("the card answers to %q", name)
		}
	}
}
