package postgres

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

const (
	connecting  = 15 * time.Second // for a connection, with TLS and login
	idle        = 10 * time.Minute // between two answers of the server
	idleTimeout = "idle_timeout"   // the parameter of an address that says otherwise
)

// connect opens a connection.
func (a *Address) connect(ctx context.Context) (*pgconn.PgConn, error) {
	var noTLS atomic.Bool
	config := a.config.Copy()
	config.DialFunc = func(ctx context.Context, network, address string) (net.Conn, error) {
		c, err := a.config.DialFunc(ctx, network, address)
		if err != nil {
			return nil, err
		}
		return &patient{Conn: c, idle: a.idle, noTLS: &noTLS}, nil
	}
	c, err := pgconn.ConnectConfig(ctx, config)
	if err == nil {
		return c, nil
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	var server *pgconn.PgError
	var certificate *tls.CertificateVerificationError
	var name *net.DNSError
	host, port := a.config.Host, a.config.Port
	switch {
	case errors.As(err, &server):
		return nil, fmt.Errorf("the database refuses: %w", told(err))
	case a.config.TLSConfig != nil && noTLS.Load():
		return nil, fmt.Errorf("the database at %s, port %d speaks no TLS, which sslmode asks for", host, port)
	case errors.As(err, &certificate):
		return nil, fmt.Errorf("the certificate of %s, port %d does not hold: %w", host, port, certificate.Err)
	case errors.As(err, &name):
		return nil, fmt.Errorf("no host is called %s", host)
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, os.ErrDeadlineExceeded):
		return nil, fmt.Errorf("what is at %s, port %d does not answer within %v (connect_timeout=SECONDS in the address "+
			"waits longer)", host, port, a.config.ConnectTimeout)
	}
	return nil, fmt.Errorf("no database answers at %s, port %d", host, port)
}

// patient is a connection that waits so long for each answer. Deadlines that the driver sets, as it does to end a
// request, win.
type patient struct {
	net.Conn
	idle  time.Duration
	noTLS *atomic.Bool // set where the server's first word is that it speaks none

	lock   sync.Mutex
	driven bool // the driver has set a deadline
	begun  bool // something has been read
}

// SetDeadline sets the driver's deadline, or takes it back.
func (p *patient) SetDeadline(t time.Time) error {
	p.lock.Lock()
	defer p.lock.Unlock()
	p.driven = !t.IsZero()
	return p.Conn.SetDeadline(t)
}

// Read reads, and fails where nothing comes.
func (p *patient) Read(b []byte) (int, error) {
	if err := p.wait(); err != nil {
		return 0, err
	}
	n, err := p.Conn.Read(b)
	if n > 0 && !p.begun {
		p.begun = true
		p.noTLS.Store(b[0] == 'N') // PostgreSQL's answer to a request for TLS
	}
	return n, err
}

func (p *patient) wait() error {
	p.lock.Lock()
	defer p.lock.Unlock()
	if p.driven {
		return nil
	}
	return p.Conn.SetReadDeadline(time.Now().Add(p.idle))
}

// silent says of a wait that came to its end what it was.
func silent(err error) error {
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return errors.New("the server has been silent for too long (" + idleTimeout + "=SECONDS in the address waits longer)")
	}
	return err
}

// Guard says what keeps others from reading along, or from standing in for the server.
type Guard int

const (
	Guarded    Guard = iota // the server is on this computer, or proves by its certificate which it is
	Unverified              // encrypted, but another server may stand in for the one that is meant
	Clear                   // perhaps in clear text
)

// Exposed says how well the connection to an address is guarded. It is Guarded for what is no address.
func Exposed(path string) Guard {
	if !Is(path) {
		return Guarded
	}
	a, err := Parse(path, "SELECT 1")
	if err != nil {
		if a, err = Parse(path, ""); err != nil {
			return Guarded // it is refused elsewhere
		}
	}
	worst := Guarded
	check := func(host string, c *tls.Config) {
		switch {
		case local(host):
		case c == nil:
			worst = Clear
		case c.InsecureSkipVerify:
			worst = max(worst, Unverified)
		}
	}
	check(a.config.Host, a.config.TLSConfig)
	for _, f := range a.config.Fallbacks {
		check(f.Host, f.TLSConfig)
	}
	return worst
}

// local reports whether a host is this computer.
func local(host string) bool {
	ip := net.ParseIP(host)
	return strings.HasPrefix(host, "/") || host == "localhost" || ip != nil && ip.IsLoopback()
}
