import Foundation
import GlimCore

/// The network a wallet belongs to.
public enum Network: String, Sendable, CaseIterable {
    case mainnet, stagenet, testnet, regtest
}

/// How to reach a daemon.
public struct Daemon: Hashable, Sendable, Secretive {
    /// host:port or URL
    public var address: String
    public var username: String
    public var password: String
    /// use operations that take the daemon's word
    public var trusted: Bool
    /// SOCKS host:port, as Tor's; not with an `HTTPStack`
    public var proxy: String
    /// whether TLS is spoken; nil for whatever the daemon speaks
    public var tls: Bool?
    /// SHA-256 of certificates to trust, hexadecimal; not with an `HTTPStack`
    public var fingerprints: [String]

    public init(
        _ address: String, username: String = "", password: String = "", trusted: Bool = false, proxy: String = "", tls: Bool? = nil,
        fingerprints: [String] = []
    ) {
        self.address = address
        self.username = username
        self.password = password
        self.trusted = trusted
        self.proxy = proxy
        self.tls = tls
        self.fingerprints = fingerprints
    }
}

/// How to start. Only one engine at a time may use a folder.
public struct Config: Sendable {
    public var network: Network
    /// Where wallets are files: a folder of the app's own; nil keeps those without a name in memory.
    public var folder: URL?
    public var daemon: Daemon?
    public var http: (any HTTPStack)?
    public var passwords: (any PasswordStore)?
    /// Bytes that the engine tries to stay within; 0 for no ceiling.
    public var memory: Int64
    /// Cores to scan with; 0 for all.
    public var workers: Int32
    /// Accounts, and addresses of each, to look ahead for money in; nil for 50 and 200.
    public var lookahead: (accounts: Int32, addresses: Int32)?
    /// Is told what happens, from any thread: 0 an error, 1 a warning, 2 information. Nothing secret is logged.
    public var log: (@Sendable (_ level: Int, _ line: String) -> Void)?

    public init(
        network: Network = .mainnet, folder: URL? = nil, daemon: Daemon? = nil, http: (any HTTPStack)? = nil,
        passwords: (any PasswordStore)? = nil, memory: Int64 = 0, workers: Int32 = 0, lookahead: (accounts: Int32, addresses: Int32)? = nil,
        log: (@Sendable (_ level: Int, _ line: String) -> Void)? = nil
    ) {
        self.network = network
        self.folder = folder
        self.daemon = daemon
        self.http = http
        self.passwords = passwords
        self.memory = memory
        self.workers = workers
        self.lookahead = lookahead
        self.log = log
    }
}

/// What a wallet is restored from.
public enum Source: Sendable {
    /// Twenty-five words, or sixteen. The offset is the passphrase over them.
    case words(String, offset: String = "", language: String = "")
    /// Keys, 64 hexadecimal digits each; without a spend key the wallet only watches.
    case keys(address: String, viewKey: String, spendKey: String = "")
}

/// An engine with its wallets. It refreshes those that are open.
public final class Glim: Sendable {
    private let engine: Handle<GlimBridgeEngine>

    /// Every operation on the wallet that is open without a name, and those that need no wallet.
    public let rpc: WalletOperations

    /// Starts an engine; it waits for nothing.
    public init(_ config: Config) throws {
        guard let o = GlimBridgeNewOptions() else { throw GlimError(code: GlimError.broken, message: "no options") }
        o.network = config.network.rawValue
        o.folder = config.folder?.path ?? ""
        if let d = config.daemon {
            o.daemon = d.address
            o.username = d.username
            o.password = d.password
            o.trusted = d.trusted
            o.proxy = d.proxy
            o.tls = d.tls.map { $0 ? "enabled" : "disabled" } ?? ""
            o.fingerprints = d.fingerprints.joined(separator: ",")
        }
        if let http = config.http { o.http = HTTPHost(http) }
        if let passwords = config.passwords { o.keyStore = KeyHost(passwords) }
        if let log = config.log { o.logger = LogHost(log) }
        o.memory = config.memory
        o.workers = config.workers
        if let ahead = config.lookahead {
            o.accounts = ahead.accounts
            o.addresses = ahead.addresses
        }
        var failure: NSError?
        guard let opened = GlimBridgeOpen(o, &failure) else {
            throw GlimError(code: GlimError.broken, message: failure?.localizedDescription ?? "the engine did not start")
        }
        let handle = Handle(opened)
        engine = handle
        rpc = WalletOperations(ask: asking(handle, ""))
    }

    /// Makes a wallet. As a polyseed it has sixteen words, which know their date.
    public func create(_ name: String, password: String, language: String = "English", polyseed: Bool = false) async throws -> Wallet {
        let wallet = self.wallet(name)
        try await wallet.rpc.createWallet(.init(password: password, language: language, seedType: polyseed ? "polyseed" : ""))
        return wallet
    }

    /// Makes a wallet that was lost again. It reads the chain from `height`, or from a day before `date`, YYYY-MM-DD; else from its
    /// beginning.
    public func restore(
        _ name: String, password: String, from source: Source, height: UInt64 = 0, date: String? = nil
    ) async throws -> Wallet {
        let wallet = self.wallet(name)
        var day: JSONValue?
        if let date { day = .string(date) }
        switch source {
        case .words(let words, let offset, let language):
            var r = RPC.RestoreDeterministicWalletRequest()
            (r.password, r.seed, r.seedOffset, r.language) = (password, words, offset, language)
            (r.restoreHeight, r.restoreDate) = (height, day)
            _ = try await wallet.rpc.restoreDeterministicWallet(r)
        case .keys(let address, let viewKey, let spendKey):
            var r = RPC.GenerateFromKeysRequest()
            (r.password, r.address, r.viewkey, r.spendkey) = (password, address, viewKey, spendKey)
            (r.restoreHeight, r.restoreDate) = (height, day)
            _ = try await wallet.rpc.generateFromKeys(r)
        }
        return wallet
    }

    /// Opens a wallet.
    public func open(_ name: String, password: String) async throws -> Wallet {
        let wallet = self.wallet(name)
        _ = try await wallet.rpc.openWallet(.init(password: password))
        return wallet
    }

    /// The way to a wallet that is open already.
    public func wallet(_ name: String) -> Wallet {
        Wallet(name: name, engine: engine, rpc: WalletOperations(ask: asking(engine, name)))
    }

    /// Ends what is under way and closes every wallet.
    public func close() async throws {
        let engine = self.engine
        try await withCheckedThrowingContinuation { (c: CheckedContinuation<Void, Error>) in
            DispatchQueue.global(qos: .userInitiated).async { // it waits, and the threads of tasks must not
                c.resume(with: Result { try engine.object.close() })
            }
        }
    }

    /// Gives memory that nobody uses back to the system: for a memory warning.
    public static func trim() {
        GlimBridgeTrim()
    }
}

/// The way of operations to a wallet: a cancelled task cancels its call.
func asking(_ engine: Handle<GlimBridgeEngine>, _ wallet: String) -> RPC.Ask {
    { method, params in
        let call = Call()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { c in
                call.begun(engine.object.start(wallet, method: method, params: params, to: Receiver(c)))
            }
        } onCancel: {
            call.cancel()
        }
    }
}

/// A call that may be cancelled before it has begun.
private final class Call: @unchecked Sendable {
    private let lock = NSLock()
    private var task: GlimBridgeTask?
    private var cancelled = false

    func begun(_ task: GlimBridgeTask?) {
        lock.lock()
        self.task = task
        let late = cancelled
        lock.unlock()
        if late { task?.cancel() }
    }

    func cancel() {
        lock.lock()
        cancelled = true
        let task = self.task
        lock.unlock()
        task?.cancel()
    }
}

private final class Receiver: NSObject, GlimBridgeReceiverProtocol {
    private let continuation: CheckedContinuation<String, Error>

    init(_ continuation: CheckedContinuation<String, Error>) {
        self.continuation = continuation
    }

    func result(_ json: String?) throws {
        continuation.resume(returning: json ?? "")
    }

    func failure(_ code: Int32, message: String?) throws {
        if Int(code) == GlimError.cancelled {
            continuation.resume(throwing: CancellationError())
        } else {
            continuation.resume(throwing: GlimError(code: Int(code), message: message ?? ""))
        }
    }
}
