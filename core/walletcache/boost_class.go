package walletcache

// class is a type that an archive describes once, before its first value: its version, and whether its values are
// tracked.
type class int

const (
	classWallet class = iota
	classChain
	classTransfers
	classTransfer
	classPrefix
	classInputs
	classInput
	classGen
	classToKey
	classOutputs
	classOutput
	classTarget
	classTargetScript
	classTargetKey
	classPublicKey
	classPublicKeys
	classSecretKey
	classKeyImage
	classHash
	classHash8
	classKey
	classIndex
	classAddress
	classInfos
	classInfo
	classLRs
	classLR
	classKeyImages
	classKeys
	classUses
	classUse
	classImages
	classUnconfirmeds
	classUnconfirmed
	classDestinations
	classDestination
	classRings
	classRing
	classPayments
	classPayment
	classTxKeys
	classConfirmeds
	classConfirmed
	classTexts
	classPaymentMap
	classPoolPayments
	classPoolPayment
	classOutputKeys
	classAddressBook
	classContact
	classHashes
	classHashQueue
	classHashSet
	classSubaddresses
	classSubaddressKeys
	classLabels
	classStrings
	classSecretKeys
	classAdditional
	classAttributes
	classAccountTags
	classTags
	classTag
	classColdImages
	classes
)

// versioned lists the class versions that archives contain: from release 0.10.2, the first with portable archives, to
// release 0.16. Classes that are not listed have only version 0.
// Source: wallet2.h, BOOST_CLASS_VERSION; src/cryptonote_core/cryptonote_tx_utils.h.
var versioned = map[class]struct {
	name            string
	lowest, highest uint64
}{
	classWallet:      {"wallet2", 16, 29},
	classTransfer:    {"transfer_details", 7, 12},
	classInfo:        {"multisig_info", 0, 1},
	classUnconfirmed: {"unconfirmed_transfer_details", 6, 8},
	classConfirmed:   {"confirmed_transfer_details", 3, 6},
	classDestination: {"tx_destination_entry", 0, 2},
	classPayment:     {"payment_details", 1, 5},
	classPoolPayment: {"pool_payment_details", 0, 1},
	classContact:     {"address_book_row", 16, 18},
}
