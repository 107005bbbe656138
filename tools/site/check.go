package main

import (
	"errors"
	"fmt"
	"html"
	"io/fs"
	"net/url"
	"os"
	"path"
	"regexp"
	"strings"
)

var (
	fetched = regexp.MustCompile(`(?:<(?:script|img|source|iframe|link)\b[^>]*?\b(?:src|href|srcset)=|url\()["']?([^"')\s>]+)`)
	leads   = regexp.MustCompile(`<a\b[^>]*?\bhref="([^"]*)"`)
	named   = regexp.MustCompile(`\bid="([^"]*)"`)
)

// check returns an error for each page of a site that loads anything from elsewhere, or leads to a file or a place in a
// page that the site does not have, and one if the site has no search.
func check(folder string) error {
	site := os.DirFS(folder)
	places, texts := map[string]map[string]bool{}, map[string]string{}
	err := fs.WalkDir(site, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		places[name] = map[string]bool{}
		if e := path.Ext(name); e != ".html" && e != ".css" {
			return nil
		}
		text, err := fs.ReadFile(site, name)
		texts[name] = string(text)
		for _, m := range named.FindAllStringSubmatch(texts[name], -1) {
			places[name][html.UnescapeString(m[1])] = true
		}
		return err
	})
	if err != nil {
		return err
	}
	var errs []error
	for name, text := range texts {
		for _, m := range fetched.FindAllStringSubmatch(text, -1) {
			if strings.Contains(m[1], "//") {
				errs = append(errs, fmt.Errorf("%s loads %s, which is not of the site", name, m[1]))
			}
		}
		if name == "404.html" || path.Ext(name) != ".html" { // whose links start at the root of a server
			continue
		}
		for _, m := range leads.FindAllStringSubmatch(text, -1) {
			if err := reached(name, html.UnescapeString(m[1]), places); err != nil {
				errs = append(errs, err)
			}
		}
	}
	if found, _ := fs.Glob(site, "searchindex*.js"); len(found) != 1 {
		errs = append(errs, fmt.Errorf("%d files of the search; 1 is right", len(found)))
	}
	return errors.Join(errs...)
}

// reached returns an error if a link of a page leads to no place of the site.
func reached(page, target string, places map[string]map[string]bool) error {
	u, err := url.Parse(target)
	if err != nil || u.IsAbs() {
		return err
	}
	file := page
	if u.Path != "" {
		file = path.Join(path.Dir(page), u.Path)
	}
	ids, ok := places[file]
	if !ok {
		return fmt.Errorf("%s leads to %s, which the site does not have", page, target)
	}
	if u.Fragment != "" && !ids[u.Fragment] {
		return fmt.Errorf("%s leads to %s, which that page does not have", page, target)
	}
	return nil
}
