import Foundation
import GlimCore

/// Why something was not done. `code` is one of `Code`, or one of those here.
public struct GlimError: LocalizedError, Hashable, Sendable {
    public let code: Int
    public let message: String

    public var errorDescription: String? { message }

    /// The call was cancelled, or the engine is closed.
    public static let cancelled = Int(GlimBridgeCodeCancelled)
    /// The engine's own failure, or that of what the app gave it.
    public static let broken = Int(GlimBridgeCodeBroken)
    /// The key store did not give the password.
    public static let noKey = Int(GlimBridgeCodeNoKey)
}
