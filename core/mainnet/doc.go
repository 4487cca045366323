// Package mainnet has no code, only tests: they read transactions, blocks and files of every era of Monero's main
// network.
//
// A few transactions and blocks are in testdata, which names their sources. GLIM_MAINNET_DATA adds folders with more of
// them, such as checkouts of monero-project/monero and Cuprate/cuprate, which publish such data for their own tests.
package mainnet
