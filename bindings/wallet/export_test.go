package wallet

import "glim/core/journal"

// Tests open many wallets; what a real key of a password costs is others' to test.
func init() { kdf = journal.WeakestKDF }
