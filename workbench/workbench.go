// Package workbench serves the policy of a table as a page, to one person on the same computer.
//
// The object on screen is the policy file: every control edits one key of it, and the file is always shown beside. A
// table and a folder are fixed at the start. The folder holds the policy, the seed, the list of what was tried, and
// what was signed; nothing else is kept, so a restart goes on where it stopped.
//
// # Safety
//
// The server listens on 127.0.0.1 alone. The link that it prints holds a token behind the #, which browsers do not
// send; a page hands it in once for a cookie that scripts cannot read and other sites cannot send. Every request must
// name this host, and one that changes something must come from this very page (DNS rebinding, posts of other sites).
// The content security policy allows no inline script and nothing from elsewhere, and nothing is stored by the browser.
// No path ever comes from the browser: files have fixed names in the folder, and a link in their place is refused. The
// seed and plans are never served. Requests are bounded in size and time, and so are connections that say nothing. What
// names a column stands in the body of a request, never in its address, and nothing is logged.
//
// A cookie belongs to a host and not to a port: if a hostile program of another user listens on this computer, and its
// page is opened in the same browser, it gets the cookie.
//
// Work that takes long is done by a child process, which can be killed at any moment and ends with the server. What is
// signed is made by such a process by the same request to the desk as that of dither protect, with the policy and the
// seed of the folder.
package workbench

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os/exec"
	"sync"
	"time"

	"github.com/dither-data/dither/desk"
)

// Options says what a workbench is about.
type Options struct {
	Table   string        // path of the table
	Folder  string        // path of the folder for all that is written; it is made where it is not there
	Port    int           // 0 takes a free one
	Idle    time.Duration // without a request, after which the server ends; 0 never does
	Version string        // of the program
	SignKey string        // path of the SSH key, Ed25519, that records of releases are signed with; empty for none
	// Child returns the command that runs Job: it reads one job from its standard input and writes what comes of it to its
	// standard output.
	Child func(ctx context.Context) *exec.Cmd
}

// Server is a workbench that is ready to serve.
type Server struct {
	opt    Options
	folder *folder
	guard  *guard
	listen net.Listener
	desk   desk.Desk
	crowd  crowd
	work   *work
	locked bool // the key of the records has a passphrase, which the page asks for

	history  history
	language language
	purpose  purpose

	looking  sync.Mutex // one inspection at a time
	seen     *inspected // by the policy as it is; nil before the first
	lastSeen time.Time
	alive    sync.Mutex // guards lastSeen
}

// Open makes the folder, reads what is there and begins to listen. Its errors say what is wrong with the folder or the
// table's name, or with the key.
func Open(opt Options) (*Server, error) {
	f, err := openFolder(opt.Folder, opt.Table)
	if err != nil {
		return nil, err
	}
	secret, err := locked(opt.SignKey)
	if err != nil {
		return nil, err
	}
	l, err := net.Listen("tcp4", fmt.Sprintf("127.0.0.1:%d", opt.Port))
	if err != nil {
		return nil, err
	}
	s := &Server{
		opt:      opt,
		folder:   f,
		listen:   l,
		guard:    newGuard(l.Addr().String()),
		desk:     desk.Desk{Version: opt.Version},
		locked:   secret,
		lastSeen: time.Now(),
	}
	s.work = newWork(s)
	return s, nil
}

// Link is the address to open, with the token. It serves once.
func (s *Server) Link() string { return "http://" + s.guard.host + "/#" + s.guard.token }

// The bounds of a request. A form of the page is small, and the answer to it may take as long as reading the table.
const (
	mostHeader = 16 << 10
	mostBody   = 256 << 10
	headerTime = 5 * time.Second
	bodyTime   = 10 * time.Second
	answerTime = 5 * time.Minute
)

// ErrIdle is why Serve ended when nobody asked for anything.
var ErrIdle = errors.New("nobody used the page")

// Serve serves until the context ends or nobody has asked for anything as long as Options.Idle says; the error is then
// ErrIdle. Work under way is ended.
func (s *Server) Serve(ctx context.Context) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	defer s.work.end()
	web := &http.Server{
		Handler:           s.handler(),
		ReadHeaderTimeout: headerTime,
		ReadTimeout:       bodyTime,
		WriteTimeout:      answerTime,
		IdleTimeout:       time.Minute,
		MaxHeaderBytes:    mostHeader,
		ConnState:         s.crowd.state,
		ConnContext:       s.crowd.context,
		ErrorLog:          silent(),
		BaseContext:       func(net.Listener) context.Context { return ctx },
	}
	go s.watch(ctx, stop)
	failed := make(chan error, 1)
	go func() { failed <- web.Serve(s.listen) }()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	s.work.end() // first: this program may be given little time
	end, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer cancel()
	if web.Shutdown(end) != nil {
		web.Close()
	}
	return context.Cause(ctx)
}

// watch ends the server when nobody uses it.
func (s *Server) watch(ctx context.Context, stop context.CancelCauseFunc) {
	if s.opt.Idle <= 0 {
		return
	}
	tick := time.NewTicker(min(s.opt.Idle/4+1, 10*time.Second))
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			s.alive.Lock()
			idle := time.Since(s.lastSeen)
			s.alive.Unlock()
			if idle > s.opt.Idle && !s.work.running() {
				stop(ErrIdle)
				return
			}
		}
	}
}

// used notes that somebody who may asked for something.
func (s *Server) used() {
	s.alive.Lock()
	s.lastSeen = time.Now()
	s.alive.Unlock()
}
