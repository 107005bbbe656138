package transport

import (
	"crypto/ed25519"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/hex"
	"encoding/pem"
	"errors"
	"fmt"
	"math/big"
	"time"
)

// years is how long a certificate says that it is good for. Nobody looks: parties know each other's by its hash.
const years = 20

// NewKey makes a key (Ed25519) with a certificate that it has signed itself, both as PEM; name is that of the party.
// Of a party that has lost its key the others need the fingerprint of another in the plan.
func NewKey(name string, now time.Time) (file []byte, err error) {
	public, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return nil, err
	}
	serial, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 120))
	if err != nil {
		return nil, err
	}
	certificate := &x509.Certificate{
		SerialNumber: serial,
		Subject:      pkix.Name{CommonName: name},
		NotBefore:    now.AddDate(0, 0, -1),
		NotAfter:     now.AddDate(years, 0, 0),
		KeyUsage:     x509.KeyUsageDigitalSignature,
		ExtKeyUsage:  []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth, x509.ExtKeyUsageServerAuth},
	}
	der, err := x509.CreateCertificate(rand.Reader, certificate, certificate, public, private)
	if err != nil {
		return nil, err
	}
	key, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		return nil, err
	}
	return append(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: key}),
		pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})...), nil
}

// ReadKey reads what NewKey made, or the same made by another program, of any kind of key that TLS 1.3 takes.
func ReadKey(file []byte) (tls.Certificate, error) {
	c, err := tls.X509KeyPair(file, file)
	if err != nil {
		return c, errors.New("it does not hold a private key and its certificate as PEM; dither joint keys makes such a file")
	}
	return c, nil
}

// Fingerprint is what a plan calls a certificate by: the SHA-256 of it (DER), in hexadecimal.
func Fingerprint(c tls.Certificate) string { return fingerprint(c.Certificate[0]) }

func fingerprint(der []byte) string {
	sum := sha256.Sum256(der)
	return hex.EncodeToString(sum[:])
}

// wrongCertificate is the error of a party that shows another certificate than the plan has.
type wrongCertificate struct{ shown, planned string }

func (w *wrongCertificate) Error() string {
	return fmt.Sprintf("its certificate is %s; the plan has %s", w.shown, w.planned)
}

// config is that of a side of a connection; check is handed the fingerprint that the other side shows.
func config(own tls.Certificate, check func(shown string) error) *tls.Config {
	return &tls.Config{
		Certificates:           []tls.Certificate{own},
		MinVersion:             tls.VersionTLS13,
		ClientAuth:             tls.RequireAnyClientCert,
		InsecureSkipVerify:     true, // no authority vouches: VerifyConnection compares with the plan
		SessionTicketsDisabled: true,
		NextProtos:             []string{protocolName},
		VerifyConnection: func(s tls.ConnectionState) error {
			if len(s.PeerCertificates) == 0 {
				return errors.New("no certificate is shown")
			}
			return check(fingerprint(s.PeerCertificates[0].Raw))
		},
	}
}
