// Command dither-sql takes tables out of SQLite and DuckDB files for dither, and puts releases into them. It is a
// program of its own because DuckDB is a large library in C++; dither itself needs none.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/dither-data/dither/format"
	"github.com/dither-data/dither/internal/system/wholefile"
	"github.com/dither-data/dither/sql/store"
	"github.com/dither-data/dither/table"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := root().ExecuteContext(ctx); err != nil {
		if errors.Is(err, context.Canceled) {
			err = errors.New("interrupted; nothing was written")
		}
		line, _, _ := strings.Cut(err.Error(), "\n") // below it DuckDB shows the statement
		fmt.Fprintln(os.Stderr, "dither-sql:", line)
		os.Exit(1)
	}
}

func root() *cobra.Command {
	root := &cobra.Command{
		Use:   "dither-sql",
		Short: "tables of SQLite and DuckDB files for dither",
		Long: `dither-sql takes a table out of a SQLite or DuckDB file for dither, and puts a release into a new table of one. Through a pipe nothing else is
written to the disk:

  dither-sql export clinic.duckdb patients | dither protect - --class readmitted -o - | dither-sql import - research.duckdb patients`,
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.AddCommand(export(), bring())
	return root
}

func export() *cobra.Command {
	var query, output string
	var overwrite bool
	c := &cobra.Command{
		Use:   "export FILE [TABLE]",
		Short: "write a table of a SQLite or DuckDB file as CSV, Parquet or any other format of dither",
		Example: "  dither-sql export clinic.duckdb patients -o patients.parquet\n  dither-sql export clinic.sqlite " +
			"--query 'SELECT age, sex FROM visits ORDER BY visit' | dither inspect -",
		Args: cobra.RangeArgs(1, 2),
		RunE: func(c *cobra.Command, args []string) error {
			name := ""
			if len(args) == 2 {
				name = args[1]
			}
			if (name == "") == (query == "") {
				return errors.New("export: name a table, or give a query with --query")
			}
			if output != "-" {
				if err := format.CheckName(output); err != nil {
					return fmt.Errorf("%s: %w", output, err)
				}
				if _, err := os.Lstat(output); err == nil && !overwrite {
					return fmt.Errorf("%s exists; --force overwrites it", output)
				}
			}
			f, err := store.Open(args[0], false)
			if err != nil {
				return err
			}
			defer f.Close()
			t, info, err := f.Read(c.Context(), name, query, format.Options{})
			if err != nil {
				return fmt.Errorf("%s: %w", args[0], err)
			}
			for _, n := range info.Notes {
				fmt.Fprintln(os.Stderr, "note:", n)
			}
			if output == "-" {
				return format.WriteTo(c.Context(), c.OutOrStdout(), "csv", t, format.Options{})
			}
			return write(c.Context(), output, t, overwrite)
		},
	}
	c.Flags().StringVar(&query, "query", "", "take the answer to this `SELECT` instead of a table")
	c.Flags().StringVarP(&output, "output", "o", "-", "the `file` to write, or - for standard output")
	c.Flags().BoolVar(&overwrite, "force", false, "overwrite an output that exists")
	return c
}

// write writes a table, which is an original, for its owner alone.
func write(ctx context.Context, path string, t *table.Table, overwrite bool) error {
	f, err := wholefile.Create(path, wholefile.Options{Private: true, Replace: overwrite})
	if err != nil {
		return err
	}
	defer f.Discard()
	if err := format.WriteTo(ctx, f, path, t, format.Options{}); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	if err := f.Close(); err != nil {
		return err
	}
	return wholefile.Place(f)
}

func bring() *cobra.Command {
	return &cobra.Command{
		Use:     "import TABLEFILE FILE NAME",
		Short:   "put a table, such as a release, into a new table of a SQLite or DuckDB file",
		Example: "  dither-sql import release.csv research.duckdb patients",
		Args:    cobra.ExactArgs(3),
		RunE: func(c *cobra.Command, args []string) error {
			t, _, err := tableOf(c.Context(), args[0], c.InOrStdin())
			if err != nil {
				return err
			}
			f, err := store.Open(args[1], true)
			if err != nil {
				return err
			}
			defer f.Close()
			if err := f.Write(c.Context(), args[2], t); err != nil {
				return fmt.Errorf("%s: %w", args[1], err)
			}
			fmt.Fprintf(c.ErrOrStderr(), "%s: table %s, %d rows\n", args[1], args[2], t.Rows())
			return nil
		},
	}
}

func tableOf(ctx context.Context, path string, in io.Reader) (*table.Table, *format.Info, error) {
	if path == "-" {
		return format.ReadFrom(ctx, "standard input", in, format.Options{})
	}
	return format.Read(ctx, path, format.Options{})
}
