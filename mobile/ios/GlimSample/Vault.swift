import Foundation
import GlimKit
import LocalAuthentication
import Security

/// Keeps two passwords in the Keychain: the wallet's own, for each use of which the user shows a face or a finger, and that of the file
/// which reads the chain in the background and cannot spend.
struct Vault: PasswordStore {
    struct Failure: LocalizedError {
        let status: OSStatus
        var errorDescription: String? { SecCopyErrorMessageString(status, nil) as String? ?? "Keychain error \(status)" }
    }

    private static let own = "own"
    private static let background = "background"

    var isEmpty: Bool {
        var query = Self.item(Self.own)
        let context = LAContext()
        context.interactionNotAllowed = true // to know that it is there takes nobody's face
        query[kSecUseAuthenticationContext as String] = context
        let status = SecItemCopyMatching(query as CFDictionary, nil)
        return status == errSecItemNotFound
    }

    /// Makes the wallet's password.
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

    /// Returns the wallet's password once the user has agreed.
    func open(reason: String) async throws -> String {
        try await withCheckedThrowingContinuation { c in
            DispatchQueue.global(qos: .userInitiated).async { // it waits for the user
                c.resume(with: Result {
                    let context = LAContext()
                    context.localizedReason = reason
                    return try Self.read(Self.own, [kSecUseAuthenticationContext as String: context])
                })
            }
        }
    }

    /// Returns the password of the file that cannot spend: it is there once the phone was unlocked since it started.
    func backgroundPassword() throws -> String {
        do {
            return try Self.read(Self.background, [:])
        } catch let e as Failure where e.status == errSecItemNotFound {
            return try Self.add(
                Self.background, [kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly])
        }
    }

    /// The engine asks here when a payment needs the spend key.
    func password(wallet: String, operation: String) async -> String? {
        try? await open(reason: operation.hasPrefix("transfer") ? "Send money" : "Use the wallet's key")
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
