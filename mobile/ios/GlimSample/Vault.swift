import Foundation
import GlimKit
import LocalAuthentication
import Security

/// Stores two passwords in the Keychain: that of the wallet, which the user must authorise with Face ID or Touch ID for
/// each use, and that of the file which scans in the background and cannot spend.
struct Vault: PasswordStore {
    struct Failure: LocalizedError {
        let status: OSStatus
        var errorDescription: String? {
            SecCopyErrorMessageString(status, nil) as String? ?? "Keychain error \(status)"
        }
    }

    private static let own = "own"
    private static let background = "background"

    var isEmpty: Bool {
        var query = Self.item(Self.own)
        let context = LAContext()
        context.interactionNotAllowed = true // checking that it exists must not ask the user
        query[kSecUseAuthenticationContext as String] = context
        let status = SecItemCopyMatching(query as CFDictionary, nil)
        return status == errSecItemNotFound
    }

    /// Creates the wallet's password.
    func create() throws -> String {
        var failure: Unmanaged<CFError>?
        guard
            let access = SecAccessControlCreateWithFlags(
                nil, kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly, .biometryCurrentSet, &failure)
        else { throw Failure(status: errSecParam) }
        return try Self.add(Self.own, [kSecAttrAccessControl as String: access])
    }

    func forget() {
        SecItemDelete(Self.item(Self.own) as CFDictionary)
    }

    /// Returns the wallet's password after the user has authorised it.
    func open(reason: String) async throws -> String {
        try await withCheckedThrowingContinuation { c in
            DispatchQueue.global(qos: .userInitiated).async { // it blocks until the user has answered
                c.resume(with: Result {
                    let context = LAContext()
                    context.localizedReason = reason
                    return try Self.read(Self.own, [kSecUseAuthenticationContext as String: context])
                })
            }
        }
    }

    /// Returns the password of the file that cannot spend. It is available once the phone has been unlocked after
    /// starting.
    func backgroundPassword() throws -> String {
        do {
            return try Self.read(Self.background, [:])
        } catch let e as Failure where e.status == errSecItemNotFound {
            return try Self.add(
                Self.background, [kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly])
        }
    }

    /// Called by the engine when a payment needs the spend key.
    func password(wallet: String, operation: String) async -> String? {
        try? await open(reason: operation.hasPrefix("transfer") ? "Send money" : "Use the spend key")
    }

    private static func item(_ name: String) -> [String: Any] {
        [
            kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: "glim.sample",
            kSecAttrAccount as String: name,
        ]
    }

    private static func add(_ name: String, _ more: [String: Any]) throws -> String {
        var bytes = [UInt8](repeating: 0, count: 32)
        let random = SecRandomCopyBytes(kSecRandomDefault, bytes.count, &bytes)
        guard random == errSecSuccess else { throw Failure(status: random) }
        let password = Data(bytes).base64EncodedString()
        SecItemDelete(item(name) as CFDictionary)
        var query = item(name).merging(more) { $1 }
        query[kSecValueData as String] = Data(password.utf8)
        let status = SecItemAdd(query as CFDictionary, nil)
        guard status == errSecSuccess else { throw Failure(status: status) }
        return password
    }

    private static func read(_ name: String, _ more: [String: Any]) throws -> String {
        var query = item(name).merging(more) { $1 }
        query[kSecReturnData as String] = true
        var found: CFTypeRef?
        let status = SecItemCopyMatching(query as CFDictionary, &found)
        guard status == errSecSuccess, let data = found as? Data else { throw Failure(status: status) }
        return String(decoding: data, as: UTF8.self)
    }
}
