package wallet

import (
	"time"

	"glim/bindings/dnssec/dnstest"
	"glim/core/journal"
)

// Tests open many wallets, so derive keys from passwords cheaply. Their signed zones are valid at one time.
func init() {
	kdf = journal.WeakestKDF
	now = func() time.Time { return dnstest.Now }
}
