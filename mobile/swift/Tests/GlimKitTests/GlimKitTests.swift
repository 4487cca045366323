import XCTest

@testable import GlimKit

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

    /// Makes a wallet without a daemon, hears of it, is refused, opens it again.
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
        for try await e in events { XCTAssertNotEqual(e.type, "pool") } // it ends with the wallet
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
