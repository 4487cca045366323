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
	TimestampHeader = "Glim-Timestamp" // the time of sending, in POSIX seconds
	SignatureHeader = "Glim-Signature" // "v1=" followed by the result of Sign
)

const version = "v1="

// MaxAge is the maximum difference between the timestamp of a delivery and the clock that Verify accepts, in either
// direction. It limits replays.
const MaxAge = 5 * time.Minute

// ErrSignature means that a delivery is not signed with the secret, or that its timestamp is more than MaxAge from now.
var ErrSignature = errors.New("webhook: not signed with the secret, or not now")

// Sign returns the signature of a delivery in 64 hexadecimal digits: HMAC-SHA256 with secret over the timestamp in
// decimal POSIX seconds, a full stop and the body.
// Source: RFC 2104.
func Sign(secret []byte, timestamp int64, body []byte) string {
	mac := hmac.New(sha256.New, secret)
	mac.Write(strconv.AppendInt(nil, timestamp, 10))
	mac.Write([]byte{'.'})
	mac.Write(body)
	return hex.EncodeToString(mac.Sum(nil))
}

// Verify returns ErrSignature unless h contains a valid signature of body with secret and a timestamp within MaxAge of
// now.
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
