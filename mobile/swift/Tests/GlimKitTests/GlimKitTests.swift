import XCTest

@testable import GlimKit

/// Collects what is reported, from any thread.
private final class Log<T>: @unchecked Sendable {
    private let lock = NSLock()
    private var list: [T] = []

    var all: [T] {
        lock.lock()
        defer { lock.unlock() }
        return list
    }

    func append(_ t: T) {
        lock.lock()
        defer { lock.unlock() }
        list.append(t)
    }
}

final class GlimKitTests: XCTestCase {
    func testMoney() {
        let all: [(String, UInt64)] = [
            ("1.5", 1_500_000_000_000), ("0", 0), ("0.000000000001", 1), ("18446744.073709551615", .max),
        ]
        for (text, atomic) in all {
            XCTAssertEqual(formatXMR(atomic), text)
            XCTAssertEqual(parseXMR(text), atomic)
        }
        for text in ["", ".", "-1", "1e3", "0.0000000000001", "18446744.073709551616", "1,5", "123456789", "1.2.3"] {
            XCTAssertNil(parseXMR(text), text)
        }
    }

    func testNumbersAreText() throws {
        let text = try RPC.write(RPC.TransferRequest(destinations: [.init(amount: .max, address: "x")]))
        XCTAssertTrue(text.contains(#""amount":"18446744073709551615""#))
        let r: RPC.GetHeightResponse = try RPC.read(#"{"height":"18446744073709551615"}"#)
        XCTAssertEqual(r.height, .max)
    }

    func testSecretsAreNotSaid() {
        XCTAssertFalse("\(RPC.OpenWalletRequest(password: "hunter2"))".contains("hunter2"))
    }

    /// Progress only moves forward, whatever the order of events, and nothing is reported after the end.
    func testProgress() throws {
        func event(_ height: Int, _ target: Int, _ type: String = "sync") throws -> RPC.Event {
            try RPC.read(#"{"cursor":"1","type":"\#(type)","height":"\#(height)","target_height":"\#(target)"}"#)
        }
        let told = Log<SyncProgress>()
        let clock = Log<TimeInterval>()
        clock.append(0)
        let m = Meter(from: 100, uptime: { clock.all.last! }, tell: { told.append($0) })
        m.hear([try event(100, 300), try event(100, 300), try event(150, 300, "height")])
        clock.append(10)
        m.hear([try event(150, 300), try event(120, 300), try event(90, 80), try event(300, 300)])
        m.hear([try event(250, 400)])
        m.finish(400)
        m.finish(401)
        m.hear([try event(410, 420)])
        XCTAssertEqual(
            told.all,
            [
                SyncProgress(height: 100, target: 300, done: 0, secondsLeft: nil),
                SyncProgress(height: 150, target: 300, done: 0.25, secondsLeft: 30),
                SyncProgress(height: 250, target: 400, done: 0.5, secondsLeft: 10),
                SyncProgress(height: 400, target: 400, done: 1, secondsLeft: 0),
            ])
        let cut = Meter(from: 1, tell: { XCTFail("told \($0)") })
        cut.end()
        cut.hear([try event(2, 3)])
        cut.finish(3)
    }

    /// Makes a wallet without a daemon, follows its events, is refused, and opens it again.
    func testLife() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        let config = Config(network: .regtest, folder: folder, lookahead: (2, 5))
        var glim = try Glim(config)
        let wallet = try await glim.create("me", password: "secret")
        let address = try await wallet.addresses()[0].address
        let words = try await wallet.seed()
        XCTAssertEqual(words.split(separator: " ").count, 25)
        let events = wallet.events(after: 0)
        try await wallet.close()
        for try await e in events { XCTAssertNotEqual(e.type, "pool") } // the stream ends with the wallet
        do {
            _ = try await wallet.balance()
            XCTFail("it is closed")
        } catch let e as GlimError {
            XCTAssertEqual(e.code, Code.notOpen)
        }
        try await glim.close()

        glim = try Glim(config)
        let again = try await glim.open("me", password: "secret")
        let same = try await again.addresses()[0].address
        XCTAssertEqual(same, address)
        let copy = try await glim.restore("copy", password: "other", from: .words(words))
        let copied = try await copy.addresses()[0].address
        XCTAssertEqual(copied, address)
        try await glim.close()
    }
}
