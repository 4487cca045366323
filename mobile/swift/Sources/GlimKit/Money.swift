import Foundation

/// Atomic units in one XMR: 10^12.
public let atomicUnits: UInt64 = 1_000_000_000_000

/// Formats an amount of atomic units in XMR: "1.5", "0.000000000001", "0".
public func formatXMR(_ atomic: UInt64) -> String {
    let (whole, rest) = atomic.quotientAndRemainder(dividingBy: atomicUnits)
    guard rest > 0 else { return String(whole) }
    let digits = String(rest)
    var fraction = String(repeating: "0", count: 12 - digits.count) + digits
    while fraction.hasSuffix("0") { fraction.removeLast() }
    return "\(whole).\(fraction)"
}

/// Parses an amount in XMR, such as "1.5", into atomic units. Returns nil if the text is not an amount or has more than
/// 12 decimal places.
public func parseXMR(_ text: String) -> UInt64? {
    let parts = text.trimmingCharacters(in: .whitespacesAndNewlines)
        .split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    let whole = parts.first.map(String.init) ?? ""
    let fraction = parts.count > 1 ? String(parts[1]) : ""
    let digits = whole + fraction
    guard !digits.isEmpty, whole.count <= 8, fraction.count <= 12,
        digits.utf8.allSatisfy({ (48...57).contains($0) })
    else { return nil }
    return UInt64(digits + String(repeating: "0", count: 12 - fraction.count))
}
