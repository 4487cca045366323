import Foundation
import GlimCore

/// The network of a wallet.
public enum Network: String, Sendable, CaseIterable {
    case mainnet, stagenet, testnet, regtest
}

/// How to connect to a daemon.
public struct Daemon: Hashable, Sendable, Secretive {
    /// host:port or URL
    public var address: String
    public var username: String
    public var password: String
    /// Whether to use operations that trust the daemon's answers.
    public var trusted: Bool
    /// SOCKS proxy as host:port, for example Tor; not with an `HTTPStack`.
    public var proxy: String
    /// Whether to use TLS; nil detects it.
    public var tls: Bool?
    /// SHA-256 fingerprints of accepted certificates, in hexadecimal; not with an `HTTPStack`.
    public var fingerprints: [String]

    public init(
        _ address: String, username: String = "", password: String = "", trusted: Bool = false, proxy: String = "",
        tls: Bool? = nil,
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

/// How to start an engine. Only one engine at a time may use a folder.
public struct Config: Sendable {
    public var network: Network
    /// Folder of the wallet files, private to the app; nil allows only wallets without a name, in memory.
    public var folder: URL?
    public var daemon: Daemon?
    public var http: (any HTTPStack)?
    public var passwords: (any PasswordStore)?
    /// DNS server that looks up OpenAlias names, such as donate.getmonero.org: tcp://ADDRESS with an IP address, or tcp
    /// for public servers; "" to look up no names. Queries go through the proxy of `daemon`. Not with an `HTTPStack`.
    public var names: String
    /// Memory limit that the engine tries to keep, in bytes; 0 for none.
    public var memory: Int64
    /// Number of cores to scan with; 0 for all.
    public var workers: Int32
    /// Number of accounts, and of addresses in each, of the lookahead; nil for 50 and 200.
    public var lookahead: (accounts: Int32, addresses: Int32)?
    /// Receives log lines, on any thread, with the level 0 for errors, 1 for warnings, 2 for information. They contain
    /// no secrets.
    public var log: (@Sendable (_ level: Int, _ line: String) -> Void)?

    public init(
        network: Network = .mainnet, folder: URL? = nil, daemon: Daemon? = nil, http: (any HTTPStack)? = nil,
        passwords: (any PasswordStore)? = nil, names: String = "", memory: Int64 = 0, workers: Int32 = 0,
        lookahead: (accounts: Int32, addresses: Int32)? = nil,
        log: (@Sendable (_ level: Int, _ line: String) -> Void)? = nil
    ) {
        self.network = network
        self.folder = folder
        self.daemon = daemon
        self.http = http
        self.passwords = passwords
        self.names = names
        self.memory = memory
        self.workers = workers
        self.lookahead = lookahead
        self.log = log
    }
}

/// What a wallet is restored from.
public enum RestoreSource: Sendable {
    /// A seed of 25 words, or a Polyseed of 16. The offset is its passphrase. With the type "mymonero", "trezor" or
    /// "ledger" the seed of that wallet; a Trezor and a Ledger have accounts.
    case words(String, offset: String = "", language: String = "", type: String = "", account: UInt32 = 0)
    /// Keys, 64 hexadecimal digits each. Without a spend key the wallet is view-only.
    case keys(address: String, viewKey: String, spendKey: String = "")
}

/// An engine with its wallets. It refreshes the open ones.
public final class Glim: Sendable {
    private let engine: Handle<GlimBridgeEngine>

    /// Every operation of the engine that does not need an open wallet, or that uses the one opened without a name.
    public let rpc: WalletOperations

    /// Starts an engine. It does not block.
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
        o.names = config.names
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
            throw GlimError(
                code: GlimError.broken, message: failure?.localizedDescription ?? "the engine did not start")
        }
        let handle = Handle(opened)
        engine = handle
        rpc = WalletOperations(ask: asking(handle, ""))
    }

    /// Creates a wallet. The seed of a Polyseed wallet has 16 words, which include its birthday.
    public func create(
        _ name: String, password: String, language: String = "English", polyseed: Bool = false
    ) async throws -> Wallet {
        let wallet = self.wallet(name)
        let seedType = polyseed ? "polyseed" : ""
        try await wallet.rpc.createWallet(.init(password: password, language: language, seedType: seedType))
        return wallet
    }

    /// Restores a wallet. It scans from the block `height`, or from a day before `date` (YYYY-MM-DD), or else the whole
    /// chain.
    public func restore(
        _ name: String, password: String, from source: RestoreSource, height: UInt64 = 0, date: String? = nil
    ) async throws -> Wallet {
        let wallet = self.wallet(name)
        var day: JSONValue?
        if let date { day = .string(date) }
        switch source {
        case .words(let words, let offset, let language, let type, let account):
            var r = RPC.RestoreDeterministicWalletRequest()
            (r.password, r.seed, r.seedOffset, r.language) = (password, words, offset, language)
            (r.restoreHeight, r.restoreDate, r.seedType, r.account) = (height, day, type, account)
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

    /// Returns a wallet that is already open.
    public func wallet(_ name: String) -> Wallet {
        Wallet(name: name, engine: engine, rpc: WalletOperations(ask: asking(engine, name)))
    }

    /// Ends all work and closes every wallet.
    public func close() async throws {
        let engine = self.engine
        try await withCheckedThrowingContinuation { (c: CheckedContinuation<Void, Error>) in
            DispatchQueue.global(qos: .userInitiated).async { // it blocks, which threads of tasks must not
                c.resume(with: Result { try engine.object.close() })
            }
        }
    }

    /// Returns unused memory to the system, for memory warnings.
    public static func trim() {
        GlimBridgeTrim()
    }
}

/// Calls the operations of a wallet. Cancelling the task cancels the call.
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
