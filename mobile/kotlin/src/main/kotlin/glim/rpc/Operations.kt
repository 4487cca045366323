// Written by scripts/gen from core/walletrpc: make gen writes it again.

package glim.rpc

/** Numbers of the failures that the wallet service states. */
object Code {
    const val UNKNOWN = -1
    const val WRONG_ADDRESS = -2
    const val DAEMON_BUSY = -3
    const val GENERIC_TRANSFER = -4
    const val WRONG_PAYMENT_ID = -5
    const val TRANSFER_TYPE = -6
    const val DENIED = -7
    const val WRONG_TX_ID = -8
    const val WRONG_SIGNATURE = -9
    const val WRONG_KEY_IMAGE = -10
    const val WRONG_URI = -11
    const val WRONG_INDEX = -12
    const val NOT_OPEN = -13
    const val ACCOUNT_INDEX_OUT_OF_BOUNDS = -14
    const val ADDRESS_INDEX_OUT_OF_BOUNDS = -15
    const val TX_NOT_POSSIBLE = -16
    const val NOT_ENOUGH_MONEY = -17
    const val TX_TOO_LARGE = -18
    const val NOT_ENOUGH_OUTS_TO_MIX = -19
    const val ZERO_DESTINATION = -20
    const val WALLET_ALREADY_EXISTS = -21
    const val INVALID_PASSWORD = -22
    const val NO_WALLET_DIR = -23
    const val NO_TX_KEY = -24
    const val WRONG_KEY = -25
    const val BAD_HEX = -26
    const val BAD_TX_METADATA = -27
    const val ALREADY_MULTISIG = -28
    const val WATCH_ONLY = -29
    const val BAD_MULTISIG_INFO = -30
    const val NOT_MULTISIG = -31
    const val WRONG_LR = -32
    const val THRESHOLD_NOT_REACHED = -33
    const val BAD_MULTISIG_TX_DATA = -34
    const val MULTISIG_SIGNATURE = -35
    const val MULTISIG_SUBMISSION = -36
    const val NOT_ENOUGH_UNLOCKED_MONEY = -37
    const val NO_DAEMON_CONNECTION = -38
    const val BAD_UNSIGNED_TX_DATA = -39
    const val BAD_SIGNED_TX_DATA = -40
    const val SIGNED_SUBMISSION = -41
    const val SIGN_UNSIGNED = -42
    const val NON_DETERMINISTIC = -43
    const val INVALID_LOG_LEVEL = -44
    const val ATTRIBUTE_NOT_FOUND = -45
    const val ZERO_AMOUNT = -46
    const val INVALID_SIGNATURE_TYPE = -47
    const val DISABLED = -48
    const val PROXY_ALREADY_DEFINED = -49
    const val NONZERO_UNLOCK_TIME = -50
    const val IS_BACKGROUND_WALLET = -51
    const val IS_BACKGROUND_SYNCING = -52
    /** from 0.19 on */
    const val INVALID_FEE_PRIORITY = -53
    const val PARSE = -32700
    const val INVALID_REQUEST = -32600
    const val METHOD_NOT_FOUND = -32601
    const val INVALID_PARAMS = -32602
    const val INTERNAL = -32603
}

/** One account. */
data class AccountInfo(
    val accountIndex: Long,
    val baseAddress: String,
    /** atomic units, locked or not */
    val balance: ULong,
    /** atomic units */
    val unlockedBalance: ULong,
    val label: String,
    val tag: String
) {
    companion object {
        internal fun read(from: JsonObject) = AccountInfo(
            accountIndex = from.long("account_index"),
            baseAddress = from.text("base_address"),
            balance = from.big("balance"),
            unlockedBalance = from.big("unlocked_balance"),
            label = from.text("label"),
            tag = from.text("tag")
        )
    }
}

/** A tag with the accounts that carry it. */
data class AccountTag(
    val tag: String,
    /** its description */
    val label: String,
    val accounts: List<Long>
) {
    companion object {
        internal fun read(from: JsonObject) = AccountTag(
            tag = from.text("tag"),
            label = from.text("label"),
            accounts = from.list("accounts") { Json.asLong(it) }
        )
    }
}

/** A new entry. */
data class AddAddressBookRequest(
    val address: String = "",
    val description: String = "",
    /** read and ignored */
    val paymentId: String = ""
) : Parameters {
    override fun write(to: JsonWriter) {
        to.text("address", address)
        to.text("description", description)
        to.text("payment_id", paymentId)
    }
}

/** Where it went. */
data class AddAddressBookResponse(
    val index: ULong
) {
    companion object {
        internal fun read(from: JsonObject) = AddAddressBookResponse(
            index = from.big("index")
        )
    }
}

/** An address worth remembering. */
data class AddressBookEntry(
    /** moves up when an entry before it goes */
    val index: ULong,
    val address: String,
    val description: String,
    /** always empty: integrated addresses carry theirs */
    val paymentId: String
) {
    companion object {
        internal fun read(from: JsonObject) = AddressBookEntry(
            index = from.big("index"),
            address = from.text("address"),
            description = from.text("description"),
            paymentId = from.text("payment_id")
        )
    }
}

/** One address of an account. */
data class AddressInfo(
    val address: String,
    val label: String,
    val addressIndex: Long,
    /** has received money */
    val used: Boolean
) {
    companion object {
        internal fun read(from: JsonObject) = AddressInfo(
            address = from.text("address"),
            label = from.text("label"),
            addressIndex = from.long("address_index"),
            used = from.bool("used")
        )
    }
}

/** What one transaction pays, in the order of its destinations. */
data class AmountsList(
    /** atomic units */
    val amounts: List<ULong>
) {
    companion object {
        internal fun read(from: JsonObject) = AmountsList(
            amounts = from.list("amounts") { Json.asBig(it) }
        )
    }
}

/** Sets the rhythm. */
data class AutoRefreshRequest(
    val enable: Boolean = true,
    /** seconds; 0 for the default of 20 */
    val period: Long = 0L
) : Parameters {
    override fun write(to: JsonWriter) {
        to.bool("enable", enable)
        to.number("period", period)
    }
}

/** The old password and the new. */
data class ChangeWalletPasswordRequest(
    val oldPassword: String = "",
    val newPassword: String = ""
) : Parameters {
    override fun write(to: JsonWriter) {
        to.text("old_password", oldPassword)
        to.text("new_password", newPassword)
    }

    override fun toString() = "ChangeWalletPasswordRequest(…)"
}

/** A proof of money held. */
data class CheckReserveProofRequest(
    /** the wallet's primary */
    val address: String = "",
    val message: String = "",
    val signature: String = ""
) : Parameters {
    override fun write(to: JsonWriter) {
        to.text("address", address)
        to.text("message", message)
        to.text("signature", signature)
    }
}

/** Judges the proof. */
data class CheckReserveProofResponse(
    val good: Boolean,
    /** atomic units the proof covers */
    val total: ULong,
    /** atomic units of them spent since */
    val spent: ULong
) {
    companion object {
        internal fun read(from: JsonObject) = CheckReserveProofResponse(
            good = from.bool("good"),
            total = from.big("total"),
            spent = from.big("spent")
        )
    }
}

/** A proof of having spent. */
data class CheckSpendProofRequest(
    val txid: String = "",
    val message: String = "",
    val signature: String = ""
) : Parameters {
    override fun write(to: JsonWriter) {
        to.text("txid", txid)
        to.text("message", message)
        to.text("signature", signature)
    }
}

/** Judges the proof. */
data class CheckSpendProofResponse(
    val good: Boolean
) {
    companion object {
        internal fun read(from: JsonObject) = CheckSpendProofResponse(
            good = from.bool("good")
        )
    }
}

/** Claims that a transaction paid an address. */
data class CheckTxKeyRequest(
    val txid: String = "",
    /** with the additional keys */
    val txKey: String = "",
    val address: String = ""
) : Parameters {
    override fun write(to: JsonWriter) {
        to.text("txid", txid)
        to.text("tx_key", txKey)
        to.text("address", address)
    }

    override fun toString() = "CheckTxKeyRequest(…)"
}

/** What the address received. */
data class CheckTxKeyResponse(
    /** atomic units */
    val received: ULong,
    val inPool: Boolean,
    val confirmations: ULong
) {
    companion object {
        internal fun read(from: JsonObject) = CheckTxKeyResponse(
            received = from.big("received"),
            inPool = from.bool("in_pool"),
            confirmations = from.big("confirmations")
        )
    }
}

/** A proof of payment with what it claims. */
data class CheckTxProofRequest(
    val txid: String = "",
    val address: String = "",
    val message: String = "",
    val signature: String = ""
) : Parameters {
    override fun write(to: JsonWriter) {
        to.text("txid", txid)
        to.text("address", address)
        to.text("message", message)
        to.text("signature", signature)
    }
}

/** Judges the proof. */
data class CheckTxProofResponse(
    val good: Boolean,
    /** atomic units */
    val received: ULong,
    val inPool: Boolean,
    val confirmations: ULong
) {
    companion object {
        internal fun read(from: JsonObject) = CheckTxProofResponse(
            good = from.bool("good"),
            received = from.big("received"),
            inPool = from.bool("in_pool"),
            confirmations = from.big("confirmations")
        )
    }
}

/** Says whether to store first. */
data class CloseWalletRequest(
    val autosaveCurrent: Boolean = true
) : Parameters {
    override fun write(to: JsonWriter) {
        to.bool("autosave_current", autosaveCurrent)
    }
}

/** Labels the account to make. */
data class CreateAccountRequest(
    val label: String = ""
) : Parameters {
    override fun write(to: JsonWriter) {
        to.text("label", label)
    }
}

/** The account made. */
data class CreateAccountResponse(
    val accountIndex: Long,
    /** its first */
    val address: String
) {
    companion object {
        internal fun read(from: JsonObject) = CreateAccountResponse(
            accountIndex = from.long("account_index"),
            address = from.text("address")
        )
    }
}

/** Asks for new addresses in an account. */
data class CreateAddressRequest(
    val accountIndex: Long = 0L,
    /** 1 to 65536 */
    val count: Long = 1L,
    /** given to each */
    val label: String = ""
) : Parameters {
    override fun write(to: JsonWriter) {
        to.number("account_index", accountIndex)
        to.number("count", count)
        to.text("label", label)
    }
}

/** Lists the new addresses. */
data class CreateAddressResponse(
    /** the first of them */
    val address: String,
    /** of the first */
    val addressIndex: Long,
    val addresses: List<String>,
    val addressIndices: List<Long>
) {
    companion object {
        internal fun read(from: JsonObject) = CreateAddressResponse(
            address = from.text("address"),
            addressIndex = from.long("address_index"),
            addresses = from.list("addresses") { Json.asText(it) },
            addressIndices = from.list("address_indices") { Json.asLong(it) }
        )
    }
}

/** Describes a new wallet. */
data class CreateWalletRequest(
    /** a name in the wallet folder, without a slash; empty keeps it in memory */
    val filename: String = "",
    val password: String = "",
    /** of the seed, by either name */
    val language: String = "",
    /** Beyond the reference: polyseed for a seed of sixteen words, in a language of those. */
    val seedType: String = ""
) : Parameters {
    override fun write(to: JsonWriter) {
        to.text("filename", filename)
        to.text("password", password)
        to.text("language", language)
        to.text("seed_type", seedType)
    }

    override fun toString() = "CreateWalletRequest(…)"
}

/** Names an entry. */
data class DeleteAddressBookRequest(
    val index: ULong = 0uL
) : Parameters {
    override fun write(to: JsonWriter) {
        to.big("index", index)
    }
}

/** One of two kinds of set. */
data class DescribeTransferRequest(
    val unsignedTxset: String = "",
    val multisigTxset: String = ""
) : Parameters {
    override fun write(to: JsonWriter) {
        to.text("unsigned_txset", unsignedTxset)
        to.text("multisig_txset", multisigTxset)
    }
}

/** What a set does. */
data class DescribeTransferResponse(
    val summary: TxSetSummary,
    val desc: List<TxDescription>
) {
    companion object {
        internal fun read(from: JsonObject) = DescribeTransferResponse(
            summary = from.value("summary") { TxSetSummary.read(it) },
            desc = from.list("desc") { TxDescription.read(Json.asObject(it)) }
        )
    }
}

/** An output the set spends. */
data class DescribedSource(
    /** atomic units */
    val amount: ULong,
    val globalIndex: ULong,
    val rct: Boolean,
    val pubkey: String
) {
    companion object {
        internal fun read(from: JsonObject) = DescribedSource(
            amount = from.big("amount"),
            globalIndex = from.big("global_index"),
            rct = from.bool("rct"),
            pubkey = from.text("pubkey")
        )
    }
}

/** Money for an address. */
data class Destination(
    /** atomic units */
    val amount: ULong = 0uL,
    val address: String = ""
) : Parameters {
    override fun write(to: JsonWriter) {
        to.big("amount", amount)
        to.text("address", address)
    }

    companion object {
        internal fun read(from: JsonObject) = Destination(
            amount = from.big("amount"),
            address = from.text("address")
        )
    }
}

/** Changes what its set_ members name. */
data class EditAddressBookRequest(
    val index: ULong = 0uL,
    val setAddress: Boolean = false,
    val address: String = "",
    val setDescription: Boolean = false,
    val description: String = "",
    /** read and ignored */
    val setPaymentId: Boolean = false,
    /** read and ignored */
    val paymentId: String = ""
) : Parameters {
    override fun write(to: JsonWriter) {
        to.big("index", index)
        to.bool("set_address", setAddress)
        to.text("address", address)
        to.bool("set_description", setDescription)
        to.text("description", description)
        to.bool("set_payment_id", setPaymentId)
        to.text("payment_id", paymentId)
    }
}

/** The shape of a transaction. */
data class EstimateTxSizeAndWeightRequest(
    val nInputs: Long = 0L,
    val nOutputs: Long = 0L,
    /** 0 for the chain's */
    val ringSize: Long = 0L,
    val rct: Boolean = true
) : Parameters {
    override fun write(to: JsonWriter) {
        to.number("n_inputs", nInputs)
        to.number("n_outputs", nOutputs)
        to.number("ring_size", ringSize)
        to.bool("rct", rct)
    }
}

/** How much room it takes. */
data class EstimateTxSizeAndWeightResponse(
    /** bytes */
    val size: ULong,
    val weight: ULong
) {
    companion object {
        internal fun read(from: JsonObject) = EstimateTxSizeAndWeightResponse(
            size = from.big("size"),
            weight = from.big("weight")
        )
    }
}

/**
 * Something that happened. Members that do not apply are left out, and numbers that are 0. A transfer is what one transaction
 * brought to one address, or what it took from one account.
 */
data class Event(
    /**
     * The number of this event, or of the last one before an event without a number. Asked for what is after it, the wallet
     * tells what comes next.
     */
    val cursor: ULong,
    val type: String,
    /** in or out */
    val direction: String?,
    val txid: String?,
    /** 16 hex digits, or 64 when long; zeros for none */
    val paymentId: String?,
    /** that received; of what was sent, the account's first */
    val subaddrIndex: SubaddressIndex?,
    val address: String?,
    /** atomic units, without fee and change */
    val amount: ULong?,
    /** atomic units */
    val fee: ULong?,
    /** of transfers the index of the block, of height and sync a number of blocks */
    val height: ULong?,
    val targetHeight: ULong?,
    /** POSIX, of the block, or when first seen */
    val timestamp: ULong?,
    /** block index, or POSIX time from 500000000 on */
    val unlockTime: ULong?,
    /** a mining reward */
    val coinbase: Boolean?,
    /** of a warning and a takeover, for people */
    val text: String?
) {
    companion object {
        internal fun read(from: JsonObject) = Event(
            cursor = from.big("cursor"),
            type = from.text("type"),
            direction = from.textOrNull("direction"),
            txid = from.textOrNull("txid"),
            paymentId = from.textOrNull("payment_id"),
            subaddrIndex = from.valueOrNull("subaddr_index") { SubaddressIndex.read(it) },
            address = from.textOrNull("address"),
            amount = from.bigOrNull("amount"),
            fee = from.bigOrNull("fee"),
            height = from.bigOrNull("height"),
            targetHeight = from.bigOrNull("target_height"),
            timestamp = from.bigOrNull("timestamp"),
            unlockTime = from.bigOrNull("unlock_time"),
            coinbase = from.boolOrNull("coinbase"),
            text = from.textOrNull("text")
        )
    }
}

/** The other signers' messages of a round. */
data class ExchangeMultisigKeysRequest(
    val password: String = "",
    val multisigInfo: List<String> = emptyList(),
    /** go on with fewer messages than signers */
    val forceUpdateUseWithCaution: Boolean = false
) : Parameters {
    override fun write(to: JsonWriter) {
        to.text("password", password)
        to.list("multisig_info", multisigInfo) { element(it) }
        to.bool("force_update_use_with_caution", forceUpdateUseWithCaution)
    }

    override fun toString() = "ExchangeMultisigKeysRequest(…)"
}

/** Chooses key images. */
data class ExportKeyImagesRequest(
    /** not only those since the last export */
    val all: Boolean = false
) : Parameters {
    override fun write(to: JsonWriter) {
        to.bool("all", all)
    }
}

/** Lists key images. */
data class ExportKeyImagesResponse(
    /** outputs left out at the beginning */
    val offset: Long,
    val signedKeyImages: List<SignedKeyImage>
) {
    companion object {
        internal fun read(from: JsonObject) = ExportKeyImagesResponse(
            offset = from.long("offset"),
            signedKeyImages = from.list("signed_key_images") { SignedKeyImage.read(Json.asObject(it)) }
        )
    }
}

/** Names the file to make. */
data class ExportKeysFileRequest(
    /** a name in the wallet folder that no wallet has, without a slash and without .keys */
    val filename: String = "",
    /** of the file */
    val password: String = ""
) : Parameters {
    override fun write(to: JsonWriter) {
        to.text("filename", filename)
        to.text("password", password)
    }

    override fun toString() = "ExportKeysFileRequest(…)"
}

/** The file made. */
data class ExportKeysFileResponse(
    /** with .keys */
    val filename: String
) {
    companion object {
        internal fun read(from: JsonObject) = ExportKeysFileResponse(
            filename = from.text("filename")
        )
    }
}

/** For the other signers. */
data class ExportMultisigInfoResponse(
    val info: String
) {
    companion object {
        internal fun read(from: JsonObject) = ExportMultisigInfoResponse(
            info = from.text("info")
        )
    }
}

/** Chooses outputs by their order in the wallet. */
data class ExportOutputsRequest(
    /** not only those since the last export */
    val all: Boolean = false,
    val start: Long = 0L,
    val count: Long = 4294967295L
) : Parameters {
    override fun write(to: JsonWriter) {
        to.bool("all", all)
        to.number("start", start)
        to.number("count", count)
    }
}

/** The outputs, encrypted with the view key. */
data class ExportOutputsResponse(
    val outputsDataHex: String
) {
    companion object {
        internal fun read(from: JsonObject) = ExportOutputsResponse(
            outputsDataHex = from.text("outputs_data_hex")
        )
    }
}

/** The other signers' messages of the last round. */
data class FinalizeMultisigRequest(
    val password: String = "",
    val multisigInfo: List<String> = emptyList()
) : Parameters {
    override fun write(to: JsonWriter) {
        to.text("password", password)
        to.list("multisig_info", multisigInfo) { element(it) }
    }

    override fun toString() = "FinalizeMultisigRequest(…)"
}

/** The wallet made. */
data class FinalizeMultisigResponse(
    val address: String
) {
    companion object {
        internal fun read(from: JsonObject) = FinalizeMultisigResponse(
            address = from.text("address")
        )
    }
}

/** Tells whether an output is frozen. */
data class FrozenResponse(
    val frozen: Boolean
) {
    companion object {
        internal fun read(from: JsonObject) = FrozenResponse(
            frozen = from.bool("frozen")
        )
    }
}

/** Describes a wallet by its keys. */
data class GenerateFromKeysRequest(
    /** index of the first block to read */
    val restoreHeight: ULong = 0uL,
    /** empty keeps it in memory */
    val filename: String = "",
    val address: String = "",
    /** empty for a view-only wallet */
    val spendkey: String = "",
    val viewkey: String = "",
    val password: String = "",
    val autosaveCurrent: Boolean = true,
    /** of the seed, when the keys have one */
    val language: String = "",
    /** Beyond the reference: YYYY-MM-DD or seconds since 1970 in the place of the height; with both, the earlier counts. */
    val restoreDate: Any? = null
) : Parameters {
    override fun write(to: JsonWriter) {
        to.big("restore_height", restoreHeight)
        to.text("filename", filename)
        to.text("address", address)
        to.text("spendkey", spendkey)
        to.text("viewkey", viewkey)
        to.text("password", password)
        to.bool("autosave_current", autosaveCurrent)
        to.text("language", language)
        to.any("restore_date", restoreDate)
    }

    override fun toString() = "GenerateFromKeysRequest(…)"
}

/** The wallet made. */
data class GenerateFromKeysResponse(
    val address: String,
    /** a sentence for people */
    val info: String
) {
    companion object {
        internal fun read(from: JsonObject) = GenerateFromKeysResponse(
            address = from.text("address"),
            info = from.text("info")
        )
    }
}

/** Lists tags in sorted order. */
data class GetAccountTagsResponse(
    val accountTags: List<AccountTag>
) {
    companion object {
        internal fun read(from: JsonObject) = GetAccountTagsResponse(
            accountTags = from.list("account_tags") { AccountTag.read(Json.asObject(it)) }
        )
    }
}

/** Filters accounts by tag. */
data class GetAccountsRequest(
    /** none for all */
    val tag: String = "",
    /** counts mined transactions only */
    val strictBalances: Boolean = false,
    /** tag is a regular expression for the whole tag */
    val regexp: Boolean = false,
    /** the published name of regexp */
    val regex: Boolean = false
) : Parameters {
    override fun write(to: JsonWriter) {
        to.text("tag", tag)
        to.bool("strict_balances", strictBalances)
        to.bool("regexp", regexp)
        to.bool("regex", regex)
    }
}

/** Lists accounts with their sum. */
data class GetAccountsResponse(
    /** atomic units */
    val totalBalance: ULong,
    /** atomic units */
    val totalUnlockedBalance: ULong,
    /** by index */
    val subaddressAccounts: List<AccountInfo>
) {
    companion object {
        internal fun read(from: JsonObject) = GetAccountsResponse(
            totalBalance = from.big("total_balance"),
            totalUnlockedBalance = from.big("total_unlocked_balance"),
            subaddressAccounts = from.list("subaddress_accounts") { AccountInfo.read(Json.asObject(it)) }
        )
    }
}

/** Names entries. */
data class GetAddressBookRequest(
    /** none for all */
    val entries: List<ULong> = emptyList()
) : Parameters {
    override fun write(to: JsonWriter) {
        to.list("entries", entries) { element(it) }
    }
}

/** Lists entries, in the order asked. */
data class GetAddressBookResponse(
    val entries: List<AddressBookEntry>
) {
    companion object {
        internal fun read(from: JsonObject) = GetAddressBookResponse(
            entries = from.list("entries") { AddressBookEntry.read(Json.asObject(it)) }
        )
    }
}

/** Names an address. */
data class GetAddressIndexRequest(
    val address: String = ""
) : Parameters {
    override fun write(to: JsonWriter) {
        to.text("address", address)
    }
}

/** Says where the address is in the wallet. */
data class GetAddressIndexResponse(
    val index: SubaddressIndex
) {
    companion object {
        internal fun read(from: JsonObject) = GetAddressIndexResponse(
            index = from.value("index") { SubaddressIndex.read(it) }
        )
    }
}

/** Asks for addresses of one account. */
data class GetAddressRequest(
    val accountIndex: Long = 0L,
    /** none for all */
    val addressIndex: List<Long> = emptyList()
) : Parameters {
    override fun write(to: JsonWriter) {
        to.number("account_index", accountIndex)
        to.list("address_index", addressIndex) { element(it) }
    }
}

/** Lists addresses of one account. */
data class GetAddressResponse(
    /** the account's first */
    val address: String,
    val addresses: List<AddressInfo>
) {
    companion object {
        internal fun read(from: JsonObject) = GetAddressResponse(
            address = from.text("address"),
            addresses = from.list("addresses") { AddressInfo.read(Json.asObject(it)) }
        )
    }
}

/** Names an attribute. */
data class GetAttributeRequest(
    val key: String = ""
) : Parameters {
    override fun write(to: JsonWriter) {
        to.text("key", key)
    }

    override fun toString() = "GetAttributeRequest(…)"
}

/** Its value. */
data class GetAttributeResponse(
    val value: String
) {
    companion object {
        internal fun read(from: JsonObject) = GetAttributeResponse(
            value = from.text("value")
        )
    }
}

/** Asks for the balance of one account or of all. */
data class GetBalanceRequest(
    val accountIndex: Long = 0L,
    /** addresses to list; none for every one that holds money */
    val addressIndices: List<Long> = emptyList(),
    /** sums all accounts; the two above are ignored */
    val allAccounts: Boolean = false,
    /** counts mined transactions only */
    val strict: Boolean = false
) : Parameters {
    override fun write(to: JsonWriter) {
        to.number("account_index", accountIndex)
        to.list("address_indices", addressIndices) { element(it) }
        to.bool("all_accounts", allAccounts)
        to.bool("strict", strict)
    }
}

/** The money of one account or of all. */
data class GetBalanceResponse(
    /** atomic units, locked or not */
    val balance: ULong,
    /** atomic units */
    val unlockedBalance: ULong,
    /** true when the other signers' information is out of date */
    val multisigImportNeeded: Boolean,
    /** by account, then address */
    val perSubaddress: List<SubaddressBalance>,
    /** until everything is spendable */
    val blocksToUnlock: ULong,
    /** seconds until everything is spendable */
    val timeToUnlock: ULong
) {
    companion object {
        internal fun read(from: JsonObject) = GetBalanceResponse(
            balance = from.big("balance"),
            unlockedBalance = from.big("unlocked_balance"),
            multisigImportNeeded = from.bool("multisig_import_needed"),
            perSubaddress = from.list("per_subaddress") { SubaddressBalance.read(Json.asObject(it)) },
            blocksToUnlock = from.big("blocks_to_unlock"),
            timeToUnlock = from.big("time_to_unlock")
        )
    }
}

/** Names payment IDs and where to begin. */
data class GetBulkPaymentsRequest(
    /** 16 or 64 hex digits each; none for every payment */
    val paymentIds: List<String> = emptyList(),
    /** blocks above this index only */
    val minBlockHeight: ULong = 0uL
) : Parameters {
    override fun write(to: JsonWriter) {
        to.list("payment_ids", paymentIds) { element(it) }
        to.big("min_block_height", minBlockHeight)
    }
}

/** The daemon in use, without its login and proxy. */
data class GetDaemonResponse(
    /** host:port or a URL; empty for none */
    val address: String,
    /** some operations need it */
    val trusted: Boolean,
    /** disabled, enabled, autodetect */
    val sslSupport: String,
    /** chosen by set_daemon, for the open wallet alone */
    val setDaemon: Boolean
) {
    companion object {
        internal fun read(from: JsonObject) = GetDaemonResponse(
            address = from.text("address"),
            trusted = from.bool("trusted"),
            sslSupport = from.text("ssl_support"),
            setDaemon = from.bool("set_daemon")
        )
    }
}

/** A fee priority. */
data class GetDefaultFeePriorityResponse(
    /** 1 to 4 */
    val priority: Long
) {
    companion object {
        internal fun read(from: JsonObject) = GetDefaultFeePriorityResponse(
            priority = from.long("priority")
        )
    }
}

/** Says what is known already. */
data class GetEventsRequest(
    /** of the last event known; 0 for none */
    val cursor: ULong = 0uL,
    /** events, at most MaxEvents */
    val limit: ULong = 1000uL
) : Parameters {
    override fun write(to: JsonWriter) {
        to.big("cursor", cursor)
        to.big("limit", limit)
    }
}

/** Holds the events after a cursor, oldest first. */
data class GetEventsResponse(
    val events: List<Event>,
    /** to ask with next */
    val cursor: ULong,
    /**
     * Says that events after the cursor asked with are no longer kept, or that the wallet never had it. Then there are no
     * events here: get_transfers, asked now, knows what they told, and Cursor is where to go on.
     */
    val lost: Boolean
) {
    companion object {
        internal fun read(from: JsonObject) = GetEventsResponse(
            events = from.list("events") { Event.read(Json.asObject(it)) },
            cursor = from.big("cursor"),
            lost = from.bool("lost")
        )
    }
}

/** How far the wallet has read the chain. */
data class GetHeightResponse(
    /** blocks, the genesis block included */
    val height: ULong
) {
    companion object {
        internal fun read(from: JsonObject) = GetHeightResponse(
            height = from.big("height")
        )
    }
}

/** Lists the languages of seeds. */
data class GetLanguagesResponse(
    /** English names */
    val languages: List<String>,
    /** names in the language, in the same order */
    val languagesLocal: List<String>
) {
    companion object {
        internal fun read(from: JsonObject) = GetLanguagesResponse(
            languages = from.list("languages") { Json.asText(it) },
            languagesLocal = from.list("languages_local") { Json.asText(it) }
        )
    }
}

/** Names a payment ID. */
data class GetPaymentsRequest(
    /** 16 or 64 hex digits */
    val paymentId: String = ""
) : Parameters {
    override fun write(to: JsonWriter) {
        to.text("payment_id", paymentId)
    }
}

/** Lists payments. */
data class GetPaymentsResponse(
    val payments: List<Payment>
) {
    companion object {
        internal fun read(from: JsonObject) = GetPaymentsResponse(
            payments = from.list("payments") { Payment.read(Json.asObject(it)) }
        )
    }
}

/** Asks for a proof of money held. */
data class GetReserveProofRequest(
    /** prove the whole wallet; the two below are ignored */
    val all: Boolean = false,
    val accountIndex: Long = 0L,
    /** at least this much, atomic units */
    val amount: ULong = 0uL,
    /** bound into the proof */
    val message: String = ""
) : Parameters {
    override fun write(to: JsonWriter) {
        to.bool("all", all)
        to.number("account_index", accountIndex)
        to.big("amount", amount)
        to.text("message", message)
    }
}

/** Asks for a proof of having spent. */
data class GetSpendProofRequest(
    val txid: String = "",
    /** bound into the proof */
    val message: String = ""
) : Parameters {
    override fun write(to: JsonWriter) {
        to.text("txid", txid)
        to.text("message", message)
    }
}

/** What a wallet took over from monero-wallet-rpc. Numbers are of what its cache had. */
data class GetTakeoverResponse(
    /**
     * Cache; or keys when there was no cache, or without-cache when the owner wanted it left out, so that keys and chain are
     * all there is; or empty for a wallet that was not taken over.
     */
    val from: String,
    /** POSIX, of the last time */
    val timestamp: ULong,
    /** blocks that monero-wallet-rpc had read */
    val height: ULong,
    /** with their labels */
    val accounts: ULong,
    /** in all accounts */
    val addresses: ULong,
    /** those that the wallet did not have */
    val newAddresses: ULong,
    /** that are not the ones a new address gets */
    val labels: ULong,
    /** accounts with a tag */
    val taggedAccounts: ULong,
    /** about transactions */
    val notes: ULong,
    val attributes: ULong,
    /** entries */
    val addressBook: ULong,
    /** transactions with their secret keys */
    val txKeys: ULong,
    /** transactions of which it is known whom they paid */
    val destinations: ULong,
    /** transactions sent and in no block, failed ones included */
    val unconfirmed: ULong,
    /** outputs */
    val frozen: ULong,
    /** of a wallet without the spend key */
    val keyImages: ULong,
    /** entries that are new to the wallet, or another than before */
    val changed: ULong,
    /** the chain is read again, for payments to some of the new addresses */
    val reread: Boolean,
    /** Says what the cache has and the wallet does not take. */
    val left: List<String>,
    /** Texts that gave way to others, because the wallet and monero-wallet-rpc had both changed them. */
    val aside: List<TakeoverAside>
) {
    override fun toString() = "GetTakeoverResponse(…)"

    companion object {
        internal fun read(from: JsonObject) = GetTakeoverResponse(
            from = from.text("from"),
            timestamp = from.big("timestamp"),
            height = from.big("height"),
            accounts = from.big("accounts"),
            addresses = from.big("addresses"),
            newAddresses = from.big("new_addresses"),
            labels = from.big("labels"),
            taggedAccounts = from.big("tagged_accounts"),
            notes = from.big("notes"),
            attributes = from.big("attributes"),
            addressBook = from.big("address_book"),
            txKeys = from.big("tx_keys"),
            destinations = from.big("destinations"),
            unconfirmed = from.big("unconfirmed"),
            frozen = from.big("frozen"),
            keyImages = from.big("key_images"),
            changed = from.big("changed"),
            reread = from.bool("reread"),
            left = from.list("left") { Json.asText(it) },
            aside = from.list("aside") { TakeoverAside.read(Json.asObject(it)) }
        )
    }
}

/** Names a transaction. */
data class GetTransferByTxIDRequest(
    val txid: String = "",
    val accountIndex: Long = 0L
) : Parameters {
    override fun write(to: JsonWriter) {
        to.text("txid", txid)
        to.number("account_index", accountIndex)
    }
}

/** What a transaction did to an account. */
data class GetTransferByTxIDResponse(
    /** the first of the list */
    val transfer: TransferEntry,
    /** one a receiving address */
    val transfers: List<TransferEntry>
) {
    companion object {
        internal fun read(from: JsonObject) = GetTransferByTxIDResponse(
            transfer = from.value("transfer") { TransferEntry.read(it) },
            transfers = from.list("transfers") { TransferEntry.read(Json.asObject(it)) }
        )
    }
}

/** Chooses the lists wanted and filters them. */
data class GetTransfersRequest(
    val `in`: Boolean = false,
    val out: Boolean = false,
    val pending: Boolean = false,
    val failed: Boolean = false,
    val pool: Boolean = false,
    /** min_height and max_height hold */
    val filterByHeight: Boolean = false,
    /** blocks above this index */
    val minHeight: ULong = 0uL,
    /** and up to this one */
    val maxHeight: ULong = 500000000uL,
    val accountIndex: Long = 0L,
    /** none for all */
    val subaddrIndices: List<Long> = emptyList(),
    /** the two above are ignored */
    val allAccounts: Boolean = false
) : Parameters {
    override fun write(to: JsonWriter) {
        to.bool("in", `in`)
        to.bool("out", out)
        to.bool("pending", pending)
        to.bool("failed", failed)
        to.bool("pool", pool)
        to.bool("filter_by_height", filterByHeight)
        to.big("min_height", minHeight)
        to.big("max_height", maxHeight)
        to.number("account_index", accountIndex)
        to.list("subaddr_indices", subaddrIndices) { element(it) }
        to.bool("all_accounts", allAccounts)
    }
}

/** Holds the lists asked for. */
data class GetTransfersResponse(
    val `in`: List<TransferEntry>,
    val out: List<TransferEntry>,
    val pending: List<TransferEntry>,
    val failed: List<TransferEntry>,
    val pool: List<TransferEntry>
) {
    companion object {
        internal fun read(from: JsonObject) = GetTransfersResponse(
            `in` = from.list("in") { TransferEntry.read(Json.asObject(it)) },
            out = from.list("out") { TransferEntry.read(Json.asObject(it)) },
            pending = from.list("pending") { TransferEntry.read(Json.asObject(it)) },
            failed = from.list("failed") { TransferEntry.read(Json.asObject(it)) },
            pool = from.list("pool") { TransferEntry.read(Json.asObject(it)) }
        )
    }
}

/** Names a transaction. */
data class GetTxKeyRequest(
    val txid: String = ""
) : Parameters {
    override fun write(to: JsonWriter) {
        to.text("txid", txid)
    }
}

/** Its secret key. */
data class GetTxKeyResponse(
    /** then the additional keys, 64 digits each */
    val txKey: String
) {
    override fun toString() = "GetTxKeyResponse(…)"

    companion object {
        internal fun read(from: JsonObject) = GetTxKeyResponse(
            txKey = from.text("tx_key")
        )
    }
}

/** Names transactions. */
data class GetTxNotesRequest(
    val txids: List<String> = emptyList()
) : Parameters {
    override fun write(to: JsonWriter) {
        to.list("txids", txids) { element(it) }
    }
}

/** Holds a note for each, empty where there is none. */
data class GetTxNotesResponse(
    val notes: List<String>
) {
    companion object {
        internal fun read(from: JsonObject) = GetTxNotesResponse(
            notes = from.list("notes") { Json.asText(it) }
        )
    }
}

/** Asks for a proof of payment. */
data class GetTxProofRequest(
    val txid: String = "",
    val address: String = "",
    /** bound into the proof */
    val message: String = ""
) : Parameters {
    override fun write(to: JsonWriter) {
        to.text("txid", txid)
        to.text("address", address)
        to.text("message", message)
    }
}

/** The version of this interface. */
data class GetVersionResponse(
    /** major in the upper 16 bits, minor in the lower */
    val version: Long,
    /** built from a release */
    val release: Boolean
) {
    companion object {
        internal fun read(from: JsonObject) = GetVersionResponse(
            version = from.long("version"),
            release = from.bool("release")
        )
    }
}

/** What ExportKeyImages returned. */
data class ImportKeyImagesRequest(
    val offset: Long = 0L,
    val signedKeyImages: List<SignedKeyImage> = emptyList()
) : Parameters {
    override fun write(to: JsonWriter) {
        to.number("offset", offset)
        to.list("signed_key_images", signedKeyImages) { element(it) }
    }
}

/** What the wallet then knows of spending. */
data class ImportKeyImagesResponse(
    /** index of the last output's block */
    val height: ULong,
    /** atomic units */
    val spent: ULong,
    /** atomic units */
    val unspent: ULong
) {
    companion object {
        internal fun read(from: JsonObject) = ImportKeyImagesResponse(
            height = from.big("height"),
            spent = from.big("spent"),
            unspent = from.big("unspent")
        )
    }
}

/** What the others exported. */
data class ImportMultisigInfoRequest(
    val info: List<String> = emptyList(),
    val refreshAfterImport: Boolean = true
) : Parameters {
    override fun write(to: JsonWriter) {
        to.list("info", info) { element(it) }
        to.bool("refresh_after_import", refreshAfterImport)
    }
}

/** Counts the outputs. */
data class ImportMultisigInfoResponse(
    val nOutputs: ULong
) {
    companion object {
        internal fun read(from: JsonObject) = ImportMultisigInfoResponse(
            nOutputs = from.big("n_outputs")
        )
    }
}

/** What ExportOutputs packed. */
data class ImportOutputsRequest(
    val outputsDataHex: String = ""
) : Parameters {
    override fun write(to: JsonWriter) {
        to.text("outputs_data_hex", outputsDataHex)
    }
}

/** Counts the outputs. */
data class ImportOutputsResponse(
    val numImported: ULong
) {
    companion object {
        internal fun read(from: JsonObject) = ImportOutputsResponse(
            numImported = from.big("num_imported")
        )
    }
}

/** One output received. */
data class IncomingTransfer(
    /** atomic units */
    val amount: ULong,
    val spent: Boolean,
    val globalIndex: ULong,
    val txHash: String,
    val subaddrIndex: SubaddressIndex,
    /** empty when the wallet does not know it */
    val keyImage: String,
    /** one-time public key */
    val pubkey: String,
    /** index of the block that holds it */
    val blockHeight: ULong,
    val frozen: Boolean,
    val unlocked: Boolean
) {
    companion object {
        internal fun read(from: JsonObject) = IncomingTransfer(
            amount = from.big("amount"),
            spent = from.bool("spent"),
            globalIndex = from.big("global_index"),
            txHash = from.text("tx_hash"),
            subaddrIndex = from.value("subaddr_index") { SubaddressIndex.read(it) },
            keyImage = from.text("key_image"),
            pubkey = from.text("pubkey"),
            blockHeight = from.big("block_height"),
            frozen = from.bool("frozen"),
            unlocked = from.bool("unlocked")
        )
    }
}

/** Filters the outputs received. */
data class IncomingTransfersRequest(
    /** all, available (not spent), unavailable (spent) */
    val transferType: String = "",
    val accountIndex: Long = 0L,
    /** none for all */
    val subaddrIndices: List<Long> = emptyList()
) : Parameters {
    override fun write(to: JsonWriter) {
        to.text("transfer_type", transferType)
        to.number("account_index", accountIndex)
        to.list("subaddr_indices", subaddrIndices) { element(it) }
    }
}

/** Lists outputs in the order of the chain. */
data class IncomingTransfersResponse(
    val transfers: List<IncomingTransfer>
) {
    companion object {
        internal fun read(from: JsonObject) = IncomingTransfersResponse(
            transfers = from.list("transfers") { IncomingTransfer.read(Json.asObject(it)) }
        )
    }
}

/** Tells how many must sign. */
data class IsMultisigResponse(
    val multisig: Boolean,
    /** key exchange is over */
    val ready: Boolean,
    /** signers needed */
    val threshold: Long,
    /** signers there are */
    val total: Long
) {
    companion object {
        internal fun read(from: JsonObject) = IsMultisigResponse(
            multisig = from.bool("multisig"),
            ready = from.bool("ready"),
            threshold = from.long("threshold"),
            total = from.long("total")
        )
    }
}

/** The key images one transaction spends. */
data class KeyImageList(
    val keyImages: List<String>
) {
    companion object {
        internal fun read(from: JsonObject) = KeyImageList(
            keyImages = from.list("key_images") { Json.asText(it) }
        )
    }
}

/** Names an output by its key image. */
data class KeyImageRequest(
    val keyImage: String = ""
) : Parameters {
    override fun write(to: JsonWriter) {
        to.text("key_image", keyImage)
    }
}

/** Names an account and its new label. */
data class LabelAccountRequest(
    val accountIndex: Long = 0L,
    val label: String = ""
) : Parameters {
    override fun write(to: JsonWriter) {
        to.number("account_index", accountIndex)
        to.text("label", label)
    }
}

/** Names an address and its new label. */
data class LabelAddressRequest(
    val index: SubaddressIndex = SubaddressIndex(),
    val label: String = ""
) : Parameters {
    override fun write(to: JsonWriter) {
        to.value("index", index)
        to.text("label", label)
    }
}

/** Joins an address with a payment ID. */
data class MakeIntegratedAddressRequest(
    /** empty for the wallet's primary */
    val standardAddress: String = "",
    /** 16 hex digits; empty for a random one */
    val paymentId: String = ""
) : Parameters {
    override fun write(to: JsonWriter) {
        to.text("standard_address", standardAddress)
        to.text("payment_id", paymentId)
    }
}

/** The address made. */
data class MakeIntegratedAddressResponse(
    val integratedAddress: String,
    val paymentId: String
) {
    companion object {
        internal fun read(from: JsonObject) = MakeIntegratedAddressResponse(
            integratedAddress = from.text("integrated_address"),
            paymentId = from.text("payment_id")
        )
    }
}

/** The other signers' first messages. */
data class MakeMultisigRequest(
    val multisigInfo: List<String> = emptyList(),
    /** signers needed */
    val threshold: Long = 0L,
    /** the wallet's */
    val password: String = ""
) : Parameters {
    override fun write(to: JsonWriter) {
        to.list("multisig_info", multisigInfo) { element(it) }
        to.number("threshold", threshold)
        to.text("password", password)
    }

    override fun toString() = "MakeMultisigRequest(…)"
}

/** The payment request as one text. */
data class MakeURIResponse(
    val uri: String
) {
    companion object {
        internal fun read(from: JsonObject) = MakeURIResponse(
            uri = from.text("uri")
        )
    }
}

/** The next message, or the address when none is left. */
data class MultisigRoundResponse(
    /** empty until the last round */
    val address: String,
    /** empty after the last round */
    val multisigInfo: String
) {
    override fun toString() = "MultisigRoundResponse(…)"

    companion object {
        internal fun read(from: JsonObject) = MultisigRoundResponse(
            address = from.text("address"),
            multisigInfo = from.text("multisig_info")
        )
    }
}

/** Names a wallet. */
data class OpenWalletRequest(
    /** a name in the wallet folder, without a slash */
    val filename: String = "",
    val password: String = "",
    /** store the one open before it closes */
    val autosaveCurrent: Boolean = true
) : Parameters {
    override fun write(to: JsonWriter) {
        to.text("filename", filename)
        to.text("password", password)
        to.bool("autosave_current", autosaveCurrent)
    }

    override fun toString() = "OpenWalletRequest(…)"
}

/** Empty when all is well. */
data class OpenWalletResponse(
    /**
     * Says, for people, that the wallet's file is cut short, or may be: it is an older copy, or was not closed and nobody
     * knows its end. Left out when there is nothing to say. Glim's own.
     */
    val warning: String?
) {
    companion object {
        internal fun read(from: JsonObject) = OpenWalletResponse(
            warning = from.textOrNull("warning")
        )
    }
}

/** A payment request as one text. */
data class ParseURIRequest(
    val uri: String = ""
) : Parameters {
    override fun write(to: JsonWriter) {
        to.text("uri", uri)
    }
}

/** What it says. */
data class ParseURIResponse(
    val uri: URISpec,
    /** name=value, as they came */
    val unknownParameters: List<String>
) {
    companion object {
        internal fun read(from: JsonObject) = ParseURIResponse(
            uri = from.value("uri") { URISpec.read(it) },
            unknownParameters = from.list("unknown_parameters") { Json.asText(it) }
        )
    }
}

/** Money received with a payment ID. */
data class Payment(
    val paymentId: String,
    val txHash: String,
    /** atomic units */
    val amount: ULong,
    /** index of the block that holds it */
    val blockHeight: ULong,
    /** block index, or POSIX time from 500000000 on; 0 is not locked */
    val unlockTime: ULong,
    val locked: Boolean,
    val subaddrIndex: SubaddressIndex,
    val address: String
) {
    companion object {
        internal fun read(from: JsonObject) = Payment(
            paymentId = from.text("payment_id"),
            txHash = from.text("tx_hash"),
            amount = from.big("amount"),
            blockHeight = from.big("block_height"),
            unlockTime = from.big("unlock_time"),
            locked = from.bool("locked"),
            subaddrIndex = from.value("subaddr_index") { SubaddressIndex.read(it) },
            address = from.text("address")
        )
    }
}

/** Turns multisig on. */
data class PrepareMultisigRequest(
    val enableMultisigExperimental: Boolean = false
) : Parameters {
    override fun write(to: JsonWriter) {
        to.bool("enable_multisig_experimental", enableMultisigExperimental)
    }
}

/** For the other signers. */
data class PrepareMultisigResponse(
    val multisigInfo: String
) {
    override fun toString() = "PrepareMultisigResponse(…)"

    companion object {
        internal fun read(from: JsonObject) = PrepareMultisigResponse(
            multisigInfo = from.text("multisig_info")
        )
    }
}

/** A proof. */
data class ProofResponse(
    val signature: String
) {
    companion object {
        internal fun read(from: JsonObject) = ProofResponse(
            signature = from.text("signature")
        )
    }
}

/** Chooses a secret. */
data class QueryKeyRequest(
    /** mnemonic, view_key, spend_key; beyond the reference seed_language, the name of the words' language */
    val keyType: String = "",
    /** beyond the reference: the passphrase that the words are to be shown under */
    val seedOffset: String = ""
) : Parameters {
    override fun write(to: JsonWriter) {
        to.text("key_type", keyType)
        to.text("seed_offset", seedOffset)
    }

    override fun toString() = "QueryKeyRequest(…)"
}

/** The secret. */
data class QueryKeyResponse(
    /** hex, or words */
    val key: String
) {
    override fun toString() = "QueryKeyResponse(…)"

    companion object {
        internal fun read(from: JsonObject) = QueryKeyResponse(
            key = from.text("key")
        )
    }
}

/** An address the set pays. */
data class Recipient(
    val address: String,
    /** atomic units */
    val amount: ULong
) {
    companion object {
        internal fun read(from: JsonObject) = Recipient(
            address = from.text("address"),
            amount = from.big("amount")
        )
    }
}

/** Says where to begin. */
data class RefreshRequest(
    /** block index; what is below the last one read has no effect */
    val startHeight: ULong = 0uL
) : Parameters {
    override fun write(to: JsonWriter) {
        to.big("start_height", startHeight)
    }
}

/** Tells what was read. */
data class RefreshResponse(
    val blocksFetched: ULong,
    val receivedMoney: Boolean
) {
    companion object {
        internal fun read(from: JsonObject) = RefreshResponse(
            blocksFetched = from.big("blocks_fetched"),
            receivedMoney = from.bool("received_money")
        )
    }
}

/** The metadata of a transaction made with do_not_relay. */
data class RelayTxRequest(
    val hex: String = ""
) : Parameters {
    override fun write(to: JsonWriter) {
        to.text("hex", hex)
    }
}

/** Names the transaction relayed. */
data class RelayTxResponse(
    val txHash: String
) {
    companion object {
        internal fun read(from: JsonObject) = RelayTxResponse(
            txHash = from.text("tx_hash")
        )
    }
}

/** Says how much to forget. */
data class RescanBlockchainRequest(
    /** also what the chain cannot give back: destinations, transaction keys, notes */
    val hard: Boolean = false
) : Parameters {
    override fun write(to: JsonWriter) {
        to.bool("hard", hard)
    }
}

/** Describes a wallet by its seed. */
data class RestoreDeterministicWalletRequest(
    /** index of the first block to read */
    val restoreHeight: ULong = 0uL,
    /** empty keeps it in memory */
    val filename: String = "",
    /** words; hex for a multisig seed; sixteen words beyond the reference */
    val seed: String = "",
    /** passphrase over the seed */
    val seedOffset: String = "",
    val password: String = "",
    /** needed for the oldest seeds alone */
    val language: String = "",
    val autosaveCurrent: Boolean = true,
    val enableMultisigExperimental: Boolean = false,
    /** Beyond the reference, as GenerateFromKeysRequest's. Sixteen words know theirs. */
    val restoreDate: Any? = null
) : Parameters {
    override fun write(to: JsonWriter) {
        to.big("restore_height", restoreHeight)
        to.text("filename", filename)
        to.text("seed", seed)
        to.text("seed_offset", seedOffset)
        to.text("password", password)
        to.text("language", language)
        to.bool("autosave_current", autosaveCurrent)
        to.bool("enable_multisig_experimental", enableMultisigExperimental)
        to.any("restore_date", restoreDate)
    }

    override fun toString() = "RestoreDeterministicWalletRequest(…)"
}

/** The wallet made. */
data class RestoreDeterministicWalletResponse(
    val address: String,
    val seed: String,
    /** a sentence for people */
    val info: String,
    /** the seed was of an old kind, or its checksum word was missing; seed is its replacement */
    val wasDeprecated: Boolean
) {
    override fun toString() = "RestoreDeterministicWalletResponse(…)"

    companion object {
        internal fun read(from: JsonObject) = RestoreDeterministicWalletResponse(
            address = from.text("address"),
            seed = from.text("seed"),
            info = from.text("info"),
            wasDeprecated = from.bool("was_deprecated")
        )
    }
}

/** Names transactions. */
data class ScanTxRequest(
    val txids: List<String> = emptyList()
) : Parameters {
    override fun write(to: JsonWriter) {
        to.list("txids", txids) { element(it) }
    }
}

/** Describes a tag. */
data class SetAccountTagDescriptionRequest(
    val tag: String = "",
    val description: String = ""
) : Parameters {
    override fun write(to: JsonWriter) {
        to.text("tag", tag)
        to.text("description", description)
    }
}

/** A free pair. */
data class SetAttributeRequest(
    val key: String = "",
    val value: String = ""
) : Parameters {
    override fun write(to: JsonWriter) {
        to.text("key", key)
        to.text("value", value)
    }

    override fun toString() = "SetAttributeRequest(…)"
}

/** Names the daemon to use from now on. */
data class SetDaemonRequest(
    /** host:port or a URL; empty for none */
    val address: String = "",
    /** of the daemon's login */
    val username: String = "",
    val password: String = "",
    /** some operations need it */
    val trusted: Boolean = false,
    /** disabled, enabled, autodetect */
    val sslSupport: String = "autodetect",
    val sslPrivateKeyPath: String = "",
    val sslCertificatePath: String = "",
    val sslCaFile: String = "",
    /** SHA-256, hex */
    val sslAllowedFingerprints: List<String> = emptyList(),
    val sslAllowAnyCert: Boolean = false,
    /** SOCKS host:port for this daemon */
    val proxy: String = ""
) : Parameters {
    override fun write(to: JsonWriter) {
        to.text("address", address)
        to.text("username", username)
        to.text("password", password)
        to.bool("trusted", trusted)
        to.text("ssl_support", sslSupport)
        to.text("ssl_private_key_path", sslPrivateKeyPath)
        to.text("ssl_certificate_path", sslCertificatePath)
        to.text("ssl_ca_file", sslCaFile)
        to.list("ssl_allowed_fingerprints", sslAllowedFingerprints) { element(it) }
        to.bool("ssl_allow_any_cert", sslAllowAnyCert)
        to.text("proxy", proxy)
    }

    override fun toString() = "SetDaemonRequest(…)"
}

/** How much to log of what. */
data class SetLogCategoriesRequest(
    /** category:LEVEL, comma separated */
    val categories: String = ""
) : Parameters {
    override fun write(to: JsonWriter) {
        to.text("categories", categories)
    }
}

/** What holds now. */
data class SetLogCategoriesResponse(
    val categories: String
) {
    companion object {
        internal fun read(from: JsonObject) = SetLogCategoriesResponse(
            categories = from.text("categories")
        )
    }
}

/** How much to log. */
data class SetLogLevelRequest(
    /** 0 to 4 */
    val level: Int = 0
) : Parameters {
    override fun write(to: JsonWriter) {
        to.number("level", level)
    }
}

/** Sets how far beyond the last used index the wallet looks for its addresses. */
data class SetSubaddressLookaheadRequest(
    /** the wallet's */
    val password: String = "",
    /** accounts */
    val majorIdx: Long = 0L,
    /** addresses in each */
    val minorIdx: Long = 0L
) : Parameters {
    override fun write(to: JsonWriter) {
        to.text("password", password)
        to.number("major_idx", majorIdx)
        to.number("minor_idx", minorIdx)
    }

    override fun toString() = "SetSubaddressLookaheadRequest(…)"
}

/** Pairs transactions with notes. */
data class SetTxNotesRequest(
    val txids: List<String> = emptyList(),
    /** as many */
    val notes: List<String> = emptyList()
) : Parameters {
    override fun write(to: JsonWriter) {
        to.list("txids", txids) { element(it) }
        to.list("notes", notes) { element(it) }
    }
}

/** Chooses what is kept while syncing in the background. */
data class SetupBackgroundSyncRequest(
    /** off, reuse-wallet-password, custom-background-password */
    val backgroundSyncType: String = "",
    val walletPassword: String = "",
    /** with the custom type */
    val backgroundCachePassword: String = ""
) : Parameters {
    override fun write(to: JsonWriter) {
        to.text("background_sync_type", backgroundSyncType)
        to.text("wallet_password", walletPassword)
        to.text("background_cache_password", backgroundCachePassword)
    }

    override fun toString() = "SetupBackgroundSyncRequest(…)"
}

/** A multisig set. */
data class SignMultisigRequest(
    val txDataHex: String = ""
) : Parameters {
    override fun write(to: JsonWriter) {
        to.text("tx_data_hex", txDataHex)
    }
}

/** The set with one signature more. */
data class SignMultisigResponse(
    val txDataHex: String,
    /** only from the last signer */
    val txHashList: List<String>
) {
    companion object {
        internal fun read(from: JsonObject) = SignMultisigResponse(
            txDataHex = from.text("tx_data_hex"),
            txHashList = from.list("tx_hash_list") { Json.asText(it) }
        )
    }
}

/** A text to sign. */
data class SignRequest(
    val data: String = "",
    val accountIndex: Long = 0L,
    val addressIndex: Long = 0L,
    /** spend, view; empty for spend */
    val signatureType: String = ""
) : Parameters {
    override fun write(to: JsonWriter) {
        to.text("data", data)
        to.number("account_index", accountIndex)
        to.number("address_index", addressIndex)
        to.text("signature_type", signatureType)
    }
}

/** The signature. */
data class SignResponse(
    val signature: String
) {
    companion object {
        internal fun read(from: JsonObject) = SignResponse(
            signature = from.text("signature")
        )
    }
}

/** An unsigned set from a view-only wallet. */
data class SignTransferRequest(
    val unsignedTxset: String = "",
    /** return the raw transactions too */
    val exportRaw: Boolean = false,
    val getTxKeys: Boolean = false
) : Parameters {
    override fun write(to: JsonWriter) {
        to.text("unsigned_txset", unsignedTxset)
        to.bool("export_raw", exportRaw)
        to.bool("get_tx_keys", getTxKeys)
    }
}

/** The set signed. */
data class SignTransferResponse(
    val signedTxset: String,
    val txHashList: List<String>,
    /** when asked */
    val txRawList: List<String>,
    /** when asked */
    val txKeyList: List<String>
) {
    override fun toString() = "SignTransferResponse(…)"

    companion object {
        internal fun read(from: JsonObject) = SignTransferResponse(
            signedTxset = from.text("signed_txset"),
            txHashList = from.list("tx_hash_list") { Json.asText(it) },
            txRawList = from.list("tx_raw_list") { Json.asText(it) },
            txKeyList = from.list("tx_key_list") { Json.asText(it) }
        )
    }
}

/** A key image with the proof that it is the output's. */
data class SignedKeyImage(
    val keyImage: String = "",
    val signature: String = ""
) : Parameters {
    override fun write(to: JsonWriter) {
        to.text("key_image", keyImage)
        to.text("signature", signature)
    }

    companion object {
        internal fun read(from: JsonObject) = SignedKeyImage(
            keyImage = from.text("key_image"),
            signature = from.text("signature")
        )
    }
}

/** An integrated address. */
data class SplitIntegratedAddressRequest(
    val integratedAddress: String = ""
) : Parameters {
    override fun write(to: JsonWriter) {
        to.text("integrated_address", integratedAddress)
    }
}

/** Its parts. */
data class SplitIntegratedAddressResponse(
    val standardAddress: String,
    val paymentId: String,
    val isSubaddress: Boolean
) {
    companion object {
        internal fun read(from: JsonObject) = SplitIntegratedAddressResponse(
            standardAddress = from.text("standard_address"),
            paymentId = from.text("payment_id"),
            isSubaddress = from.bool("is_subaddress")
        )
    }
}

/**
 * Several transactions; each list has one entry a transaction. A view-only or multisig wallet fills unsigned_txset or
 * multisig_txset and leaves the lists of hashes, blobs and metadata empty.
 */
data class SplitResponse(
    val txHashList: List<String>,
    /** when asked */
    val txKeyList: List<String>,
    /** atomic units to the destinations */
    val amountList: List<ULong>,
    val amountsByDestList: List<AmountsList>,
    /** atomic units */
    val feeList: List<ULong>,
    val weightList: List<ULong>,
    /** when asked */
    val txBlobList: List<String>,
    /** for relay_tx, when asked */
    val txMetadataList: List<String>,
    val multisigTxset: String,
    val unsignedTxset: String,
    val spentKeyImagesList: List<KeyImageList>
) {
    override fun toString() = "SplitResponse(…)"

    companion object {
        internal fun read(from: JsonObject) = SplitResponse(
            txHashList = from.list("tx_hash_list") { Json.asText(it) },
            txKeyList = from.list("tx_key_list") { Json.asText(it) },
            amountList = from.list("amount_list") { Json.asBig(it) },
            amountsByDestList = from.list("amounts_by_dest_list") { AmountsList.read(Json.asObject(it)) },
            feeList = from.list("fee_list") { Json.asBig(it) },
            weightList = from.list("weight_list") { Json.asBig(it) },
            txBlobList = from.list("tx_blob_list") { Json.asText(it) },
            txMetadataList = from.list("tx_metadata_list") { Json.asText(it) },
            multisigTxset = from.text("multisig_txset"),
            unsignedTxset = from.text("unsigned_txset"),
            spentKeyImagesList = from.list("spent_key_images_list") { KeyImageList.read(Json.asObject(it)) }
        )
    }
}

/** Says how to mine. */
data class StartMiningRequest(
    /** at least 1 */
    val threadsCount: ULong = 0uL,
    /** mine when the machine is idle */
    val doBackgroundMining: Boolean = false,
    val ignoreBattery: Boolean = false
) : Parameters {
    override fun write(to: JsonWriter) {
        to.big("threads_count", threadsCount)
        to.bool("do_background_mining", doBackgroundMining)
        to.bool("ignore_battery", ignoreBattery)
    }
}

/** Opens the spend key again. */
data class StopBackgroundSyncRequest(
    val walletPassword: String = "",
    /** in the place of the password */
    val seed: String = "",
    /** passphrase over the seed */
    val seedOffset: String = ""
) : Parameters {
    override fun write(to: JsonWriter) {
        to.text("wallet_password", walletPassword)
        to.text("seed", seed)
        to.text("seed_offset", seedOffset)
    }

    override fun toString() = "StopBackgroundSyncRequest(…)"
}

/** The money at one address. */
data class SubaddressBalance(
    val accountIndex: Long,
    val addressIndex: Long,
    val address: String,
    /** atomic units, locked or not */
    val balance: ULong,
    /** atomic units */
    val unlockedBalance: ULong,
    val label: String,
    val numUnspentOutputs: ULong,
    /** until everything here is spendable */
    val blocksToUnlock: ULong,
    /** seconds until everything here is spendable */
    val timeToUnlock: ULong
) {
    companion object {
        internal fun read(from: JsonObject) = SubaddressBalance(
            accountIndex = from.long("account_index"),
            addressIndex = from.long("address_index"),
            address = from.text("address"),
            balance = from.big("balance"),
            unlockedBalance = from.big("unlocked_balance"),
            label = from.text("label"),
            numUnspentOutputs = from.big("num_unspent_outputs"),
            blocksToUnlock = from.big("blocks_to_unlock"),
            timeToUnlock = from.big("time_to_unlock")
        )
    }
}

/** Names an address of a wallet. */
data class SubaddressIndex(
    /** account */
    val major: Long = 0L,
    /** address in the account; 0 of account 0 is the primary address */
    val minor: Long = 0L
) : Parameters {
    override fun write(to: JsonWriter) {
        to.number("major", major)
        to.number("minor", minor)
    }

    companion object {
        internal fun read(from: JsonObject) = SubaddressIndex(
            major = from.long("major"),
            minor = from.long("minor")
        )
    }
}

/** A multisig set with every signature it needs. */
data class SubmitMultisigRequest(
    val txDataHex: String = ""
) : Parameters {
    override fun write(to: JsonWriter) {
        to.text("tx_data_hex", txDataHex)
    }
}

/** A signed set. */
data class SubmitTransferRequest(
    val txDataHex: String = ""
) : Parameters {
    override fun write(to: JsonWriter) {
        to.text("tx_data_hex", txDataHex)
    }
}

/** Names the transactions relayed. */
data class SubmitTransferResponse(
    val txHashList: List<String>
) {
    companion object {
        internal fun read(from: JsonObject) = SubmitTransferResponse(
            txHashList = from.list("tx_hash_list") { Json.asText(it) }
        )
    }
}

/** Spends everything at some addresses. */
data class SweepAllRequest(
    /** receives */
    val address: String = "",
    val accountIndex: Long = 0L,
    /** none for one address of the account, chosen by the wallet */
    val subaddrIndices: List<Long> = emptyList(),
    /** every address of the account */
    val subaddrIndicesAll: Boolean = false,
    /** 0 default, 1 unimportant to 4 priority */
    val priority: Long = 0L,
    /** read and ignored: the chain fixes it */
    val ringSize: ULong = 0uL,
    /** read and ignored */
    val mixin: ULong = 0uL,
    /** to make, at least 1 */
    val outputs: ULong = 1uL,
    /** must be 0 */
    val unlockTime: ULong = 0uL,
    /** must be empty */
    val paymentId: String = "",
    val getTxKeys: Boolean = false,
    /** atomic units; 0 for outputs of every amount */
    val belowAmount: ULong = 0uL,
    val doNotRelay: Boolean = false,
    val getTxHex: Boolean = false,
    val getTxMetadata: Boolean = false,
    /**
     * The client's own name for this payment. A second request with the same name sends nothing and answers what the first
     * sent, unless that failed: a client that heard no answer can ask again. What replaces a failed transaction spends an
     * output of it; Code.GENERIC_TRANSFER when nothing can, or when the name was given to another payment. Beyond the
     * reference.
     */
    val idempotencyKey: String = ""
) : Parameters {
    override fun write(to: JsonWriter) {
        to.text("address", address)
        to.number("account_index", accountIndex)
        to.list("subaddr_indices", subaddrIndices) { element(it) }
        to.bool("subaddr_indices_all", subaddrIndicesAll)
        to.number("priority", priority)
        to.big("ring_size", ringSize)
        to.big("mixin", mixin)
        to.big("outputs", outputs)
        to.big("unlock_time", unlockTime)
        to.text("payment_id", paymentId)
        to.bool("get_tx_keys", getTxKeys)
        to.big("below_amount", belowAmount)
        to.bool("do_not_relay", doNotRelay)
        to.bool("get_tx_hex", getTxHex)
        to.bool("get_tx_metadata", getTxMetadata)
        to.text("idempotency_key", idempotencyKey)
    }
}

/** Spends what no ordinary transaction can. */
data class SweepDustRequest(
    val getTxKeys: Boolean = false,
    val doNotRelay: Boolean = false,
    val getTxHex: Boolean = false,
    val getTxMetadata: Boolean = false
) : Parameters {
    override fun write(to: JsonWriter) {
        to.bool("get_tx_keys", getTxKeys)
        to.bool("do_not_relay", doNotRelay)
        to.bool("get_tx_hex", getTxHex)
        to.bool("get_tx_metadata", getTxMetadata)
    }
}

/** Spends one output. */
data class SweepSingleRequest(
    /** receives */
    val address: String = "",
    /** 0 default, 1 unimportant to 4 priority */
    val priority: Long = 0L,
    /** read and ignored: the chain fixes it */
    val ringSize: ULong = 0uL,
    /** read and ignored */
    val mixin: ULong = 0uL,
    /** to make, at least 1 */
    val outputs: ULong = 1uL,
    /** must be 0 */
    val unlockTime: ULong = 0uL,
    /** must be empty */
    val paymentId: String = "",
    val getTxKey: Boolean = false,
    /** of the output to spend */
    val keyImage: String = "",
    val doNotRelay: Boolean = false,
    val getTxHex: Boolean = false,
    val getTxMetadata: Boolean = false,
    /**
     * The client's own name for this payment. A second request with the same name sends nothing and answers what the first
     * sent, unless that failed: a client that heard no answer can ask again. What replaces a failed transaction spends an
     * output of it; Code.GENERIC_TRANSFER when nothing can, or when the name was given to another payment. Beyond the
     * reference.
     */
    val idempotencyKey: String = ""
) : Parameters {
    override fun write(to: JsonWriter) {
        to.text("address", address)
        to.number("priority", priority)
        to.big("ring_size", ringSize)
        to.big("mixin", mixin)
        to.big("outputs", outputs)
        to.big("unlock_time", unlockTime)
        to.text("payment_id", paymentId)
        to.bool("get_tx_key", getTxKey)
        to.text("key_image", keyImage)
        to.bool("do_not_relay", doNotRelay)
        to.bool("get_tx_hex", getTxHex)
        to.bool("get_tx_metadata", getTxMetadata)
        to.text("idempotency_key", idempotencyKey)
    }
}

/** Gives a tag to accounts. */
data class TagAccountsRequest(
    val tag: String = "",
    val accounts: List<Long> = emptyList()
) : Parameters {
    override fun write(to: JsonWriter) {
        to.text("tag", tag)
        to.list("accounts", accounts) { element(it) }
    }
}

/** A text that is no longer used. */
data class TakeoverAside(
    /** label, tag, description, note, attribute or address book */
    val kind: String,
    /** account/address, account, tag, transaction ID, key or address */
    val name: String,
    val text: String
) {
    companion object {
        internal fun read(from: JsonObject) = TakeoverAside(
            kind = from.text("kind"),
            name = from.text("name"),
            text = from.text("text")
        )
    }
}

/** A transaction as the wallet's owner sees it. */
data class TransferEntry(
    val txid: String,
    /** 16 hex digits, or 64 when long; zeros for none */
    val paymentId: String,
    /** index of its block, 0 when not mined */
    val height: ULong,
    /** POSIX, of its block, or when first seen */
    val timestamp: ULong,
    /** atomic units */
    val amount: ULong,
    /** of each output received, atomic units */
    val amounts: List<ULong>,
    /** atomic units */
    val fee: ULong,
    val note: String,
    /** of what this wallet sent */
    val destinations: List<Destination>,
    /** in, out, pending, failed, pool, block */
    val type: String,
    /** block index, or POSIX time from 500000000 on; 0 is not locked */
    val unlockTime: ULong,
    val locked: Boolean,
    val subaddrIndex: SubaddressIndex,
    val subaddrIndices: List<SubaddressIndex>,
    val address: String,
    val doubleSpendSeen: Boolean,
    val confirmations: ULong?,
    /** How many confirmations are worth waiting for with this amount. */
    val suggestedConfirmationsThreshold: ULong?
) {
    companion object {
        internal fun read(from: JsonObject) = TransferEntry(
            txid = from.text("txid"),
            paymentId = from.text("payment_id"),
            height = from.big("height"),
            timestamp = from.big("timestamp"),
            amount = from.big("amount"),
            amounts = from.list("amounts") { Json.asBig(it) },
            fee = from.big("fee"),
            note = from.text("note"),
            destinations = from.list("destinations") { Destination.read(Json.asObject(it)) },
            type = from.text("type"),
            unlockTime = from.big("unlock_time"),
            locked = from.bool("locked"),
            subaddrIndex = from.value("subaddr_index") { SubaddressIndex.read(it) },
            subaddrIndices = from.list("subaddr_indices") { SubaddressIndex.read(Json.asObject(it)) },
            address = from.text("address"),
            doubleSpendSeen = from.bool("double_spend_seen"),
            confirmations = from.bigOrNull("confirmations"),
            suggestedConfirmationsThreshold = from.bigOrNull("suggested_confirmations_threshold")
        )
    }
}

/** A payment that must fit in one transaction. */
data class TransferRequest(
    val destinations: List<Destination> = emptyList(),
    /** pays */
    val accountIndex: Long = 0L,
    /** addresses to spend from; none for any */
    val subaddrIndices: List<Long> = emptyList(),
    /** destinations that pay the fee; none for the sender */
    val subtractFeeFromOutputs: List<Long> = emptyList(),
    /** 0 default, 1 unimportant to 4 priority */
    val priority: Long = 0L,
    /** read and ignored: the chain fixes it */
    val ringSize: ULong = 0uL,
    /** read and ignored */
    val mixin: ULong = 0uL,
    /** must be 0 */
    val unlockTime: ULong = 0uL,
    /** must be empty */
    val paymentId: String = "",
    val getTxKey: Boolean = false,
    val doNotRelay: Boolean = false,
    val getTxHex: Boolean = false,
    val getTxMetadata: Boolean = false,
    /**
     * The client's own name for this payment. A second request with the same name sends nothing and answers what the first
     * sent, unless that failed: a client that heard no answer can ask again. What replaces a failed transaction spends an
     * output of it; Code.GENERIC_TRANSFER when nothing can, or when the name was given to another payment. Beyond the
     * reference.
     */
    val idempotencyKey: String = ""
) : Parameters {
    override fun write(to: JsonWriter) {
        to.list("destinations", destinations) { element(it) }
        to.number("account_index", accountIndex)
        to.list("subaddr_indices", subaddrIndices) { element(it) }
        to.list("subtract_fee_from_outputs", subtractFeeFromOutputs) { element(it) }
        to.number("priority", priority)
        to.big("ring_size", ringSize)
        to.big("mixin", mixin)
        to.big("unlock_time", unlockTime)
        to.text("payment_id", paymentId)
        to.bool("get_tx_key", getTxKey)
        to.bool("do_not_relay", doNotRelay)
        to.bool("get_tx_hex", getTxHex)
        to.bool("get_tx_metadata", getTxMetadata)
        to.text("idempotency_key", idempotencyKey)
    }
}

/**
 * One transaction. A view-only or multisig wallet fills unsigned_txset or multisig_txset and leaves the transaction's own
 * members empty.
 */
data class TransferResponse(
    val txHash: String,
    /** transaction secret key, then the additional ones, when asked */
    val txKey: String,
    /** atomic units to the destinations */
    val amount: ULong,
    val amountsByDest: AmountsList?,
    /** atomic units */
    val fee: ULong,
    val weight: ULong,
    /** when asked */
    val txBlob: String,
    /** for relay_tx, when asked */
    val txMetadata: String,
    val multisigTxset: String,
    val unsignedTxset: String,
    val spentKeyImages: KeyImageList
) {
    override fun toString() = "TransferResponse(…)"

    companion object {
        internal fun read(from: JsonObject) = TransferResponse(
            txHash = from.text("tx_hash"),
            txKey = from.text("tx_key"),
            amount = from.big("amount"),
            amountsByDest = from.valueOrNull("amounts_by_dest") { AmountsList.read(it) },
            fee = from.big("fee"),
            weight = from.big("weight"),
            txBlob = from.text("tx_blob"),
            txMetadata = from.text("tx_metadata"),
            multisigTxset = from.text("multisig_txset"),
            unsignedTxset = from.text("unsigned_txset"),
            spentKeyImages = from.value("spent_key_images") { KeyImageList.read(it) }
        )
    }
}

/** A payment that may take several transactions. */
data class TransferSplitRequest(
    val destinations: List<Destination> = emptyList(),
    /** pays */
    val accountIndex: Long = 0L,
    /** addresses to spend from; none for any */
    val subaddrIndices: List<Long> = emptyList(),
    /** 0 default, 1 unimportant to 4 priority */
    val priority: Long = 0L,
    /** read and ignored: the chain fixes it */
    val ringSize: ULong = 0uL,
    /** read and ignored */
    val mixin: ULong = 0uL,
    /** must be 0 */
    val unlockTime: ULong = 0uL,
    /** must be empty */
    val paymentId: String = "",
    val getTxKeys: Boolean = false,
    val doNotRelay: Boolean = false,
    val getTxHex: Boolean = false,
    val getTxMetadata: Boolean = false,
    /**
     * The client's own name for this payment. A second request with the same name sends nothing and answers what the first
     * sent, unless that failed: a client that heard no answer can ask again. What replaces a failed transaction spends an
     * output of it; Code.GENERIC_TRANSFER when nothing can, or when the name was given to another payment. Beyond the
     * reference.
     */
    val idempotencyKey: String = ""
) : Parameters {
    override fun write(to: JsonWriter) {
        to.list("destinations", destinations) { element(it) }
        to.number("account_index", accountIndex)
        to.list("subaddr_indices", subaddrIndices) { element(it) }
        to.number("priority", priority)
        to.big("ring_size", ringSize)
        to.big("mixin", mixin)
        to.big("unlock_time", unlockTime)
        to.text("payment_id", paymentId)
        to.bool("get_tx_keys", getTxKeys)
        to.bool("do_not_relay", doNotRelay)
        to.bool("get_tx_hex", getTxHex)
        to.bool("get_tx_metadata", getTxMetadata)
        to.text("idempotency_key", idempotencyKey)
    }
}

/** One transaction of a set. */
data class TxDescription(
    /** atomic units */
    val amountIn: ULong,
    /** atomic units */
    val amountOut: ULong,
    val ringSize: Long,
    /** 0 is not locked */
    val unlockTime: ULong,
    val sources: List<DescribedSource>,
    /** change left out */
    val recipients: List<Recipient>,
    val paymentId: String,
    /** atomic units */
    val changeAmount: ULong,
    val changeAddress: String,
    /** atomic units */
    val fee: ULong,
    /** of amount 0, to hide that there is one recipient */
    val dummyOutputs: Long,
    val extra: String
) {
    companion object {
        internal fun read(from: JsonObject) = TxDescription(
            amountIn = from.big("amount_in"),
            amountOut = from.big("amount_out"),
            ringSize = from.long("ring_size"),
            unlockTime = from.big("unlock_time"),
            sources = from.list("sources") { DescribedSource.read(Json.asObject(it)) },
            recipients = from.list("recipients") { Recipient.read(Json.asObject(it)) },
            paymentId = from.text("payment_id"),
            changeAmount = from.big("change_amount"),
            changeAddress = from.text("change_address"),
            fee = from.big("fee"),
            dummyOutputs = from.long("dummy_outputs"),
            extra = from.text("extra")
        )
    }
}

/** The sum of a set's transactions. */
data class TxSetSummary(
    /** atomic units */
    val amountIn: ULong,
    /** atomic units */
    val amountOut: ULong,
    val recipients: List<Recipient>,
    /** atomic units */
    val changeAmount: ULong,
    val changeAddress: String,
    /** atomic units */
    val fee: ULong
) {
    companion object {
        internal fun read(from: JsonObject) = TxSetSummary(
            amountIn = from.big("amount_in"),
            amountOut = from.big("amount_out"),
            recipients = from.list("recipients") { Recipient.read(Json.asObject(it)) },
            changeAmount = from.big("change_amount"),
            changeAddress = from.text("change_address"),
            fee = from.big("fee")
        )
    }
}

/** A payment request. */
data class URISpec(
    val address: String = "",
    /** must be empty in new ones */
    val paymentId: String = "",
    /** atomic units; 0 for none named */
    val amount: ULong = 0uL,
    val txDescription: String = "",
    val recipientName: String = ""
) : Parameters {
    override fun write(to: JsonWriter) {
        to.text("address", address)
        to.text("payment_id", paymentId)
        to.big("amount", amount)
        to.text("tx_description", txDescription)
        to.text("recipient_name", recipientName)
    }

    companion object {
        internal fun read(from: JsonObject) = URISpec(
            address = from.text("address"),
            paymentId = from.text("payment_id"),
            amount = from.big("amount"),
            txDescription = from.text("tx_description"),
            recipientName = from.text("recipient_name")
        )
    }
}

/** Names accounts. */
data class UntagAccountsRequest(
    val accounts: List<Long> = emptyList()
) : Parameters {
    override fun write(to: JsonWriter) {
        to.list("accounts", accounts) { element(it) }
    }
}

/** A text that may be an address. */
data class ValidateAddressRequest(
    val address: String = "",
    /** accept every network's, not the service's alone */
    val anyNetType: Boolean = false,
    /** look a domain name up */
    val allowOpenalias: Boolean = false
) : Parameters {
    override fun write(to: JsonWriter) {
        to.text("address", address)
        to.bool("any_net_type", anyNetType)
        to.bool("allow_openalias", allowOpenalias)
    }
}

/** Says what the text is. */
data class ValidateAddressResponse(
    val valid: Boolean,
    val integrated: Boolean,
    val subaddress: Boolean,
    /** mainnet, testnet, stagenet; empty when not valid */
    val nettype: String,
    /** what the domain name stands for */
    val openaliasAddress: String
) {
    companion object {
        internal fun read(from: JsonObject) = ValidateAddressResponse(
            valid = from.bool("valid"),
            integrated = from.bool("integrated"),
            subaddress = from.bool("subaddress"),
            nettype = from.text("nettype"),
            openaliasAddress = from.text("openalias_address")
        )
    }
}

/** A text with its signature. */
data class VerifyRequest(
    val data: String = "",
    val address: String = "",
    val signature: String = ""
) : Parameters {
    override fun write(to: JsonWriter) {
        to.text("data", data)
        to.text("address", address)
        to.text("signature", signature)
    }
}

/** Judges the signature. */
data class VerifyResponse(
    val good: Boolean,
    /** 1 or 2 */
    val version: Long,
    /** made by a release whose signatures were weaker */
    val old: Boolean,
    /** spend, view */
    val signatureType: String
) {
    companion object {
        internal fun read(from: JsonObject) = VerifyResponse(
            good = from.bool("good"),
            version = from.long("version"),
            old = from.bool("old"),
            signatureType = from.text("signature_type")
        )
    }
}

/** Every operation of the wallet service. What is left out of a request is its default. */
class WalletOperations(private val ask: Ask) {
    /**
     * Returns what an account holds. It does not refuse an account that does not exist: that one holds nothing. Source:
     * src/wallet/wallet_rpc_server.cpp, on_getbalance.
     */
    suspend fun getBalance(params: GetBalanceRequest = GetBalanceRequest()): GetBalanceResponse =
        GetBalanceResponse.read(Json.asObject(Json.read(ask("get_balance", Json.write(params)))))

    /**
     * Returns addresses of an account, in the order asked. Errors: Code.ACCOUNT_INDEX_OUT_OF_BOUNDS,
     * Code.ADDRESS_INDEX_OUT_OF_BOUNDS.
     */
    suspend fun getAddress(params: GetAddressRequest = GetAddressRequest()): GetAddressResponse =
        GetAddressResponse.read(Json.asObject(Json.read(ask("get_address", Json.write(params)))))

    /**
     * Returns the index of one of the wallet's addresses. Errors: Code.WRONG_ADDRESS for what is no address and for what is
     * another wallet's.
     */
    suspend fun getAddressIndex(params: GetAddressIndexRequest = GetAddressIndexRequest()): GetAddressIndexResponse =
        GetAddressIndexResponse.read(Json.asObject(Json.read(ask("get_address_index", Json.write(params)))))

    /** Changes the search depth for subaddresses. Errors: Code.INVALID_PASSWORD, Code.UNKNOWN. */
    suspend fun setSubaddressLookahead(params: SetSubaddressLookaheadRequest = SetSubaddressLookaheadRequest()) {
        ask("set_subaddress_lookahead", Json.write(params))
    }

    /**
     * Makes addresses at the end of an account. Errors: Code.UNKNOWN for a count out of range,
     * Code.ACCOUNT_INDEX_OUT_OF_BOUNDS.
     */
    suspend fun createAddress(params: CreateAddressRequest = CreateAddressRequest()): CreateAddressResponse =
        CreateAddressResponse.read(Json.asObject(Json.read(ask("create_address", Json.write(params)))))

    /** Labels an address. Errors: Code.ACCOUNT_INDEX_OUT_OF_BOUNDS, Code.ADDRESS_INDEX_OUT_OF_BOUNDS. */
    suspend fun labelAddress(params: LabelAddressRequest = LabelAddressRequest()) {
        ask("label_address", Json.write(params))
    }

    /**
     * Returns the accounts with a tag, or all. Errors: Code.UNKNOWN for a tag no account has and for an expression none
     * matches.
     */
    suspend fun getAccounts(params: GetAccountsRequest = GetAccountsRequest()): GetAccountsResponse =
        GetAccountsResponse.read(Json.asObject(Json.read(ask("get_accounts", Json.write(params)))))

    /** Makes an account after the last. */
    suspend fun createAccount(params: CreateAccountRequest = CreateAccountRequest()): CreateAccountResponse =
        CreateAccountResponse.read(Json.asObject(Json.read(ask("create_account", Json.write(params)))))

    /** Labels an account. Errors: Code.ACCOUNT_INDEX_OUT_OF_BOUNDS. */
    suspend fun labelAccount(params: LabelAccountRequest = LabelAccountRequest()) {
        ask("label_account", Json.write(params))
    }

    /** Returns every tag in use. */
    suspend fun getAccountTags(): GetAccountTagsResponse =
        GetAccountTagsResponse.read(Json.asObject(Json.read(ask("get_account_tags", "{}"))))

    /** Puts a tag on accounts in the place of the one they had. Errors: Code.UNKNOWN for an unknown account. */
    suspend fun tagAccounts(params: TagAccountsRequest = TagAccountsRequest()) {
        ask("tag_accounts", Json.write(params))
    }

    /** Takes the tags off accounts. Errors: Code.UNKNOWN for an unknown account. */
    suspend fun untagAccounts(params: UntagAccountsRequest = UntagAccountsRequest()) {
        ask("untag_accounts", Json.write(params))
    }

    /** Describes a tag in use. Errors: Code.UNKNOWN for a tag no account has. */
    suspend fun setAccountTagDescription(params: SetAccountTagDescriptionRequest = SetAccountTagDescriptionRequest()) {
        ask("set_account_tag_description", Json.write(params))
    }

    /** Returns how many blocks the wallet knows. */
    suspend fun getHeight(): GetHeightResponse =
        GetHeightResponse.read(Json.asObject(Json.read(ask("get_height", "{}"))))

    /**
     * Keeps an output from being spent. Errors: Code.UNKNOWN without a key image or with an unknown one, Code.WRONG_KEY_IMAGE
     * for a malformed one.
     */
    suspend fun freeze(params: KeyImageRequest = KeyImageRequest()) {
        ask("freeze", Json.write(params))
    }

    /** Undoes Freeze. Errors: as Freeze. */
    suspend fun thaw(params: KeyImageRequest = KeyImageRequest()) {
        ask("thaw", Json.write(params))
    }

    /** Tells whether an output is frozen. Errors: as Freeze. */
    suspend fun frozen(params: KeyImageRequest = KeyImageRequest()): FrozenResponse =
        FrozenResponse.read(Json.asObject(Json.read(ask("frozen", Json.write(params)))))

    /**
     * Pays in one transaction and relays it unless told not to. Errors: Code.WRONG_ADDRESS, Code.WRONG_PAYMENT_ID,
     * Code.ZERO_DESTINATION, Code.ZERO_AMOUNT, Code.NOT_ENOUGH_MONEY, Code.NOT_ENOUGH_UNLOCKED_MONEY, Code.TX_NOT_POSSIBLE,
     * Code.TX_TOO_LARGE, Code.NONZERO_UNLOCK_TIME, Code.DISABLED, Code.NO_DAEMON_CONNECTION, Code.DAEMON_BUSY,
     * Code.GENERIC_TRANSFER.
     */
    suspend fun transfer(params: TransferRequest = TransferRequest()): TransferResponse =
        TransferResponse.read(Json.asObject(Json.read(ask("transfer", Json.write(params)))))

    /** Pays in as many transactions as it takes and relays them unless told not to. Errors: as Transfer. */
    suspend fun transferSplit(params: TransferSplitRequest = TransferSplitRequest()): SplitResponse =
        SplitResponse.read(Json.asObject(Json.read(ask("transfer_split", Json.write(params)))))

    /**
     * Signs what a view-only wallet prepared. Errors: Code.WATCH_ONLY, Code.BAD_HEX, Code.BAD_UNSIGNED_TX_DATA,
     * Code.SIGN_UNSIGNED, Code.DISABLED.
     */
    suspend fun signTransfer(params: SignTransferRequest = SignTransferRequest()): SignTransferResponse =
        SignTransferResponse.read(Json.asObject(Json.read(ask("sign_transfer", Json.write(params)))))

    /**
     * Shows what an unsigned or multisig set would do, for a person to judge before signing. Errors: Code.UNKNOWN without a
     * set, Code.BAD_HEX, Code.BAD_UNSIGNED_TX_DATA, Code.BAD_MULTISIG_TX_DATA.
     */
    suspend fun describeTransfer(params: DescribeTransferRequest = DescribeTransferRequest()): DescribeTransferResponse =
        DescribeTransferResponse.read(Json.asObject(Json.read(ask("describe_transfer", Json.write(params)))))

    /** Relays a signed set. Errors: Code.BAD_HEX, Code.BAD_SIGNED_TX_DATA, Code.SIGNED_SUBMISSION. */
    suspend fun submitTransfer(params: SubmitTransferRequest = SubmitTransferRequest()): SubmitTransferResponse =
        SubmitTransferResponse.read(Json.asObject(Json.read(ask("submit_transfer", Json.write(params)))))

    /** Sends outputs that cannot be mixed to the wallet itself. With none it answers empty strings. Errors: as Transfer. */
    suspend fun sweepDust(params: SweepDustRequest = SweepDustRequest()): SplitResponse =
        SplitResponse.read(Json.asObject(Json.read(ask("sweep_dust", Json.write(params)))))

    /** Sends everything spendable to an address. Errors: as Transfer, and Code.TX_NOT_POSSIBLE for outputs below 1. */
    suspend fun sweepAll(params: SweepAllRequest = SweepAllRequest()): SplitResponse =
        SplitResponse.read(Json.asObject(Json.read(ask("sweep_all", Json.write(params)))))

    /** Sends all of one output to an address. Errors: as Transfer, Code.WRONG_KEY_IMAGE, Code.UNKNOWN. */
    suspend fun sweepSingle(params: SweepSingleRequest = SweepSingleRequest()): TransferResponse =
        TransferResponse.read(Json.asObject(Json.read(ask("sweep_single", Json.write(params)))))

    /** Relays a transaction made earlier. Errors: Code.BAD_HEX, Code.BAD_TX_METADATA, Code.GENERIC_TRANSFER. */
    suspend fun relayTx(params: RelayTxRequest = RelayTxRequest()): RelayTxResponse =
        RelayTxResponse.read(Json.asObject(Json.read(ask("relay_tx", Json.write(params)))))

    /** Writes the wallet to its files. */
    suspend fun store() {
        ask("store", "{}")
    }

    /** Returns what was received with a payment ID. Errors: Code.WRONG_PAYMENT_ID. */
    suspend fun getPayments(params: GetPaymentsRequest = GetPaymentsRequest()): GetPaymentsResponse =
        GetPaymentsResponse.read(Json.asObject(Json.read(ask("get_payments", Json.write(params)))))

    /** Returns what was received with any of some payment IDs. Errors: Code.WRONG_PAYMENT_ID. */
    suspend fun getBulkPayments(params: GetBulkPaymentsRequest = GetBulkPaymentsRequest()): GetPaymentsResponse =
        GetPaymentsResponse.read(Json.asObject(Json.read(ask("get_bulk_payments", Json.write(params)))))

    /** Returns the outputs an account received. Errors: Code.TRANSFER_TYPE. */
    suspend fun incomingTransfers(params: IncomingTransfersRequest = IncomingTransfersRequest()): IncomingTransfersResponse =
        IncomingTransfersResponse.read(Json.asObject(Json.read(ask("incoming_transfers", Json.write(params)))))

    /**
     * Returns a secret of the wallet. Errors: Code.UNKNOWN for another key type, Code.WATCH_ONLY, Code.NON_DETERMINISTIC.
     */
    suspend fun queryKey(params: QueryKeyRequest = QueryKeyRequest()): QueryKeyResponse =
        QueryKeyResponse.read(Json.asObject(Json.read(ask("query_key", Json.write(params)))))

    /** Puts a payment ID into an address. Errors: Code.WRONG_PAYMENT_ID, Code.WRONG_ADDRESS. */
    suspend fun makeIntegratedAddress(params: MakeIntegratedAddressRequest = MakeIntegratedAddressRequest()): MakeIntegratedAddressResponse =
        MakeIntegratedAddressResponse.read(Json.asObject(Json.read(ask("make_integrated_address", Json.write(params)))))

    /** Takes the payment ID out of an address. Errors: Code.WRONG_ADDRESS. */
    suspend fun splitIntegratedAddress(params: SplitIntegratedAddressRequest = SplitIntegratedAddressRequest()): SplitIntegratedAddressResponse =
        SplitIntegratedAddressResponse.read(Json.asObject(Json.read(ask("split_integrated_address", Json.write(params)))))

    /** Stores the wallet and ends the service. */
    suspend fun stopWallet() {
        ask("stop_wallet", "{}")
    }

    /** Reads the chain again from the restore height. Errors: Code.UNKNOWN. */
    suspend fun rescanBlockchain(params: RescanBlockchainRequest = RescanBlockchainRequest()) {
        ask("rescan_blockchain", Json.write(params))
    }

    /** Writes notes on transactions. Errors: Code.UNKNOWN for lists of different lengths, Code.WRONG_TX_ID. */
    suspend fun setTxNotes(params: SetTxNotesRequest = SetTxNotesRequest()) {
        ask("set_tx_notes", Json.write(params))
    }

    /** Returns the notes on transactions. Errors: Code.WRONG_TX_ID. */
    suspend fun getTxNotes(params: GetTxNotesRequest = GetTxNotesRequest()): GetTxNotesResponse =
        GetTxNotesResponse.read(Json.asObject(Json.read(ask("get_tx_notes", Json.write(params)))))

    /** Keeps a pair in the wallet. */
    suspend fun setAttribute(params: SetAttributeRequest = SetAttributeRequest()) {
        ask("set_attribute", Json.write(params))
    }

    /** Returns what SetAttribute kept. Errors: Code.ATTRIBUTE_NOT_FOUND. */
    suspend fun getAttribute(params: GetAttributeRequest = GetAttributeRequest()): GetAttributeResponse =
        GetAttributeResponse.read(Json.asObject(Json.read(ask("get_attribute", Json.write(params)))))

    /** Returns the secret key of a transaction this wallet made. Errors: Code.WRONG_TX_ID, Code.NO_TX_KEY. */
    suspend fun getTxKey(params: GetTxKeyRequest = GetTxKeyRequest()): GetTxKeyResponse =
        GetTxKeyResponse.read(Json.asObject(Json.read(ask("get_tx_key", Json.write(params)))))

    /** Tells what a transaction paid to an address. Errors: Code.WRONG_TX_ID, Code.WRONG_KEY, Code.WRONG_ADDRESS. */
    suspend fun checkTxKey(params: CheckTxKeyRequest = CheckTxKeyRequest()): CheckTxKeyResponse =
        CheckTxKeyResponse.read(Json.asObject(Json.read(ask("check_tx_key", Json.write(params)))))

    /**
     * Proves that a transaction paid an address: the sender for another's, the receiver for its own. Errors: Code.WRONG_TX_ID,
     * Code.WRONG_ADDRESS, Code.UNKNOWN.
     */
    suspend fun getTxProof(params: GetTxProofRequest = GetTxProofRequest()): ProofResponse =
        ProofResponse.read(Json.asObject(Json.read(ask("get_tx_proof", Json.write(params)))))

    /**
     * Checks a proof of payment. A wrong one is good false. Errors: Code.WRONG_TX_ID, Code.WRONG_ADDRESS, Code.UNKNOWN for
     * what does not parse.
     */
    suspend fun checkTxProof(params: CheckTxProofRequest = CheckTxProofRequest()): CheckTxProofResponse =
        CheckTxProofResponse.read(Json.asObject(Json.read(ask("check_tx_proof", Json.write(params)))))

    /** Proves that this wallet made a transaction. Errors: Code.WRONG_TX_ID, Code.UNKNOWN. */
    suspend fun getSpendProof(params: GetSpendProofRequest = GetSpendProofRequest()): ProofResponse =
        ProofResponse.read(Json.asObject(Json.read(ask("get_spend_proof", Json.write(params)))))

    /** Checks who made a transaction. Errors: Code.WRONG_TX_ID, Code.UNKNOWN. */
    suspend fun checkSpendProof(params: CheckSpendProofRequest = CheckSpendProofRequest()): CheckSpendProofResponse =
        CheckSpendProofResponse.read(Json.asObject(Json.read(ask("check_spend_proof", Json.write(params)))))

    /** Proves that the wallet holds money. Errors: Code.UNKNOWN. */
    suspend fun getReserveProof(params: GetReserveProofRequest = GetReserveProofRequest()): ProofResponse =
        ProofResponse.read(Json.asObject(Json.read(ask("get_reserve_proof", Json.write(params)))))

    /** Checks a proof of money held. Errors: Code.WRONG_ADDRESS, Code.UNKNOWN. */
    suspend fun checkReserveProof(params: CheckReserveProofRequest = CheckReserveProofRequest()): CheckReserveProofResponse =
        CheckReserveProofResponse.read(Json.asObject(Json.read(ask("check_reserve_proof", Json.write(params)))))

    /** Returns the wallet's history. */
    suspend fun getTransfers(params: GetTransfersRequest = GetTransfersRequest()): GetTransfersResponse =
        GetTransfersResponse.read(Json.asObject(Json.read(ask("get_transfers", Json.write(params)))))

    /**
     * Returns one transaction's part in an account's history. Errors: Code.WRONG_TX_ID, also for a transaction the account has
     * no part in; Code.ACCOUNT_INDEX_OUT_OF_BOUNDS.
     */
    suspend fun getTransferByTxID(params: GetTransferByTxIDRequest = GetTransferByTxIDRequest()): GetTransferByTxIDResponse =
        GetTransferByTxIDResponse.read(Json.asObject(Json.read(ask("get_transfer_by_txid", Json.write(params)))))

    /** Signs a text with the key of one of the wallet's addresses. Errors: Code.INVALID_SIGNATURE_TYPE, Code.WATCH_ONLY. */
    suspend fun sign(params: SignRequest = SignRequest()): SignResponse =
        SignResponse.read(Json.asObject(Json.read(ask("sign", Json.write(params)))))

    /** Checks who signed a text. A wrong signature is an answer, not a failure. Errors: Code.WRONG_ADDRESS. */
    suspend fun verify(params: VerifyRequest = VerifyRequest()): VerifyResponse =
        VerifyResponse.read(Json.asObject(Json.read(ask("verify", Json.write(params)))))

    /** Packs outputs for the wallet that holds the spend key. Errors: Code.UNKNOWN. */
    suspend fun exportOutputs(params: ExportOutputsRequest = ExportOutputsRequest()): ExportOutputsResponse =
        ExportOutputsResponse.read(Json.asObject(Json.read(ask("export_outputs", Json.write(params)))))

    /** Takes outputs from a view-only wallet. Errors: Code.BAD_HEX, Code.UNKNOWN. */
    suspend fun importOutputs(params: ImportOutputsRequest = ImportOutputsRequest()): ImportOutputsResponse =
        ImportOutputsResponse.read(Json.asObject(Json.read(ask("import_outputs", Json.write(params)))))

    /** Returns key images for a view-only wallet. Errors: Code.UNKNOWN. */
    suspend fun exportKeyImages(params: ExportKeyImagesRequest = ExportKeyImagesRequest()): ExportKeyImagesResponse =
        ExportKeyImagesResponse.read(Json.asObject(Json.read(ask("export_key_images", Json.write(params)))))

    /**
     * Teaches a view-only wallet what is spent. Errors: Code.UNKNOWN with a daemon not trusted, Code.WRONG_KEY_IMAGE,
     * Code.WRONG_SIGNATURE.
     */
    suspend fun importKeyImages(params: ImportKeyImagesRequest = ImportKeyImagesRequest()): ImportKeyImagesResponse =
        ImportKeyImagesResponse.read(Json.asObject(Json.read(ask("import_key_images", Json.write(params)))))

    /** Writes a payment request. Errors: Code.WRONG_URI. */
    suspend fun makeURI(params: URISpec = URISpec()): MakeURIResponse =
        MakeURIResponse.read(Json.asObject(Json.read(ask("make_uri", Json.write(params)))))

    /** Reads a payment request. Errors: Code.WRONG_URI. */
    suspend fun parseURI(params: ParseURIRequest = ParseURIRequest()): ParseURIResponse =
        ParseURIResponse.read(Json.asObject(Json.read(ask("parse_uri", Json.write(params)))))

    /** Returns address book entries. Errors: Code.WRONG_INDEX. */
    suspend fun getAddressBook(params: GetAddressBookRequest = GetAddressBookRequest()): GetAddressBookResponse =
        GetAddressBookResponse.read(Json.asObject(Json.read(ask("get_address_book", Json.write(params)))))

    /** Adds an entry at the end. Errors: Code.WRONG_ADDRESS. */
    suspend fun addAddressBook(params: AddAddressBookRequest = AddAddressBookRequest()): AddAddressBookResponse =
        AddAddressBookResponse.read(Json.asObject(Json.read(ask("add_address_book", Json.write(params)))))

    /** Changes an entry. Errors: Code.WRONG_INDEX, Code.WRONG_ADDRESS. */
    suspend fun editAddressBook(params: EditAddressBookRequest = EditAddressBookRequest()) {
        ask("edit_address_book", Json.write(params))
    }

    /** Removes an entry. Errors: Code.WRONG_INDEX. */
    suspend fun deleteAddressBook(params: DeleteAddressBookRequest = DeleteAddressBookRequest()) {
        ask("delete_address_book", Json.write(params))
    }

    /** Reads the chain to its end. Errors: Code.NO_DAEMON_CONNECTION, Code.DAEMON_BUSY, Code.UNKNOWN. */
    suspend fun refresh(params: RefreshRequest = RefreshRequest()): RefreshResponse =
        RefreshResponse.read(Json.asObject(Json.read(ask("refresh", Json.write(params)))))

    /** Makes the service read the chain on its own. It needs no wallet. */
    suspend fun autoRefresh(params: AutoRefreshRequest = AutoRefreshRequest()) {
        ask("auto_refresh", Json.write(params))
    }

    /**
     * Reads single transactions out of turn. The daemon learns which, and which others of the wallet's came since. Errors:
     * Code.WRONG_TX_ID; Code.UNKNOWN, also in a block not read yet, or for those others with a daemon not trusted.
     */
    suspend fun scanTx(params: ScanTxRequest = ScanTxRequest()) {
        ask("scan_tx", Json.write(params))
    }

    /** Asks the daemon which outputs are spent. Errors: Code.UNKNOWN with a daemon not trusted. */
    suspend fun rescanSpent() {
        ask("rescan_spent", "{}")
    }

    /** Has the daemon mine to the wallet's primary address. Errors: Code.UNKNOWN. */
    suspend fun startMining(params: StartMiningRequest = StartMiningRequest()) {
        ask("start_mining", Json.write(params))
    }

    /** Has the daemon stop mining. Errors: Code.UNKNOWN. */
    suspend fun stopMining() {
        ask("stop_mining", "{}")
    }

    /** Returns the languages seeds can be written in. It needs no wallet. */
    suspend fun getLanguages(): GetLanguagesResponse =
        GetLanguagesResponse.read(Json.asObject(Json.read(ask("get_languages", "{}"))))

    /**
     * Makes a wallet with a random seed and opens it in the place of the one open. It needs no wallet. Errors:
     * Code.NO_WALLET_DIR, Code.UNKNOWN for a name or a language that cannot be, Code.WALLET_ALREADY_EXISTS.
     */
    suspend fun createWallet(params: CreateWalletRequest = CreateWalletRequest()) {
        ask("create_wallet", Json.write(params))
    }

    /**
     * Opens a wallet in the place of the one open. It needs no wallet. Errors: Code.NO_WALLET_DIR, Code.UNKNOWN for a name, a
     * file or a password that does not open.
     */
    suspend fun openWallet(params: OpenWalletRequest = OpenWalletRequest()): OpenWalletResponse =
        OpenWalletResponse.read(Json.asObject(Json.read(ask("open_wallet", Json.write(params)))))

    /** Closes the wallet. Errors: Code.UNKNOWN when it cannot be stored. */
    suspend fun closeWallet(params: CloseWalletRequest = CloseWalletRequest()) {
        ask("close_wallet", Json.write(params))
    }

    /** Changes the password of the wallet's files. Errors: Code.INVALID_PASSWORD. */
    suspend fun changeWalletPassword(params: ChangeWalletPasswordRequest = ChangeWalletPasswordRequest()) {
        ask("change_wallet_password", Json.write(params))
    }

    /**
     * Makes a wallet from its keys and opens it. It needs no wallet. Errors: Code.NO_WALLET_DIR, Code.UNKNOWN,
     * Code.WALLET_ALREADY_EXISTS.
     */
    suspend fun generateFromKeys(params: GenerateFromKeysRequest = GenerateFromKeysRequest()): GenerateFromKeysResponse =
        GenerateFromKeysResponse.read(Json.asObject(Json.read(ask("generate_from_keys", Json.write(params)))))

    /**
     * Makes a wallet from its seed and opens it. It needs no wallet. Errors: Code.NO_WALLET_DIR, Code.UNKNOWN,
     * Code.WALLET_ALREADY_EXISTS.
     */
    suspend fun restoreDeterministicWallet(params: RestoreDeterministicWalletRequest = RestoreDeterministicWalletRequest()): RestoreDeterministicWalletResponse =
        RestoreDeterministicWalletResponse.read(Json.asObject(Json.read(ask("restore_deterministic_wallet", Json.write(params)))))

    /** Tells whether the wallet is multisig. */
    suspend fun isMultisig(): IsMultisigResponse =
        IsMultisigResponse.read(Json.asObject(Json.read(ask("is_multisig", "{}"))))

    /** Returns the first message of the key exchange. Errors: Code.ALREADY_MULTISIG, Code.WATCH_ONLY, Code.DISABLED. */
    suspend fun prepareMultisig(params: PrepareMultisigRequest = PrepareMultisigRequest()): PrepareMultisigResponse =
        PrepareMultisigResponse.read(Json.asObject(Json.read(ask("prepare_multisig", Json.write(params)))))

    /** Makes the wallet multisig. Errors: Code.ALREADY_MULTISIG, Code.WATCH_ONLY, Code.DISABLED, Code.UNKNOWN. */
    suspend fun makeMultisig(params: MakeMultisigRequest = MakeMultisigRequest()): MultisigRoundResponse =
        MultisigRoundResponse.read(Json.asObject(Json.read(ask("make_multisig", Json.write(params)))))

    /** Returns what the others need before spending. Errors: Code.NOT_MULTISIG, Code.DISABLED. */
    suspend fun exportMultisigInfo(): ExportMultisigInfoResponse =
        ExportMultisigInfoResponse.read(Json.asObject(Json.read(ask("export_multisig_info", "{}"))))

    /**
     * Takes what the others exported. Errors: Code.NOT_MULTISIG, Code.THRESHOLD_NOT_REACHED, Code.BAD_HEX, Code.DISABLED,
     * Code.UNKNOWN.
     */
    suspend fun importMultisigInfo(params: ImportMultisigInfoRequest = ImportMultisigInfoRequest()): ImportMultisigInfoResponse =
        ImportMultisigInfoResponse.read(Json.asObject(Json.read(ask("import_multisig_info", Json.write(params)))))

    /**
     * The older name of the last ExchangeMultisigKeys. Errors: as there. The reference dropped it in 0.18.5.1; the published
     * interface has it.
     */
    suspend fun finalizeMultisig(params: FinalizeMultisigRequest = FinalizeMultisigRequest()): FinalizeMultisigResponse =
        FinalizeMultisigResponse.read(Json.asObject(Json.read(ask("finalize_multisig", Json.write(params)))))

    /**
     * Takes a round of the key exchange further. Errors: Code.NOT_MULTISIG, Code.ALREADY_MULTISIG, Code.DISABLED,
     * Code.UNKNOWN.
     */
    suspend fun exchangeMultisigKeys(params: ExchangeMultisigKeysRequest = ExchangeMultisigKeysRequest()): MultisigRoundResponse =
        MultisigRoundResponse.read(Json.asObject(Json.read(ask("exchange_multisig_keys", Json.write(params)))))

    /**
     * Signs a multisig set. Errors: Code.NOT_MULTISIG, Code.BAD_HEX, Code.BAD_MULTISIG_TX_DATA, Code.MULTISIG_SIGNATURE,
     * Code.DISABLED.
     */
    suspend fun signMultisig(params: SignMultisigRequest = SignMultisigRequest()): SignMultisigResponse =
        SignMultisigResponse.read(Json.asObject(Json.read(ask("sign_multisig", Json.write(params)))))

    /**
     * Relays a multisig set. Errors: Code.NOT_MULTISIG, Code.BAD_HEX, Code.BAD_MULTISIG_TX_DATA, Code.THRESHOLD_NOT_REACHED,
     * Code.MULTISIG_SUBMISSION, Code.DISABLED.
     */
    suspend fun submitMultisig(params: SubmitMultisigRequest = SubmitMultisigRequest()): SubmitTransferResponse =
        SubmitTransferResponse.read(Json.asObject(Json.read(ask("submit_multisig", Json.write(params)))))

    /** Judges an address. It needs no wallet when the addresses of every network are asked for, and then never fails. */
    suspend fun validateAddress(params: ValidateAddressRequest = ValidateAddressRequest()): ValidateAddressResponse =
        ValidateAddressResponse.read(Json.asObject(Json.read(ask("validate_address", Json.write(params)))))

    /**
     * Changes the daemon for as long as the wallet is open. The next wallet that is opened or made, this one included, starts
     * with the daemon of the command line. Errors: Code.NO_DAEMON_CONNECTION for settings that cannot be,
     * Code.PROXY_ALREADY_DEFINED.
     */
    suspend fun setDaemon(params: SetDaemonRequest = SetDaemonRequest()) {
        ask("set_daemon", Json.write(params))
    }

    /** Changes how much the service logs. It needs no wallet. Errors: Code.INVALID_LOG_LEVEL. */
    suspend fun setLogLevel(params: SetLogLevelRequest = SetLogLevelRequest()) {
        ask("set_log_level", Json.write(params))
    }

    /** Changes what the service logs. It needs no wallet. */
    suspend fun setLogCategories(params: SetLogCategoriesRequest = SetLogCategoriesRequest()): SetLogCategoriesResponse =
        SetLogCategoriesResponse.read(Json.asObject(Json.read(ask("set_log_categories", Json.write(params)))))

    /** Estimates a transaction's room. Errors: Code.UNKNOWN. */
    suspend fun estimateTxSizeAndWeight(params: EstimateTxSizeAndWeightRequest = EstimateTxSizeAndWeightRequest()): EstimateTxSizeAndWeightResponse =
        EstimateTxSizeAndWeightResponse.read(Json.asObject(Json.read(ask("estimate_tx_size_and_weight", Json.write(params)))))

    /** Returns what priority 0 means now. Errors: Code.UNKNOWN. */
    suspend fun getDefaultFeePriority(): GetDefaultFeePriorityResponse =
        GetDefaultFeePriorityResponse.read(Json.asObject(Json.read(ask("get_default_fee_priority", "{}"))))

    /** Returns the version of the interface. It needs no wallet. */
    suspend fun getVersion(): GetVersionResponse =
        GetVersionResponse.read(Json.asObject(Json.read(ask("get_version", "{}"))))

    /**
     * Prepares syncing without the spend key in memory. Errors: Code.INVALID_PASSWORD, Code.WATCH_ONLY, Code.UNKNOWN for a
     * multisig wallet.
     */
    suspend fun setupBackgroundSync(params: SetupBackgroundSyncRequest = SetupBackgroundSyncRequest()) {
        ask("setup_background_sync", Json.write(params))
    }

    /** Wipes the spend key from memory and goes on syncing. Errors: as SetupBackgroundSync. */
    suspend fun startBackgroundSync() {
        ask("start_background_sync", "{}")
    }

    /** Ends syncing in the background. Errors: Code.INVALID_PASSWORD, Code.UNKNOWN. */
    suspend fun stopBackgroundSync(params: StopBackgroundSyncRequest = StopBackgroundSyncRequest()) {
        ask("stop_background_sync", Json.write(params))
    }

    /** Returns what happened to transfers since a cursor. Glim's own. */
    suspend fun getEvents(params: GetEventsRequest = GetEventsRequest()): GetEventsResponse =
        GetEventsResponse.read(Json.asObject(Json.read(ask("get_events", Json.write(params)))))

    /**
     * Writes the wallet's keys, its language and its restore height to a file that monero-wallet-rpc opens, whose history
     * comes from the chain. It is glim's own: the reference has no such operation. Errors: Code.NO_WALLET_DIR, Code.UNKNOWN
     * for a name that cannot be, Code.WALLET_ALREADY_EXISTS.
     */
    suspend fun exportKeysFile(params: ExportKeysFileRequest = ExportKeysFileRequest()): ExportKeysFileResponse =
        ExportKeysFileResponse.read(Json.asObject(Json.read(ask("export_keys_file", Json.write(params)))))

    /** Returns which daemon the service uses. It needs no wallet. It is glim's own: the reference has no such operation. */
    suspend fun getDaemon(): GetDaemonResponse =
        GetDaemonResponse.read(Json.asObject(Json.read(ask("get_daemon", "{}"))))

    /**
     * Returns what the wallet took over from monero-wallet-rpc's cache: when it was opened here first, or later, after
     * monero-wallet-rpc had changed it. Glim's own.
     */
    suspend fun getTakeover(): GetTakeoverResponse =
        GetTakeoverResponse.read(Json.asObject(Json.read(ask("get_takeover", "{}"))))
}
