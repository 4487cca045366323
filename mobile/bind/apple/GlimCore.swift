// The module GlimCore as Swift imports it from the Objective-C code that gobind writes. It contains only declarations,
// so that GlimKit can be type-checked without Xcode; nothing is built with it.
import Foundation
#if canImport(FoundationNetworking)
@_exported import FoundationNetworking
#endif

public let GlimBridgeCodeBroken: Int32 = 0
public let GlimBridgeCodeCancelled: Int32 = 0
public let GlimBridgeCodeNoKey: Int32 = 0

public protocol GlimBridgeFileProtocol: AnyObject {
    func append(_ p0: Data?) throws
    func close() throws
    func load() throws -> Data
    func replace(_ p0: Data?) throws
    func truncate(_ size: Int64) throws
}

public protocol GlimBridgeHTTPProtocol: AnyObject {
    func abort(_ r: GlimBridgeRequest?) throws
    func send(_ r: GlimBridgeRequest?) throws
}

public protocol GlimBridgeKeyStoreProtocol: AnyObject {
    func ask(_ q: GlimBridgeQuestion?) throws
    func forget(_ q: GlimBridgeQuestion?) throws
}

public protocol GlimBridgeListenerProtocol: AnyObject {
    func end(_ code: Int32, message: String?) throws
    func events(_ json: String?) throws
}

public protocol GlimBridgeLoggerProtocol: AnyObject {
    func log(_ level: Int32, line: String?) throws
}

public protocol GlimBridgeReceiverProtocol: AnyObject {
    func failure(_ code: Int32, message: String?) throws
    func result(_ json: String?) throws
}

public protocol GlimBridgeStorageProtocol: AnyObject {
    func has(_ name: String?, ret0_: UnsafeMutablePointer<Bool>?) throws
    func open(_ name: String?) throws -> any GlimBridgeFileProtocol
    func remove(_ name: String?) throws
}

open class GlimBridgeEngine: NSObject {
    open func close() throws {}
    open func follow(
        _ wallet: String?, cursor: String?, to: (any GlimBridgeListenerProtocol)?
    ) throws -> GlimBridgeSubscription { fatalError() }
    open func start(
        _ wallet: String?, method: String?, params: String?, to: (any GlimBridgeReceiverProtocol)?
    ) -> GlimBridgeTask? { fatalError() }
}

open class GlimBridgeOptions: NSObject {
    open var network = ""
    open var folder = ""
    open var storage: (any GlimBridgeStorageProtocol)?
    open var daemon = ""
    open var username = ""
    open var password = ""
    open var trusted = false
    open var proxy = ""
    open var names = ""
    open var tls = ""
    open var fingerprints = ""
    open var http: (any GlimBridgeHTTPProtocol)?
    open var keyStore: (any GlimBridgeKeyStoreProtocol)?
    open var logger: (any GlimBridgeLoggerProtocol)?
    open var memory: Int64 = 0
    open var workers: Int32 = 0
    open var accounts: Int32 = 0
    open var addresses: Int32 = 0
}

open class GlimBridgeQuestion: NSObject {
    open func answer(_ password: String?) {}
    open func id_() -> Int64 { 0 }
    open func operation() -> String { "" }
    open func refuse() {}
    open func wallet() -> String { "" }
}

open class GlimBridgeRequest: NSObject {
    open func answer(_ status: Int32, authenticate: String?, body: Data?) {}
    open func authorization() -> String { "" }
    open func body() -> Data? { nil }
    open func contentType() -> String { "" }
    open func fail(_ message: String?) {}
    open func id_() -> Int64 { 0 }
    open func limit() -> Int64 { 0 }
    open func url() -> String { "" }
}

open class GlimBridgeSubscription: NSObject {
    open func cancel() {}
    open func join() {}
}

open class GlimBridgeTask: NSObject {
    open func cancel() {}
    open func join() {}
}

public func GlimBridgeNewOptions() -> GlimBridgeOptions? { nil }
public func GlimBridgeOpen(
    _ o: GlimBridgeOptions?, _ error: UnsafeMutablePointer<NSError?>?
) -> GlimBridgeEngine? { nil }
public func GlimBridgeTrim() {}
