package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"github.com/dither-data/dither/internal/build"
)

func (a *app) man() *cobra.Command {
	dir, replace := "", false
	c := &cobra.Command{
		Use:   "man -o FOLDER",
		Short: "write the manual pages, for the command man",
		Long: `man writes a manual page for every command into a new folder; they say what --help says. "man ./man1/dither-protect.1" shows one. Their date is the day, or that of the
environment variable SOURCE_DATE_EPOCH.`,
		Example: "  dither man -o man1",
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if dir == "" {
				return wrong("man: name a new folder with -o FOLDER")
			}
			if err := os.Mkdir(dir, 0o755); errors.Is(err, fs.ErrExist) && !replace {
				return wrong("%s exists; --force replaces the pages in it", dir)
			} else if err != nil && !errors.Is(err, fs.ErrExist) {
				return err
			}
			root := a.root(nil)
			root.InitDefaultCompletionCmd()
			root.DisableAutoGenTag = true
			if err := doc.GenManTree(root, &doc.GenManHeader{Section: "1", Source: "dither " + build.Version(), Manual: "dither"}, dir); err != nil {
				return err
			}
			files, err := os.ReadDir(dir)
			if err != nil {
				return err
			}
			say(a.out, "%s: %s manual pages", dir, fmt.Sprint(len(files)))
			return nil
		},
	}
	c.Flags().StringVarP(&dir, "output", "o", "", "the `folder` to write")
	c.Flags().BoolVar(&replace, "force", false, "replace pages in a folder that exists")
	return c
}
