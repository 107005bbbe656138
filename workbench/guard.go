package workbench

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"io"
	"log"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/dither-data/dither/message"
)

// guard decides who is served.
type guard struct {
	host   string // 127.0.0.1 with the port, as browsers say it
	cookie string // its name, with the port: two workbenches do not log each other out
	token  string // of the link
	cross  *http.CrossOriginProtection

	mu     sync.Mutex
	used   bool           // the token was handed in
	secret string         // of the cookie; empty until then
	wrong  map[string]int // tokens that were wrong, by the address they came from
	wait   func(context.Context, time.Duration)
}

// A wrong token is answered late where many came from its address before. Nobody guesses 130 bits; this makes trying
// slow, and keeps nobody out who has the right one.
const (
	easyWrong     = 10                    // tokens that are answered at once
	firstWait     = 20 * time.Millisecond // of the first that is not; it doubles with every other one
	mostWait      = 5 * time.Second
	mostAddresses = 1000 // that are remembered
)

func newGuard(host string) *guard {
	_, port, _ := net.SplitHostPort(host)
	return &guard{host: host, cookie: "dither-" + port, token: rand.Text(), cross: http.NewCrossOriginProtection(),
		wrong: map[string]int{}, wait: pause}
}

// pause waits, unless the request it waits for is gone.
func pause(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
	}
}

// headers are on every answer.
var headers = map[string]string{
	"Content-Security-Policy": "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self' " +
		"'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
	"Cache-Control":          "no-store",
	"X-Content-Type-Options": "nosniff",
	"X-Frame-Options":        "DENY",
	// With no-referrer, browsers would send the forms of this very page with the origin "null".
	"Referrer-Policy":              "same-origin",
	"Cross-Origin-Opener-Policy":   "same-origin",
	"Cross-Origin-Resource-Policy": "same-origin",
}

// protect lets only requests through that are meant for this host and, where they change something, come from it.
func (g *guard) protect(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for name, value := range headers {
			w.Header().Set(name, value)
		}
		if r.Host != g.host {
			refuse(w, http.StatusMisdirectedRequest, message.Say("workbench.refused.host").Name("host", g.host).String())
			return
		}
		origin, site := r.Header.Get("Origin"), r.Header.Get("Sec-Fetch-Site")
		changes := r.Method != http.MethodGet && r.Method != http.MethodHead
		switch {
		case changes && r.Method != http.MethodPost:
			refuse(w, http.StatusMethodNotAllowed, message.Say("workbench.refused.way").String())
		case origin != "" && origin != "http://"+g.host,
			site != "" && site != "same-origin" && (changes || site != "none"),
			changes && origin == "" && site == "",
			changes && g.cross.Check(r) != nil:
			refuse(w, http.StatusForbidden, message.Say("workbench.refused.origin").String())
		default:
			r.Body = http.MaxBytesReader(w, r.Body, mostBody)
			next.ServeHTTP(w, r)
		}
	})
}

// known reports whether a request has the cookie.
func (g *guard) known(r *http.Request) bool {
	c, err := r.Cookie(g.cookie)
	g.mu.Lock()
	defer g.mu.Unlock()
	return err == nil && g.secret != "" && equal(c.Value, g.secret)
}

// enter takes the token, once, and sets the cookie. The right one is answered at once, even after wrong ones.
func (g *guard) enter(w http.ResponseWriter, r *http.Request, token string) bool {
	if g.open(w, token) {
		return true
	}
	g.wait(r.Context(), g.delay(r.RemoteAddr))
	return false
}

// delay is how long the answer to a wrong token takes.
func (g *guard) delay(from string) time.Duration {
	host, _, _ := net.SplitHostPort(from)
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.wrong) >= mostAddresses && g.wrong[host] == 0 {
		clear(g.wrong)
	}
	g.wrong[host]++
	if g.wrong[host] <= easyWrong {
		return 0
	}
	return min(firstWait<<min(g.wrong[host]-easyWrong-1, 16), mostWait)
}

// open sets the cookie for the token.
func (g *guard) open(w http.ResponseWriter, token string) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.used ||
		!equal(strings.TrimPrefix(strings.TrimSpace(token[strings.LastIndexByte(token, '#')+1:]), "#"), g.token) {
		return false
	}
	g.used, g.secret = true, rand.Text()
	http.SetCookie(w,
		&http.Cookie{Name: g.cookie, Value: g.secret, Path: "/", HttpOnly: true, SameSite: http.SameSiteStrictMode})
	return true
}

// spent reports whether the link was used.
func (g *guard) spent() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.used
}

// equal compares secrets in a time that does not depend on them.
func equal(a, b string) bool {
	x, y := sha256.Sum256([]byte(a)), sha256.Sum256([]byte(b))
	return subtle.ConstantTimeCompare(x[:], y[:]) == 1
}

func refuse(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(status)
	_, _ = io.WriteString(w, text+"\n")
}

// silent is a log that keeps nothing: an address or a header may hold what a visitor typed.
func silent() *log.Logger { return log.New(io.Discard, "", 0) }

// mostStrangers is how many connections may be open of those that have not shown the cookie.
const mostStrangers = 100

// crowd closes the oldest of the connections of strangers where they are many, so that slow ones keep nobody out.
type crowd struct {
	mu        sync.Mutex
	strangers map[net.Conn]time.Time
}

type connKey struct{}

// context lets requests know their connection.
func (c *crowd) context(ctx context.Context, conn net.Conn) context.Context {
	return context.WithValue(ctx, connKey{}, conn)
}

// trust takes the connection of a request out of the crowd.
func (c *crowd) trust(r *http.Request) {
	if conn, ok := r.Context().Value(connKey{}).(net.Conn); ok {
		c.mu.Lock()
		delete(c.strangers, conn)
		c.mu.Unlock()
	}
}

func (c *crowd) state(conn net.Conn, state http.ConnState) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch state {
	case http.StateNew:
	case http.StateClosed, http.StateHijacked:
		delete(c.strangers, conn)
		return
	default:
		return
	}
	if c.strangers == nil {
		c.strangers = map[net.Conn]time.Time{}
	}
	c.strangers[conn] = time.Now()
	if len(c.strangers) <= mostStrangers {
		return
	}
	var oldest net.Conn
	for one, at := range c.strangers {
		if oldest == nil || at.Before(c.strangers[oldest]) {
			oldest = one
		}
	}
	delete(c.strangers, oldest)
	oldest.Close()
}
