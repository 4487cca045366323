package wallet

import "glim/core/journal"

// Tests open many wallets, so derive keys from passwords cheaply.
func init() { kdf = journal.WeakestKDF }
