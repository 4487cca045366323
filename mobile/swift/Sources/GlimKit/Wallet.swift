import Foundation
import GlimCore

/// The balance of an account or a wallet, in atomic units.
public struct Balance: Hashable, Sendable {
    public let total: UInt64
    /// What can be spent now.
    public let unlocked: UInt64
    /// Number of blocks until everything can be spent.
    public let blocksToUnlock: UInt64
    /// Seconds until outputs with a time lock can be spent.
    public let timeToUnlock: UInt64
}

public struct Account: Hashable, Sendable, Identifiable {
    public let index: UInt32
    /// Its first address.
    public let address: String
    public let label: String
    public let tag: String
    /// In atomic units.
    public let total: UInt64
    public let unlocked: UInt64

    public var id: UInt32 { index }
}

public struct Address: Hashable, Sendable, Identifiable {
    public let account: UInt32
    public let index: UInt32
    public let address: String
    public let label: String
    /// Whether it has received money.
    public let used: Bool

    public var id: String { address }
}

/// An open wallet. It refreshes itself; reads answer at once, from what it has scanned.
public struct Wallet: Sendable {
    public let name: String
    let engine: Handle<GlimBridgeEngine>
    /// Every operation of the wallet service, on this wallet.
    public let rpc: WalletOperations

    /// Returns the balance of one account, or of the wallet.
    public func balance(account: UInt32? = nil) async throws -> Balance {
        let b = try await rpc.getBalance(.init(accountIndex: account ?? 0, allAccounts: account == nil))
        return Balance(
            total: b.balance, unlocked: b.unlockedBalance, blocksToUnlock: b.blocksToUnlock,
            timeToUnlock: b.timeToUnlock)
    }

    public func accounts() async throws -> [Account] {
        try await rpc.getAccounts().subaddressAccounts.map {
            Account(
                index: $0.accountIndex, address: $0.baseAddress, label: $0.label, tag: $0.tag, total: $0.balance,
                unlocked: $0.unlockedBalance)
        }
    }

    public func createAccount(label: String = "") async throws -> Account {
        let a = try await rpc.createAccount(.init(label: label))
        return Account(index: a.accountIndex, address: a.address, label: label, tag: "", total: 0, unlocked: 0)
    }

    /// Returns the addresses of an account; the first of account 0 is the wallet's primary address.
    public func addresses(account: UInt32 = 0) async throws -> [Address] {
        try await rpc.getAddress(.init(accountIndex: account)).addresses.map {
            Address(account: account, index: $0.addressIndex, address: $0.address, label: $0.label, used: $0.used)
        }
    }

    /// Creates a subaddress, for example for one payer.
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

    /// Returns the number of blocks that the wallet has scanned.
    public func height() async throws -> UInt64 {
        try await rpc.getHeight().height
    }

    /// Scans to the end of the chain. If its task is cancelled, what was scanned is kept. `progress` is called while
    /// blocks are scanned, on a thread of the engine, which waits until the call returns. The last call, with a `done`
    /// of 1, happens before `sync` returns. `syncProgress()` is the same as a stream.
    @discardableResult
    public func sync(
        progress: (@Sendable (SyncProgress) -> Void)? = nil
    ) async throws -> (blocks: UInt64, received: Bool) {
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

    /// Scans to the end of the chain, as `sync` does, and reports the progress. It ends after a `done` of 1. A slow
    /// reader gets the newest value and misses earlier ones. If nobody reads the stream any longer, the scan is
    /// cancelled; what was scanned is kept.
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

    /// Makes the transactions of a payment, with their fee, without sending them: the preview's `confirm()` does that.
    public func send(_ what: Send, priority: UInt32 = 0, account: UInt32 = 0) async throws -> Preview {
        try await Preview.prepare(rpc, what, priority: priority, account: account)
    }

    /// Returns received and sent transfers, newest first; of one account or of all, above a height.
    public func history(account: UInt32? = nil, since: UInt64? = nil) async throws -> [Transfer] {
        try await transfers(rpc, account: account, since: since)
    }

    /// Returns the note of a transaction; empty for none.
    public func note(_ txid: String) async throws -> String {
        try await rpc.getTxNotes(.init(txids: [txid])).notes.first ?? ""
    }

    public func setNote(_ txid: String, _ text: String) async throws {
        try await rpc.setTxNotes(.init(txids: [txid], notes: [text]))
    }

    /// Returns the wallet's seed. Anyone with it has the money.
    public func seed() async throws -> String {
        try await rpc.queryKey(.init(keyType: "mnemonic")).key
    }

    /// Removes the spend key from memory. The wallet keeps scanning, and operations that need the key ask the
    /// `PasswordStore`. The first call needs the wallet's password, in order to store separately what scanning needs.
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

    /// Makes a file NAME.background, which `Glim.open` opens with its own password, and which scans but cannot spend.
    /// It is for work while the phone is locked. Opening the wallet takes over what was found. The wallet must be
    /// closed before the file is opened.
    public func allowBackground(password: String, backgroundPassword: String) async throws {
        var r = RPC.SetupBackgroundSyncRequest()
        (r.backgroundSyncType, r.walletPassword) = ("custom-background-password", password)
        r.backgroundCachePassword = backgroundPassword
        try await rpc.setupBackgroundSync(r)
    }

    public func changePassword(old: String, new: String) async throws {
        try await rpc.changeWalletPassword(.init(oldPassword: old, newPassword: new))
    }

    /// Closes the wallet; everything is already stored.
    public func close() async throws {
        try await rpc.closeWallet(.init())
    }

    /// Returns the events after a cursor, which is that of the last known event or 0, each once and in order, and then
    /// new events; nil selects only new events. Unread events wait in memory. The stream ends when the wallet is
    /// closed, or when nobody reads it any longer.
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

/// Passes on the engine's events of a wallet, on a thread of the engine.
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
