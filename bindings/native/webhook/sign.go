package webhook

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/http"
	"strconv"
	"time"
)

// The headers of a delivery.
const (
	TimestampHeader = "Glim-Timestamp" // when it was sent, POSIX seconds
	SignatureHeader = "Glim-Signature" // "v1=" and what Sign returns
)

const version = "v1="

// MaxAge is how old a delivery may be for Verify, or how far ahead: a recorded one cannot be sent again much later.
const MaxAge = 5 * time.Minute

// ErrSignature reports a delivery that does not come from who has the secret, or is too old.
var ErrSignature = errors.New("webhook: not signed with the secret, or not now")

// Sign returns the signature of a delivery, 64 hexadecimal digits: HMAC-SHA256 with secret over the timestamp in decimal
// digits, a full stop and the body.
// Source: RFC 2104.
func Sign(secret []byte, timestamp int64, body []byte) string {
	mac := hmac.New(sha256.New, secret)
	mac.Write(strconv.AppendInt(nil, timestamp, 10))
	mac.Write([]byte{'.'})
	mac.Write(body)
	return hex.EncodeToString(mac.Sum(nil))
}

// Verify returns ErrSignature unless the headers of a delivery say that who has secret sent body, and about now.
func Verify(secret []byte, h http.Header, body []byte, now time.Time) error {
	timestamp, err := strconv.ParseInt(h.Get(TimestampHeader), 10, 64)
	if err != nil {
		return ErrSignature
	}
	if age := now.Sub(time.Unix(timestamp, 0)); age > MaxAge || age < -MaxAge {
		return ErrSignature
	}
	if !hmac.Equal([]byte(h.Get(SignatureHeader)), []byte(version+Sign(secret, timestamp, body))) {
		return ErrSignature
	}
	return nil
}
