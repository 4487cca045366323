// Written by scripts/gen from core/walletrpc: make gen writes it again.

import Foundation

/// Numbers of the failures that the wallet service states.
public enum Code {
    public static let unknown = -1
    public static let wrongAddress = -2
    public static let daemonBusy = -3
    public static let genericTransfer = -4
    public static let wrongPaymentID = -5
    public static let transferType = -6
    public static let denied = -7
    public static let wrongTxID = -8
    public static let wrongSignature = -9
    public static let wrongKeyImage = -10
    public static let wrongURI = -11
    public static let wrongIndex = -12
    public static let notOpen = -13
    public static let accountIndexOutOfBounds = -14
    public static let addressIndexOutOfBounds = -15
    public static let txNotPossible = -16
    public static let notEnoughMoney = -17
    public static let txTooLarge = -18
    public static let notEnoughOutsToMix = -19
    public static let zeroDestination = -20
    public static let walletAlreadyExists = -21
    public static let invalidPassword = -22
    public static let noWalletDir = -23
    public static let noTxKey = -24
    public static let wrongKey = -25
    public static let badHex = -26
    public static let badTxMetadata = -27
    public static let alreadyMultisig = -28
    public static let watchOnly = -29
    public static let badMultisigInfo = -30
    public static let notMultisig = -31
    public static let wrongLR = -32
    public static let thresholdNotReached = -33
    public static let badMultisigTxData = -34
    public static let multisigSignature = -35
    public static let multisigSubmission = -36
    public static let notEnoughUnlockedMoney = -37
    public static let noDaemonConnection = -38
    public static let badUnsignedTxData = -39
    public static let badSignedTxData = -40
    public static let signedSubmission = -41
    public static let signUnsigned = -42
    public static let nonDeterministic = -43
    public static let invalidLogLevel = -44
    public static let attributeNotFound = -45
    public static let zeroAmount = -46
    public static let invalidSignatureType = -47
    public static let disabled = -48
    public static let proxyAlreadyDefined = -49
    public static let nonzeroUnlockTime = -50
    public static let isBackgroundWallet = -51
    public static let isBackgroundSyncing = -52
    /// from 0.19 on
    public static let invalidFeePriority = -53
    public static let parse = -32700
    public static let invalidRequest = -32600
    public static let methodNotFound = -32601
    public static let invalidParams = -32602
    public static let `internal` = -32603
}

extension RPC {
    /// One account.
    public struct AccountInfo: Decodable, Hashable, Sendable {
        public var accountIndex: UInt32
        public var baseAddress: String
        /// atomic units, locked or not
        public var balance: UInt64
        /// atomic units
        public var unlockedBalance: UInt64
        public var label: String
        public var tag: String

        enum CodingKeys: String, CodingKey {
            case accountIndex = "account_index"
            case baseAddress = "base_address"
            case balance = "balance"
            case unlockedBalance = "unlocked_balance"
            case label = "label"
            case tag = "tag"
        }

        public init(from decoder: Decoder) throws {
            let from = try decoder.container(keyedBy: CodingKeys.self)
            accountIndex = try from.decode(UInt32.self, forKey: .accountIndex)
            baseAddress = try from.decode(String.self, forKey: .baseAddress)
            balance = try from.decode(Big<UInt64>.self, forKey: .balance).value
            unlockedBalance = try from.decode(Big<UInt64>.self, forKey: .unlockedBalance).value
            label = try from.decode(String.self, forKey: .label)
            tag = try from.decode(String.self, forKey: .tag)
        }
    }

    /// A tag with the accounts that carry it.
    public struct AccountTag: Decodable, Hashable, Sendable {
        public var tag: String
        /// its description
        public var label: String
        public var accounts: [UInt32]

        enum CodingKeys: String, CodingKey {
            case tag = "tag"
            case label = "label"
            case accounts = "accounts"
        }

        public init(from decoder: Decoder) throws {
            let from = try decoder.container(keyedBy: CodingKeys.self)
            tag = try from.decode(String.self, forKey: .tag)
            label = try from.decode(String.self, forKey: .label)
            accounts = try from.decodeIfPresent([UInt32].self, forKey: .accounts) ?? []
        }
    }

    /// A new entry.
    public struct AddAddressBookRequest: Encodable, Hashable, Sendable {
        public var address: String
        public var description: String
        /// read and ignored
        public var paymentId: String

        enum CodingKeys: String, CodingKey {
            case address = "address"
            case description = "description"
            case paymentId = "payment_id"
        }

        public init(
            address: String = "",
            description: String = "",
            paymentId: String = ""
        ) {
            self.address = address
            self.description = description
            self.paymentId = paymentId
        }

        public func encode(to encoder: Encoder) throws {
            var to = encoder.container(keyedBy: CodingKeys.self)
            try to.encode(address, forKey: .address)
            try to.encode(description, forKey: .description)
            try to.encode(paymentId, forKey: .paymentId)
        }
    }

    /// Where it went.
    public struct AddAddressBookResponse: Decodable, Hashable, Sendable {
        public var index: UInt64

        enum CodingKeys: String, CodingKey {
            case index = "index"
        }

        public init(from decoder: Decoder) throws {
            let from = try decoder.container(keyedBy: CodingKeys.self)
            index = try from.decode(Big<UInt64>.self, forKey: .index).value
        }
    }

    /// An address worth remembering.
    public struct AddressBookEntry: Decodable, Hashable, Sendable {
        /// moves up when an entry before it goes
        public var index: UInt64
        public var address: String
        public var description: String
        /// always empty: integrated addresses carry theirs
        public var paymentId: String

        enum CodingKeys: String, CodingKey {
            case index = "index"
            case address = "address"
            case description = "description"
            case paymentId = "payment_id"
        }

        public init(from decoder: Decoder) throws {
            let from = try decoder.container(keyedBy: CodingKeys.self)
            index = try from.decode(Big<UInt64>.self, forKey: .index).value
            address = try from.decode(String.self, forKey: .address)
            description = try from.decode(String.self, forKey: .description)
            paymentId = try from.decode(String.self, forKey: .paymentId)
        }
    }

    /// One address of an account.
    public struct AddressInfo: Decodable, Hashable, Sendable {
        public var address: String
        public var label: String
        public var addressIndex: UInt32
        /// has received money
        public var used: Bool

        enum CodingKeys: String, CodingKey {
            case address = "address"
            case label = "label"
            case addressIndex = "address_index"
            case used = "used"
        }

        public init(from decoder: Decoder) throws {
            let from = try decoder.container(keyedBy: CodingKeys.self)
            address = try from.decode(String.self, forKey: .address)
            label = try from.decode(String.self, forKey: .label)
            addressIndex = try from.decode(UInt32.self, forKey: .addressIndex)
            used = try from.decode(Bool.self, forKey: .used)
        }
    }

    /// What one transaction pays, in the order of its destinations.
    public struct AmountsList: Decodable, Hashable, Sendable {
        /// atomic units
        public var amounts: [UInt64]

        enum CodingKeys: String, CodingKey {
            case amounts = "amounts"
        }

        public init(from decoder: Decoder) throws {
            let from = try decoder.container(keyedBy: CodingKeys.self)
            amounts = try from.decodeIfPresent([Big<UInt64>].self, forKey: .amounts)?.map { $0.value } ?? []
        }
    }

    /// Sets the rhythm.
    public struct AutoRefreshRequest: Encodable, Hashable, Sendable {
        public var enable: Bool
        /// seconds; 0 for the default of 20
        public var period: UInt32

        enum CodingKeys: String, CodingKey {
            case enable = "enable"
            case period = "period"
        }

        public init(
            enable: Bool = true,
            period: UInt32 = 0
        ) {
            self.enable = enable
            self.period = period
        }

        public func encode(to encoder: Encoder) throws {
            var to = encoder.container(keyedBy: CodingKeys.self)
            try to.encode(enable, forKey: .enable)
            try to.encode(period, forKey: .period)
        }
    }

    /// The old password and the new.
    public struct ChangeWalletPasswordRequest: Encodable, Secretive, Hashable, Sendable {
        public var oldPassword: String
        public var newPassword: String

        enum CodingKeys: String, CodingKey {
            case oldPassword = "old_password"
            case newPassword = "new_password"
        }

        public init(
            oldPassword: String = "",
            newPassword: String = ""
        ) {
            self.oldPassword = oldPassword
            self.newPassword = newPassword
        }

        public func encode(to encoder: Encoder) throws {
            var to = encoder.container(keyedBy: CodingKeys.self)
            try to.encode(oldPassword, forKey: .oldPassword)
            try to.encode(newPassword, forKey: .newPassword)
        }
    }

    /// A proof of money held.
    public struct CheckReserveProofRequest: Encodable, Hashable, Sendable {
        /// the wallet's primary
        public var address: String
        public var message: String
        public var signature: String

        enum CodingKeys: String, CodingKey {
            case address = "address"
            case message = "message"
            case signature = "signature"
        }

        public init(
            address: String = "",
            message: String = "",
            signature: String = ""
        ) {
            self.address = address
            self.message = message
            self.signature = signature
        }

        public func encode(to encoder: Encoder) throws {
            var to = encoder.container(keyedBy: CodingKeys.self)
            try to.encode(address, forKey: .address)
            try to.encode(message, forKey: .message)
            try to.encode(signature, forKey: .signature)
        }
    }

    /// Judges the proof.
    public struct CheckReserveProofResponse: Decodable, Hashable, Sendable {
        public var good: Bool
        /// atomic units the proof covers
        public var total: UInt64
        /// atomic units of them spent since
        public var spent: UInt64

        enum CodingKeys: String, CodingKey {
            case good = "good"
            case total = "total"
            case spent = "spent"
        }

        public init(from decoder: Decoder) throws {
            let from = try decoder.container(keyedBy: CodingKeys.self)
            good = try from.decode(Bool.self, forKey: .good)
            total = try from.decode(Big<UInt64>.self, forKey: .total).value
            spent = try from.decode(Big<UInt64>.self, forKey: .spent).value
        }
    }

    /// A proof of having spent.
    public struct CheckSpendProofRequest: Encodable, Hashable, Sendable {
        public var txid: String
        public var message: String
        public var signature: String

        enum CodingKeys: String, CodingKey {
            case txid = "txid"
            case message = "message"
            case signature = "signature"
        }

        public init(
            txid: String = "",
            message: String = "",
            signature: String = ""
        ) {
            self.txid = txid
            self.message = message
            self.signature = signature
        }

        public func encode(to encoder: Encoder) throws {
            var to = encoder.container(keyedBy: CodingKeys.self)
            try to.encode(txid, forKey: .txid)
            try to.encode(message, forKey: .message)
            try to.encode(signature, forKey: .signature)
        }
    }

    /// Judges the proof.
    public struct CheckSpendProofResponse: Decodable, Hashable, Sendable {
        public var good: Bool

        enum CodingKeys: String, CodingKey {
            case good = "good"
        }

        public init(from decoder: Decoder) throws {
            let from = try decoder.container(keyedBy: CodingKeys.self)
            good = try from.decode(Bool.self, forKey: .good)
        }
    }

    /// Claims that a transaction paid an address.
    public struct CheckTxKeyRequest: Encodable, Secretive, Hashable, Sendable {
        public var txid: String
        /// with the additional keys
        public var txKey: String
        public var address: String

        enum CodingKeys: String, CodingKey {
            case txid = "txid"
            case txKey = "tx_key"
            case address = "address"
        }

        public init(
            txid: String = "",
            txKey: String = "",
            address: String = ""
        ) {
            self.txid = txid
            self.txKey = txKey
            self.address = address
        }

        public func encode(to encoder: Encoder) throws {
            var to = encoder.container(keyedBy: CodingKeys.self)
            try to.encode(txid, forKey: .txid)
            try to.encode(txKey, forKey: .txKey)
            try to.encode(address, forKey: .address)
        }
    }

    /// What the address received.
    public struct CheckTxKeyResponse: Decodable, Hashable, Sendable {
        /// atomic units
        public var received: UInt64
        public var inPool: Bool
        public var confirmations: UInt64

        enum CodingKeys: String, CodingKey {
            case received = "received"
            case inPool = "in_pool"
            case confirmations = "confirmations"
        }

        public init(from decoder: Decoder) throws {
            let from = try decoder.container(keyedBy: CodingKeys.self)
            received = try from.decode(Big<UInt64>.self, forKey: .received).value
            inPool = try from.decode(Bool.self, forKey: .inPool)
            confirmations = try from.decode(Big<UInt64>.self, forKey: .confirmations).value
        }
    }

    /// A proof of payment with what it claims.
    public struct CheckTxProofRequest: Encodable, Hashable, Sendable {
        public var txid: String
        public var address: String
        public var message: String
        public var signature: String

        enum CodingKeys: String, CodingKey {
            case txid = "txid"
            case address = "address"
            case message = "message"
            case signature = "signature"
        }

        public init(
            txid: String = "",
            address: String = "",
            message: String = "",
            signature: String = ""
        ) {
            self.txid = txid
            self.address = address
            self.message = message
            self.signature = signature
        }

        public func encode(to encoder: Encoder) throws {
            var to = encoder.container(keyedBy: CodingKeys.self)
            try to.encode(txid, forKey: .txid)
            try to.encode(address, forKey: .address)
            try to.encode(message, forKey: .message)
            try to.encode(signature, forKey: .signature)
        }
    }

    /// Judges the proof.
    public struct CheckTxProofResponse: Decodable, Hashable, Sendable {
        public var good: Bool
        /// atomic units
        public var received: UInt64
        public var inPool: Bool
        public var confirmations: UInt64

        enum CodingKeys: String, CodingKey {
            case good = "good"
            case received = "received"
            case inPool = "in_pool"
            case confirmations = "confirmations"
        }

        public init(from decoder: Decoder) throws {
            let from = try decoder.container(keyedBy: CodingKeys.self)
            good = try from.decode(Bool.self, forKey: .good)
            received = try from.decode(Big<UInt64>.self, forKey: .received).value
            inPool = try from.decode(Bool.self, forKey: .inPool)
            confirmations = try from.decode(Big<UInt64>.self, forKey: .confirmations).value
        }
    }

    /// Says whether to store first.
    public struct CloseWalletRequest: Encodable, Hashable, Sendable {
        public var autosaveCurrent: Bool

        enum CodingKeys: String, CodingKey {
            case autosaveCurrent = "autosave_current"
        }

        public init(
            autosaveCurrent: Bool = true
        ) {
            self.autosaveCurrent = autosaveCurrent
        }

        public func encode(to encoder: Encoder) throws {
            var to = encoder.container(keyedBy: CodingKeys.self)
            try to.encode(autosaveCurrent, forKey: .autosaveCurrent)
        }
    }

    /// Labels the account to make.
    public struct CreateAccountRequest: Encodable, Hashable, Sendable {
        public var label: String

        enum CodingKeys: String, CodingKey {
            case label = "label"
        }

        public init(
            label: String = ""
        ) {
            self.label = label
        }

        public func encode(to encoder: Encoder) throws {
            var to = encoder.container(keyedBy: CodingKeys.self)
            try to.encode(label, forKey: .label)
        }
    }

    /// The account made.
    public struct CreateAccountResponse: Decodable, Hashable, Sendable {
        public var accountIndex: UInt32
        /// its first
        public var address: String

        enum CodingKeys: String, CodingKey {
            case accountIndex = "account_index"
            case address = "address"
        }

        public init(from decoder: Decoder) throws {
            let from = try decoder.container(keyedBy: CodingKeys.self)
            accountIndex = try from.decode(UInt32.self, forKey: .accountIndex)
            address = try from.decode(String.self, forKey: .address)
        }
    }

    /// Asks for new addresses in an account.
    public struct CreateAddressRequest: Encodable, Hashable, Sendable {
        public var accountIndex: UInt32
        /// 1 to 65536
        public var count: UInt32
        /// given to each
        public var label: String

        enum CodingKeys: String, CodingKey {
            case accountIndex = "account_index"
            case count = "count"
            case label = "label"
        }

        public init(
            accountIndex: UInt32 = 0,
            count: UInt32 = 1,
            label: String = ""
        ) {
            self.accountIndex = accountIndex
            self.count = count
            self.label = label
        }

        public func encode(to encoder: Encoder) throws {
            var to = encoder.container(keyedBy: CodingKeys.self)
            try to.encode(accountIndex, forKey: .accountIndex)
            try to.encode(count, forKey: .count)
            try to.encode(label, forKey: .label)
        }
    }

    /// Lists the new addresses.
    public struct CreateAddressResponse: Decodable, Hashable, Sendable {
        /// the first of them
        public var address: String
        /// of the first
        public var addressIndex: UInt32
        public var addresses: [String]
        public var addressIndices: [UInt32]

        enum CodingKeys: String, CodingKey {
            case address = "address"
            case addressIndex = "address_index"
            case addresses = "addresses"
            case addressIndices = "address_indices"
        }

        public init(from decoder: Decoder) throws {
            let from = try decoder.container(keyedBy: CodingKeys.self)
            address = try from.decode(String.self, forKey: .address)
            addressIndex = try from.decode(UInt32.self, forKey: .addressIndex)
            addresses = try from.decodeIfPresent([String].self, forKey: .addresses) ?? []
            addressIndices = try from.decodeIfPresent([UInt32].self, forKey: .addressIndices) ?? []
        }
    }

    /// Describes a new wallet.
    public struct CreateWalletRequest: Encodable, Secretive, Hashable, Sendable {
        /// a name in the wallet folder, without a slash; empty keeps it in memory
        public var filename: String
        public var password: String
        /// of the seed, by either name
        public var language: String
        /// Beyond the reference: polyseed for a seed of sixteen words, in a language of those.
        public var seedType: String

        enum CodingKeys: String, CodingKey {
            case filename = "filename"
            case password = "password"
            case language = "language"
            case seedType = "seed_type"
        }

        public init(
            filename: String = "",
            password: String = "",
            language: String = "",
            seedType: String = ""
        ) {
            self.filename = filename
            self.password = password
            self.language = language
            self.seedType = seedType
        }

        public func encode(to encoder: Encoder) throws {
            var to = encoder.container(keyedBy: CodingKeys.self)
            try to.encode(filename, forKey: .filename)
            try to.encode(password, forKey: .password)
            try to.encode(language, forKey: .language)
            try to.encode(seedType, forKey: .seedType)
        }
    }

    /// Names an entry.
    public struct DeleteAddressBookRequest: Encodable, Hashable, Sendable {
        public var index: UInt64

        enum CodingKeys: String, CodingKey {
            case index = "index"
        }

        public init(
            index: UInt64 = 0
        ) {
            self.index = index
        }

        public func encode(to encoder: Encoder) throws {
            var to = encoder.container(keyedBy: CodingKeys.self)
            try to.encode(Big(index), forKey: .index)
        }
    }

    /// One of two kinds of set.
    public struct DescribeTransferRequest: Encodable, Hashable, Sendable {
        public var unsignedTxset: String
        public var multisigTxset: String

        enum CodingKeys: String, CodingKey {
            case unsignedTxset = "unsigned_txset"
            case multisigTxset = "multisig_txset"
        }

        public init(
            unsignedTxset: String = "",
            multisigTxset: String = ""
        ) {
            self.unsignedTxset = unsignedTxset
            self.multisigTxset = multisigTxset
        }

        public func encode(to encoder: Encoder) throws {
            var to = encoder.container(keyedBy: CodingKeys.self)
            try to.encode(unsignedTxset, forKey: .unsignedTxset)
            try to.encode(multisigTxset, forKey: .multisigTxset)
        }
    }

    /// What a set does.
    public struct DescribeTransferResponse: Decodable, Hashable, Sendable {
        public var summary: TxSetSummary
        public var desc: [TxDescription]

        enum CodingKeys: String, CodingKey {
            case summary = "summary"
            case desc = "desc"
        }

        public init(from decoder: Decoder) throws {
            let from = try decoder.container(keyedBy: CodingKeys.self)
            summary = try from.decode(TxSetSummary.self, forKey: .summary)
            desc = try from.decodeIfPresent([TxDescription].self, forKey: .desc) ?? []
        }
    }

    /// An output the set spends.
    public struct DescribedSource: Decodable, Hashable, Sendable {
        /// atomic units
        public var amount: UInt64
        public var globalIndex: UInt64
        public var rct: Bool
        public var pubkey: String

        enum CodingKeys: String, CodingKey {
            case amount = "amount"
            case globalIndex = "global_index"
            case rct = "rct"
            case pubkey = "pubkey"
        }

        public init(from decoder: Decoder) throws {
            let from = try decoder.container(keyedBy: CodingKeys.self)
            amount = try from.decode(Big<UInt64>.self, forKey: .amount).value
            globalIndex = try from.decode(Big<UInt64>.self, forKey: .globalIndex).value
            rct = try from.decode(Bool.self, forKey: .rct)
            pubkey = try from.decode(String.self, forKey: .pubkey)
        }
    }

    /// Money for an address.
    public struct Destination: Codable, Hashable, Sendable {
        /// atomic units
        public var amount: UInt64
        public var address: String

        enum CodingKeys: String, CodingKey {
            case amount = "amount"
            case address = "address"
        }

        public init(
            amount: UInt64 = 0,
            address: String = ""
        ) {
            self.amount = amount
            self.address = address
        }

        public func encode(to encoder: Encoder) throws {
            var to = encoder.container(keyedBy: CodingKeys.self)
            try to.encode(Big(amount), forKey: .amount)
            try to.encode(address, forKey: .address)
        }

        public init(from decoder: Decoder) throws {
            let from = try decoder.container(keyedBy: CodingKeys.self)
            amount = try from.decode(Big<UInt64>.self, forKey: .amount).value
            address = try from.decode(String.self, forKey: .address)
        }
    }

    /// Changes what its set_ members name.
    public struct EditAddressBookRequest: Encodable, Hashable, Sendable {
        public var index: UInt64
        public var setAddress: Bool
        public var address: String
        public var setDescription: Bool
        public var description: String
        /// read and ignored
        public var setPaymentId: Bool
        /// read and ignored
        public var paymentId: String

        enum CodingKeys: String, CodingKey {
            case index = "index"
            case setAddress = "set_address"
            case address = "address"
            case setDescription = "set_description"
            case description = "description"
            case setPaymentId = "set_payment_id"
            case paymentId = "payment_id"
        }

        public init(
            index: UInt64 = 0,
            setAddress: Bool = false,
            address: String = "",
            setDescription: Bool = false,
            description: String = "",
            setPaymentId: Bool = false,
            paymentId: String = ""
        ) {
            self.index = index
            self.setAddress = setAddress
            self.address = address
            self.setDescription = setDescription
            self.description = description
            self.setPaymentId = setPaymentId
            self.paymentId = paymentId
        }

        public func encode(to encoder: Encoder) throws {
            var to = encoder.container(keyedBy: CodingKeys.self)
            try to.encode(Big(index), forKey: .index)
            try to.encode(setAddress, forKey: .setAddress)
            try to.encode(address, forKey: .address)
            try to.encode(setDescription, forKey: .setDescription)
            try to.encode(description, forKey: .description)
            try to.encode(setPaymentId, forKey: .setPaymentId)
            try to.encode(paymentId, forKey: .paymentId)
        }
    }

    /// The shape of a transaction.
    public struct EstimateTxSizeAndWeightRequest: Encodable, Hashable, Sendable {
        public var nInputs: UInt32
        public var nOutputs: UInt32
        /// 0 for the chain's
        public var ringSize: UInt32
        public var rct: Bool

        enum CodingKeys: String, CodingKey {
            case nInputs = "n_inputs"
            case nOutputs = "n_outputs"
            case ringSize = "ring_size"
            case rct = "rct"
        }

        public init(
            nInputs: UInt32 = 0,
            nOutputs: UInt32 = 0,
            ringSize: UInt32 = 0,
            rct: Bool = true
        ) {
            self.nInputs = nInputs
            self.nOutputs = nOutputs
            self.ringSize = ringSize
            self.rct = rct
        }

        public func encode(to encoder: Encoder) throws {
            var to = encoder.container(keyedBy: CodingKeys.self)
            try to.encode(nInputs, forKey: .nInputs)
            try to.encode(nOutputs, forKey: .nOutputs)
            try to.encode(ringSize, forKey: .ringSize)
            try to.encode(rct, forKey: .rct)
        }
    }

    /// How much room it takes.
    public struct EstimateTxSizeAndWeightResponse: Decodable, Hashable, Sendable {
        /// bytes
        public var size: UInt64
        public var weight: UInt64

        enum CodingKeys: String, CodingKey {
            case size = "size"
            case weight = "weight"
        }

        public init(from decoder: Decoder) throws {
            let from = try decoder.container(keyedBy: CodingKeys.self)
            size = try from.decode(Big<UInt64>.self, forKey: .size).value
            weight = try from.decode(Big<UInt64>.self, forKey: .weight).value
        }
    }

    /// Something that happened. Members that do not apply are left out, and numbers that are 0. A transfer is what one
    /// transaction brought to one address, or what it took from one account.
    public struct Event: Decodable, Hashable, Sendable {
        /// The number of this event, or of the last one before an event without a number. Asked for what is after it, the
        /// wallet tells what comes next.
        public var cursor: UInt64
        public var type: String
        /// in or out
        public var direction: String?
        public var txid: String?
        /// 16 hex digits, or 64 when long; zeros for none
        public var paymentId: String?
        /// that received; of what was sent, the account's first
        public var subaddrIndex: SubaddressIndex?
        public var address: String?
        /// atomic units, without fee and change
        public var amount: UInt64?
        /// atomic units
        public var fee: UInt64?
        /// of transfers the index of the block, of height and sync a number of blocks
        public var height: UInt64?
        public var targetHeight: UInt64?
        /// POSIX, of the block, or when first seen
        public var timestamp: UInt64?
        /// block index, or POSIX time from 500000000 on
        public var unlockTime: UInt64?
        /// a mining reward
        public var coinbase: Bool?
        /// of a warning and a takeover, for people
        public var text: String?

        enum CodingKeys: String, CodingKey {
            case cursor = "cursor"
            case type = "type"
            case direction = "direction"
            case txid = "txid"
            case paymentId = "payment_id"
            case subaddrIndex = "subaddr_index"
            case address = "address"
            case amount = "amount"
            case fee = "fee"
            case height = "height"
            case targetHeight = "target_height"
            case timestamp = "timestamp"
            case unlockTime = "unlock_time"
            case coinbase = "coinbase"
            case text = "text"
        }

        public init(from decoder: Decoder) throws {
            let from = try decoder.container(keyedBy: CodingKeys.self)
            cursor = try from.decode(Big<UInt64>.self, forKey: .cursor).value
            type = try from.decode(String.self, forKey: .type)
            direction = try from.decodeIfPresent(String.self, forKey: .direction)
            txid = try from.decodeIfPresent(String.self, forKey: .txid)
            paymentId = try from.decodeIfPresent(String.self, forKey: .paymentId)
            subaddrIndex = try from.decodeIfPresent(SubaddressIndex.self, forKey: .subaddrIndex)
            address = try from.decodeIfPresent(String.self, forKey: .address)
            amount = try from.decodeIfPresent(Big<UInt64>.self, forKey: .amount)?.value
            fee = try from.decodeIfPresent(Big<UInt64>.self, forKey: .fee)?.value
            height = try from.decodeIfPresent(Big<UInt64>.self, forKey: .height)?.value
            targetHeight = try from.decodeIfPresent(Big<UInt64>.self, forKey: .targetHeight)?.value
            timestamp = try from.decodeIfPresent(Big<UInt64>.self, forKey: .timestamp)?.value
            unlockTime = try from.decodeIfPresent(Big<UInt64>.self, forKey: .unlockTime)?.value
            coinbase = try from.decodeIfPresent(Bool.self, forKey: .coinbase)
            text = try from.decodeIfPresent(String.self, forKey: .text)
        }
    }

    /// The other signers' messages of a round.
    public struct ExchangeMultisigKeysRequest: Encodable, Secretive, Hashable, Sendable {
        public var password: String
        public var multisigInfo: [String]
        /// go on with fewer messages than signers
        public var forceUpdateUseWithCaution: Bool

        enum CodingKeys: String, CodingKey {
            case password = "password"
            case multisigInfo = "multisig_info"
            case forceUpdateUseWithCaution = "force_update_use_with_caution"
        }

        public init(
            password: String = "",
            multisigInfo: [String] = [],
            forceUpdateUseWithCaution: Bool = false
        ) {
            self.password = password
            self.multisigInfo = multisigInfo
            self.forceUpdateUseWithCaution = forceUpdateUseWithCaution
        }

        public func encode(to encoder: Encoder) throws {
            var to = encoder.container(keyedBy: CodingKeys.self)
            try to.encode(password, forKey: .password)
            try to.encode(multisigInfo, forKey: .multisigInfo)
            try to.encode(forceUpdateUseWithCaution, forKey: .forceUpdateUseWithCaution)
        }
    }

    /// Chooses key images.
    public struct ExportKeyImagesRequest: Encodable, Hashable, Sendable {
        /// not only those since the last export
        public var all: Bool

        enum CodingKeys: String, CodingKey {
            case all = "all"
        }

        public init(
            all: Bool = false
        ) {
            self.all = all
        }

        public func encode(to encoder: Encoder) throws {
            var to = encoder.container(keyedBy: CodingKeys.self)
            try to.encode(all, forKey: .all)
        }
    }

    /// Lists key images.
    public struct ExportKeyImagesResponse: Decodable, Hashable, Sendable {
        /// outputs left out at the beginning
        public var offset: UInt32
        public var signedKeyImages: [SignedKeyImage]

        enum CodingKeys: String, CodingKey {
            case offset = "offset"
            case signedKeyImages = "signed_key_images"
        }

        public init(from decoder: Decoder) throws {
            let from = try decoder.container(keyedBy: CodingKeys.self)
            offset = try from.decode(UInt32.self, forKey: .offset)
            signedKeyImages = try from.decodeIfPresent([SignedKeyImage].self, forKey: .signedKeyImages) ?? []
        }
    }

    /// Names the file to make.
    public struct ExportKeysFileRequest: Encodable, Secretive, Hashable, Sendable {
        /// a name in the wallet folder that no wallet has, without a slash and without .keys
        public var filename: String
        /// of the file
        public var password: String

        enum CodingKeys: String, CodingKey {
            case filename = "filename"
            case password = "password"
        }

        public init(
            filename: String = "",
            password: String = ""
        ) {
            self.filename = filename
            self.password = password
        }

        public func encode(to encoder: Encoder) throws {
            var to = encoder.container(keyedBy: CodingKeys.self)
            try to.encode(filename, forKey: .filename)
            try to.encode(password, forKey: .password)
        }
    }

    /// The file made.
    public struct ExportKeysFileResponse: Decodable, Hashable, Sendable {
        /// with .keys
        public var filename: String

        enum CodingKeys: String, CodingKey {
            case filename = "filename"
        }

        public init(from decoder: Decoder) throws {
            let from = try decoder.container(keyedBy: CodingKeys.self)
            filename = try from.decode(String.self, forKey: .filename)
        }
    }

    /// For the other signers.
    public struct ExportMultisigInfoResponse: Decodable, Hashable, Sendable {
        public var info: String

        enum CodingKeys: String, CodingKey {
            case info = "info"
        }

        public init(from decoder: Decoder) throws {
            let from = try decoder.container(keyedBy: CodingKeys.self)
            info = try from.decode(String.self, forKey: .info)
        }
    }

    /// Chooses outputs by their order in the wallet.
    public struct ExportOutputsRequest: Encodable, Hashable, Sendable {
        /// not only those since the last export
        public var all: Bool
        public var start: UInt32
        public var count: UInt32

        enum CodingKeys: String, CodingKey {
            case all = "all"
            case start = "start"
            case count = "count"
        }

        public init(
            all: Bool = false,
            start: UInt32 = 0,
            count: UInt32 = 4294967295
        ) {
            self.all = all
            self.start = start
            self.count = count
        }

        public func encode(to encoder: Encoder) throws {
            var to = encoder.container(keyedBy: CodingKeys.self)
            try to.encode(all, forKey: .all)
            try to.encode(start, forKey: .start)
            try to.encode(count, forKey: .count)
        }
    }

    /// The outputs, encrypted with the view key.
    public struct ExportOutputsResponse: Decodable, Hashable, Sendable {
        public var outputsDataHex: String

        enum CodingKeys: String, CodingKey {
            case outputsDataHex = "outputs_data_hex"
        }

        public init(from decoder: Decoder) throws {
            let from = try decoder.container(keyedBy: CodingKeys.self)
            outputsDataHex = try from.decode(String.self, forKey: .outputsDataHex)
        }
    }

    /// The other signers' messages of the last round.
    public struct FinalizeMultisigRequest: Encodable, Secretive, Hashable, Sendable {
        public var password: String
        public var multisigInfo: [String]

        enum CodingKeys: String, CodingKey {
            case password = "password"
            case multisigInfo = "multisig_info"
        }

        public init(
            password: String = "",
            multisigInfo: [String] = []
        ) {
            self.password = password
            self.multisigInfo = multisigInfo
        }

        public func encode(to encoder: Encoder) throws {
            var to = encoder.container(keyedBy: CodingKeys.self)
            try to.encode(password, forKey: .password)
            try to.encode(multisigInfo, forKey: .multisigInfo)
        }
    }

    /// The wallet made.
    public struct FinalizeMultisigResponse: Decodable, Hashable, Sendable {
        public var address: String

        enum CodingKeys: String, CodingKey {
            case address = "address"
        }

        public init(from decoder: Decoder) throws {
            let from = try decoder.container(keyedBy: CodingKeys.self)
            address = try from.decode(String.self, forKey: .address)
        }
    }

    /// Tells whether an output is frozen.
    public struct FrozenResponse: Decodable, Hashable, Sendable {
        public var frozen: Bool

        enum CodingKeys: String, CodingKey {
            case frozen = "frozen"
        }

        public init(from decoder: Decoder) throws {
            let from = try decoder.container(keyedBy: CodingKeys.self)
            frozen = try from.decode(Bool.self, forKey: .frozen)
        }
    }

    /// Describes a wallet by its keys.
    public struct GenerateFromKeysRequest: Encodable, Secretive, Hashable, Sendable {
        /// index of the first block to read
        public var restoreHeight: UInt64
        /// empty keeps it in memory
        public var filename: String
        public var address: String
        /// empty for a view-only wallet
        public var spendkey: String
        public var viewkey: String
        public var password: String
        public var autosaveCurrent: Bool
        /// of the seed, when the keys have one
        public var language: String
        /// Beyond the reference: YYYY-MM-DD or seconds since 1970 in the place of the height; with both, the earlier counts.
        public var restoreDate: JSONValue?

        enum CodingKeys: String, CodingKey {
            case restoreHeight = "restore_height"
            case filename = "filename"
            case address = "address"
            case spendkey = "spendkey"
            case viewkey = "viewkey"
            case password = "password"
            case autosaveCurrent = "autosave_current"
            case language = "language"
            case restoreDate = "restore_date"
        }

        public init(
            restoreHeight: UInt64 = 0,
            filename: String = "",
            address: String = "",
            spendkey: String = "",
            viewkey: String = "",
            password: String = "",
            autosaveCurrent: Bool = true,
            language: String = "",
            restoreDate: JSONValue? = nil
        ) {
            self.restoreHeight = restoreHeight
            self.filename = filename
            self.address = address
            self.spendkey = spendkey
            self.viewkey = viewkey
            self.password = password
            self.autosaveCurrent = autosaveCurrent
            self.language = language
            self.restoreDate = restoreDate
        }

        public func encode(to encoder: Encoder) throws {
            var to = encoder.container(keyedBy: CodingKeys.self)
            try to.encode(Big(restoreHeight), forKey: .restoreHeight)
            try to.encode(filename, forKey: .filename)
            try to.encode(address, forKey: .address)
            try to.encode(spendkey, forKey: .spendkey)
            try to.encode(viewkey, forKey: .viewkey)
            try to.encode(password, forKey: .password)
            try to.encode(autosaveCurrent, forKey: .autosaveCurrent)
            try to.encode(language, forKey: .language)
            try to.encodeIfPresent(restoreDate, forKey: .restoreDate)
        }
    }

    /// The wallet made.
    public struct GenerateFromKeysResponse: Decodable, Hashable, Sendable {
        public var address: String
        /// a sentence for people
        public var info: String

        enum CodingKeys: String, CodingKey {
            case address = "address"
            case info = "info"
        }

        public init(from decoder: Decoder) throws {
            let from = try decoder.container(keyedBy: CodingKeys.self)
            address = try from.decode(String.self, forKey: .address)
            info = try from.decode(String.self, forKey: .info)
        }
    }

    /// Lists tags in sorted order.
    public struct GetAccountTagsResponse: Decodable, Hashable, Sendable {
        public var accountTags: [AccountTag]

        enum CodingKeys: String, CodingKey {
            case accountTags = "account_tags"
        }

        public init(from decoder: Decoder) throws {
            let from = try decoder.container(keyedBy: CodingKeys.self)
            accountTags = try from.decodeIfPresent([AccountTag].self, forKey: .accountTags) ?? []
        }
    }

    /// Filters accounts by tag.
    public struct GetAccountsRequest: Encodable, Hashable, Sendable {
        /// none for all
        public var tag: String
        /// counts mined transactions only
        public var strictBalances: Bool
        /// tag is a regular expression for the whole tag
        public var regexp: Bool
        /// the published name of regexp
        public var regex: Bool

        enum CodingKeys: String, CodingKey {
            case tag = "tag"
            case strictBalances = "strict_balances"
            case regexp = "regexp"
            case regex = "regex"
        }

        public init(
            tag: String = "",
            strictBalances: Bool = false,
            regexp: Bool = false,
            regex: Bool = false
        ) {
            self.tag = tag
            self.strictBalances = strictBalances
            self.regexp = regexp
            self.regex = regex
        }

        public func encode(to encoder: Encoder) throws {
            var to = encoder.container(keyedBy: CodingKeys.self)
            try to.encode(tag, forKey: .tag)
            try to.encode(strictBalances, forKey: .strictBalances)
            try to.encode(regexp, forKey: .regexp)
            try to.encode(regex, forKey: .regex)
        }
    }

    /// Lists accounts with their sum.
    public struct GetAccountsResponse: Decodable, Hashable, Sendable {
        /// atomic units
        public var totalBalance: UInt64
        /// atomic units
        public var totalUnlockedBalance: UInt64
        /// by index
        public var subaddressAccounts: [AccountInfo]

        enum CodingKeys: String, CodingKey {
            case totalBalance = "total_balance"
            case totalUnlockedBalance = "total_unlocked_balance"
            case subaddressAccounts = "subaddress_accounts"
        }

        public init(from decoder: Decoder) throws {
            let from = try decoder.container(keyedBy: CodingKeys.self)
            totalBalance = try from.decode(Big<UInt64>.self, forKey: .totalBalance).value
            totalUnlockedBalance = try from.decode(Big<UInt64>.self, forKey: .totalUnlockedBalance).value
            subaddressAccounts = try from.decodeIfPresent([AccountInfo].self, forKey: .subaddressAccounts) ?? []
        }
    }

    /// Names entries.
    public struct GetAddressBookRequest: Encodable, Hashable, Sendable {
        /// none for all
        public var entries: [UInt64]

        enum CodingKeys: String, CodingKey {
            case entries = "entries"
        }

        public init(
            entries: [UInt64] = []
        ) {
            self.entries = entries
        }

        public func encode(to encoder: Encoder) throws {
            var to = encoder.container(keyedBy: CodingKeys.self)
            try to.encode(entries.map { Big($0) }, forKey: .entries)
        }
    }

    /// Lists entries, in the order asked.
    public struct GetAddressBookResponse: Decodable, Hashable, Sendable {
        public var entries: [AddressBookEntry]

        enum CodingKeys: String, CodingKey {
            case entries = "entries"
        }

        public init(from decoder: Decoder) throws {
            let from = try decoder.container(keyedBy: CodingKeys.self)
            entries = try from.decodeIfPresent([AddressBookEntry].self, forKey: .entries) ?? []
        }
    }

    /// Names an address.
    public struct GetAddressIndexRequest: Encodable, Hashable, Sendable {
        public var address: String

        enum CodingKeys: String, CodingKey {
            case address = "address"
        }

        public init(
            address: String = ""
        ) {
            self.address = address
        }

        public func encode(to encoder: Encoder) throws {
            var to = encoder.container(keyedBy: CodingKeys.self)
            try to.encode(address, forKey: .address)
        }
    }

    /// Says where the address is in the wallet.
    public struct GetAddressIndexResponse: Decodable, Hashable, Sendable {
        public var index: SubaddressIndex

        enum CodingKeys: String, CodingKey {
            case index = "index"
        }

        public init(from decoder: Decoder) throws {
            let from = try decoder.container(keyedBy: CodingKeys.self)
            index = try from.decode(SubaddressIndex.self, forKey: .index)
        }
    }

    /// Asks for addresses of one account.
    public struct GetAddressRequest: Encodable, Hashable, Sendable {
        public var accountIndex: UInt32
        /// none for all
        public var addressIndex: [UInt32]

        enum CodingKeys: String, CodingKey {
            case accountIndex = "account_index"
            case addressIndex = "address_index"
        }

        public init(
            accountIndex: UInt32 = 0,
            addressIndex: [UInt32] = []
        ) {
            self.accountIndex = accountIndex
            self.addressIndex = addressIndex
        }

        public func encode(to encoder: Encoder) throws {
            var to = encoder.container(keyedBy: CodingKeys.self)
            try to.encode(accountIndex, forKey: .accountIndex)
            try to.encode(addressIndex, forKey: .addressIndex)
        }
    }

    /// Lists addresses of one account.
    public struct GetAddressResponse: Decodable, Hashable, Sendable {
        /// the account's first
        public var address: String
        public var addresses: [AddressInfo]

        enum CodingKeys: String, CodingKey {
            case address = "address"
            case addresses = "addresses"
        }

        public init(from decoder: Decoder) throws {
            let from = try decoder.container(keyedBy: CodingKeys.self)
            address = try from.decode(String.self, forKey: .address)
            addresses = try from.decodeIfPresent([AddressInfo].self, forKey: .addresses) ?? []
        }
    }

    /// Names an attribute.
    public struct GetAttributeRequest: Encodable, Secretive, Hashable, Sendable {
        public var key: String

        enum CodingKeys: String, CodingKey {
            case key = "key"
        }

        public init(
            key: String = ""
        ) {
            self.key = key
        }

        public func encode(to encoder: Encoder) throws {
            var to = encoder.container(keyedBy: CodingKeys.self)
            try to.encode(key, forKey: .key)
        }
    }

    /// Its value.
    public struct GetAttributeResponse: Decodable, Hashable, Sendable {
        public var value: String

        enum CodingKeys: String, CodingKey {
            case value = "value"
        }

        public init(from decoder: Decoder) throws {
            let from = try decoder.container(keyedBy: CodingKeys.self)
            value = try from.decode(String.self, forKey: .value)
        }
    }

    /// Asks for the balance of one account or of all.
    public struct GetBalanceRequest: Encodable, Hashable, Sendable {
        public var accountIndex: UInt32
        /// addresses to list; none for every one that holds money
        public var addressIndices: [UInt32]
        /// sums all accounts; the two above are ignored
        public var allAccounts: Bool
        /// counts mined transactions only
        public var strict: Bool

        enum CodingKeys: String, CodingKey {
            case accountIndex = "account_index"
            case addressIndices = "address_indices"
            case allAccounts = "all_accounts"
            case strict = "strict"
        }

        public init(
            accountIndex: UInt32 = 0,
            addressIndices: [UInt32] = [],
            allAccounts: Bool = false,
            strict: Bool = false
        ) {
            self.accountIndex = accountIndex
            self.addressIndices = addressIndices
            self.allAccounts = allAccounts
            self.strict = strict
        }

        public func encode(to encoder: Encoder) throws {
            var to = encoder.container(keyedBy: CodingKeys.self)
            try to.encode(accountIndex, forKey: .accountIndex)
            try to.encode(addressIndices, forKey: .addressIndices)
            try to.encode(allAccounts, forKey: .allAccounts)
            try to.encode(strict, forKey: .strict)
        }
    }

    /// The money of one account or of all.
    public struct GetBalanceResponse: Decodable, Hashable, Sendable {
        /// atomic units, locked or not
        public var balance: UInt64
        /// atomic units
        public var unlockedBalance: UInt64
        /// true when the other signers' information is out of date
        public var multisigImportNeeded: Bool
        /// by account, then address
        public var perSubaddress: [SubaddressBalance]
        /// until everything is spendable
        public var blocksToUnlock: UInt64
        /// seconds until everything is spendable
        public var timeToUnlock: UInt64

        enum CodingKeys: String, CodingKey {
            case balance = "balance"
            case unlockedBalance = "unlocked_balance"
            case multisigImportNeeded = "multisig_import_needed"
            case perSubaddress = "per_subaddress"
            case blocksToUnlock = "blocks_to_unlock"
            case timeToUnlock = "time_to_unlock"
        }

        public init(from decoder: Decoder) throws {
            let from = try decoder.container(keyedBy: CodingKeys.self)
            balance = try from.decode(Big<UInt64>.self, forKey: .balance).value
            unlockedBalance = try from.decode(Big<UInt64>.self, forKey: .unlockedBalance).value
            multisigImportNeeded = try from.decode(Bool.self, forKey: .multisigImportNeeded)
            perSubaddress = try from.decodeIfPresent([SubaddressBalance].self, forKey: .perSubaddress) ?? []
            blocksToUnlock = try from.decode(Big<UInt64>.self, forKey: .blocksToUnlock).value
            timeToUnlock = try from.decode(Big<UInt64>.self, forKey: .timeToUnlock).value
        }
    }

    /// Names payment IDs and where to begin.
    public struct GetBulkPaymentsRequest: Encodable, Hashable, Sendable {
        /// 16 or 64 hex digits each; none for every payment
        public var paymentIds: [String]
        /// blocks above this index only
        public var minBlockHeight: UInt64

        enum CodingKeys: String, CodingKey {
            case paymentIds = "payment_ids"
            case minBlockHeight = "min_block_height"
        }

        public init(
            paymentIds: [String] = [],
            minBlockHeight: UInt64 = 0
        ) {
            self.paymentIds = paymentIds
            self.minBlockHeight = minBlockHeight
        }

        public func encode(to encoder: Encoder) throws {
            var to = encoder.container(keyedBy: CodingKeys.self)
            try to.encode(paymentIds, forKey: .paymentIds)
            try to.encode(Big(minBlockHeight), forKey: .minBlockHeight)
        }
    }

    /// The daemon in use, without its login and proxy.
    public struct GetDaemonResponse: Decodable, Hashable, Sendable {
        /// host:port or a URL; empty for none
        public var address: String
        /// some operations need it
        public var trusted: Bool
        /// disabled, enabled, autodetect
        public var sslSupport: String
        /// chosen by set_daemon, for the open wallet alone
        public var setDaemon: Bool

        enum CodingKeys: String, CodingKey {
            case address = "address"
            case trusted = "trusted"
            case sslSupport = "ssl_support"
            case setDaemon = "set_daemon"
        }

        public init(from decoder: Decoder) throws {
            let from = try decoder.container(keyedBy: CodingKeys.self)
            address = try from.decode(String.self, forKey: .address)
            trusted = try from.decode(Bool.self, forKey: .trusted)
            sslSupport = try from.decode(String.self, forKey: .sslSupport)
            setDaemon = try from.decode(Bool.self, forKey: .setDaemon)
        }
    }

    /// A fee priority.
    public struct GetDefaultFeePriorityResponse: Decodable, Hashable, Sendable {
        /// 1 to 4
        public var priority: UInt32

        enum CodingKeys: String, CodingKey {
            case priority = "priority"
        }

        public init(from decoder: Decoder) throws {
            let from = try decoder.container(keyedBy: CodingKeys.self)
            priority = try from.decode(UInt32.self, forKey: .priority)
        }
    }

    /// Says what is known already.
    public struct GetEventsRequest: Encodable, Hashable, Sendable {
        /// of the last event known; 0 for none
        public var cursor: UInt64
        /// events, at most MaxEvents
        public var limit: UInt64

        enum CodingKeys: String, CodingKey {
            case cursor = "cursor"
            case limit = "limit"
        }

        public init(
            cursor: UInt64 = 0,
            limit: UInt64 = 1000
        ) {
            self.cursor = cursor
            self.limit = limit
        }

        public func encode(to encoder: Encoder) throws {
            var to = encoder.container(keyedBy: CodingKeys.self)
            try to.encode(Big(cursor), forKey: .cursor)
            try to.encode(Big(limit), forKey: .limit)
        }
    }

    /// Holds the events after a cursor, oldest first.
    public struct GetEventsResponse: Decodable, Hashable, Sendable {
        public var events: [Event]
        /// to ask with next
        public var cursor: UInt64
        /// Says that events after the cursor asked with are no longer kept, or that the wallet never had it. Then there are no
        /// events here: get_transfers, asked now, knows what they told, and Cursor is where to go on.
        public var lost: Bool

        enum CodingKeys: String, CodingKey {
            case events = "events"
            case cursor = "cursor"
            case lost = "lost"
        }

        public init(from decoder: Decoder) throws {
            let from = try decoder.container(keyedBy: CodingKeys.self)
            events = try from.decodeIfPresent([Event].self, forKey: .events) ?? []
            cursor = try from.decode(Big<UInt64>.self, forKey: .cursor).value
            lost = try from.decode(Bool.self, forKey: .lost)
        }
    }

    /// How far the wallet has read the chain.
    public struct GetHeightResponse: Decodable, Hashable, Sendable {
        /// blocks, the genesis block included
        public var height: UInt64

        enum CodingKeys: String, CodingKey {
            case height = "height"
        }

        public init(from decoder: Decoder) throws {
            let from = try decoder.container(keyedBy: CodingKeys.self)
            height = try from.decode(Big<UInt64>.self, forKey: .height).value
        }
    }

    /// Lists the languages of seeds.
    public struct GetLanguagesResponse: Decodable, Hashable, Sendable {
        /// English names
        public var languages: [String]
        /// names in the language, in the same order
        public var languagesLocal: [String]

        enum CodingKeys: String, CodingKey {
            case languages = "languages"
            case languagesLocal = "languages_local"
        }

        public init(from decoder: Decoder) throws {
            let from = try decoder.container(keyedBy: CodingKeys.self)
            languages = try from.decodeIfPresent([String].self, forKey: .languages) ?? []
            languagesLocal = try from.decodeIfPresent([String].self, forKey: .languagesLocal) ?? []
        }
    }

    /// Names a payment ID.
    public struct GetPaymentsRequest: Encodable, Hashable, Sendable {
        /// 16 or 64 hex digits
        public var paymentId: String

        enum CodingKeys: String, CodingKey {
            case paymentId = "payment_id"
        }

        public init(
            paymentId: String = ""
        ) {
            self.paymentId = paymentId
        }

        public func encode(to encoder: Encoder) throws {
            var to = encoder.container(keyedBy: CodingKeys.self)
            try to.encode(paymentId, forKey: .paymentId)
        }
    }

    /// Lists payments.
    public struct GetPaymentsResponse: Decodable, Hashable, Sendable {
        public var payments: [Payment]

        enum CodingKeys: String, CodingKey {
            case payments = "payments"
        }

        public init(from decoder: Decoder) throws {
            let from = try decoder.container(keyedBy: CodingKeys.self)
            payments = try from.decodeIfPresent([Payment].self, forKey: .payments) ?? []
        }
    }

    /// Asks for a proof of money held.
    public struct GetReserveProofRequest: Encodable, Hashable, Sendable {
        /// prove the whole wallet; the two below are ignored
        public var all: Bool
        public var accountIndex: UInt32
        /// at least this much, atomic units
        public var amount: UInt64
        /// bound into the proof
        public var message: String

        enum CodingKeys: String, CodingKey {
            case all = "all"
            case accountIndex = "account_index"
            case amount = "amount"
            case message = "message"
        }

        public init(
            all: Bool = false,
            accountIndex: UInt32 = 0,
            amount: UInt64 = 0,
            message: String = ""
        ) {
            self.all = all
            self.accountIndex = accountIndex
            self.amount = amount
            self.message = message
        }

        public func encode(to encoder: Encoder) throws {
            var to = encoder.container(keyedBy: CodingKeys.self)
            try to.encode(all, forKey: .all)
            try to.encode(accountIndex, forKey: .accountIndex)
            try to.encode(Big(amount), forKey: .amount)
            try to.encode(message, forKey: .message)
        }
    }

    /// Asks for a proof of having spent.
    public struct GetSpendProofRequest: Encodable, Hashable, Sendable {
        public var txid: String
        /// bound into the proof
        public var message: String

        enum CodingKeys: String, CodingKey {
            case txid = "txid"
            case message = "message"
        }

        public init(
            txid: String = "",
            message: String = ""
        ) {
            self.txid = txid
            self.message = message
        }

        public func encode(to encoder: Encoder) throws {
            var to = encoder.container(keyedBy: CodingKeys.self)
            try to.encode(txid, forKey: .txid)
            try to.encode(message, forKey: .message)
        }
    }

    /// What a wallet took over from monero-wallet-rpc. Numbers are of what its cache had.
    public struct GetTakeoverResponse: Decodable, Secretive, Hashable, Sendable {
        /// Cache; or keys when there was no cache, or without-cache when the owner wanted it left out, so that keys and chain
        /// are all there is; or empty for a wallet that was not taken over.
        public var from: String
        /// POSIX, of the last time
        public var timestamp: UInt64
        /// blocks that monero-wallet-rpc had read
        public var height: UInt64
        /// with their labels
        public var accounts: UInt64
        /// in all accounts
        public var addresses: UInt64
        /// those that the wallet did not have
        public var newAddresses: UInt64
        /// that are not the ones a new address gets
        public var labels: UInt64
        /// accounts with a tag
        public var taggedAccounts: UInt64
        /// about transactions
        public var notes: UInt64
        public var attributes: UInt64
        /// entries
        public var addressBook: UInt64
        /// transactions with their secret keys
        public var txKeys: UInt64
        /// transactions of which it is known whom they paid
        public var destinations: UInt64
        /// transactions sent and in no block, failed ones included
        public var unconfirmed: UInt64
        /// outputs
        public var frozen: UInt64
        /// of a wallet without the spend key
        public var keyImages: UInt64
        /// entries that are new to the wallet, or another than before
        public var changed: UInt64
        /// the chain is read again, for payments to some of the new addresses
        public var reread: Bool
        /// Says what the cache has and the wallet does not take.
        public var left: [String]
        /// Texts that gave way to others, because the wallet and monero-wallet-rpc had both changed them.
        public var aside: [TakeoverAside]

        enum CodingKeys: String, CodingKey {
            case from = "from"
            case timestamp = "timestamp"
            case height = "height"
            case accounts = "accounts"
            case addresses = "addresses"
            case newAddresses = "new_addresses"
            case labels = "labels"
            case taggedAccounts = "tagged_accounts"
            case notes = "notes"
            case attributes = "attributes"
            case addressBook = "address_book"
            case txKeys = "tx_keys"
            case destinations = "destinations"
            case unconfirmed = "unconfirmed"
            case frozen = "frozen"
            case keyImages = "key_images"
            case changed = "changed"
            case reread = "reread"
            case left = "left"
            case aside = "aside"
        }

        public init(from decoder: Decoder) throws {
            let from = try decoder.container(keyedBy: CodingKeys.self)
            from = try from.decode(String.self, forKey: .from)
            timestamp = try from.decode(Big<UInt64>.self, forKey: .timestamp).value
            height = try from.decode(Big<UInt64>.self, forKey: .height).value
            accounts = try from.decode(Big<UInt64>.self, forKey: .accounts).value
            addresses = try from.decode(Big<UInt64>.self, forKey: .addresses).value
            newAddresses = try from.decode(Big<UInt64>.self, forKey: .newAddresses).value
            labels = try from.decode(Big<UInt64>.self, forKey: .labels).value
            taggedAccounts = try from.decode(Big<UInt64>.self, forKey: .taggedAccounts).value
            notes = try from.decode(Big<UInt64>.self, forKey: .notes).value
            attributes = try from.decode(Big<UInt64>.self, forKey: .attributes).value
            addressBook = try from.decode(Big<UInt64>.self, forKey: .addressBook).value
            txKeys = try from.decode(Big<UInt64>.self, forKey: .txKeys).value
            destinations = try from.decode(Big<UInt64>.self, forKey: .destinations).value
            unconfirmed = try from.decode(Big<UInt64>.self, forKey: .unconfirmed).value
            frozen = try from.decode(Big<UInt64>.self, forKey: .frozen).value
            keyImages = try from.decode(Big<UInt64>.self, forKey: .keyImages).value
            changed = try from.decode(Big<UInt64>.self, forKey: .changed).value
            reread = try from.decode(Bool.self, forKey: .reread)
            left = try from.decodeIfPresent([String].self, forKey: .left) ?? []
            aside = try from.decodeIfPresent([TakeoverAside].self, forKey: .aside) ?? []
        }
    }

    /// Names a transaction.
    public struct GetTransferByTxIDRequest: Encodable, Hashable, Sendable {
        public var txid: String
        public var accountIndex: UInt32

        enum CodingKeys: String, CodingKey {
            case txid = "txid"
            case accountIndex = "account_index"
        }

        public init(
            txid: String = "",
            accountIndex: UInt32 = 0
        ) {
            self.txid = txid
            self.accountIndex = accountIndex
        }

        public func encode(to encoder: Encoder) throws {
            var to = encoder.container(keyedBy: CodingKeys.self)
            try to.encode(txid, forKey: .txid)
            try to.encode(accountIndex, forKey: .accountIndex)
        }
    }

    /// What a transaction did to an account.
    public struct GetTransferByTxIDResponse: Decodable, Hashable, Sendable {
        /// the first of the list
        public var transfer: TransferEntry
        /// one a receiving address
        public var transfers: [TransferEntry]

        enum CodingKeys: String, CodingKey {
            case transfer = "transfer"
            case transfers = "transfers"
        }

        public init(from decoder: Decoder) throws {
            let from = try decoder.container(keyedBy: CodingKeys.self)
            transfer = try from.decode(TransferEntry.self, forKey: .transfer)
            transfers = try from.decodeIfPresent([TransferEntry].self, forKey: .transfers) ?? []
        }
    }

    /// Chooses the lists wanted and filters them.
    public struct GetTransfersRequest: Encodable, Hashable, Sendable {
        public var `in`: Bool
        public var out: Bool
        public var pending: Bool
        public var failed: Bool
        public var pool: Bool
        /// min_height and max_height hold
        public var filterByHeight: Bool
        /// blocks above this index
        public var minHeight: UInt64
        /// and up to this one
        public var maxHeight: UInt64
        public var accountIndex: UInt32
        /// none for all
        public var subaddrIndices: [UInt32]
        /// the two above are ignored
        public var allAccounts: Bool

        enum CodingKeys: String, CodingKey {
            case `in` = "in"
            case out = "out"
            case pending = "pending"
            case failed = "failed"
            case pool = "pool"
            case filterByHeight = "filter_by_height"
            case minHeight = "min_height"
            case maxHeight = "max_height"
            case accountIndex = "account_index"
            case subaddrIndices = "subaddr_indices"
            case allAccounts = "all_accounts"
        }

        public init(
            `in`: Bool = false,
            out: Bool = false,
            pending: Bool = false,
            failed: Bool = false,
            pool: Bool = false,
            filterByHeight: Bool = false,
            minHeight: UInt64 = 0,
            maxHeight: UInt64 = 500000000,
            accountIndex: UInt32 = 0,
            subaddrIndices: [UInt32] = [],
            allAccounts: Bool = false
        ) {
            self.`in` = `in`
            self.out = out
            self.pending = pending
            self.failed = failed
            self.pool = pool
            self.filterByHeight = filterByHeight
            self.minHeight = minHeight
            self.maxHeight = maxHeight
            self.accountIndex = accountIndex
            self.subaddrIndices = subaddrIndices
            self.allAccounts = allAccounts
        }

        public func encode(to encoder: Encoder) throws {
            var to = encoder.container(keyedBy: CodingKeys.self)
            try to.encode(`in`, forKey: .`in`)
            try to.encode(out, forKey: .out)
            try to.encode(pending, forKey: .pending)
            try to.encode(failed, forKey: .failed)
            try to.encode(pool, forKey: .pool)
            try to.encode(filterByHeight, forKey: .filterByHeight)
            try to.encode(Big(minHeight), forKey: .minHeight)
            try to.encode(Big(maxHeight), forKey: .maxHeight)
            try to.encode(accountIndex, forKey: .accountIndex)
            try to.encode(subaddrIndices, forKey: .subaddrIndices)
            try to.encode(allAccounts, forKey: .allAccounts)
        }
    }

    /// Holds the lists asked for.
    public struct GetTransfersResponse: Decodable, Hashable, Sendable {
        public var `in`: [TransferEntry]
        public var out: [TransferEntry]
        public var pending: [TransferEntry]
        public var failed: [TransferEntry]
        public var pool: [TransferEntry]

        enum CodingKeys: String, CodingKey {
            case `in` = "in"
            case out = "out"
            case pending = "pending"
            case failed = "failed"
            case pool = "pool"
        }

        public init(from decoder: Decoder) throws {
            let from = try decoder.container(keyedBy: CodingKeys.self)
            `in` = try from.decodeIfPresent([TransferEntry].self, forKey: .`in`) ?? []
            out = try from.decodeIfPresent([TransferEntry].self, forKey: .out) ?? []
            pending = try from.decodeIfPresent([TransferEntry].self, forKey: .pending) ?? []
            failed = try from.decodeIfPresent([TransferEntry].self, forKey: .failed) ?? []
            pool = try from.decodeIfPresent([TransferEntry].self, forKey: .pool) ?? []
        }
    }

    /// Names a transaction.
    public struct GetTxKeyRequest: Encodable, Hashable, Sendable {
        public var txid: String

        enum CodingKeys: String, CodingKey {
            case txid = "txid"
        }

        public init(
            txid: String = ""
        ) {
            self.txid = txid
        }

        public func encode(to encoder: Encoder) throws {
            var to = encoder.container(keyedBy: CodingKeys.self)
            try to.encode(txid, forKey: .txid)
        }
    }

    /// Its secret key.
    public struct GetTxKeyResponse: Decodable, Secretive, Hashable, Sendable {
        /// then the additional keys, 64 digits each
        public var txKey: String

        enum CodingKeys: String, CodingKey {
            case txKey = "tx_key"
        }

        public init(from decoder: Decoder) throws {
            let from = try decoder.container(keyedBy: CodingKeys.self)
            txKey = try from.decode(String.self, forKey: .txKey)
        }
    }

    /// Names transactions.
    public struct GetTxNotesRequest: Encodable, Hashable, Sendable {
        public var txids: [String]

        enum CodingKeys: String, CodingKey {
            case txids = "txids"
        }

        public init(
            txids: [String] = []
        ) {
            self.txids = txids
        }

        public func encode(to encoder: Encoder) throws {
            var to = encoder.container(keyedBy: CodingKeys.self)
            try to.encode(txids, forKey: .txids)
        }
    }

    /// Holds a note for each, empty where there is none.
    public struct GetTxNotesResponse: Decodable, Hashable, Sendable {
        public var notes: [String]

        enum CodingKeys: String, CodingKey {
            case notes = "notes"
        }

        public init(from decoder: Decoder) throws {
            let from = try decoder.container(keyedBy: CodingKeys.self)
            notes = try from.decodeIfPresent([String].self, forKey: .notes) ?? []
        }
    }

    /// Asks for a proof of payment.
    public struct GetTxProofRequest: Encodable, Hashable, Sendable {
        public var txid: String
        public var address: String
        /// bound into the proof
        public var message: String

        enum CodingKeys: String, CodingKey {
            case txid = "txid"
            case address = "address"
            case message = "message"
        }

        public init(
            txid: String = "",
            address: String = "",
            message: String = ""
        ) {
            self.txid = txid
            self.address = address
            self.message = message
        }

        public func encode(to encoder: Encoder) throws {
            var to = encoder.container(keyedBy: CodingKeys.self)
            try to.encode(txid, forKey: .txid)
            try to.encode(address, forKey: .address)
            try to.encode(message, forKey: .message)
        }
    }

    /// The version of this interface.
    public struct GetVersionResponse: Decodable, Hashable, Sendable {
        /// major in the upper 16 bits, minor in the lower
        public var version: UInt32
        /// built from a release
        public var release: Bool

        enum CodingKeys: String, CodingKey {
            case version = "version"
            case release = "release"
        }

        public init(from decoder: Decoder) throws {
            let from = try decoder.container(keyedBy: CodingKeys.self)
            version = try from.decode(UInt32.self, forKey: .version)
            release = try from.decode(Bool.self, forKey: .release)
        }
    }

    /// What ExportKeyImages returned.
    public struct ImportKeyImagesRequest: Encodable, Hashable, Sendable {
        public var offset: UInt32
        public var signedKeyImages: [SignedKeyImage]

        enum CodingKeys: String, CodingKey {
            case offset = "offset"
            case signedKeyImages = "signed_key_images"
        }

        public init(
            offset: UInt32 = 0,
            signedKeyImages: [SignedKeyImage] = []
        ) {
            self.offset = offset
            self.signedKeyImages = signedKeyImages
        }

        public func encode(to encoder: Encoder) throws {
            var to = encoder.container(keyedBy: CodingKeys.self)
            try to.encode(offset, forKey: .offset)
            try to.encode(signedKeyImages, forKey: .signedKeyImages)
        }
    }

    /// What the wallet then knows of spending.
    public struct ImportKeyImagesResponse: Decodable, Hashable, Sendable {
        /// index of the last output's block
        public var height: UInt64
        /// atomic units
        public var spent: UInt64
        /// atomic units
        public var unspent: UInt64

        enum CodingKeys: String, CodingKey {
            case height = "height"
            case spent = "spent"
            case unspent = "unspent"
        }

        public init(from decoder: Decoder) throws {
            let from = try decoder.container(keyedBy: CodingKeys.self)
            height = try from.decode(Big<UInt64>.self, forKey: .height).value
            spent = try from.decode(Big<UInt64>.self, forKey: .spent).value
            unspent = try from.decode(Big<UInt64>.self, forKey: .unspent).value
        }
    }

    /// What the others exported.
    public struct ImportMultisigInfoRequest: Encodable, Hashable, Sendable {
        public var info: [String]
        public var refreshAfterImport: Bool

        enum CodingKeys: String, CodingKey {
            case info = "info"
            case refreshAfterImport = "refresh_after_import"
        }

        public init(
            info: [String] = [],
            refreshAfterImport: Bool = true
        ) {
            self.info = info
            self.refreshAfterImport = refreshAfterImport
        }

        public func encode(to encoder: Encoder) throws {
            var to = encoder.container(keyedBy: CodingKeys.self)
            try to.encode(info, forKey: .info)
            try to.encode(refreshAfterImport, forKey: .refreshAfterImport)
        }
    }

    /// Counts the outputs.
    public struct ImportMultisigInfoResponse: Decodable, Hashable, Sendable {
        public var nOutputs: UInt64

        enum CodingKeys: String, CodingKey {
            case nOutputs = "n_outputs"
        }

        public init(from decoder: Decoder) throws {
            let from = try decoder.container(keyedBy: CodingKeys.self)
            nOutputs = try from.decode(Big<UInt64>.self, forKey: .nOutputs).value
        }
    }

    /// What ExportOutputs packed.
    public struct ImportOutputsRequest: Encodable, Hashable, Sendable {
        public var outputsDataHex: String

        enum CodingKeys: String, CodingKey {
            case outputsDataHex = "outputs_data_hex"
        }

        public init(
            outputsDataHex: String = ""
        ) {
            self.outputsDataHex = outputsDataHex
        }

        public func encode(to encoder: Encoder) throws {
            var to = encoder.container(keyedBy: CodingKeys.self)
            try to.encode(outputsDataHex, forKey: .outputsDataHex)
        }
    }

    /// Counts the outputs.
    public struct ImportOutputsResponse: Decodable, Hashable, Sendable {
        public var numImported: UInt64

        enum CodingKeys: String, CodingKey {
            case numImported = "num_imported"
        }

        public init(from decoder: Decoder) throws {
            let from = try decoder.container(keyedBy: CodingKeys.self)
            numImported = try from.decode(Big<UInt64>.self, forKey: .numImported).value
        }
    }

    /// One output received.
    public struct IncomingTransfer: Decodable, Hashable, Sendable {
        /// atomic units
        public var amount: UInt64
        public var spent: Bool
        public var globalIndex: UInt64
        public var txHash: String
        public var subaddrIndex: SubaddressIndex
        /// empty when the wallet does not know it
        public var keyImage: String
        /// one-time public key
        public var pubkey: String
        /// index of the block that holds it
        public var blockHeight: UInt64
        public var frozen: Bool
        public var unlocked: Bool

        enum CodingKeys: String, CodingKey {
            case amount = "amount"
            case spent = "spent"
            case globalIndex = "global_index"
            case txHash = "tx_hash"
            case subaddrIndex = "subaddr_index"
            case keyImage = "key_image"
            case pubkey = "pubkey"
            case blockHeight = "block_height"
            case frozen = "frozen"
            case unlocked = "unlocked"
        }

        public init(from decoder: Decoder) throws {
            let from = try decoder.container(keyedBy: CodingKeys.self)
            amount = try from.decode(Big<UInt64>.self, forKey: .amount).value
            spent = try from.decode(Bool.self, forKey: .spent)
            globalIndex = try from.decode(Big<UInt64>.self, forKey: .globalIndex).value
            txHash = try from.decode(String.self, forKey: .txHash)
            subaddrIndex = try from.decode(SubaddressIndex.self, forKey: .subaddrIndex)
            keyImage = try from.decode(String.self, forKey: .keyImage)
            pubkey = try from.decode(String.self, forKey: .pubkey)
            blockHeight = try from.decode(Big<UInt64>.self, forKey: .blockHeight).value
            frozen = try from.decode(Bool.self, forKey: .frozen)
            unlocked = try from.decode(Bool.self, forKey: .unlocked)
        }
    }

    /// Filters the outputs received.
    public struct IncomingTransfersRequest: Encodable, Hashable, Sendable {
        /// all, available (not spent), unavailable (spent)
        public var transferType: String
        public var accountIndex: UInt32
        /// none for all
        public var subaddrIndices: [UInt32]

        enum CodingKeys: String, CodingKey {
            case transferType = "transfer_type"
            case accountIndex = "account_index"
            case subaddrIndices = "subaddr_indices"
        }

        public init(
            transferType: String = "",
            accountIndex: UInt32 = 0,
            subaddrIndices: [UInt32] = []
        ) {
            self.transferType = transferType
            self.accountIndex = accountIndex
            self.subaddrIndices = subaddrIndices
        }

        public func encode(to encoder: Encoder) throws {
            var to = encoder.container(keyedBy: CodingKeys.self)
            try to.encode(transferType, forKey: .transferType)
            try to.encode(accountIndex, forKey: .accountIndex)
            try to.encode(subaddrIndices, forKey: .subaddrIndices)
        }
    }

    /// Lists outputs in the order of the chain.
    public struct IncomingTransfersResponse: Decodable, Hashable, Sendable {
        public var transfers: [IncomingTransfer]

        enum CodingKeys: String, CodingKey {
            case transfers = "transfers"
        }

        public init(from decoder: Decoder) throws {
            let from = try decoder.container(keyedBy: CodingKeys.self)
            transfers = try from.decodeIfPresent([IncomingTransfer].self, forKey: .transfers) ?? []
        }
    }

    /// Tells how many must sign.
    public struct IsMultisigResponse: Decodable, Hashable, Sendable {
        public var multisig: Bool
        /// key exchange is over
        public var ready: Bool
        /// signers needed
        public var threshold: UInt32
        /// signers there are
        public var total: UInt32

        enum CodingKeys: String, CodingKey {
            case multisig = "multisig"
            case ready = "ready"
            case threshold = "threshold"
            case total = "total"
        }

        public init(from decoder: Decoder) throws {
            let from = try decoder.container(keyedBy: CodingKeys.self)
            multisig = try from.decode(Bool.self, forKey: .multisig)
            ready = try from.decode(Bool.self, forKey: .ready)
            threshold = try from.decode(UInt32.self, forKey: .threshold)
            total = try from.decode(UInt32.self, forKey: .total)
        }
    }

    /// The key images one transaction spends.
    public struct KeyImageList: Decodable, Hashable, Sendable {
        public var keyImages: [String]

        enum CodingKeys: String, CodingKey {
            case keyImages = "key_images"
        }

        public init(from decoder: Decoder) throws {
            let from = try decoder.container(keyedBy: CodingKeys.self)
            keyImages = try from.decodeIfPresent([String].self, forKey: .keyImages) ?? []
        }
    }

    /// Names an output by its key image.
    public struct KeyImageRequest: Encodable, Hashable, Sendable {
        public var keyImage: String

        enum CodingKeys: String, CodingKey {
            case keyImage = "key_image"
        }

        public init(
            keyImage: String = ""
        ) {
            self.keyImage = keyImage
        }

        public func encode(to encoder: Encoder) throws {
            var to = encoder.container(keyedBy: CodingKeys.self)
            try to.encode(keyImage, forKey: .keyImage)
        }
    }

    /// Names an account and its new label.
    public struct LabelAccountRequest: Encodable, Hashable, Sendable {
        public var accountIndex: UInt32
        public var label: String

        enum CodingKeys: String, CodingKey {
            case accountIndex = "account_index"
            case label = "label"
        }

        public init(
            accountIndex: UInt32 = 0,
            label: String = ""
        ) {
            self.accountIndex = accountIndex
            self.label = label
        }

        public func encode(to encoder: Encoder) throws {
            var to = encoder.container(keyedBy: CodingKeys.self)
            try to.encode(accountIndex, forKey: .accountIndex)
            try to.encode(label, forKey: .label)
        }
    }

    /// Names an address and its new label.
    public struct LabelAddressRequest: Encodable, Hashable, Sendable {
        public var index: SubaddressIndex
        public var label: String

        enum CodingKeys: String, CodingKey {
            case index = "index"
            case label = "label"
        }

        public init(
            index: SubaddressIndex = SubaddressIndex(),
            label: String = ""
        ) {
            self.index = index
            self.label = label
        }

        public func encode(to encoder: Encoder) throws {
            var to = encoder.container(keyedBy: CodingKeys.self)
            try to.encode(index, forKey: .index)
            try to.encode(label, forKey: .label)
        }
    }

    /// Joins an address with a payment ID.
    public struct MakeIntegratedAddressRequest: Encodable, Hashable, Sendable {
        /// empty for the wallet's primary
        public var standardAddress: String
        /// 16 hex digits; empty for a random one
        public var paymentId: String

        enum CodingKeys: String, CodingKey {
            case standardAddress = "standard_address"
            case paymentId = "payment_id"
        }

        public init(
            standardAddress: String = "",
            paymentId: String = ""
        ) {
            self.standardAddress = standardAddress
            self.paymentId = paymentId
        }

        public func encode(to encoder: Encoder) throws {
            var to = encoder.container(keyedBy: CodingKeys.self)
            try to.encode(standardAddress, forKey: .standardAddress)
            try to.encode(paymentId, forKey: .paymentId)
        }
    }

    /// The address made.
    public struct MakeIntegratedAddressResponse: Decodable, Hashable, Sendable {
        public var integratedAddress: String
        public var paymentId: String

        enum CodingKeys: String, CodingKey {
            case integratedAddress = "integrated_address"
            case paymentId = "payment_id"
        }

        public init(from decoder: Decoder) throws {
            let from = try decoder.container(keyedBy: CodingKeys.self)
            integratedAddress = try from.decode(String.self, forKey: .integratedAddress)
            paymentId = try from.decode(String.self, forKey: .paymentId)
        }
    }

    /// The other signers' first messages.
    public struct MakeMultisigRequest: Encodable, Secretive, Hashable, Sendable {
        public var multisigInfo: [String]
        /// signers needed
        public var threshold: UInt32
        /// the wallet's
        public var password: String

        enum CodingKeys: String, CodingKey {
            case multisigInfo = "multisig_info"
            case threshold = "threshold"
            case password = "password"
        }

        public init(
            multisigInfo: [String] = [],
            threshold: UInt32 = 0,
            password: String = ""
        ) {
            self.multisigInfo = multisigInfo
            self.threshold = threshold
            self.password = password
        }

        public func encode(to encoder: Encoder) throws {
            var to = encoder.container(keyedBy: CodingKeys.self)
            try to.encode(multisigInfo, forKey: .multisigInfo)
            try to.encode(threshold, forKey: .threshold)
            try to.encode(password, forKey: .password)
        }
    }

    /// The payment request as one text.
    public struct MakeURIResponse: Decodable, Hashable, Sendable {
        public var uri: String

        enum CodingKeys: String, CodingKey {
            case uri = "uri"
        }

        public init(from decoder: Decoder) throws {
            let from = try decoder.container(keyedBy: CodingKeys.self)
            uri = try from.decode(String.self, forKey: .uri)
        }
    }

    /// The next message, or the address when none is left.
    public struct MultisigRoundResponse: Decodable, Secretive, Hashable, Sendable {
        /// empty until the last round
        public var address: String
        /// empty after the last round
        public var multisigInfo: String

        enum CodingKeys: String, CodingKey {
            case address = "address"
            case multisigInfo = "multisig_info"
        }

        public init(from decoder: Decoder) throws {
            let from = try decoder.container(keyedBy: CodingKeys.self)
            address = try from.decode(String.self, forKey: .address)
            multisigInfo = try from.decode(String.self, forKey: .multisigInfo)
        }
    }

    /// Names a wallet.
    public struct OpenWalletRequest: Encodable, Secretive, Hashable, Sendable {
        /// a name in the wallet folder, without a slash
        public var filename: String
        public var password: String
        /// store the one open before it closes
        public var autosaveCurrent: Bool

        enum CodingKeys: String, CodingKey {
            case filename = "filename"
            case password = "password"
            case autosaveCurrent = "autosave_current"
        }

        public init(
            filename: String = "",
            password: String = "",
            autosaveCurrent: Bool = true
        ) {
            self.filename = filename
            self.password = password
            self.autosaveCurrent = autosaveCurrent
        }

        public func encode(to encoder: Encoder) throws {
            var to = encoder.container(keyedBy: CodingKeys.self)
            try to.encode(filename, forKey: .filename)
            try to.encode(password, forKey: .password)
            try to.encode(autosaveCurrent, forKey: .autosaveCurrent)
        }
    }

    /// Empty when all is well.
    public struct OpenWalletResponse: Decodable, Hashable, Sendable {
        /// Says, for people, that the wallet's file is cut short, or may be: it is an older copy, or was not closed and nobody
        /// knows its end. Left out when there is nothing to say. Glim's own.
        public var warning: String?

        enum CodingKeys: String, CodingKey {
            case warning = "warning"
        }

        public init(from decoder: Decoder) throws {
            let from = try decoder.container(keyedBy: CodingKeys.self)
            warning = try from.decodeIfPresent(String.self, forKey: .warning)
        }
    }

    /// A payment request as one text.
    public struct ParseURIRequest: Encodable, Hashable, Sendable {
        public var uri: String

        enum CodingKeys: String, CodingKey {
            case uri = "uri"
        }

        public init(
            uri: String = ""
        ) {
            self.uri = uri
        }

        public func encode(to encoder: Encoder) throws {
            var to = encoder.container(keyedBy: CodingKeys.self)
            try to.encode(uri, forKey: .uri)
        }
    }

    /// What it says.
    public struct ParseURIResponse: Decodable, Hashable, Sendable {
        public var uri: URISpec
        /// name=value, as they came
        public var unknownParameters: [String]

        enum CodingKeys: String, CodingKey {
            case uri = "uri"
            case unknownParameters = "unknown_parameters"
        }

        public init(from decoder: Decoder) throws {
            let from = try decoder.container(keyedBy: CodingKeys.self)
            uri = try from.decode(URISpec.self, forKey: .uri)
            unknownParameters = try from.decodeIfPresent([String].self, forKey: .unknownParameters) ?? []
        }
    }

    /// Money received with a payment ID.
    public struct Payment: Decodable, Hashable, Sendable {
        public var paymentId: String
        public var txHash: String
        /// atomic units
        public var amount: UInt64
        /// index of the block that holds it
        public var blockHeight: UInt64
        /// block index, or POSIX time from 500000000 on; 0 is not locked
        public var unlockTime: UInt64
        public var locked: Bool
        public var subaddrIndex: SubaddressIndex
        public var address: String

        enum CodingKeys: String, CodingKey {
            case paymentId = "payment_id"
            case txHash = "tx_hash"
            case amount = "amount"
            case blockHeight = "block_height"
            case unlockTime = "unlock_time"
            case locked = "locked"
            case subaddrIndex = "subaddr_index"
            case address = "address"
        }

        public init(from decoder: Decoder) throws {
            let from = try decoder.container(keyedBy: CodingKeys.self)
            paymentId = try from.decode(String.self, forKey: .paymentId)
            txHash = try from.decode(String.self, forKey: .txHash)
            amount = try from.decode(Big<UInt64>.self, forKey: .amount).value
            blockHeight = try from.decode(Big<UInt64>.self, forKey: .blockHeight).value
            unlockTime = try from.decode(Big<UInt64>.self, forKey: .unlockTime).value
            locked = try from.decode(Bool.self, forKey: .locked)
            subaddrIndex = try from.decode(SubaddressIndex.self, forKey: .subaddrIndex)
            address = try from.decode(String.self, forKey: .address)
        }
    }

    /// Turns multisig on.
    public struct PrepareMultisigRequest: Encodable, Hashable, Sendable {
        public var enableMultisigExperimental: Bool

        enum CodingKeys: String, CodingKey {
            case enableMultisigExperimental = "enable_multisig_experimental"
        }

        public init(
            enableMultisigExperimental: Bool = false
        ) {
            self.enableMultisigExperimental = enableMultisigExperimental
        }

        public func encode(to encoder: Encoder) throws {
            var to = encoder.container(keyedBy: CodingKeys.self)
            try to.encode(enableMultisigExperimental, forKey: .enableMultisigExperimental)
        }
    }

    /// For the other signers.
    public struct PrepareMultisigResponse: Decodable, Secretive, Hashable, Sendable {
        public var multisigInfo: String

        enum CodingKeys: String, CodingKey {
            case multisigInfo = "multisig_info"
        }

        public init(from decoder: Decoder) throws {
            let from = try decoder.container(keyedBy: CodingKeys.self)
            multisigInfo = try from.decode(String.self, forKey: .multisigInfo)
        }
    }

    /// A proof.
    public struct ProofResponse: Decodable, Hashable, Sendable {
        public var signature: String

        enum CodingKeys: String, CodingKey {
            case signature = "signature"
        }

        public init(from decoder: Decoder) throws {
            let from = try decoder.container(keyedBy: CodingKeys.self)
            signature = try from.decode(String.self, forKey: .signature)
        }
    }

    /// Chooses a secret.
    public struct QueryKeyRequest: Encodable, Secretive, Hashable, Sendable {
        /// mnemonic, view_key, spend_key; beyond the reference seed_language, the name of the words' language
        public var keyType: String
        /// beyond the reference: the passphrase that the words are to be shown under
        public var seedOffset: String

        enum CodingKeys: String, CodingKey {
            case keyType = "key_type"
            case seedOffset = "seed_offset"
        }

        public init(
            keyType: String = "",
            seedOffset: String = ""
        ) {
            self.keyType = keyType
            self.seedOffset = seedOffset
        }

        public func encode(to encoder: Encoder) throws {
            var to = encoder.container(keyedBy: CodingKeys.self)
            try to.encode(keyType, forKey: .keyType)
            try to.encode(seedOffset, forKey: .seedOffset)
        }
    }

    /// The secret.
    public struct QueryKeyResponse: Decodable, Secretive, Hashable, Sendable {
        /// hex, or words
        public var key: String

        enum CodingKeys: String, CodingKey {
            case key = "key"
        }

        public init(from decoder: Decoder) throws {
            let from = try decoder.container(keyedBy: CodingKeys.self)
            key = try from.decode(String.self, forKey: .key)
        }
    }

    /// An address the set pays.
    public struct Recipient: Decodable, Hashable, Sendable {
        public var address: String
        /// atomic units
        public var amount: UInt64

        enum CodingKeys: String, CodingKey {
            case address = "address"
            case amount = "amount"
        }

        public init(from decoder: Decoder) throws {
            let from = try decoder.container(keyedBy: CodingKeys.self)
            address = try from.decode(String.self, forKey: .address)
            amount = try from.decode(Big<UInt64>.self, forKey: .amount).value
        }
    }

    /// Says where to begin.
    public struct RefreshRequest: Encodable, Hashable, Sendable {
        /// block index; what is below the last one read has no effect
        public var startHeight: UInt64

        enum CodingKeys: String, CodingKey {
            case startHeight = "start_height"
        }

        public init(
            startHeight: UInt64 = 0
        ) {
            self.startHeight = startHeight
        }

        public func encode(to encoder: Encoder) throws {
            var to = encoder.container(keyedBy: CodingKeys.self)
            try to.encode(Big(startHeight), forKey: .startHeight)
        }
    }

    /// Tells what was read.
    public struct RefreshResponse: Decodable, Hashable, Sendable {
        public var blocksFetched: UInt64
        public var receivedMoney: Bool

        enum CodingKeys: String, CodingKey {
            case blocksFetched = "blocks_fetched"
            case receivedMoney = "received_money"
        }

        public init(from decoder: Decoder) throws {
            let from = try decoder.container(keyedBy: CodingKeys.self)
            blocksFetched = try from.decode(Big<UInt64>.self, forKey: .blocksFetched).value
            receivedMoney = try from.decode(Bool.self, forKey: .receivedMoney)
        }
    }

    /// The metadata of a transaction made with do_not_relay.
    public struct RelayTxRequest: Encodable, Hashable, Sendable {
        public var hex: String

        enum CodingKeys: String, CodingKey {
            case hex = "hex"
        }

        public init(
            hex: String = ""
        ) {
            self.hex = hex
        }

        public func encode(to encoder: Encoder) throws {
            var to = encoder.container(keyedBy: CodingKeys.self)
            try to.encode(hex, forKey: .hex)
        }
    }

    /// Names the transaction relayed.
    public struct RelayTxResponse: Decodable, Hashable, Sendable {
        public var txHash: String

        enum CodingKeys: String, CodingKey {
            case txHash = "tx_hash"
        }

        public init(from decoder: Decoder) throws {
            let from = try decoder.container(keyedBy: CodingKeys.self)
            txHash = try from.decode(String.self, forKey: .txHash)
        }
    }

    /// Says how much to forget.
    public struct RescanBlockchainRequest: Encodable, Hashable, Sendable {
        /// also what the chain cannot give back: destinations, transaction keys, notes
        public var hard: Bool

        enum CodingKeys: String, CodingKey {
            case hard = "hard"
        }

        public init(
            hard: Bool = false
        ) {
            self.hard = hard
        }

        public func encode(to encoder: Encoder) throws {
            var to = encoder.container(keyedBy: CodingKeys.self)
            try to.encode(hard, forKey: .hard)
        }
    }

    /// Describes a wallet by its seed.
    public struct RestoreDeterministicWalletRequest: Encodable, Secretive, Hashable, Sendable {
        /// index of the first block to read
        public var restoreHeight: UInt64
        /// empty keeps it in memory
        public var filename: String
        /// words; hex for a multisig seed; sixteen words beyond the reference
        public var seed: String
        /// passphrase over the seed
        public var seedOffset: String
        public var password: String
        /// needed for the oldest seeds alone
        public var language: String
        public var autosaveCurrent: Bool
        public var enableMultisigExperimental: Bool
        /// Beyond the reference, as GenerateFromKeysRequest's. Sixteen words know theirs.
        public var restoreDate: JSONValue?

        enum CodingKeys: String, CodingKey {
            case restoreHeight = "restore_height"
            case filename = "filename"
            case seed = "seed"
            case seedOffset = "seed_offset"
            case password = "password"
            case language = "language"
            case autosaveCurrent = "autosave_current"
            case enableMultisigExperimental = "enable_multisig_experimental"
            case restoreDate = "restore_date"
        }

        public init(
            restoreHeight: UInt64 = 0,
            filename: String = "",
            seed: String = "",
            seedOffset: String = "",
            password: String = "",
            language: String = "",
            autosaveCurrent: Bool = true,
            enableMultisigExperimental: Bool = false,
            restoreDate: JSONValue? = nil
        ) {
            self.restoreHeight = restoreHeight
            self.filename = filename
            self.seed = seed
            self.seedOffset = seedOffset
            self.password = password
            self.language = language
            self.autosaveCurrent = autosaveCurrent
            self.enableMultisigExperimental = enableMultisigExperimental
            self.restoreDate = restoreDate
        }

        public func encode(to encoder: Encoder) throws {
            var to = encoder.container(keyedBy: CodingKeys.self)
            try to.encode(Big(restoreHeight), forKey: .restoreHeight)
            try to.encode(filename, forKey: .filename)
            try to.encode(seed, forKey: .seed)
            try to.encode(seedOffset, forKey: .seedOffset)
            try to.encode(password, forKey: .password)
            try to.encode(language, forKey: .language)
            try to.encode(autosaveCurrent, forKey: .autosaveCurrent)
            try to.encode(enableMultisigExperimental, forKey: .enableMultisigExperimental)
            try to.encodeIfPresent(restoreDate, forKey: .restoreDate)
        }
    }

    /// The wallet made.
    public struct RestoreDeterministicWalletResponse: Decodable, Secretive, Hashable, Sendable {
        public var address: String
        public var seed: String
        /// a sentence for people
        public var info: String
        /// the seed was of an old kind, or its checksum word was missing; seed is its replacement
        public var wasDeprecated: Bool

        enum CodingKeys: String, CodingKey {
            case address = "address"
            case seed = "seed"
            case info = "info"
            case wasDeprecated = "was_deprecated"
        }

        public init(from decoder: Decoder) throws {
            let from = try decoder.container(keyedBy: CodingKeys.self)
            address = try from.decode(String.self, forKey: .address)
            seed = try from.decode(String.self, forKey: .seed)
            info = try from.decode(String.self, forKey: .info)
            wasDeprecated = try from.decode(Bool.self, forKey: .wasDeprecated)
        }
    }

    /// Names transactions.
    public struct ScanTxRequest: Encodable, Hashable, Sendable {
        public var txids: [String]

        enum CodingKeys: String, CodingKey {
            case txids = "txids"
        }

        public init(
            txids: [String] = []
        ) {
            self.txids = txids
        }

        public func encode(to encoder: Encoder) throws {
            var to = encoder.container(keyedBy: CodingKeys.self)
            try to.encode(txids, forKey: .txids)
        }
    }

    /// Describes a tag.
    public struct SetAccountTagDescriptionRequest: Encodable, Hashable, Sendable {
        public var tag: String
        public var description: String

        enum CodingKeys: String, CodingKey {
            case tag = "tag"
            case description = "description"
        }

        public init(
            tag: String = "",
            description: String = ""
        ) {
            self.tag = tag
            self.description = description
        }

        public func encode(to encoder: Encoder) throws {
            var to = encoder.container(keyedBy: CodingKeys.self)
            try to.encode(tag, forKey: .tag)
            try to.encode(description, forKey: .description)
        }
    }

    /// A free pair.
    public struct SetAttributeRequest: Encodable, Secretive, Hashable, Sendable {
        public var key: String
        public var value: String

        enum CodingKeys: String, CodingKey {
            case key = "key"
            case value = "value"
        }

        public init(
            key: String = "",
            value: String = ""
        ) {
            self.key = key
            self.value = value
        }

        public func encode(to encoder: Encoder) throws {
            var to = encoder.container(keyedBy: CodingKeys.self)
            try to.encode(key, forKey: .key)
            try to.encode(value, forKey: .value)
        }
    }

    /// Names the daemon to use from now on.
    public struct SetDaemonRequest: Encodable, Secretive, Hashable, Sendable {
        /// host:port or a URL; empty for none
        public var address: String
        /// of the daemon's login
        public var username: String
        public var password: String
        /// some operations need it
        public var trusted: Bool
        /// disabled, enabled, autodetect
        public var sslSupport: String
        public var sslPrivateKeyPath: String
        public var sslCertificatePath: String
        public var sslCaFile: String
        /// SHA-256, hex
        public var sslAllowedFingerprints: [String]
        public var sslAllowAnyCert: Bool
        /// SOCKS host:port for this daemon
        public var proxy: String

        enum CodingKeys: String, CodingKey {
            case address = "address"
            case username = "username"
            case password = "password"
            case trusted = "trusted"
            case sslSupport = "ssl_support"
            case sslPrivateKeyPath = "ssl_private_key_path"
            case sslCertificatePath = "ssl_certificate_path"
            case sslCaFile = "ssl_ca_file"
            case sslAllowedFingerprints = "ssl_allowed_fingerprints"
            case sslAllowAnyCert = "ssl_allow_any_cert"
            case proxy = "proxy"
        }

        public init(
            address: String = "",
            username: String = "",
            password: String = "",
            trusted: Bool = false,
            sslSupport: String = "autodetect",
            sslPrivateKeyPath: String = "",
            sslCertificatePath: String = "",
            sslCaFile: String = "",
            sslAllowedFingerprints: [String] = [],
            sslAllowAnyCert: Bool = false,
            proxy: String = ""
        ) {
            self.address = address
            self.username = username
            self.password = password
            self.trusted = trusted
            self.sslSupport = sslSupport
            self.sslPrivateKeyPath = sslPrivateKeyPath
            self.sslCertificatePath = sslCertificatePath
            self.sslCaFile = sslCaFile
            self.sslAllowedFingerprints = sslAllowedFingerprints
            self.sslAllowAnyCert = sslAllowAnyCert
            self.proxy = proxy
        }

        public func encode(to encoder: Encoder) throws {
            var to = encoder.container(keyedBy: CodingKeys.self)
            try to.encode(address, forKey: .address)
            try to.encode(username, forKey: .username)
            try to.encode(password, forKey: .password)
            try to.encode(trusted, forKey: .trusted)
            try to.encode(sslSupport, forKey: .sslSupport)
            try to.encode(sslPrivateKeyPath, forKey: .sslPrivateKeyPath)
            try to.encode(sslCertificatePath, forKey: .sslCertificatePath)
            try to.encode(sslCaFile, forKey: .sslCaFile)
            try to.encode(sslAllowedFingerprints, forKey: .sslAllowedFingerprints)
            try to.encode(sslAllowAnyCert, forKey: .sslAllowAnyCert)
            try to.encode(proxy, forKey: .proxy)
        }
    }

    /// How much to log of what.
    public struct SetLogCategoriesRequest: Encodable, Hashable, Sendable {
        /// category:LEVEL, comma separated
        public var categories: String

        enum CodingKeys: String, CodingKey {
            case categories = "categories"
        }

        public init(
            categories: String = ""
        ) {
            self.categories = categories
        }

        public func encode(to encoder: Encoder) throws {
            var to = encoder.container(keyedBy: CodingKeys.self)
            try to.encode(categories, forKey: .categories)
        }
    }

    /// What holds now.
    public struct SetLogCategoriesResponse: Decodable, Hashable, Sendable {
        public var categories: String

        enum CodingKeys: String, CodingKey {
            case categories = "categories"
        }

        public init(from decoder: Decoder) throws {
            let from = try decoder.container(keyedBy: CodingKeys.self)
            categories = try from.decode(String.self, forKey: .categories)
        }
    }

    /// How much to log.
    public struct SetLogLevelRequest: Encodable, Hashable, Sendable {
        /// 0 to 4
        public var level: Int8

        enum CodingKeys: String, CodingKey {
            case level = "level"
        }

        public init(
            level: Int8 = 0
        ) {
            self.level = level
        }

        public func encode(to encoder: Encoder) throws {
            var to = encoder.container(keyedBy: CodingKeys.self)
            try to.encode(level, forKey: .level)
        }
    }

    /// Sets how far beyond the last used index the wallet looks for its addresses.
    public struct SetSubaddressLookaheadRequest: Encodable, Secretive, Hashable, Sendable {
        /// the wallet's
        public var password: String
        /// accounts
        public var majorIdx: UInt32
        /// addresses in each
        public var minorIdx: UInt32

        enum CodingKeys: String, CodingKey {
            case password = "password"
            case majorIdx = "major_idx"
            case minorIdx = "minor_idx"
        }

        public init(
            password: String = "",
            majorIdx: UInt32 = 0,
            minorIdx: UInt32 = 0
        ) {
            self.password = password
            self.majorIdx = majorIdx
            self.minorIdx = minorIdx
        }

        public func encode(to encoder: Encoder) throws {
            var to = encoder.container(keyedBy: CodingKeys.self)
            try to.encode(password, forKey: .password)
            try to.encode(majorIdx, forKey: .majorIdx)
            try to.encode(minorIdx, forKey: .minorIdx)
        }
    }

    /// Pairs transactions with notes.
    public struct SetTxNotesRequest: Encodable, Hashable, Sendable {
        public var txids: [String]
        /// as many
        public var notes: [String]

        enum CodingKeys: String, CodingKey {
            case txids = "txids"
            case notes = "notes"
        }

        public init(
            txids: [String] = [],
            notes: [String] = []
        ) {
            self.txids = txids
            self.notes = notes
        }

        public func encode(to encoder: Encoder) throws {
            var to = encoder.container(keyedBy: CodingKeys.self)
            try to.encode(txids, forKey: .txids)
            try to.encode(notes, forKey: .notes)
        }
    }

    /// Chooses what is kept while syncing in the background.
    public struct SetupBackgroundSyncRequest: Encodable, Secretive, Hashable, Sendable {
        /// off, reuse-wallet-password, custom-background-password
        public var backgroundSyncType: String
        public var walletPassword: String
        /// with the custom type
        public var backgroundCachePassword: String

        enum CodingKeys: String, CodingKey {
            case backgroundSyncType = "background_sync_type"
            case walletPassword = "wallet_password"
            case backgroundCachePassword = "background_cache_password"
        }

        public init(
            backgroundSyncType: String = "",
            walletPassword: String = "",
            backgroundCachePassword: String = ""
        ) {
            self.backgroundSyncType = backgroundSyncType
            self.walletPassword = walletPassword
            self.backgroundCachePassword = backgroundCachePassword
        }

        public func encode(to encoder: Encoder) throws {
            var to = encoder.container(keyedBy: CodingKeys.self)
            try to.encode(backgroundSyncType, forKey: .backgroundSyncType)
            try to.encode(walletPassword, forKey: .walletPassword)
            try to.encode(backgroundCachePassword, forKey: .backgroundCachePassword)
        }
    }

    /// A multisig set.
    public struct SignMultisigRequest: Encodable, Hashable, Sendable {
        public var txDataHex: String

        enum CodingKeys: String, CodingKey {
            case txDataHex = "tx_data_hex"
        }

        public init(
            txDataHex: String = ""
        ) {
            self.txDataHex = txDataHex
        }

        public func encode(to encoder: Encoder) throws {
            var to = encoder.container(keyedBy: CodingKeys.self)
            try to.encode(txDataHex, forKey: .txDataHex)
        }
    }

    /// The set with one signature more.
    public struct SignMultisigResponse: Decodable, Hashable, Sendable {
        public var txDataHex: String
        /// only from the last signer
        public var txHashList: [String]

        enum CodingKeys: String, CodingKey {
            case txDataHex = "tx_data_hex"
            case txHashList = "tx_hash_list"
        }

        public init(from decoder: Decoder) throws {
            let from = try decoder.container(keyedBy: CodingKeys.self)
            txDataHex = try from.decode(String.self, forKey: .txDataHex)
            txHashList = try from.decodeIfPresent([String].self, forKey: .txHashList) ?? []
        }
    }

    /// A text to sign.
    public struct SignRequest: Encodable, Hashable, Sendable {
        public var data: String
        public var accountIndex: UInt32
        public var addressIndex: UInt32
        /// spend, view; empty for spend
        public var signatureType: String

        enum CodingKeys: String, CodingKey {
            case data = "data"
            case accountIndex = "account_index"
            case addressIndex = "address_index"
            case signatureType = "signature_type"
        }

        public init(
            data: String = "",
            accountIndex: UInt32 = 0,
            addressIndex: UInt32 = 0,
            signatureType: String = ""
        ) {
            self.data = data
            self.accountIndex = accountIndex
            self.addressIndex = addressIndex
            self.signatureType = signatureType
        }

        public func encode(to encoder: Encoder) throws {
            var to = encoder.container(keyedBy: CodingKeys.self)
            try to.encode(data, forKey: .data)
            try to.encode(accountIndex, forKey: .accountIndex)
            try to.encode(addressIndex, forKey: .addressIndex)
            try to.encode(signatureType, forKey: .signatureType)
        }
    }

    /// The signature.
    public struct SignResponse: Decodable, Hashable, Sendable {
        public var signature: String

        enum CodingKeys: String, CodingKey {
            case signature = "signature"
        }

        public init(from decoder: Decoder) throws {
            let from = try decoder.container(keyedBy: CodingKeys.self)
            signature = try from.decode(String.self, forKey: .signature)
        }
    }

    /// An unsigned set from a view-only wallet.
    public struct SignTransferRequest: Encodable, Hashable, Sendable {
        public var unsignedTxset: String
        /// return the raw transactions too
        public var exportRaw: Bool
        public var getTxKeys: Bool

        enum CodingKeys: String, CodingKey {
            case unsignedTxset = "unsigned_txset"
            case exportRaw = "export_raw"
            case getTxKeys = "get_tx_keys"
        }

        public init(
            unsignedTxset: String = "",
            exportRaw: Bool = false,
            getTxKeys: Bool = false
        ) {
            self.unsignedTxset = unsignedTxset
            self.exportRaw = exportRaw
            self.getTxKeys = getTxKeys
        }

        public func encode(to encoder: Encoder) throws {
            var to = encoder.container(keyedBy: CodingKeys.self)
            try to.encode(unsignedTxset, forKey: .unsignedTxset)
            try to.encode(exportRaw, forKey: .exportRaw)
            try to.encode(getTxKeys, forKey: .getTxKeys)
        }
    }

    /// The set signed.
    public struct SignTransferResponse: Decodable, Secretive, Hashable, Sendable {
        public var signedTxset: String
        public var txHashList: [String]
        /// when asked
        public var txRawList: [String]
        /// when asked
        public var txKeyList: [String]

        enum CodingKeys: String, CodingKey {
            case signedTxset = "signed_txset"
            case txHashList = "tx_hash_list"
            case txRawList = "tx_raw_list"
            case txKeyList = "tx_key_list"
        }

        public init(from decoder: Decoder) throws {
            let from = try decoder.container(keyedBy: CodingKeys.self)
            signedTxset = try from.decode(String.self, forKey: .signedTxset)
            txHashList = try from.decodeIfPresent([String].self, forKey: .txHashList) ?? []
            txRawList = try from.decodeIfPresent([String].self, forKey: .txRawList) ?? []
            txKeyList = try from.decodeIfPresent([String].self, forKey: .txKeyList) ?? []
        }
    }

    /// A key image with the proof that it is the output's.
    public struct SignedKeyImage: Codable, Hashable, Sendable {
        public var keyImage: String
        public var signature: String

        enum CodingKeys: String, CodingKey {
            case keyImage = "key_image"
            case signature = "signature"
        }

        public init(
            keyImage: String = "",
            signature: String = ""
        ) {
            self.keyImage = keyImage
            self.signature = signature
        }

        public func encode(to encoder: Encoder) throws {
            var to = encoder.container(keyedBy: CodingKeys.self)
            try to.encode(keyImage, forKey: .keyImage)
            try to.encode(signature, forKey: .signature)
        }

        public init(from decoder: Decoder) throws {
            let from = try decoder.container(keyedBy: CodingKeys.self)
            keyImage = try from.decode(String.self, forKey: .keyImage)
            signature = try from.decode(String.self, forKey: .signature)
        }
    }

    /// An integrated address.
    public struct SplitIntegratedAddressRequest: Encodable, Hashable, Sendable {
        public var integratedAddress: String

        enum CodingKeys: String, CodingKey {
            case integratedAddress = "integrated_address"
        }

        public init(
            integratedAddress: String = ""
        ) {
            self.integratedAddress = integratedAddress
        }

        public func encode(to encoder: Encoder) throws {
            var to = encoder.container(keyedBy: CodingKeys.self)
            try to.encode(integratedAddress, forKey: .integratedAddress)
        }
    }

    /// Its parts.
    public struct SplitIntegratedAddressResponse: Decodable, Hashable, Sendable {
        public var standardAddress: String
        public var paymentId: String
        public var isSubaddress: Bool

        enum CodingKeys: String, CodingKey {
            case standardAddress = "standard_address"
            case paymentId = "payment_id"
            case isSubaddress = "is_subaddress"
        }

        public init(from decoder: Decoder) throws {
            let from = try decoder.container(keyedBy: CodingKeys.self)
            standardAddress = try from.decode(String.self, forKey: .standardAddress)
            paymentId = try from.decode(String.self, forKey: .paymentId)
            isSubaddress = try from.decode(Bool.self, forKey: .isSubaddress)
        }
    }

    /// Several transactions; each list has one entry a transaction. A view-only or multisig wallet fills unsigned_txset or
    /// multisig_txset and leaves the lists of hashes, blobs and metadata empty.
    public struct SplitResponse: Decodable, Secretive, Hashable, Sendable {
        public var txHashList: [String]
        /// when asked
        public var txKeyList: [String]
        /// atomic units to the destinations
        public var amountList: [UInt64]
        public var amountsByDestList: [AmountsList]
        /// atomic units
        public var feeList: [UInt64]
        public var weightList: [UInt64]
        /// when asked
        public var txBlobList: [String]
        /// for relay_tx, when asked
        public var txMetadataList: [String]
        public var multisigTxset: String
        public var unsignedTxset: String
        public var spentKeyImagesList: [KeyImageList]

        enum CodingKeys: String, CodingKey {
            case txHashList = "tx_hash_list"
            case txKeyList = "tx_key_list"
            case amountList = "amount_list"
            case amountsByDestList = "amounts_by_dest_list"
            case feeList = "fee_list"
            case weightList = "weight_list"
            case txBlobList = "tx_blob_list"
            case txMetadataList = "tx_metadata_list"
            case multisigTxset = "multisig_txset"
            case unsignedTxset = "unsigned_txset"
            case spentKeyImagesList = "spent_key_images_list"
        }

        public init(from decoder: Decoder) throws {
            let from = try decoder.container(keyedBy: CodingKeys.self)
            txHashList = try from.decodeIfPresent([String].self, forKey: .txHashList) ?? []
            txKeyList = try from.decodeIfPresent([String].self, forKey: .txKeyList) ?? []
            amountList = try from.decodeIfPresent([Big<UInt64>].self, forKey: .amountList)?.map { $0.value } ?? []
            amountsByDestList = try from.decodeIfPresent([AmountsList].self, forKey: .amountsByDestList) ?? []
            feeList = try from.decodeIfPresent([Big<UInt64>].self, forKey: .feeList)?.map { $0.value } ?? []
            weightList = try from.decodeIfPresent([Big<UInt64>].self, forKey: .weightList)?.map { $0.value } ?? []
            txBlobList = try from.decodeIfPresent([String].self, forKey: .txBlobList) ?? []
            txMetadataList = try from.decodeIfPresent([String].self, forKey: .txMetadataList) ?? []
            multisigTxset = try from.decode(String.self, forKey: .multisigTxset)
            unsignedTxset = try from.decode(String.self, forKey: .unsignedTxset)
            spentKeyImagesList = try from.decodeIfPresent([KeyImageList].self, forKey: .spentKeyImagesList) ?? []
        }
    }

    /// Says how to mine.
    public struct StartMiningRequest: Encodable, Hashable, Sendable {
        /// at least 1
        public var threadsCount: UInt64
        /// mine when the machine is idle
        public var doBackgroundMining: Bool
        public var ignoreBattery: Bool

        enum CodingKeys: String, CodingKey {
            case threadsCount = "threads_count"
            case doBackgroundMining = "do_background_mining"
            case ignoreBattery = "ignore_battery"
        }

        public init(
            threadsCount: UInt64 = 0,
            doBackgroundMining: Bool = false,
            ignoreBattery: Bool = false
        ) {
            self.threadsCount = threadsCount
            self.doBackgroundMining = doBackgroundMining
            self.ignoreBattery = ignoreBattery
        }

        public func encode(to encoder: Encoder) throws {
            var to = encoder.container(keyedBy: CodingKeys.self)
            try to.encode(Big(threadsCount), forKey: .threadsCount)
            try to.encode(doBackgroundMining, forKey: .doBackgroundMining)
            try to.encode(ignoreBattery, forKey: .ignoreBattery)
        }
    }

    /// Opens the spend key again.
    public struct StopBackgroundSyncRequest: Encodable, Secretive, Hashable, Sendable {
        public var walletPassword: String
        /// in the place of the password
        public var seed: String
        /// passphrase over the seed
        public var seedOffset: String

        enum CodingKeys: String, CodingKey {
            case walletPassword = "wallet_password"
            case seed = "seed"
            case seedOffset = "seed_offset"
        }

        public init(
            walletPassword: String = "",
            seed: String = "",
            seedOffset: String = ""
        ) {
            self.walletPassword = walletPassword
            self.seed = seed
            self.seedOffset = seedOffset
        }

        public func encode(to encoder: Encoder) throws {
            var to = encoder.container(keyedBy: CodingKeys.self)
            try to.encode(walletPassword, forKey: .walletPassword)
            try to.encode(seed, forKey: .seed)
            try to.encode(seedOffset, forKey: .seedOffset)
        }
    }

    /// The money at one address.
    public struct SubaddressBalance: Decodable, Hashable, Sendable {
        public var accountIndex: UInt32
        public var addressIndex: UInt32
        public var address: String
        /// atomic units, locked or not
        public var balance: UInt64
        /// atomic units
        public var unlockedBalance: UInt64
        public var label: String
        public var numUnspentOutputs: UInt64
        /// until everything here is spendable
        public var blocksToUnlock: UInt64
        /// seconds until everything here is spendable
        public var timeToUnlock: UInt64

        enum CodingKeys: String, CodingKey {
            case accountIndex = "account_index"
            case addressIndex = "address_index"
            case address = "address"
            case balance = "balance"
            case unlockedBalance = "unlocked_balance"
            case label = "label"
            case numUnspentOutputs = "num_unspent_outputs"
            case blocksToUnlock = "blocks_to_unlock"
            case timeToUnlock = "time_to_unlock"
        }

        public init(from decoder: Decoder) throws {
            let from = try decoder.container(keyedBy: CodingKeys.self)
            accountIndex = try from.decode(UInt32.self, forKey: .accountIndex)
            addressIndex = try from.decode(UInt32.self, forKey: .addressIndex)
            address = try from.decode(String.self, forKey: .address)
            balance = try from.decode(Big<UInt64>.self, forKey: .balance).value
            unlockedBalance = try from.decode(Big<UInt64>.self, forKey: .unlockedBalance).value
            label = try from.decode(String.self, forKey: .label)
            numUnspentOutputs = try from.decode(Big<UInt64>.self, forKey: .numUnspentOutputs).value
            blocksToUnlock = try from.decode(Big<UInt64>.self, forKey: .blocksToUnlock).value
            timeToUnlock = try from.decode(Big<UInt64>.self, forKey: .timeToUnlock).value
        }
    }

    /// Names an address of a wallet.
    public struct SubaddressIndex: Codable, Hashable, Sendable {
        /// account
        public var major: UInt32
        /// address in the account; 0 of account 0 is the primary address
        public var minor: UInt32

        enum CodingKeys: String, CodingKey {
            case major = "major"
            case minor = "minor"
        }

        public init(
            major: UInt32 = 0,
            minor: UInt32 = 0
        ) {
            self.major = major
            self.minor = minor
        }

        public func encode(to encoder: Encoder) throws {
            var to = encoder.container(keyedBy: CodingKeys.self)
            try to.encode(major, forKey: .major)
            try to.encode(minor, forKey: .minor)
        }

        public init(from decoder: Decoder) throws {
            let from = try decoder.container(keyedBy: CodingKeys.self)
            major = try from.decode(UInt32.self, forKey: .major)
            minor = try from.decode(UInt32.self, forKey: .minor)
        }
    }

    /// A multisig set with every signature it needs.
    public struct SubmitMultisigRequest: Encodable, Hashable, Sendable {
        public var txDataHex: String

        enum CodingKeys: String, CodingKey {
            case txDataHex = "tx_data_hex"
        }

        public init(
            txDataHex: String = ""
        ) {
            self.txDataHex = txDataHex
        }

        public func encode(to encoder: Encoder) throws {
            var to = encoder.container(keyedBy: CodingKeys.self)
            try to.encode(txDataHex, forKey: .txDataHex)
        }
    }

    /// A signed set.
    public struct SubmitTransferRequest: Encodable, Hashable, Sendable {
        public var txDataHex: String

        enum CodingKeys: String, CodingKey {
            case txDataHex = "tx_data_hex"
        }

        public init(
            txDataHex: String = ""
        ) {
            self.txDataHex = txDataHex
        }

        public func encode(to encoder: Encoder) throws {
            var to = encoder.container(keyedBy: CodingKeys.self)
            try to.encode(txDataHex, forKey: .txDataHex)
        }
    }

    /// Names the transactions relayed.
    public struct SubmitTransferResponse: Decodable, Hashable, Sendable {
        public var txHashList: [String]

        enum CodingKeys: String, CodingKey {
            case txHashList = "tx_hash_list"
        }

        public init(from decoder: Decoder) throws {
            let from = try decoder.container(keyedBy: CodingKeys.self)
            txHashList = try from.decodeIfPresent([String].self, forKey: .txHashList) ?? []
        }
    }

    /// Spends everything at some addresses.
    public struct SweepAllRequest: Encodable, Hashable, Sendable {
        /// receives
        public var address: String
        public var accountIndex: UInt32
        /// none for one address of the account, chosen by the wallet
        public var subaddrIndices: [UInt32]
        /// every address of the account
        public var subaddrIndicesAll: Bool
        /// 0 default, 1 unimportant to 4 priority
        public var priority: UInt32
        /// read and ignored: the chain fixes it
        public var ringSize: UInt64
        /// read and ignored
        public var mixin: UInt64
        /// to make, at least 1
        public var outputs: UInt64
        /// must be 0
        public var unlockTime: UInt64
        /// must be empty
        public var paymentId: String
        public var getTxKeys: Bool
        /// atomic units; 0 for outputs of every amount
        public var belowAmount: UInt64
        public var doNotRelay: Bool
        public var getTxHex: Bool
        public var getTxMetadata: Bool
        /// The client's own name for this payment. A second request with the same name sends nothing and answers what the first
        /// sent, unless that failed: a client that heard no answer can ask again. What replaces a failed transaction spends an
        /// output of it; Code.genericTransfer when nothing can, or when the name was given to another payment. Beyond the
        /// reference.
        public var idempotencyKey: String

        enum CodingKeys: String, CodingKey {
            case address = "address"
            case accountIndex = "account_index"
            case subaddrIndices = "subaddr_indices"
            case subaddrIndicesAll = "subaddr_indices_all"
            case priority = "priority"
            case ringSize = "ring_size"
            case mixin = "mixin"
            case outputs = "outputs"
            case unlockTime = "unlock_time"
            case paymentId = "payment_id"
            case getTxKeys = "get_tx_keys"
            case belowAmount = "below_amount"
            case doNotRelay = "do_not_relay"
            case getTxHex = "get_tx_hex"
            case getTxMetadata = "get_tx_metadata"
            case idempotencyKey = "idempotency_key"
        }

        public init(
            address: String = "",
            accountIndex: UInt32 = 0,
            subaddrIndices: [UInt32] = [],
            subaddrIndicesAll: Bool = false,
            priority: UInt32 = 0,
            ringSize: UInt64 = 0,
            mixin: UInt64 = 0,
            outputs: UInt64 = 1,
            unlockTime: UInt64 = 0,
            paymentId: String = "",
            getTxKeys: Bool = false,
            belowAmount: UInt64 = 0,
            doNotRelay: Bool = false,
            getTxHex: Bool = false,
            getTxMetadata: Bool = false,
            idempotencyKey: String = ""
        ) {
            self.address = address
            self.accountIndex = accountIndex
            self.subaddrIndices = subaddrIndices
            self.subaddrIndicesAll = subaddrIndicesAll
            self.priority = priority
            self.ringSize = ringSize
            self.mixin = mixin
            self.outputs = outputs
            self.unlockTime = unlockTime
            self.paymentId = paymentId
            self.getTxKeys = getTxKeys
            self.belowAmount = belowAmount
            self.doNotRelay = doNotRelay
            self.getTxHex = getTxHex
            self.getTxMetadata = getTxMetadata
            self.idempotencyKey = idempotencyKey
        }

        public func encode(to encoder: Encoder) throws {
            var to = encoder.container(keyedBy: CodingKeys.self)
            try to.encode(address, forKey: .address)
            try to.encode(accountIndex, forKey: .accountIndex)
            try to.encode(subaddrIndices, forKey: .subaddrIndices)
            try to.encode(subaddrIndicesAll, forKey: .subaddrIndicesAll)
            try to.encode(priority, forKey: .priority)
            try to.encode(Big(ringSize), forKey: .ringSize)
            try to.encode(Big(mixin), forKey: .mixin)
            try to.encode(Big(outputs), forKey: .outputs)
            try to.encode(Big(unlockTime), forKey: .unlockTime)
            try to.encode(paymentId, forKey: .paymentId)
            try to.encode(getTxKeys, forKey: .getTxKeys)
            try to.encode(Big(belowAmount), forKey: .belowAmount)
            try to.encode(doNotRelay, forKey: .doNotRelay)
            try to.encode(getTxHex, forKey: .getTxHex)
            try to.encode(getTxMetadata, forKey: .getTxMetadata)
            try to.encode(idempotencyKey, forKey: .idempotencyKey)
        }
    }

    /// Spends what no ordinary transaction can.
    public struct SweepDustRequest: Encodable, Hashable, Sendable {
        public var getTxKeys: Bool
        public var doNotRelay: Bool
        public var getTxHex: Bool
        public var getTxMetadata: Bool

        enum CodingKeys: String, CodingKey {
            case getTxKeys = "get_tx_keys"
            case doNotRelay = "do_not_relay"
            case getTxHex = "get_tx_hex"
            case getTxMetadata = "get_tx_metadata"
        }

        public init(
            getTxKeys: Bool = false,
            doNotRelay: Bool = false,
            getTxHex: Bool = false,
            getTxMetadata: Bool = false
        ) {
            self.getTxKeys = getTxKeys
            self.doNotRelay = doNotRelay
            self.getTxHex = getTxHex
            self.getTxMetadata = getTxMetadata
        }

        public func encode(to encoder: Encoder) throws {
            var to = encoder.container(keyedBy: CodingKeys.self)
            try to.encode(getTxKeys, forKey: .getTxKeys)
            try to.encode(doNotRelay, forKey: .doNotRelay)
            try to.encode(getTxHex, forKey: .getTxHex)
            try to.encode(getTxMetadata, forKey: .getTxMetadata)
        }
    }

    /// Spends one output.
    public struct SweepSingleRequest: Encodable, Hashable, Sendable {
        /// receives
        public var address: String
        /// 0 default, 1 unimportant to 4 priority
        public var priority: UInt32
        /// read and ignored: the chain fixes it
        public var ringSize: UInt64
        /// read and ignored
        public var mixin: UInt64
        /// to make, at least 1
        public var outputs: UInt64
        /// must be 0
        public var unlockTime: UInt64
        /// must be empty
        public var paymentId: String
        public var getTxKey: Bool
        /// of the output to spend
        public var keyImage: String
        public var doNotRelay: Bool
        public var getTxHex: Bool
        public var getTxMetadata: Bool
        /// The client's own name for this payment. A second request with the same name sends nothing and answers what the first
        /// sent, unless that failed: a client that heard no answer can ask again. What replaces a failed transaction spends an
        /// output of it; Code.genericTransfer when nothing can, or when the name was given to another payment. Beyond the
        /// reference.
        public var idempotencyKey: String

        enum CodingKeys: String, CodingKey {
            case address = "address"
            case priority = "priority"
            case ringSize = "ring_size"
            case mixin = "mixin"
            case outputs = "outputs"
            case unlockTime = "unlock_time"
            case paymentId = "payment_id"
            case getTxKey = "get_tx_key"
            case keyImage = "key_image"
            case doNotRelay = "do_not_relay"
            case getTxHex = "get_tx_hex"
            case getTxMetadata = "get_tx_metadata"
            case idempotencyKey = "idempotency_key"
        }

        public init(
            address: String = "",
            priority: UInt32 = 0,
            ringSize: UInt64 = 0,
            mixin: UInt64 = 0,
            outputs: UInt64 = 1,
            unlockTime: UInt64 = 0,
            paymentId: String = "",
            getTxKey: Bool = false,
            keyImage: String = "",
            doNotRelay: Bool = false,
            getTxHex: Bool = false,
            getTxMetadata: Bool = false,
            idempotencyKey: String = ""
        ) {
            self.address = address
            self.priority = priority
            self.ringSize = ringSize
            self.mixin = mixin
            self.outputs = outputs
            self.unlockTime = unlockTime
            self.paymentId = paymentId
            self.getTxKey = getTxKey
            self.keyImage = keyImage
            self.doNotRelay = doNotRelay
            self.getTxHex = getTxHex
            self.getTxMetadata = getTxMetadata
            self.idempotencyKey = idempotencyKey
        }

        public func encode(to encoder: Encoder) throws {
            var to = encoder.container(keyedBy: CodingKeys.self)
            try to.encode(address, forKey: .address)
            try to.encode(priority, forKey: .priority)
            try to.encode(Big(ringSize), forKey: .ringSize)
            try to.encode(Big(mixin), forKey: .mixin)
            try to.encode(Big(outputs), forKey: .outputs)
            try to.encode(Big(unlockTime), forKey: .unlockTime)
            try to.encode(paymentId, forKey: .paymentId)
            try to.encode(getTxKey, forKey: .getTxKey)
            try to.encode(keyImage, forKey: .keyImage)
            try to.encode(doNotRelay, forKey: .doNotRelay)
            try to.encode(getTxHex, forKey: .getTxHex)
            try to.encode(getTxMetadata, forKey: .getTxMetadata)
            try to.encode(idempotencyKey, forKey: .idempotencyKey)
        }
    }

    /// Gives a tag to accounts.
    public struct TagAccountsRequest: Encodable, Hashable, Sendable {
        public var tag: String
        public var accounts: [UInt32]

        enum CodingKeys: String, CodingKey {
            case tag = "tag"
            case accounts = "accounts"
        }

        public init(
            tag: String = "",
            accounts: [UInt32] = []
        ) {
            self.tag = tag
            self.accounts = accounts
        }

        public func encode(to encoder: Encoder) throws {
            var to = encoder.container(keyedBy: CodingKeys.self)
            try to.encode(tag, forKey: .tag)
            try to.encode(accounts, forKey: .accounts)
        }
    }

    /// A text that is no longer used.
    public struct TakeoverAside: Decodable, Hashable, Sendable {
        /// label, tag, description, note, attribute or address book
        public var kind: String
        /// account/address, account, tag, transaction ID, key or address
        public var name: String
        public var text: String

        enum CodingKeys: String, CodingKey {
            case kind = "kind"
            case name = "name"
            case text = "text"
        }

        public init(from decoder: Decoder) throws {
            let from = try decoder.container(keyedBy: CodingKeys.self)
            kind = try from.decode(String.self, forKey: .kind)
            name = try from.decode(String.self, forKey: .name)
            text = try from.decode(String.self, forKey: .text)
        }
    }

    /// A transaction as the wallet's owner sees it.
    public struct TransferEntry: Decodable, Hashable, Sendable {
        public var txid: String
        /// 16 hex digits, or 64 when long; zeros for none
        public var paymentId: String
        /// index of its block, 0 when not mined
        public var height: UInt64
        /// POSIX, of its block, or when first seen
        public var timestamp: UInt64
        /// atomic units
        public var amount: UInt64
        /// of each output received, atomic units
        public var amounts: [UInt64]
        /// atomic units
        public var fee: UInt64
        public var note: String
        /// of what this wallet sent
        public var destinations: [Destination]
        /// in, out, pending, failed, pool, block
        public var type: String
        /// block index, or POSIX time from 500000000 on; 0 is not locked
        public var unlockTime: UInt64
        public var locked: Bool
        public var subaddrIndex: SubaddressIndex
        public var subaddrIndices: [SubaddressIndex]
        public var address: String
        public var doubleSpendSeen: Bool
        public var confirmations: UInt64?
        /// How many confirmations are worth waiting for with this amount.
        public var suggestedConfirmationsThreshold: UInt64?

        enum CodingKeys: String, CodingKey {
            case txid = "txid"
            case paymentId = "payment_id"
            case height = "height"
            case timestamp = "timestamp"
            case amount = "amount"
            case amounts = "amounts"
            case fee = "fee"
            case note = "note"
            case destinations = "destinations"
            case type = "type"
            case unlockTime = "unlock_time"
            case locked = "locked"
            case subaddrIndex = "subaddr_index"
            case subaddrIndices = "subaddr_indices"
            case address = "address"
            case doubleSpendSeen = "double_spend_seen"
            case confirmations = "confirmations"
            case suggestedConfirmationsThreshold = "suggested_confirmations_threshold"
        }

        public init(from decoder: Decoder) throws {
            let from = try decoder.container(keyedBy: CodingKeys.self)
            txid = try from.decode(String.self, forKey: .txid)
            paymentId = try from.decode(String.self, forKey: .paymentId)
            height = try from.decode(Big<UInt64>.self, forKey: .height).value
            timestamp = try from.decode(Big<UInt64>.self, forKey: .timestamp).value
            amount = try from.decode(Big<UInt64>.self, forKey: .amount).value
            amounts = try from.decodeIfPresent([Big<UInt64>].self, forKey: .amounts)?.map { $0.value } ?? []
            fee = try from.decode(Big<UInt64>.self, forKey: .fee).value
            note = try from.decode(String.self, forKey: .note)
            destinations = try from.decodeIfPresent([Destination].self, forKey: .destinations) ?? []
            type = try from.decode(String.self, forKey: .type)
            unlockTime = try from.decode(Big<UInt64>.self, forKey: .unlockTime).value
            locked = try from.decode(Bool.self, forKey: .locked)
            subaddrIndex = try from.decode(SubaddressIndex.self, forKey: .subaddrIndex)
            subaddrIndices = try from.decodeIfPresent([SubaddressIndex].self, forKey: .subaddrIndices) ?? []
            address = try from.decode(String.self, forKey: .address)
            doubleSpendSeen = try from.decode(Bool.self, forKey: .doubleSpendSeen)
            confirmations = try from.decodeIfPresent(Big<UInt64>.self, forKey: .confirmations)?.value
            suggestedConfirmationsThreshold = try from.decodeIfPresent(Big<UInt64>.self, forKey: .suggestedConfirmationsThreshold)?.value
        }
    }

    /// A payment that must fit in one transaction.
    public struct TransferRequest: Encodable, Hashable, Sendable {
        public var destinations: [Destination]
        /// pays
        public var accountIndex: UInt32
        /// addresses to spend from; none for any
        public var subaddrIndices: [UInt32]
        /// destinations that pay the fee; none for the sender
        public var subtractFeeFromOutputs: [UInt32]
        /// 0 default, 1 unimportant to 4 priority
        public var priority: UInt32
        /// read and ignored: the chain fixes it
        public var ringSize: UInt64
        /// read and ignored
        public var mixin: UInt64
        /// must be 0
        public var unlockTime: UInt64
        /// must be empty
        public var paymentId: String
        public var getTxKey: Bool
        public var doNotRelay: Bool
        public var getTxHex: Bool
        public var getTxMetadata: Bool
        /// The client's own name for this payment. A second request with the same name sends nothing and answers what the first
        /// sent, unless that failed: a client that heard no answer can ask again. What replaces a failed transaction spends an
        /// output of it; Code.genericTransfer when nothing can, or when the name was given to another payment. Beyond the
        /// reference.
        public var idempotencyKey: String

        enum CodingKeys: String, CodingKey {
            case destinations = "destinations"
            case accountIndex = "account_index"
            case subaddrIndices = "subaddr_indices"
            case subtractFeeFromOutputs = "subtract_fee_from_outputs"
            case priority = "priority"
            case ringSize = "ring_size"
            case mixin = "mixin"
            case unlockTime = "unlock_time"
            case paymentId = "payment_id"
            case getTxKey = "get_tx_key"
            case doNotRelay = "do_not_relay"
            case getTxHex = "get_tx_hex"
            case getTxMetadata = "get_tx_metadata"
            case idempotencyKey = "idempotency_key"
        }

        public init(
            destinations: [Destination] = [],
            accountIndex: UInt32 = 0,
            subaddrIndices: [UInt32] = [],
            subtractFeeFromOutputs: [UInt32] = [],
            priority: UInt32 = 0,
            ringSize: UInt64 = 0,
            mixin: UInt64 = 0,
            unlockTime: UInt64 = 0,
            paymentId: String = "",
            getTxKey: Bool = false,
            doNotRelay: Bool = false,
            getTxHex: Bool = false,
            getTxMetadata: Bool = false,
            idempotencyKey: String = ""
        ) {
            self.destinations = destinations
            self.accountIndex = accountIndex
            self.subaddrIndices = subaddrIndices
            self.subtractFeeFromOutputs = subtractFeeFromOutputs
            self.priority = priority
            self.ringSize = ringSize
            self.mixin = mixin
            self.unlockTime = unlockTime
            self.paymentId = paymentId
            self.getTxKey = getTxKey
            self.doNotRelay = doNotRelay
            self.getTxHex = getTxHex
            self.getTxMetadata = getTxMetadata
            self.idempotencyKey = idempotencyKey
        }

        public func encode(to encoder: Encoder) throws {
            var to = encoder.container(keyedBy: CodingKeys.self)
            try to.encode(destinations, forKey: .destinations)
            try to.encode(accountIndex, forKey: .accountIndex)
            try to.encode(subaddrIndices, forKey: .subaddrIndices)
            try to.encode(subtractFeeFromOutputs, forKey: .subtractFeeFromOutputs)
            try to.encode(priority, forKey: .priority)
            try to.encode(Big(ringSize), forKey: .ringSize)
            try to.encode(Big(mixin), forKey: .mixin)
            try to.encode(Big(unlockTime), forKey: .unlockTime)
            try to.encode(paymentId, forKey: .paymentId)
            try to.encode(getTxKey, forKey: .getTxKey)
            try to.encode(doNotRelay, forKey: .doNotRelay)
            try to.encode(getTxHex, forKey: .getTxHex)
            try to.encode(getTxMetadata, forKey: .getTxMetadata)
            try to.encode(idempotencyKey, forKey: .idempotencyKey)
        }
    }

    /// One transaction. A view-only or multisig wallet fills unsigned_txset or multisig_txset and leaves the transaction's own
    /// members empty.
    public struct TransferResponse: Decodable, Secretive, Hashable, Sendable {
        public var txHash: String
        /// transaction secret key, then the additional ones, when asked
        public var txKey: String
        /// atomic units to the destinations
        public var amount: UInt64
        public var amountsByDest: AmountsList?
        /// atomic units
        public var fee: UInt64
        public var weight: UInt64
        /// when asked
        public var txBlob: String
        /// for relay_tx, when asked
        public var txMetadata: String
        public var multisigTxset: String
        public var unsignedTxset: String
        public var spentKeyImages: KeyImageList

        enum CodingKeys: String, CodingKey {
            case txHash = "tx_hash"
            case txKey = "tx_key"
            case amount = "amount"
            case amountsByDest = "amounts_by_dest"
            case fee = "fee"
            case weight = "weight"
            case txBlob = "tx_blob"
            case txMetadata = "tx_metadata"
            case multisigTxset = "multisig_txset"
            case unsignedTxset = "unsigned_txset"
            case spentKeyImages = "spent_key_images"
        }

        public init(from decoder: Decoder) throws {
            let from = try decoder.container(keyedBy: CodingKeys.self)
            txHash = try from.decode(String.self, forKey: .txHash)
            txKey = try from.decode(String.self, forKey: .txKey)
            amount = try from.decode(Big<UInt64>.self, forKey: .amount).value
            amountsByDest = try from.decodeIfPresent(AmountsList.self, forKey: .amountsByDest)
            fee = try from.decode(Big<UInt64>.self, forKey: .fee).value
            weight = try from.decode(Big<UInt64>.self, forKey: .weight).value
            txBlob = try from.decode(String.self, forKey: .txBlob)
            txMetadata = try from.decode(String.self, forKey: .txMetadata)
            multisigTxset = try from.decode(String.self, forKey: .multisigTxset)
            unsignedTxset = try from.decode(String.self, forKey: .unsignedTxset)
            spentKeyImages = try from.decode(KeyImageList.self, forKey: .spentKeyImages)
        }
    }

    /// A payment that may take several transactions.
    public struct TransferSplitRequest: Encodable, Hashable, Sendable {
        public var destinations: [Destination]
        /// pays
        public var accountIndex: UInt32
        /// addresses to spend from; none for any
        public var subaddrIndices: [UInt32]
        /// 0 default, 1 unimportant to 4 priority
        public var priority: UInt32
        /// read and ignored: the chain fixes it
        public var ringSize: UInt64
        /// read and ignored
        public var mixin: UInt64
        /// must be 0
        public var unlockTime: UInt64
        /// must be empty
        public var paymentId: String
        public var getTxKeys: Bool
        public var doNotRelay: Bool
        public var getTxHex: Bool
        public var getTxMetadata: Bool
        /// The client's own name for this payment. A second request with the same name sends nothing and answers what the first
        /// sent, unless that failed: a client that heard no answer can ask again. What replaces a failed transaction spends an
        /// output of it; Code.genericTransfer when nothing can, or when the name was given to another payment. Beyond the
        /// reference.
        public var idempotencyKey: String

        enum CodingKeys: String, CodingKey {
            case destinations = "destinations"
            case accountIndex = "account_index"
            case subaddrIndices = "subaddr_indices"
            case priority = "priority"
            case ringSize = "ring_size"
            case mixin = "mixin"
            case unlockTime = "unlock_time"
            case paymentId = "payment_id"
            case getTxKeys = "get_tx_keys"
            case doNotRelay = "do_not_relay"
            case getTxHex = "get_tx_hex"
            case getTxMetadata = "get_tx_metadata"
            case idempotencyKey = "idempotency_key"
        }

        public init(
            destinations: [Destination] = [],
            accountIndex: UInt32 = 0,
            subaddrIndices: [UInt32] = [],
            priority: UInt32 = 0,
            ringSize: UInt64 = 0,
            mixin: UInt64 = 0,
            unlockTime: UInt64 = 0,
            paymentId: String = "",
            getTxKeys: Bool = false,
            doNotRelay: Bool = false,
            getTxHex: Bool = false,
            getTxMetadata: Bool = false,
            idempotencyKey: String = ""
        ) {
            self.destinations = destinations
            self.accountIndex = accountIndex
            self.subaddrIndices = subaddrIndices
            self.priority = priority
            self.ringSize = ringSize
            self.mixin = mixin
            self.unlockTime = unlockTime
            self.paymentId = paymentId
            self.getTxKeys = getTxKeys
            self.doNotRelay = doNotRelay
            self.getTxHex = getTxHex
            self.getTxMetadata = getTxMetadata
            self.idempotencyKey = idempotencyKey
        }

        public func encode(to encoder: Encoder) throws {
            var to = encoder.container(keyedBy: CodingKeys.self)
            try to.encode(destinations, forKey: .destinations)
            try to.encode(accountIndex, forKey: .accountIndex)
            try to.encode(subaddrIndices, forKey: .subaddrIndices)
            try to.encode(priority, forKey: .priority)
            try to.encode(Big(ringSize), forKey: .ringSize)
            try to.encode(Big(mixin), forKey: .mixin)
            try to.encode(Big(unlockTime), forKey: .unlockTime)
            try to.encode(paymentId, forKey: .paymentId)
            try to.encode(getTxKeys, forKey: .getTxKeys)
            try to.encode(doNotRelay, forKey: .doNotRelay)
            try to.encode(getTxHex, forKey: .getTxHex)
            try to.encode(getTxMetadata, forKey: .getTxMetadata)
            try to.encode(idempotencyKey, forKey: .idempotencyKey)
        }
    }

    /// One transaction of a set.
    public struct TxDescription: Decodable, Hashable, Sendable {
        /// atomic units
        public var amountIn: UInt64
        /// atomic units
        public var amountOut: UInt64
        public var ringSize: UInt32
        /// 0 is not locked
        public var unlockTime: UInt64
        public var sources: [DescribedSource]
        /// change left out
        public var recipients: [Recipient]
        public var paymentId: String
        /// atomic units
        public var changeAmount: UInt64
        public var changeAddress: String
        /// atomic units
        public var fee: UInt64
        /// of amount 0, to hide that there is one recipient
        public var dummyOutputs: UInt32
        public var extra: String

        enum CodingKeys: String, CodingKey {
            case amountIn = "amount_in"
            case amountOut = "amount_out"
            case ringSize = "ring_size"
            case unlockTime = "unlock_time"
            case sources = "sources"
            case recipients = "recipients"
            case paymentId = "payment_id"
            case changeAmount = "change_amount"
            case changeAddress = "change_address"
            case fee = "fee"
            case dummyOutputs = "dummy_outputs"
            case extra = "extra"
        }

        public init(from decoder: Decoder) throws {
            let from = try decoder.container(keyedBy: CodingKeys.self)
            amountIn = try from.decode(Big<UInt64>.self, forKey: .amountIn).value
            amountOut = try from.decode(Big<UInt64>.self, forKey: .amountOut).value
            ringSize = try from.decode(UInt32.self, forKey: .ringSize)
            unlockTime = try from.decode(Big<UInt64>.self, forKey: .unlockTime).value
            sources = try from.decodeIfPresent([DescribedSource].self, forKey: .sources) ?? []
            recipients = try from.decodeIfPresent([Recipient].self, forKey: .recipients) ?? []
            paymentId = try from.decode(String.self, forKey: .paymentId)
            changeAmount = try from.decode(Big<UInt64>.self, forKey: .changeAmount).value
            changeAddress = try from.decode(String.self, forKey: .changeAddress)
            fee = try from.decode(Big<UInt64>.self, forKey: .fee).value
            dummyOutputs = try from.decode(UInt32.self, forKey: .dummyOutputs)
            extra = try from.decode(String.self, forKey: .extra)
        }
    }

    /// The sum of a set's transactions.
    public struct TxSetSummary: Decodable, Hashable, Sendable {
        /// atomic units
        public var amountIn: UInt64
        /// atomic units
        public var amountOut: UInt64
        public var recipients: [Recipient]
        /// atomic units
        public var changeAmount: UInt64
        public var changeAddress: String
        /// atomic units
        public var fee: UInt64

        enum CodingKeys: String, CodingKey {
            case amountIn = "amount_in"
            case amountOut = "amount_out"
            case recipients = "recipients"
            case changeAmount = "change_amount"
            case changeAddress = "change_address"
            case fee = "fee"
        }

        public init(from decoder: Decoder) throws {
            let from = try decoder.container(keyedBy: CodingKeys.self)
            amountIn = try from.decode(Big<UInt64>.self, forKey: .amountIn).value
            amountOut = try from.decode(Big<UInt64>.self, forKey: .amountOut).value
            recipients = try from.decodeIfPresent([Recipient].self, forKey: .recipients) ?? []
            changeAmount = try from.decode(Big<UInt64>.self, forKey: .changeAmount).value
            changeAddress = try from.decode(String.self, forKey: .changeAddress)
            fee = try from.decode(Big<UInt64>.self, forKey: .fee).value
        }
    }

    /// A payment request.
    public struct URISpec: Codable, Hashable, Sendable {
        public var address: String
        /// must be empty in new ones
        public var paymentId: String
        /// atomic units; 0 for none named
        public var amount: UInt64
        public var txDescription: String
        public var recipientName: String

        enum CodingKeys: String, CodingKey {
            case address = "address"
            case paymentId = "payment_id"
            case amount = "amount"
            case txDescription = "tx_description"
            case recipientName = "recipient_name"
        }

        public init(
            address: String = "",
            paymentId: String = "",
            amount: UInt64 = 0,
            txDescription: String = "",
            recipientName: String = ""
        ) {
            self.address = address
            self.paymentId = paymentId
            self.amount = amount
            self.txDescription = txDescription
            self.recipientName = recipientName
        }

        public func encode(to encoder: Encoder) throws {
            var to = encoder.container(keyedBy: CodingKeys.self)
            try to.encode(address, forKey: .address)
            try to.encode(paymentId, forKey: .paymentId)
            try to.encode(Big(amount), forKey: .amount)
            try to.encode(txDescription, forKey: .txDescription)
            try to.encode(recipientName, forKey: .recipientName)
        }

        public init(from decoder: Decoder) throws {
            let from = try decoder.container(keyedBy: CodingKeys.self)
            address = try from.decode(String.self, forKey: .address)
            paymentId = try from.decode(String.self, forKey: .paymentId)
            amount = try from.decode(Big<UInt64>.self, forKey: .amount).value
            txDescription = try from.decode(String.self, forKey: .txDescription)
            recipientName = try from.decode(String.self, forKey: .recipientName)
        }
    }

    /// Names accounts.
    public struct UntagAccountsRequest: Encodable, Hashable, Sendable {
        public var accounts: [UInt32]

        enum CodingKeys: String, CodingKey {
            case accounts = "accounts"
        }

        public init(
            accounts: [UInt32] = []
        ) {
            self.accounts = accounts
        }

        public func encode(to encoder: Encoder) throws {
            var to = encoder.container(keyedBy: CodingKeys.self)
            try to.encode(accounts, forKey: .accounts)
        }
    }

    /// A text that may be an address.
    public struct ValidateAddressRequest: Encodable, Hashable, Sendable {
        public var address: String
        /// accept every network's, not the service's alone
        public var anyNetType: Bool
        /// look a domain name up
        public var allowOpenalias: Bool

        enum CodingKeys: String, CodingKey {
            case address = "address"
            case anyNetType = "any_net_type"
            case allowOpenalias = "allow_openalias"
        }

        public init(
            address: String = "",
            anyNetType: Bool = false,
            allowOpenalias: Bool = false
        ) {
            self.address = address
            self.anyNetType = anyNetType
            self.allowOpenalias = allowOpenalias
        }

        public func encode(to encoder: Encoder) throws {
            var to = encoder.container(keyedBy: CodingKeys.self)
            try to.encode(address, forKey: .address)
            try to.encode(anyNetType, forKey: .anyNetType)
            try to.encode(allowOpenalias, forKey: .allowOpenalias)
        }
    }

    /// Says what the text is.
    public struct ValidateAddressResponse: Decodable, Hashable, Sendable {
        public var valid: Bool
        public var integrated: Bool
        public var subaddress: Bool
        /// mainnet, testnet, stagenet; empty when not valid
        public var nettype: String
        /// what the domain name stands for
        public var openaliasAddress: String

        enum CodingKeys: String, CodingKey {
            case valid = "valid"
            case integrated = "integrated"
            case subaddress = "subaddress"
            case nettype = "nettype"
            case openaliasAddress = "openalias_address"
        }

        public init(from decoder: Decoder) throws {
            let from = try decoder.container(keyedBy: CodingKeys.self)
            valid = try from.decode(Bool.self, forKey: .valid)
            integrated = try from.decode(Bool.self, forKey: .integrated)
            subaddress = try from.decode(Bool.self, forKey: .subaddress)
            nettype = try from.decode(String.self, forKey: .nettype)
            openaliasAddress = try from.decode(String.self, forKey: .openaliasAddress)
        }
    }

    /// A text with its signature.
    public struct VerifyRequest: Encodable, Hashable, Sendable {
        public var data: String
        public var address: String
        public var signature: String

        enum CodingKeys: String, CodingKey {
            case data = "data"
            case address = "address"
            case signature = "signature"
        }

        public init(
            data: String = "",
            address: String = "",
            signature: String = ""
        ) {
            self.data = data
            self.address = address
            self.signature = signature
        }

        public func encode(to encoder: Encoder) throws {
            var to = encoder.container(keyedBy: CodingKeys.self)
            try to.encode(data, forKey: .data)
            try to.encode(address, forKey: .address)
            try to.encode(signature, forKey: .signature)
        }
    }

    /// Judges the signature.
    public struct VerifyResponse: Decodable, Hashable, Sendable {
        public var good: Bool
        /// 1 or 2
        public var version: UInt32
        /// made by a release whose signatures were weaker
        public var old: Bool
        /// spend, view
        public var signatureType: String

        enum CodingKeys: String, CodingKey {
            case good = "good"
            case version = "version"
            case old = "old"
            case signatureType = "signature_type"
        }

        public init(from decoder: Decoder) throws {
            let from = try decoder.container(keyedBy: CodingKeys.self)
            good = try from.decode(Bool.self, forKey: .good)
            version = try from.decode(UInt32.self, forKey: .version)
            old = try from.decode(Bool.self, forKey: .old)
            signatureType = try from.decode(String.self, forKey: .signatureType)
        }
    }
}

/// Every operation of the wallet service. What is left out of a request is its default.
public struct WalletOperations: Sendable {
    let ask: RPC.Ask

    /// Returns what an account holds. It does not refuse an account that does not exist: that one holds nothing. Source:
    /// src/wallet/wallet_rpc_server.cpp, on_getbalance.
    public func getBalance(_ params: RPC.GetBalanceRequest = .init()) async throws -> RPC.GetBalanceResponse {
        try RPC.read(await ask("get_balance", RPC.write(params)))
    }

    /// Returns addresses of an account, in the order asked. Errors: Code.accountIndexOutOfBounds, Code.addressIndexOutOfBounds.
    public func getAddress(_ params: RPC.GetAddressRequest = .init()) async throws -> RPC.GetAddressResponse {
        try RPC.read(await ask("get_address", RPC.write(params)))
    }

    /// Returns the index of one of the wallet's addresses. Errors: Code.wrongAddress for what is no address and for what is
    /// another wallet's.
    public func getAddressIndex(_ params: RPC.GetAddressIndexRequest = .init()) async throws -> RPC.GetAddressIndexResponse {
        try RPC.read(await ask("get_address_index", RPC.write(params)))
    }

    /// Changes the search depth for subaddresses. Errors: Code.invalidPassword, Code.unknown.
    public func setSubaddressLookahead(_ params: RPC.SetSubaddressLookaheadRequest = .init()) async throws {
        _ = try await ask("set_subaddress_lookahead", RPC.write(params))
    }

    /// Makes addresses at the end of an account. Errors: Code.unknown for a count out of range, Code.accountIndexOutOfBounds.
    public func createAddress(_ params: RPC.CreateAddressRequest = .init()) async throws -> RPC.CreateAddressResponse {
        try RPC.read(await ask("create_address", RPC.write(params)))
    }

    /// Labels an address. Errors: Code.accountIndexOutOfBounds, Code.addressIndexOutOfBounds.
    public func labelAddress(_ params: RPC.LabelAddressRequest = .init()) async throws {
        _ = try await ask("label_address", RPC.write(params))
    }

    /// Returns the accounts with a tag, or all. Errors: Code.unknown for a tag no account has and for an expression none
    /// matches.
    public func getAccounts(_ params: RPC.GetAccountsRequest = .init()) async throws -> RPC.GetAccountsResponse {
        try RPC.read(await ask("get_accounts", RPC.write(params)))
    }

    /// Makes an account after the last.
    public func createAccount(_ params: RPC.CreateAccountRequest = .init()) async throws -> RPC.CreateAccountResponse {
        try RPC.read(await ask("create_account", RPC.write(params)))
    }

    /// Labels an account. Errors: Code.accountIndexOutOfBounds.
    public func labelAccount(_ params: RPC.LabelAccountRequest = .init()) async throws {
        _ = try await ask("label_account", RPC.write(params))
    }

    /// Returns every tag in use.
    public func getAccountTags() async throws -> RPC.GetAccountTagsResponse {
        try RPC.read(await ask("get_account_tags", RPC.write(RPC.Nothing())))
    }

    /// Puts a tag on accounts in the place of the one they had. Errors: Code.unknown for an unknown account.
    public func tagAccounts(_ params: RPC.TagAccountsRequest = .init()) async throws {
        _ = try await ask("tag_accounts", RPC.write(params))
    }

    /// Takes the tags off accounts. Errors: Code.unknown for an unknown account.
    public func untagAccounts(_ params: RPC.UntagAccountsRequest = .init()) async throws {
        _ = try await ask("untag_accounts", RPC.write(params))
    }

    /// Describes a tag in use. Errors: Code.unknown for a tag no account has.
    public func setAccountTagDescription(_ params: RPC.SetAccountTagDescriptionRequest = .init()) async throws {
        _ = try await ask("set_account_tag_description", RPC.write(params))
    }

    /// Returns how many blocks the wallet knows.
    public func getHeight() async throws -> RPC.GetHeightResponse {
        try RPC.read(await ask("get_height", RPC.write(RPC.Nothing())))
    }

    /// Keeps an output from being spent. Errors: Code.unknown without a key image or with an unknown one, Code.wrongKeyImage
    /// for a malformed one.
    public func freeze(_ params: RPC.KeyImageRequest = .init()) async throws {
        _ = try await ask("freeze", RPC.write(params))
    }

    /// Undoes Freeze. Errors: as Freeze.
    public func thaw(_ params: RPC.KeyImageRequest = .init()) async throws {
        _ = try await ask("thaw", RPC.write(params))
    }

    /// Tells whether an output is frozen. Errors: as Freeze.
    public func frozen(_ params: RPC.KeyImageRequest = .init()) async throws -> RPC.FrozenResponse {
        try RPC.read(await ask("frozen", RPC.write(params)))
    }

    /// Pays in one transaction and relays it unless told not to. Errors: Code.wrongAddress, Code.wrongPaymentID,
    /// Code.zeroDestination, Code.zeroAmount, Code.notEnoughMoney, Code.notEnoughUnlockedMoney, Code.txNotPossible,
    /// Code.txTooLarge, Code.nonzeroUnlockTime, Code.disabled, Code.noDaemonConnection, Code.daemonBusy, Code.genericTransfer.
    public func transfer(_ params: RPC.TransferRequest = .init()) async throws -> RPC.TransferResponse {
        try RPC.read(await ask("transfer", RPC.write(params)))
    }

    /// Pays in as many transactions as it takes and relays them unless told not to. Errors: as Transfer.
    public func transferSplit(_ params: RPC.TransferSplitRequest = .init()) async throws -> RPC.SplitResponse {
        try RPC.read(await ask("transfer_split", RPC.write(params)))
    }

    /// Signs what a view-only wallet prepared. Errors: Code.watchOnly, Code.badHex, Code.badUnsignedTxData, Code.signUnsigned,
    /// Code.disabled.
    public func signTransfer(_ params: RPC.SignTransferRequest = .init()) async throws -> RPC.SignTransferResponse {
        try RPC.read(await ask("sign_transfer", RPC.write(params)))
    }

    /// Shows what an unsigned or multisig set would do, for a person to judge before signing. Errors: Code.unknown without a
    /// set, Code.badHex, Code.badUnsignedTxData, Code.badMultisigTxData.
    public func describeTransfer(_ params: RPC.DescribeTransferRequest = .init()) async throws -> RPC.DescribeTransferResponse {
        try RPC.read(await ask("describe_transfer", RPC.write(params)))
    }

    /// Relays a signed set. Errors: Code.badHex, Code.badSignedTxData, Code.signedSubmission.
    public func submitTransfer(_ params: RPC.SubmitTransferRequest = .init()) async throws -> RPC.SubmitTransferResponse {
        try RPC.read(await ask("submit_transfer", RPC.write(params)))
    }

    /// Sends outputs that cannot be mixed to the wallet itself. With none it answers empty strings. Errors: as Transfer.
    public func sweepDust(_ params: RPC.SweepDustRequest = .init()) async throws -> RPC.SplitResponse {
        try RPC.read(await ask("sweep_dust", RPC.write(params)))
    }

    /// Sends everything spendable to an address. Errors: as Transfer, and Code.txNotPossible for outputs below 1.
    public func sweepAll(_ params: RPC.SweepAllRequest = .init()) async throws -> RPC.SplitResponse {
        try RPC.read(await ask("sweep_all", RPC.write(params)))
    }

    /// Sends all of one output to an address. Errors: as Transfer, Code.wrongKeyImage, Code.unknown.
    public func sweepSingle(_ params: RPC.SweepSingleRequest = .init()) async throws -> RPC.TransferResponse {
        try RPC.read(await ask("sweep_single", RPC.write(params)))
    }

    /// Relays a transaction made earlier. Errors: Code.badHex, Code.badTxMetadata, Code.genericTransfer.
    public func relayTx(_ params: RPC.RelayTxRequest = .init()) async throws -> RPC.RelayTxResponse {
        try RPC.read(await ask("relay_tx", RPC.write(params)))
    }

    /// Writes the wallet to its files.
    public func store() async throws {
        _ = try await ask("store", RPC.write(RPC.Nothing()))
    }

    /// Returns what was received with a payment ID. Errors: Code.wrongPaymentID.
    public func getPayments(_ params: RPC.GetPaymentsRequest = .init()) async throws -> RPC.GetPaymentsResponse {
        try RPC.read(await ask("get_payments", RPC.write(params)))
    }

    /// Returns what was received with any of some payment IDs. Errors: Code.wrongPaymentID.
    public func getBulkPayments(_ params: RPC.GetBulkPaymentsRequest = .init()) async throws -> RPC.GetPaymentsResponse {
        try RPC.read(await ask("get_bulk_payments", RPC.write(params)))
    }

    /// Returns the outputs an account received. Errors: Code.transferType.
    public func incomingTransfers(_ params: RPC.IncomingTransfersRequest = .init()) async throws -> RPC.IncomingTransfersResponse {
        try RPC.read(await ask("incoming_transfers", RPC.write(params)))
    }

    /// Returns a secret of the wallet. Errors: Code.unknown for another key type, Code.watchOnly, Code.nonDeterministic.
    public func queryKey(_ params: RPC.QueryKeyRequest = .init()) async throws -> RPC.QueryKeyResponse {
        try RPC.read(await ask("query_key", RPC.write(params)))
    }

    /// Puts a payment ID into an address. Errors: Code.wrongPaymentID, Code.wrongAddress.
    public func makeIntegratedAddress(_ params: RPC.MakeIntegratedAddressRequest = .init()) async throws -> RPC.MakeIntegratedAddressResponse {
        try RPC.read(await ask("make_integrated_address", RPC.write(params)))
    }

    /// Takes the payment ID out of an address. Errors: Code.wrongAddress.
    public func splitIntegratedAddress(_ params: RPC.SplitIntegratedAddressRequest = .init()) async throws -> RPC.SplitIntegratedAddressResponse {
        try RPC.read(await ask("split_integrated_address", RPC.write(params)))
    }

    /// Stores the wallet and ends the service.
    public func stopWallet() async throws {
        _ = try await ask("stop_wallet", RPC.write(RPC.Nothing()))
    }

    /// Reads the chain again from the restore height. Errors: Code.unknown.
    public func rescanBlockchain(_ params: RPC.RescanBlockchainRequest = .init()) async throws {
        _ = try await ask("rescan_blockchain", RPC.write(params))
    }

    /// Writes notes on transactions. Errors: Code.unknown for lists of different lengths, Code.wrongTxID.
    public func setTxNotes(_ params: RPC.SetTxNotesRequest = .init()) async throws {
        _ = try await ask("set_tx_notes", RPC.write(params))
    }

    /// Returns the notes on transactions. Errors: Code.wrongTxID.
    public func getTxNotes(_ params: RPC.GetTxNotesRequest = .init()) async throws -> RPC.GetTxNotesResponse {
        try RPC.read(await ask("get_tx_notes", RPC.write(params)))
    }

    /// Keeps a pair in the wallet.
    public func setAttribute(_ params: RPC.SetAttributeRequest = .init()) async throws {
        _ = try await ask("set_attribute", RPC.write(params))
    }

    /// Returns what SetAttribute kept. Errors: Code.attributeNotFound.
    public func getAttribute(_ params: RPC.GetAttributeRequest = .init()) async throws -> RPC.GetAttributeResponse {
        try RPC.read(await ask("get_attribute", RPC.write(params)))
    }

    /// Returns the secret key of a transaction this wallet made. Errors: Code.wrongTxID, Code.noTxKey.
    public func getTxKey(_ params: RPC.GetTxKeyRequest = .init()) async throws -> RPC.GetTxKeyResponse {
        try RPC.read(await ask("get_tx_key", RPC.write(params)))
    }

    /// Tells what a transaction paid to an address. Errors: Code.wrongTxID, Code.wrongKey, Code.wrongAddress.
    public func checkTxKey(_ params: RPC.CheckTxKeyRequest = .init()) async throws -> RPC.CheckTxKeyResponse {
        try RPC.read(await ask("check_tx_key", RPC.write(params)))
    }

    /// Proves that a transaction paid an address: the sender for another's, the receiver for its own. Errors: Code.wrongTxID,
    /// Code.wrongAddress, Code.unknown.
    public func getTxProof(_ params: RPC.GetTxProofRequest = .init()) async throws -> RPC.ProofResponse {
        try RPC.read(await ask("get_tx_proof", RPC.write(params)))
    }

    /// Checks a proof of payment. A wrong one is good false. Errors: Code.wrongTxID, Code.wrongAddress, Code.unknown for what
    /// does not parse.
    public func checkTxProof(_ params: RPC.CheckTxProofRequest = .init()) async throws -> RPC.CheckTxProofResponse {
        try RPC.read(await ask("check_tx_proof", RPC.write(params)))
    }

    /// Proves that this wallet made a transaction. Errors: Code.wrongTxID, Code.unknown.
    public func getSpendProof(_ params: RPC.GetSpendProofRequest = .init()) async throws -> RPC.ProofResponse {
        try RPC.read(await ask("get_spend_proof", RPC.write(params)))
    }

    /// Checks who made a transaction. Errors: Code.wrongTxID, Code.unknown.
    public func checkSpendProof(_ params: RPC.CheckSpendProofRequest = .init()) async throws -> RPC.CheckSpendProofResponse {
        try RPC.read(await ask("check_spend_proof", RPC.write(params)))
    }

    /// Proves that the wallet holds money. Errors: Code.unknown.
    public func getReserveProof(_ params: RPC.GetReserveProofRequest = .init()) async throws -> RPC.ProofResponse {
        try RPC.read(await ask("get_reserve_proof", RPC.write(params)))
    }

    /// Checks a proof of money held. Errors: Code.wrongAddress, Code.unknown.
    public func checkReserveProof(_ params: RPC.CheckReserveProofRequest = .init()) async throws -> RPC.CheckReserveProofResponse {
        try RPC.read(await ask("check_reserve_proof", RPC.write(params)))
    }

    /// Returns the wallet's history.
    public func getTransfers(_ params: RPC.GetTransfersRequest = .init()) async throws -> RPC.GetTransfersResponse {
        try RPC.read(await ask("get_transfers", RPC.write(params)))
    }

    /// Returns one transaction's part in an account's history. Errors: Code.wrongTxID, also for a transaction the account has
    /// no part in; Code.accountIndexOutOfBounds.
    public func getTransferByTxID(_ params: RPC.GetTransferByTxIDRequest = .init()) async throws -> RPC.GetTransferByTxIDResponse {
        try RPC.read(await ask("get_transfer_by_txid", RPC.write(params)))
    }

    /// Signs a text with the key of one of the wallet's addresses. Errors: Code.invalidSignatureType, Code.watchOnly.
    public func sign(_ params: RPC.SignRequest = .init()) async throws -> RPC.SignResponse {
        try RPC.read(await ask("sign", RPC.write(params)))
    }

    /// Checks who signed a text. A wrong signature is an answer, not a failure. Errors: Code.wrongAddress.
    public func verify(_ params: RPC.VerifyRequest = .init()) async throws -> RPC.VerifyResponse {
        try RPC.read(await ask("verify", RPC.write(params)))
    }

    /// Packs outputs for the wallet that holds the spend key. Errors: Code.unknown.
    public func exportOutputs(_ params: RPC.ExportOutputsRequest = .init()) async throws -> RPC.ExportOutputsResponse {
        try RPC.read(await ask("export_outputs", RPC.write(params)))
    }

    /// Takes outputs from a view-only wallet. Errors: Code.badHex, Code.unknown.
    public func importOutputs(_ params: RPC.ImportOutputsRequest = .init()) async throws -> RPC.ImportOutputsResponse {
        try RPC.read(await ask("import_outputs", RPC.write(params)))
    }

    /// Returns key images for a view-only wallet. Errors: Code.unknown.
    public func exportKeyImages(_ params: RPC.ExportKeyImagesRequest = .init()) async throws -> RPC.ExportKeyImagesResponse {
        try RPC.read(await ask("export_key_images", RPC.write(params)))
    }

    /// Teaches a view-only wallet what is spent. Errors: Code.unknown with a daemon not trusted, Code.wrongKeyImage,
    /// Code.wrongSignature.
    public func importKeyImages(_ params: RPC.ImportKeyImagesRequest = .init()) async throws -> RPC.ImportKeyImagesResponse {
        try RPC.read(await ask("import_key_images", RPC.write(params)))
    }

    /// Writes a payment request. Errors: Code.wrongURI.
    public func makeURI(_ params: RPC.URISpec = .init()) async throws -> RPC.MakeURIResponse {
        try RPC.read(await ask("make_uri", RPC.write(params)))
    }

    /// Reads a payment request. Errors: Code.wrongURI.
    public func parseURI(_ params: RPC.ParseURIRequest = .init()) async throws -> RPC.ParseURIResponse {
        try RPC.read(await ask("parse_uri", RPC.write(params)))
    }

    /// Returns address book entries. Errors: Code.wrongIndex.
    public func getAddressBook(_ params: RPC.GetAddressBookRequest = .init()) async throws -> RPC.GetAddressBookResponse {
        try RPC.read(await ask("get_address_book", RPC.write(params)))
    }

    /// Adds an entry at the end. Errors: Code.wrongAddress.
    public func addAddressBook(_ params: RPC.AddAddressBookRequest = .init()) async throws -> RPC.AddAddressBookResponse {
        try RPC.read(await ask("add_address_book", RPC.write(params)))
    }

    /// Changes an entry. Errors: Code.wrongIndex, Code.wrongAddress.
    public func editAddressBook(_ params: RPC.EditAddressBookRequest = .init()) async throws {
        _ = try await ask("edit_address_book", RPC.write(params))
    }

    /// Removes an entry. Errors: Code.wrongIndex.
    public func deleteAddressBook(_ params: RPC.DeleteAddressBookRequest = .init()) async throws {
        _ = try await ask("delete_address_book", RPC.write(params))
    }

    /// Reads the chain to its end. Errors: Code.noDaemonConnection, Code.daemonBusy, Code.unknown.
    public func refresh(_ params: RPC.RefreshRequest = .init()) async throws -> RPC.RefreshResponse {
        try RPC.read(await ask("refresh", RPC.write(params)))
    }

    /// Makes the service read the chain on its own. It needs no wallet.
    public func autoRefresh(_ params: RPC.AutoRefreshRequest = .init()) async throws {
        _ = try await ask("auto_refresh", RPC.write(params))
    }

    /// Reads single transactions out of turn. The daemon learns which, and which others of the wallet's came since. Errors:
    /// Code.wrongTxID; Code.unknown, also in a block not read yet, or for those others with a daemon not trusted.
    public func scanTx(_ params: RPC.ScanTxRequest = .init()) async throws {
        _ = try await ask("scan_tx", RPC.write(params))
    }

    /// Asks the daemon which outputs are spent. Errors: Code.unknown with a daemon not trusted.
    public func rescanSpent() async throws {
        _ = try await ask("rescan_spent", RPC.write(RPC.Nothing()))
    }

    /// Has the daemon mine to the wallet's primary address. Errors: Code.unknown.
    public func startMining(_ params: RPC.StartMiningRequest = .init()) async throws {
        _ = try await ask("start_mining", RPC.write(params))
    }

    /// Has the daemon stop mining. Errors: Code.unknown.
    public func stopMining() async throws {
        _ = try await ask("stop_mining", RPC.write(RPC.Nothing()))
    }

    /// Returns the languages seeds can be written in. It needs no wallet.
    public func getLanguages() async throws -> RPC.GetLanguagesResponse {
        try RPC.read(await ask("get_languages", RPC.write(RPC.Nothing())))
    }

    /// Makes a wallet with a random seed and opens it in the place of the one open. It needs no wallet. Errors:
    /// Code.noWalletDir, Code.unknown for a name or a language that cannot be, Code.walletAlreadyExists.
    public func createWallet(_ params: RPC.CreateWalletRequest = .init()) async throws {
        _ = try await ask("create_wallet", RPC.write(params))
    }

    /// Opens a wallet in the place of the one open. It needs no wallet. Errors: Code.noWalletDir, Code.unknown for a name, a
    /// file or a password that does not open.
    public func openWallet(_ params: RPC.OpenWalletRequest = .init()) async throws -> RPC.OpenWalletResponse {
        try RPC.read(await ask("open_wallet", RPC.write(params)))
    }

    /// Closes the wallet. Errors: Code.unknown when it cannot be stored.
    public func closeWallet(_ params: RPC.CloseWalletRequest = .init()) async throws {
        _ = try await ask("close_wallet", RPC.write(params))
    }

    /// Changes the password of the wallet's files. Errors: Code.invalidPassword.
    public func changeWalletPassword(_ params: RPC.ChangeWalletPasswordRequest = .init()) async throws {
        _ = try await ask("change_wallet_password", RPC.write(params))
    }

    /// Makes a wallet from its keys and opens it. It needs no wallet. Errors: Code.noWalletDir, Code.unknown,
    /// Code.walletAlreadyExists.
    public func generateFromKeys(_ params: RPC.GenerateFromKeysRequest = .init()) async throws -> RPC.GenerateFromKeysResponse {
        try RPC.read(await ask("generate_from_keys", RPC.write(params)))
    }

    /// Makes a wallet from its seed and opens it. It needs no wallet. Errors: Code.noWalletDir, Code.unknown,
    /// Code.walletAlreadyExists.
    public func restoreDeterministicWallet(_ params: RPC.RestoreDeterministicWalletRequest = .init()) async throws -> RPC.RestoreDeterministicWalletResponse {
        try RPC.read(await ask("restore_deterministic_wallet", RPC.write(params)))
    }

    /// Tells whether the wallet is multisig.
    public func isMultisig() async throws -> RPC.IsMultisigResponse {
        try RPC.read(await ask("is_multisig", RPC.write(RPC.Nothing())))
    }

    /// Returns the first message of the key exchange. Errors: Code.alreadyMultisig, Code.watchOnly, Code.disabled.
    public func prepareMultisig(_ params: RPC.PrepareMultisigRequest = .init()) async throws -> RPC.PrepareMultisigResponse {
        try RPC.read(await ask("prepare_multisig", RPC.write(params)))
    }

    /// Makes the wallet multisig. Errors: Code.alreadyMultisig, Code.watchOnly, Code.disabled, Code.unknown.
    public func makeMultisig(_ params: RPC.MakeMultisigRequest = .init()) async throws -> RPC.MultisigRoundResponse {
        try RPC.read(await ask("make_multisig", RPC.write(params)))
    }

    /// Returns what the others need before spending. Errors: Code.notMultisig, Code.disabled.
    public func exportMultisigInfo() async throws -> RPC.ExportMultisigInfoResponse {
        try RPC.read(await ask("export_multisig_info", RPC.write(RPC.Nothing())))
    }

    /// Takes what the others exported. Errors: Code.notMultisig, Code.thresholdNotReached, Code.badHex, Code.disabled,
    /// Code.unknown.
    public func importMultisigInfo(_ params: RPC.ImportMultisigInfoRequest = .init()) async throws -> RPC.ImportMultisigInfoResponse {
        try RPC.read(await ask("import_multisig_info", RPC.write(params)))
    }

    /// The older name of the last ExchangeMultisigKeys. Errors: as there. The reference dropped it in 0.18.5.1; the published
    /// interface has it.
    public func finalizeMultisig(_ params: RPC.FinalizeMultisigRequest = .init()) async throws -> RPC.FinalizeMultisigResponse {
        try RPC.read(await ask("finalize_multisig", RPC.write(params)))
    }

    /// Takes a round of the key exchange further. Errors: Code.notMultisig, Code.alreadyMultisig, Code.disabled, Code.unknown.
    public func exchangeMultisigKeys(_ params: RPC.ExchangeMultisigKeysRequest = .init()) async throws -> RPC.MultisigRoundResponse {
        try RPC.read(await ask("exchange_multisig_keys", RPC.write(params)))
    }

    /// Signs a multisig set. Errors: Code.notMultisig, Code.badHex, Code.badMultisigTxData, Code.multisigSignature,
    /// Code.disabled.
    public func signMultisig(_ params: RPC.SignMultisigRequest = .init()) async throws -> RPC.SignMultisigResponse {
        try RPC.read(await ask("sign_multisig", RPC.write(params)))
    }

    /// Relays a multisig set. Errors: Code.notMultisig, Code.badHex, Code.badMultisigTxData, Code.thresholdNotReached,
    /// Code.multisigSubmission, Code.disabled.
    public func submitMultisig(_ params: RPC.SubmitMultisigRequest = .init()) async throws -> RPC.SubmitTransferResponse {
        try RPC.read(await ask("submit_multisig", RPC.write(params)))
    }

    /// Judges an address. It needs no wallet when the addresses of every network are asked for, and then never fails.
    public func validateAddress(_ params: RPC.ValidateAddressRequest = .init()) async throws -> RPC.ValidateAddressResponse {
        try RPC.read(await ask("validate_address", RPC.write(params)))
    }

    /// Changes the daemon for as long as the wallet is open. The next wallet that is opened or made, this one included, starts
    /// with the daemon of the command line. Errors: Code.noDaemonConnection for settings that cannot be,
    /// Code.proxyAlreadyDefined.
    public func setDaemon(_ params: RPC.SetDaemonRequest = .init()) async throws {
        _ = try await ask("set_daemon", RPC.write(params))
    }

    /// Changes how much the service logs. It needs no wallet. Errors: Code.invalidLogLevel.
    public func setLogLevel(_ params: RPC.SetLogLevelRequest = .init()) async throws {
        _ = try await ask("set_log_level", RPC.write(params))
    }

    /// Changes what the service logs. It needs no wallet.
    public func setLogCategories(_ params: RPC.SetLogCategoriesRequest = .init()) async throws -> RPC.SetLogCategoriesResponse {
        try RPC.read(await ask("set_log_categories", RPC.write(params)))
    }

    /// Estimates a transaction's room. Errors: Code.unknown.
    public func estimateTxSizeAndWeight(_ params: RPC.EstimateTxSizeAndWeightRequest = .init()) async throws -> RPC.EstimateTxSizeAndWeightResponse {
        try RPC.read(await ask("estimate_tx_size_and_weight", RPC.write(params)))
    }

    /// Returns what priority 0 means now. Errors: Code.unknown.
    public func getDefaultFeePriority() async throws -> RPC.GetDefaultFeePriorityResponse {
        try RPC.read(await ask("get_default_fee_priority", RPC.write(RPC.Nothing())))
    }

    /// Returns the version of the interface. It needs no wallet.
    public func getVersion() async throws -> RPC.GetVersionResponse {
        try RPC.read(await ask("get_version", RPC.write(RPC.Nothing())))
    }

    /// Prepares syncing without the spend key in memory. Errors: Code.invalidPassword, Code.watchOnly, Code.unknown for a
    /// multisig wallet.
    public func setupBackgroundSync(_ params: RPC.SetupBackgroundSyncRequest = .init()) async throws {
        _ = try await ask("setup_background_sync", RPC.write(params))
    }

    /// Wipes the spend key from memory and goes on syncing. Errors: as SetupBackgroundSync.
    public func startBackgroundSync() async throws {
        _ = try await ask("start_background_sync", RPC.write(RPC.Nothing()))
    }

    /// Ends syncing in the background. Errors: Code.invalidPassword, Code.unknown.
    public func stopBackgroundSync(_ params: RPC.StopBackgroundSyncRequest = .init()) async throws {
        _ = try await ask("stop_background_sync", RPC.write(params))
    }

    /// Returns what happened to transfers since a cursor. Glim's own.
    public func getEvents(_ params: RPC.GetEventsRequest = .init()) async throws -> RPC.GetEventsResponse {
        try RPC.read(await ask("get_events", RPC.write(params)))
    }

    /// Writes the wallet's keys, its language and its restore height to a file that monero-wallet-rpc opens, whose history
    /// comes from the chain. It is glim's own: the reference has no such operation. Errors: Code.noWalletDir, Code.unknown for
    /// a name that cannot be, Code.walletAlreadyExists.
    public func exportKeysFile(_ params: RPC.ExportKeysFileRequest = .init()) async throws -> RPC.ExportKeysFileResponse {
        try RPC.read(await ask("export_keys_file", RPC.write(params)))
    }

    /// Returns which daemon the service uses. It needs no wallet. It is glim's own: the reference has no such operation.
    public func getDaemon() async throws -> RPC.GetDaemonResponse {
        try RPC.read(await ask("get_daemon", RPC.write(RPC.Nothing())))
    }

    /// Returns what the wallet took over from monero-wallet-rpc's cache: when it was opened here first, or later, after
    /// monero-wallet-rpc had changed it. Glim's own.
    public func getTakeover() async throws -> RPC.GetTakeoverResponse {
        try RPC.read(await ask("get_takeover", RPC.write(RPC.Nothing())))
    }
}
