import Foundation
import GlimCore

/// Sends requests to the daemon instead of the engine's own sockets, for an app with its own Tor, certificate checks or
/// HTTP stack.
public protocol HTTPStack: Sendable {
    /// Posts a request and returns the response, whatever its status. If it throws, the request has failed. Its task is
    /// cancelled when the response is no longer needed.
    func post(_ request: HTTPRequest) async throws -> HTTPAnswer
}

public struct HTTPRequest: Sendable {
    public let url: String
    public let contentType: String
    /// The Authorization header; empty for none.
    public let authorization: String
    public let body: Data
    /// The largest allowed response, in bytes.
    public let limit: Int64
}

public struct HTTPAnswer: Sendable {
    public let status: Int
    public let body: Data
    /// The WWW-Authenticate headers of a 401 response, one per line.
    public let authenticate: String

    public init(status: Int, body: Data, authenticate: String = "") {
        self.status = status
        self.body = body
        self.authenticate = authenticate
    }
}

/// The platform's stack, with its proxies, its VPN and its certificate checks.
public struct URLSessionStack: HTTPStack {
    private let session: URLSession

    public init(session: URLSession = URLSession(configuration: .ephemeral)) {
        self.session = session
    }

    public func post(_ request: HTTPRequest) async throws -> HTTPAnswer {
        guard let url = URL(string: request.url) else { throw URLError(.badURL) }
        var r = URLRequest(url: url)
        r.httpMethod = "POST"
        r.httpBody = request.body
        r.setValue(request.contentType, forHTTPHeaderField: "Content-Type")
        if !request.authorization.isEmpty {
            r.setValue(request.authorization, forHTTPHeaderField: "Authorization")
        }
        let (body, response) = try await session.data(for: r)
        guard let answer = response as? HTTPURLResponse else { throw URLError(.badServerResponse) }
        return HTTPAnswer(
            status: answer.statusCode, body: body,
            authenticate: answer.value(forHTTPHeaderField: "WWW-Authenticate") ?? "")
    }
}

/// Where the app keeps the passwords of wallets, for example in the Keychain, protected by Face ID.
public protocol PasswordStore: Sendable {
    /// Returns the wallet's password, for an operation that needs the spend key while it is not in memory; nil refuses.
    /// Its task is cancelled when the password is no longer needed.
    func password(wallet: String, operation: String) async -> String?
}

/// Objects of the engine may be used on any thread, but their generated classes do not declare it.
struct Handle<Object>: @unchecked Sendable {
    let object: Object

    init(_ object: Object) {
        self.object = object
    }
}

/// The tasks that run for the engine, by the number of their request.
final class Jobs: @unchecked Sendable {
    private let lock = NSLock()
    private var running: [Int64: Task<Void, Never>] = [:]
    private var over: Set<Int64> = []

    func start(_ id: Int64, _ work: @escaping @Sendable () async -> Void) {
        let task = Task {
            await work()
            self.end(id)
        }
        lock.lock()
        defer { lock.unlock() }
        if over.remove(id) == nil { running[id] = task } // it may have completed already
    }

    private func end(_ id: Int64) {
        lock.lock()
        defer { lock.unlock() }
        if running.removeValue(forKey: id) == nil { over.insert(id) }
    }

    func cancel(_ id: Int64) {
        lock.lock()
        let task = running[id]
        lock.unlock()
        task?.cancel()
    }
}

final class HTTPHost: NSObject, GlimBridgeHTTPProtocol {
    private let stack: any HTTPStack
    private let jobs = Jobs()

    init(_ stack: any HTTPStack) {
        self.stack = stack
    }

    func send(_ r: GlimBridgeRequest?) throws {
        guard let r else { return }
        let handle = Handle(r)
        let request = HTTPRequest(
            url: r.url(), contentType: r.contentType(), authorization: r.authorization(), body: r.body() ?? Data(),
            limit: r.limit())
        let stack = self.stack
        jobs.start(r.id_()) {
            do {
                let answer = try await stack.post(request)
                handle.object.answer(Int32(answer.status), authenticate: answer.authenticate, body: answer.body)
            } catch {
                handle.object.fail(error.localizedDescription)
            }
        }
    }

    func abort(_ r: GlimBridgeRequest?) throws {
        if let r { jobs.cancel(r.id_()) }
    }
}

final class KeyHost: NSObject, GlimBridgeKeyStoreProtocol {
    private let store: any PasswordStore
    private let jobs = Jobs()

    init(_ store: any PasswordStore) {
        self.store = store
    }

    func ask(_ q: GlimBridgeQuestion?) throws {
        guard let q else { return }
        let handle = Handle(q)
        let (wallet, operation, store) = (q.wallet(), q.operation(), self.store)
        jobs.start(q.id_()) {
            if let password = await store.password(wallet: wallet, operation: operation) {
                handle.object.answer(password)
            } else {
                handle.object.refuse()
            }
        }
    }

    func forget(_ q: GlimBridgeQuestion?) throws {
        if let q { jobs.cancel(q.id_()) }
    }
}

final class LogHost: NSObject, GlimBridgeLoggerProtocol {
    private let tell: @Sendable (Int, String) -> Void

    init(_ tell: @escaping @Sendable (Int, String) -> Void) {
        self.tell = tell
    }

    func log(_ level: Int32, line: String?) throws {
        tell(Int(level), line ?? "")
    }
}
