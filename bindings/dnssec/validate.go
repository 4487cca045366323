package dnssec

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/miekg/dns"

	"glim/core/openalias"
)

// Limits of one lookup, so that hostile records cost little.
const (
	maxQueries    = 48  // a name with five zones and no CNAME needs 11
	maxCNAMEs     = 8   // in a chain
	maxSignatures = 8   // of one set of records that are considered
	maxChecks     = 64  // verified signatures; source of the attack: CVE-2023-50387
	maxKeys       = 32  // of one zone
	maxRecords    = 256 // in the answer section of a response
)

// RootAnchors are the DS records of the key signing keys of the DNS root: KSK-2017 and KSK-2024.
// Source: https://data.iana.org/root-anchors/root-anchors.xml.
var RootAnchors = []string{
	". IN DS 20326 8 2 E06D44B80B8F1D39A95C0B0D7C65D08458E880409BBC683457104237C7F8EC8D",
	". IN DS 38696 8 2 683D2D0ACB8C9B712A1948B27F741219298D0A450D612C483AF444A4C0FB2B16",
}

// algorithms are the allowed algorithms of signatures. Those with MD5, DSA and SHA-1 are left out, because these are
// broken or disabled, and Ed448 and the GOST algorithms, which are rare. Source: RFC 9904, table 2.
var algorithms = []uint8{dns.RSASHA256, dns.RSASHA512, dns.ECDSAP256SHA256, dns.ECDSAP384SHA384, dns.ED25519}

// digests are the allowed digests of DS records. Source: RFC 9904, table 3.
var digests = []uint8{dns.SHA256, dns.SHA384}

// untrusted returns an openalias.ErrUntrusted with a reason.
func untrusted(format string, args ...any) error {
	return fmt.Errorf("%w: %s", openalias.ErrUntrusted, fmt.Sprintf(format, args...))
}

// lookup is one lookup with one DNS server.
type lookup struct {
	ask     func(ctx context.Context, name string, kind uint16) (*dns.Msg, error)
	anchors []*dns.DS
	now     time.Time
	queries int
	checks  int
	zones   map[string]zone // by canonical name
}

// zone holds the validated keys of a zone, or why there are none.
type zone struct {
	keys []*dns.DNSKEY
	err  error
}

// set is the records of one name and type, with their signatures.
type set struct {
	name       string // canonical
	kind       uint16
	records    []dns.RR
	signatures []*dns.RRSIG
}

// txt returns the texts of the TXT records of name, which is canonical, and follows CNAME records. It returns
// openalias.ErrUntrusted if one of the records is not signed validly, and nothing if there are none, whether or not
// that is signed: without records, nothing is paid.
func (l *lookup) txt(ctx context.Context, name string) ([]string, error) {
	for range maxCNAMEs + 1 {
		m, err := l.query(ctx, name, dns.TypeTXT)
		if err != nil {
			return nil, err
		}
		found := recordsOf(m, name, dns.TypeTXT)
		if len(found.records) > 0 {
			if err := l.verify(ctx, found); err != nil {
				return nil, err
			}
			return texts(found), nil
		}
		alias := recordsOf(m, name, dns.TypeCNAME)
		if len(alias.records) == 0 {
			return nil, nil
		}
		if len(alias.records) > 1 {
			return nil, untrusted("%s has more than one CNAME record", name)
		}
		if err := l.verify(ctx, alias); err != nil {
			return nil, err
		}
		name = dns.CanonicalName(alias.records[0].(*dns.CNAME).Target)
	}
	return nil, untrusted("more than %d CNAME records follow each other", maxCNAMEs)
}

// query asks for the records of a name.
func (l *lookup) query(ctx context.Context, name string, kind uint16) (*dns.Msg, error) {
	if l.queries++; l.queries > maxQueries {
		return nil, untrusted("the lookup needs more than %d queries", maxQueries)
	}
	m, err := l.ask(ctx, name, kind)
	if err == nil && len(m.Answer) > maxRecords {
		return nil, untrusted("a response about %s has more than %d records", name, maxRecords)
	}
	return m, err
}

// recordsOf returns the records of a name and type in the answer section, and their signatures.
func recordsOf(m *dns.Msg, name string, kind uint16) set {
	s := set{name: name, kind: kind}
	for _, r := range m.Answer {
		if h := r.Header(); h.Class != dns.ClassINET || dns.CanonicalName(h.Name) != name {
			continue
		}
		switch r := r.(type) {
		case *dns.RRSIG:
			if r.TypeCovered == kind && len(s.signatures) < maxSignatures {
				s.signatures = append(s.signatures, r)
			}
		case *dns.TXT, *dns.CNAME, *dns.DS, *dns.DNSKEY:
			if r.Header().Rrtype == kind {
				s.records = append(s.records, r)
			}
		}
	}
	return s
}

// verify returns nil if one of the signatures of s is valid now and made by a key of the zone, or of a zone above it,
// to which a chain of signatures leads from the root.
func (l *lookup) verify(ctx context.Context, s set) error {
	err := untrusted("%s %s has no signature", s.name, dns.TypeToString[s.kind])
	for _, g := range s.signatures {
		if err = l.acceptable(s, g); err != nil {
			continue
		}
		var keys []*dns.DNSKEY
		if keys, err = l.keys(ctx, dns.CanonicalName(g.SignerName)); err != nil {
			continue
		}
		if err = l.signedBy(s, g, keys); err == nil {
			return nil
		}
	}
	return err
}

// acceptable returns why a signature cannot be valid, whoever made it.
// Source: RFC 4035, section 5.3.1.
func (l *lookup) acceptable(s set, g *dns.RRSIG) error {
	signer := dns.CanonicalName(g.SignerName)
	switch {
	case !dns.IsSubDomain(signer, s.name):
		return untrusted("%s is signed by %s, which is not above it", s.name, signer)
	case s.kind == dns.TypeDS && signer == s.name:
		return untrusted("the DS record of %s is signed by itself", s.name)
	case !slices.Contains(algorithms, g.Algorithm):
		return untrusted("%s is signed with algorithm %d, which is not accepted", s.name, g.Algorithm)
	case int(g.Labels) != dns.CountLabel(s.name):
		// To accept a wildcard takes a proof that no closer name exists.
		return untrusted("%s comes from a wildcard record, which is not accepted", s.name)
	case !g.ValidityPeriod(l.now):
		return untrusted("the signature of %s is valid from %s to %s only", s.name,
			dns.TimeToString(g.Inception), dns.TimeToString(g.Expiration))
	}
	return nil
}

// signedBy returns nil if one of the keys made the signature.
func (l *lookup) signedBy(s set, g *dns.RRSIG, keys []*dns.DNSKEY) error {
	for _, k := range keys {
		if k.Algorithm != g.Algorithm || k.KeyTag() != g.KeyTag {
			continue
		}
		if l.checks++; l.checks > maxChecks {
			return untrusted("more than %d signatures have to be verified", maxChecks)
		}
		if g.Verify(k, s.records) == nil {
			return nil
		}
	}
	return untrusted("no key of %s made the signature of %s %s", g.SignerName, s.name, dns.TypeToString[s.kind])
}

// keys returns the validated keys of a zone.
func (l *lookup) keys(ctx context.Context, name string) ([]*dns.DNSKEY, error) {
	if z, ok := l.zones[name]; ok {
		return z.keys, z.err
	}
	keys, err := l.fetchKeys(ctx, name)
	l.zones[name] = zone{keys, err}
	return keys, err
}

// fetchKeys asks for the keys of a zone, and validates them with the DS records of the zone above, or the root's
// anchors. The recursion ends, because DS records are signed by a zone with fewer labels.
// Source: RFC 4035, section 5.2.
func (l *lookup) fetchKeys(ctx context.Context, name string) ([]*dns.DNSKEY, error) {
	anchors := l.anchors
	if name != "." {
		m, err := l.query(ctx, name, dns.TypeDS)
		if err != nil {
			return nil, err
		}
		found := recordsOf(m, name, dns.TypeDS)
		if len(found.records) == 0 {
			return nil, untrusted("%s has no DS record", name)
		}
		if err := l.verify(ctx, found); err != nil {
			return nil, err
		}
		anchors = nil
		for _, r := range found.records {
			anchors = append(anchors, r.(*dns.DS))
		}
	}
	m, err := l.query(ctx, name, dns.TypeDNSKEY)
	if err != nil {
		return nil, err
	}
	found := recordsOf(m, name, dns.TypeDNSKEY)
	var all, entry []*dns.DNSKEY
	for _, r := range found.records {
		k := r.(*dns.DNSKEY)
		if k.Flags&dns.ZONE == 0 || k.Flags&dns.REVOKE != 0 || !slices.Contains(algorithms, k.Algorithm) {
			continue
		}
		all = append(all, k)
		if slices.ContainsFunc(anchors, func(d *dns.DS) bool { return matches(d, k) }) {
			entry = append(entry, k)
		}
	}
	switch {
	case len(found.records) > maxKeys:
		return nil, untrusted("%s has more than %d keys", name, maxKeys)
	case len(entry) == 0:
		return nil, untrusted("no key of %s matches its DS record", name)
	}
	err = untrusted("the keys of %s have no signature", name)
	for _, g := range found.signatures {
		if err = l.acceptable(found, g); err != nil {
			continue
		}
		if dns.CanonicalName(g.SignerName) != name {
			err = untrusted("the keys of %s are signed by %s", name, g.SignerName)
			continue
		}
		if err = l.signedBy(found, g, entry); err == nil {
			return all, nil
		}
	}
	return nil, err
}

// matches reports whether d is a DS record of k with an allowed digest.
func matches(d *dns.DS, k *dns.DNSKEY) bool {
	if d.KeyTag != k.KeyTag() || d.Algorithm != k.Algorithm || !slices.Contains(digests, d.DigestType) {
		return false
	}
	own := k.ToDS(d.DigestType)
	return own != nil && strings.EqualFold(own.Digest, d.Digest)
}

// texts returns the text of each TXT record: its strings without the escapes of zone files, joined.
func texts(s set) (list []string) {
	for _, r := range s.records {
		var b strings.Builder
		for _, part := range r.(*dns.TXT).Txt {
			unescape(&b, part)
		}
		list = append(list, b.String())
	}
	return list
}

// unescape writes the bytes of a string that package dns has escaped: \DDD, a byte in decimal, or a backslash and the
// character itself.
func unescape(b *strings.Builder, text string) {
	digit := func(i int) bool { return i < len(text) && text[i] >= '0' && text[i] <= '9' }
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] != '\\' || i+1 == len(text):
			b.WriteByte(text[i])
		case digit(i+1) && digit(i+2) && digit(i+3):
			b.WriteByte((text[i+1]-'0')*100 + (text[i+2]-'0')*10 + text[i+3] - '0')
			i += 3
		default:
			i++
			b.WriteByte(text[i])
		}
	}
}
