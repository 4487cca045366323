import Foundation

/// What a transaction does in a wallet.
public struct Transfer: Hashable, Sendable {
    /// Received, sent, sent but not in a block yet, rejected by the network, incoming but not in a block yet, or mined.
    public enum Kind: String, Sendable {
        case `in`, out, pending, failed, pool, block
    }

    public let txid: String
    public let kind: Kind
    /// In atomic units; for a sent payment, without fee and change.
    public let amount: UInt64
    /// In atomic units.
    public let fee: UInt64
    /// Index of its block; 0 while it is not in a block.
    public let height: UInt64
    /// Time of its block, or when it was first seen.
    public let date: Date
    public let confirmations: UInt64
    /// Whether the received outputs cannot be spent yet.
    public let locked: Bool
    public let account: UInt32
    public let address: String
    public let note: String
    /// Recipients of a sent payment; empty if unknown.
    public let destinations: [RPC.Destination]
    /// Whether another transaction that spends the same outputs was seen.
    public let doubleSpendSeen: Bool

    init(_ e: RPC.TransferEntry) {
        txid = e.txid
        kind = Kind(rawValue: e.type) ?? .in
        amount = e.amount
        fee = e.fee
        height = e.height
        date = Date(timeIntervalSince1970: TimeInterval(e.timestamp))
        confirmations = e.confirmations ?? 0
        locked = e.locked
        account = e.subaddrIndex.major
        address = e.address
        note = e.note
        destinations = e.destinations
        doubleSpendSeen = e.doubleSpendSeen
    }
}

/// Returns a wallet's transfers, newest first; those that are not in a block come before all others.
func transfers(_ rpc: WalletOperations, account: UInt32?, since: UInt64?) async throws -> [Transfer] {
    var r = RPC.GetTransfersRequest()
    (r.in, r.out, r.pending, r.failed, r.pool) = (true, true, true, true, true)
    (r.accountIndex, r.allAccounts) = (account ?? 0, account == nil)
    (r.filterByHeight, r.minHeight) = (since != nil, since ?? 0)
    let lists = try await rpc.getTransfers(r)
    let all = (lists.in + lists.out + lists.pending + lists.failed + lists.pool).map(Transfer.init)
    func place(_ t: Transfer) -> UInt64 { t.height == 0 ? .max : t.height }
    return all.sorted { place($0) == place($1) ? $0.date > $1.date : place($0) > place($1) }
}

/// What to send.
public enum Send: Sendable {
    /// An amount in atomic units to an address. The address may be a payment URI (monero:…); nil takes the URI's
    /// amount.
    case to(String, amount: UInt64?)
    /// Several recipients, paid together.
    case many([RPC.Destination])
    /// Everything in an account.
    case sweep(String)
}

/// Transactions that are made but not sent.
public actor Preview {
    /// The recipients; for a sweep, the address that receives everything.
    public nonisolated let destinations: [RPC.Destination]
    /// Total amount, in atomic units.
    public nonisolated let amount: UInt64
    public nonisolated let fee: UInt64
    /// The unsigned transaction set of a view-only wallet, for the wallet with the spend key; otherwise empty. If it is
    /// set, `confirm()` fails.
    public nonisolated let unsigned: String
    private let rpc: WalletOperations
    private let note: String
    private var left: [String]
    private var sent: [String] = []
    private var sending: Task<[String], Error>?

    private init(_ rpc: WalletOperations, to destinations: [RPC.Destination], _ made: RPC.SplitResponse, note: String) {
        self.rpc = rpc
        self.destinations = destinations
        amount = made.amountList.reduce(0, +)
        fee = made.feeList.reduce(0, +)
        unsigned = made.unsignedTxset
        left = made.txMetadataList
        self.note = note
    }

    /// Sends the transactions and returns their IDs. Calling it again after a failure sends what is left: nothing is
    /// sent twice.
    @discardableResult
    public func confirm() async throws -> [String] {
        if let sending { return try await sending.value }
        let task = Task { try await self.send() }
        sending = task
        do {
            return try await task.value
        } catch {
            sending = nil
            throw error
        }
    }

    private func send() async throws -> [String] {
        guard unsigned.isEmpty else {
            throw GlimError(code: Code.watchOnly, message: "others must sign this before it can be sent")
        }
        while let next = left.first {
            let r = try await rpc.relayTx(.init(hex: next))
            sent.append(r.txHash)
            left.removeFirst()
        }
        if !note.isEmpty {
            // The payment is sent: failing to store a note must not make it look failed.
            try? await rpc.setTxNotes(.init(txids: sent, notes: sent.map { _ in note }))
        }
        return sent
    }

    static func prepare(
        _ rpc: WalletOperations, _ what: Send, priority: UInt32, account: UInt32
    ) async throws -> Preview {
        var note = ""
        let destinations: [RPC.Destination]
        switch what {
        case .sweep(let address):
            var r = RPC.SweepAllRequest()
            (r.address, r.accountIndex, r.subaddrIndicesAll, r.priority) = (address, account, true, priority)
            (r.doNotRelay, r.getTxMetadata) = (true, true)
            let made = try await rpc.sweepAll(r)
            let amount = made.amountList.reduce(0, +)
            return Preview(rpc, to: [.init(amount: amount, address: address)], made, note: "")
        case .many(let list):
            destinations = list
        case .to(let text, let wanted):
            var (address, amount) = (text, wanted)
            if text.lowercased().hasPrefix("monero:") {
                let uri = try await rpc.parseURI(.init(uri: text)).uri
                (address, note) = (uri.address, uri.txDescription)
                if amount == nil, uri.amount > 0 { amount = uri.amount }
            }
            guard let amount else { throw GlimError(code: Code.zeroAmount, message: "the amount is missing") }
            destinations = [.init(amount: amount, address: address)]
        }
        var r = RPC.TransferSplitRequest()
        (r.destinations, r.accountIndex, r.priority) = (destinations, account, priority)
        (r.doNotRelay, r.getTxMetadata) = (true, true)
        return Preview(rpc, to: destinations, try await rpc.transferSplit(r), note: note)
    }
}
