import Foundation

/// How far the chain has been scanned. Heights count blocks.
public struct SyncProgress: Hashable, Sendable {
    /// Number of blocks that the wallet has scanned.
    public let height: UInt64
    /// Number of blocks to scan.
    public let target: UInt64
    /// From 0 to 1, of what there was to scan at the beginning.
    public let done: Double
    /// Estimated from the speed so far; nil before anything was scanned.
    public let secondsLeft: Double?
}

/// Turns the events of a wallet into calls of a function, one at a time and only forward, starting at the wallet's
/// height. The function is not called after `end()`, even though the engine's threads may still deliver events.
final class Meter: @unchecked Sendable {
    private let lock = NSLock()
    private let from: UInt64
    private let tell: @Sendable (SyncProgress) -> Void
    private let uptime: @Sendable () -> TimeInterval
    private let began: TimeInterval
    private var height: UInt64
    private var target: UInt64
    private var ended = false

    init(
        from: UInt64, uptime: @escaping @Sendable () -> TimeInterval = { ProcessInfo.processInfo.systemUptime },
        tell: @escaping @Sendable (SyncProgress) -> Void
    ) {
        (self.from, height, target) = (from, from, from)
        (self.uptime, began) = (uptime, uptime())
        self.tell = tell
    }

    @Sendable func hear(_ events: [RPC.Event]) {
        lock.lock()
        defer { lock.unlock() }
        for e in events where e.type == "sync" { come(e.height ?? 0, e.targetHeight ?? 0) }
    }

    /// The last call reports that everything has been scanned.
    func finish(_ height: UInt64) {
        lock.lock()
        defer { lock.unlock() }
        let last = max(height, self.height)
        if !ended { tell(SyncProgress(height: last, target: last, done: 1, secondsLeft: 0)) }
        ended = true
    }

    func end() {
        lock.lock()
        defer { lock.unlock() }
        ended = true
    }

    private func come(_ h: UInt64, _ t: UInt64) {
        if ended || h < height || (h == height && t == target) || t <= h { return }
        (height, target) = (h, t)
        let done = Double(h - from) / Double(t - from)
        let seconds = uptime() - began
        tell(SyncProgress(height: h, target: t, done: done, secondsLeft: done > 0 ? seconds * (1 - done) / done : nil))
    }
}
