package desk

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"time"

	"github.com/dither-data/dither/internal/published"
	"github.com/dither-data/dither/internal/spelling"
)

// DataRequest asks for a public data set of the papers.
type DataRequest struct {
	Name      string
	From      string // path of what is published, where it was fetched by other means; empty to fetch it
	Output    string // path; empty for the set's own name here
	Overwrite bool   // replace an output that exists
}

// PublicData says of a public data set what a reader may want to know before it is fetched.
type PublicData struct {
	Name    string `json:"name"`
	Title   string `json:"title"`
	File    string `json:"file"`
	Bytes   int    `json:"bytes"`
	SHA256  string `json:"sha256"`
	URL     string `json:"url"`
	Licence string `json:"licence"`
}

// DataDocument lists the public data sets.
type DataDocument struct {
	Schema string       `json:"schema"`
	Data   []PublicData `json:"data"`
}

// DataSetsDocument is the list of the public data sets.
func DataSetsDocument() DataDocument { return DataDocument{schemaOf("data"), DataSets()} }

// DataSets lists the public data sets by name.
func DataSets() (out []PublicData) {
	for _, s := range published.Sets() {
		out = append(out, PublicData{s.Name, s.Title, s.File, s.Bytes, s.Sum, s.URL, s.Licence})
	}
	return out
}

// ErrUnreachable is the error of a data set that no network brings here.
var ErrUnreachable = errors.New("cannot be reached from here; fetch it where there is a network")

// fetchTime bounds how long a data set may take to come.
const fetchTime = 5 * time.Minute

// Data fetches a public data set, or makes it of what was fetched by other means, and writes it where every byte is as expected. It is the only request that uses the network:
// it asks for one address, which DataSets tells, and sends nothing else.
func (d *Desk) Data(ctx context.Context, q DataRequest) (string, error) {
	s, err := published.Find(q.Name)
	if err != nil {
		var names []string
		for _, s := range published.Sets() {
			names = append(names, s.Name)
		}
		return "", usage(fmt.Errorf("%w%s", err, spelling.Hint(q.Name, names)))
	}
	if q.Output == "" {
		q.Output = s.File
	}
	f := &files{reads: []string{q.From}, shown: []string{q.Output}, main: q.Output, replace: q.Overwrite}
	defer f.discard()
	if err := d.check(f); err != nil {
		return "", err
	}
	data, err := d.obtain(ctx, s, q.From)
	if err != nil {
		return "", err
	}
	if err := f.add(q.Output, func(w io.Writer) error { _, err := w.Write(data); return err }); err != nil {
		return "", err
	}
	return q.Output, f.place()
}

// obtain reads a set from a file, or from where it is published.
func (d *Desk) obtain(ctx context.Context, s published.Set, from string) ([]byte, error) {
	if from != "" {
		r, err := os.Open(from)
		if err != nil {
			return nil, err
		}
		defer r.Close()
		data, err := s.Read(r)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", from, err)
		}
		return data, nil
	}
	p := d.begin("fetching " + s.URL)
	defer p.End()
	data, err := fetch(ctx, &http.Client{Timeout: fetchTime}, s)
	if err != nil && ctx.Err() == nil && unreachable(err) {
		return nil, fmt.Errorf("%s: %w", s.URL, ErrUnreachable)
	}
	return data, err
}

// fetch reads a set from where it is published.
func fetch(ctx context.Context, client *http.Client, s published.Set) ([]byte, error) {
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
	return s.Read(answer.Body)
}

// unreachable says whether an error is of the network, not of what it brought.
func unreachable(err error) bool {
	var call *url.Error
	var wire net.Error
	return errors.As(err, &call) || errors.As(err, &wire)
}
