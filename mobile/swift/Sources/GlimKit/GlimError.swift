import Foundation
import GlimCore

/// A failed call. `code` is one of `Code` or one of those here.
public struct GlimError: LocalizedError, Hashable, Sendable {
    public let code: Int
    public let message: String

    public var errorDescription: String? { message }

    /// The call was cancelled, or the engine is closed.
    public static let cancelled = Int(GlimBridgeCodeCancelled)
    /// An internal failure of the engine, or a failure of an object that the app provided.
    public static let broken = Int(GlimBridgeCodeBroken)
    /// The key store did not give the password.
    public static let noKey = Int(GlimBridgeCodeNoKey)
}
