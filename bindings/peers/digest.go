package peers

import (
	"crypto/md5"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"regexp"
	"strings"
)

var challengeField = regexp.MustCompile(`(\w+)=(?:"([^"]*)"|([^", ]+))`)

// digest returns the Authorization header of one POST for the challenges of a server.
// Source: RFC 2617 section 3.2.2 with algorithm MD5 and qop auth, which the reference offers.
func digest(challenges []string, login, path string) (string, error) {
	user, password, _ := strings.Cut(login, ":")
	for _, c := range challenges {
		field := map[string]string{}
		for _, m := range challengeField.FindAllStringSubmatch(c, -1) {
			field[strings.ToLower(m[1])] = m[2] + m[3]
		}
		if a := field["algorithm"]; !strings.HasPrefix(c, "Digest ") || a != "" && !strings.EqualFold(a, "MD5") {
			continue
		}
		cnonce := rand.Text()
		inner := hash(user, field["realm"], password)
		response := hash(inner, field["nonce"], "00000001", cnonce, "auth", hash("POST", path))
		return fmt.Sprintf(
			`Digest username="%s", realm="%s", nonce="%s", uri="%s", algorithm=MD5, response="%s", `+
				`qop=auth, nc=00000001, cnonce="%s"`,
			user, field["realm"], field["nonce"], path, response, cnonce,
		), nil
	}
	return "", fmt.Errorf("peers: no challenge of digest login that we know: %q", challenges)
}

func hash(parts ...string) string {
	sum := md5.Sum([]byte(strings.Join(parts, ":")))
	return hex.EncodeToString(sum[:])
}
