// Command data fetches the public data sets that the papers experiment on, brings each into one notation
// (comma-separated with a header line) and writes it where every byte is as expected: its SHA-256 is part of this
// program.
//
//	go run -C tools ./data                            lists the sets, where they are published, and their licences
//	go run -C tools ./data -o ../adult.csv adult      fetches one; paths begin in the folder tools
//	go run -C tools ./data -from FILE adult           makes it of what was fetched by other means
//
// It asks for one address, which the list has, and sends nothing else. A file that exists is never overwritten.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/signal"
	"text/tabwriter"
	"time"

	"github.com/dither-data/dither/internal/text/spelling"
)

// fetchTime bounds how long a data set may take to come.
const fetchTime = 5 * time.Minute

func main() {
	from := flag.String("from", "", "read what is published from this `file` instead of fetching it")
	output := flag.String("o", "", "the `file` to write (default: the set's own name, in the folder tools)")
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(), "usage: data [-from FILE] [-o FILE] [NAME]")
		flag.PrintDefaults()
	}
	flag.Parse()
	if flag.NArg() > 1 {
		flag.Usage()
		os.Exit(2)
	}
	if flag.NArg() == 0 {
		list(os.Stdout)
		return
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	said, err := bring(ctx, &http.Client{Timeout: fetchTime}, flag.Arg(0), *from, *output)
	if err != nil {
		fmt.Fprintln(os.Stderr, "data:", err)
		os.Exit(1)
	}
	fmt.Println(said)
}

// list writes the sets, where they are published, and their licences.
func list(out io.Writer) {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, s := range sets {
		fmt.Fprintf(w, "%s\t%s\t%s\n\t%s\t\n", s.Name, s.Title, s.Licence, s.URL)
	}
	w.Flush()
}

// bring writes a set to a new file and says what it is. Without a path to read from it is fetched; without one to write
// to, the file has the set's own name.
func bring(ctx context.Context, client *http.Client, name, from, output string) (string, error) {
	s, err := find(name)
	if err != nil {
		return "", err
	}
	if output == "" {
		output = s.File
	}
	if _, err := os.Lstat(output); err == nil {
		return "", fmt.Errorf("%s exists and is not overwritten; name another file with -o", output)
	}
	data, err := obtain(ctx, client, s, from)
	if err != nil {
		return "", err
	}
	f, err := os.OpenFile(output, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return "", err
	}
	_, err = f.Write(data)
	if err = errors.Join(err, f.Close()); err != nil {
		os.Remove(output)
		return "", err
	}
	return fmt.Sprintf("%s: %s, %d bytes, every one as expected; licence: %s", output, s.Title, s.Bytes, s.Licence), nil
}

// find returns the set of a name.
func find(name string) (set, error) {
	var names []string
	for _, s := range sets {
		if s.Name == name {
			return s, nil
		}
		names = append(names, s.Name)
	}
	return set{}, fmt.Errorf("there is no public data set %q here%s", name, spelling.Hint(name, names))
}

// obtain reads a set from a file, or from where it is published.
func obtain(ctx context.Context, client *http.Client, s set, from string) ([]byte, error) {
	if from != "" {
		r, err := os.Open(from)
		if err != nil {
			return nil, err
		}
		defer r.Close()
		data, err := s.read(r)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", from, err)
		}
		return data, nil
	}
	data, err := fetch(ctx, client, s)
	if err != nil && ctx.Err() == nil && unreachable(err) {
		return nil, fmt.Errorf("%s: cannot be reached from here; "+
			"fetch it where there is a network, and name the file with -from", s.URL)
	}
	return data, err
}

// fetch reads a set from where it is published.
func fetch(ctx context.Context, client *http.Client, s set) ([]byte, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, s.URL, nil)
	if err != nil {
		return nil, err
	}
	answer, err := client.Do(r)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%s answers %s", s.URL, answer.Status)
	}
	return s.read(answer.Body)
}

// unreachable says whether an error is of the network, not of what it brought.
func unreachable(err error) bool {
	var call *url.Error
	var wire net.Error
	return errors.As(err, &call) || errors.As(err, &wire)
}
