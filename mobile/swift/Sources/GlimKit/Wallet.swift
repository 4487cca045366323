import Foundation
import GlimCore

/// What an account holds, in atomic units.
public struct Balance: Hashable, Sendable {
    public let total: UInt64
    /// What can be spent now.
    public let unlocked: UInt64
    /// Blocks until everything can be spent.
    public let blocksToUnlock: UInt64
    /// Seconds until what is locked until a date can be spent.
    public let timeToUnlock: UInt64
}

public struct Account: Hashable, Sendable, Identifiable {
    public let index: UInt32
    /// Its first address.
    public let address: String
    public let label: String
    public let tag: String
    /// Atomic units.
    public let total: UInt64
    public let unlocked: UInt64

    public var id: UInt32 { index }
}

public struct Address: Hashable, Sendable, Identifiable {
    public let account: UInt32
    public let index: UInt32
    public let address: String
    public let label: String
    /// Has received money.
    public let used: Bool

    public var id: String { address }
}

/// A wallet that is open. It refreshes itself; reads answer at once, from what it has seen.
public struct Wallet: Sendable {
    public let name: String
    let engine: Handle<GlimBridgeEngine>
    /// Every operation of the wallet service, on this wallet.
    public let rpc: WalletOperations

    /// What one account holds, or the wallet.
    public func balance(account: UInt32? = nil) async throws -> Balance {
        let b = try await rpc.getBalance(.init(accountIndex: account ?? 0, allAccounts: account == nil))
        return Balance(
            total: b.balance, unlocked: b.unlockedBalance, blocksToUnlock: b.blocksToUnlock, timeToUnlock: b.timeToUnlock)
    }

    public func accounts() async throws -> [Account] {
        try await rpc.getAccounts().subaddressAccounts.map {
            Account(
                index: $0.accountIndex, address: $0.baseAddress, label: $0.label, tag: $0.tag, total: $0.balance, unlocked: $0.unlockedBalance)
        }
    }

    public func createAccount(label: String = "") async throws -> Account {
        let a = try await rpc.createAccount(.init(label: label))
        return Account(index: a.accountIndex, address: a.address, label: label, tag: "", total: 0, unlocked: 0)
    }

    /// The addresses of an account; the first of account 0 is the wallet's primary one.
    public func addresses(account: UInt32 = 0) async throws -> [Address] {
        try await rpc.getAddress(.init(accountIndex: account)).addresses.map {
            Address(account: account, index: $0.addressIndex, address: $0.address, label: $0.label, used: $0.used)
        }
    }

    /// Makes a new address, for one payer to know.
    public func newAddress(account: UInt32 = 0, label: String = "") async throws -> Address {
        var r = RPC.CreateAddressRequest()
        (r.accountIndex, r.label) = (account, label)
        let a = try await rpc.createAddress(r)
        return Address(account: account, index: a.addressIndex, address: a.address, label: label, used: false)
    }

    /// Labels an account, or with an index one of its addresses.
    public func label(_ text: String, account: UInt32, index: UInt32? = nil) async throws {
        if let index {
            try await rpc.labelAddress(.init(index: .init(major: account, minor: index), label: text))
        } else {
            try await rpc.labelAccount(.init(accountIndex: account, label: text))
        }
    }

    /// How many blocks the wallet has seen.
    public func height() async throws -> UInt64 {
        try await rpc.getHeight().height
    }

    /// Reads the chain to its end. What was read stays when its task is cancelled. `progress` is called as blocks are read, on a thread of
    /// the engine, which goes on when the call returns; the last call, with 1 as `done`, is before `sync` returns. As a stream:
    /// `syncProgress()`.
    @discardableResult
    public func sync(progress: (@Sendable (SyncProgress) -> Void)? = nil) async throws -> (blocks: UInt64, received: Bool) {
        guard let progress else {
            let r = try await rpc.refresh()
            return (r.blocksFetched, r.receivedMoney)
        }
        let meter = Meter(from: try await height(), tell: progress)
        let place = try follow(after: nil, Ear(events: meter.hear, end: { _ in }))
        defer {
            meter.end()
            place.object.cancel()
        }
        let r = try await rpc.refresh()
        meter.finish(try await height())
        return (r.blocksFetched, r.receivedMoney)
    }

    /// Reads the chain to its end, as `sync` does, and tells how far it has come. It ends after a `done` of 1. A slow reader gets the newest
    /// value and misses some before it; when nobody reads any more the reading is cancelled, and what was read stays.
    public func syncProgress() -> AsyncThrowingStream<SyncProgress, Error> {
        AsyncThrowingStream(bufferingPolicy: .bufferingNewest(1)) { c in
            let reading = Task {
                do {
                    try await sync { c.yield($0) }
                    c.finish()
                } catch {
                    c.finish(throwing: error)
                }
            }
            c.onTermination = { _ in reading.cancel() }
        }
    }

    /// Makes the transactions of a payment, with their fee, and sends nothing: that is the preview's `confirm()`.
    public func send(_ what: Send, priority: UInt32 = 0, account: UInt32 = 0) async throws -> Preview {
        try await Preview.prepare(rpc, what, priority: priority, account: account)
    }

    /// What came and went, newest first; of one account or of all, above a height.
    public func history(account: UInt32? = nil, since: UInt64? = nil) async throws -> [Transfer] {
        try await transfers(rpc, account: account, since: since)
    }

    /// The note of a transaction; empty for none.
    public func note(_ txid: String) async throws -> String {
        try await rpc.getTxNotes(.init(txids: [txid])).notes.first ?? ""
    }

    public func setNote(_ txid: String, _ text: String) async throws {
        try await rpc.setTxNotes(.init(txids: [txid], notes: [text]))
    }

    /// The wallet's words. Who has them has the money.
    public func seed() async throws -> String {
        try await rpc.queryKey(.init(keyType: "mnemonic")).key
    }

    /// Takes the spend key out of memory; the wallet goes on reading the chain, and what needs the key asks the `PasswordStore`. The
    /// first time it takes the wallet's password, to keep apart what reading needs.
    public func lock(password: String? = nil) async throws {
        if let password {
            var r = RPC.SetupBackgroundSyncRequest()
            (r.backgroundSyncType, r.walletPassword) = ("reuse-wallet-password", password)
            try await rpc.setupBackgroundSync(r)
        }
        try await rpc.startBackgroundSync()
    }

    public func unlock(password: String) async throws {
        var r = RPC.StopBackgroundSyncRequest()
        r.walletPassword = password
        try await rpc.stopBackgroundSync(r)
    }

    /// Makes a file NAME.background that `Glim.open` opens with a password of its own: it reads the chain and cannot spend. That is for
    /// work while the phone is locked; opening the wallet takes over what it found. Close the wallet before.
    public func allowBackground(password: String, backgroundPassword: String) async throws {
        var r = RPC.SetupBackgroundSyncRequest()
        (r.backgroundSyncType, r.walletPassword, r.backgroundCachePassword) = ("custom-background-password", password, backgroundPassword)
        try await rpc.setupBackgroundSync(r)
    }

    public func changePassword(old: String, new: String) async throws {
        try await rpc.changeWalletPassword(.init(oldPassword: old, newPassword: new))
    }

    /// Closes the wallet; everything is kept already.
    public func close() async throws {
        try await rpc.closeWallet(.init())
    }

    /// What happens to the wallet, after a cursor, the last event known or 0, each event once and in order; nil is only what is to come.
    /// What nobody has read yet waits in memory. It ends when the wallet closes, or when nobody listens any more.
    public func events(after cursor: UInt64? = nil) -> AsyncThrowingStream<RPC.Event, Error> {
        AsyncThrowingStream { c in
            do {
                let ear = Ear(events: { for e in $0 { c.yield(e) } }, end: { c.finish(throwing: $0) })
                let place = try follow(after: cursor, ear)
                c.onTermination = { _ in place.object.cancel() }
            } catch {
                c.finish(throwing: error)
            }
        }
    }

    private func follow(after cursor: UInt64?, _ ear: Ear) throws -> Handle<GlimBridgeSubscription> {
        do {
            return Handle(try engine.object.follow(name, cursor: cursor.map { String($0) } ?? "", to: ear))
        } catch {
            throw GlimError(code: GlimError.broken, message: error.localizedDescription)
        }
    }
}

/// Hands on what the engine tells of a wallet, on a thread of the engine.
private final class Ear: NSObject, GlimBridgeListenerProtocol {
    private let heard: @Sendable ([RPC.Event]) -> Void
    private let ended: @Sendable (GlimError?) -> Void

    init(events: @escaping @Sendable ([RPC.Event]) -> Void, end: @escaping @Sendable (GlimError?) -> Void) {
        heard = events
        ended = end
    }

    func events(_ json: String?) throws {
        heard(try RPC.read(json ?? "[]"))
    }

    func end(_ code: Int32, message: String?) throws {
        ended(code == 0 ? nil : GlimError(code: Int(code), message: message ?? ""))
    }
}
