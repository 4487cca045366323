import Foundation

/// The wallet service's operations in the engine's form: requests, responses, JSON.
public enum RPC {
    /// Calls an operation by name, with parameters and result as JSON.
    public typealias Ask = @Sendable (_ method: String, _ params: String) async throws -> String

    /// The parameters of an operation without parameters.
    struct Nothing: Encodable {}

    static func write<T: Encodable>(_ params: T) throws -> String {
        String(decoding: try JSONEncoder().encode(params), as: UTF8.self)
    }

    static func read<T: Decodable>(_ result: String) throws -> T {
        do {
            return try JSONDecoder().decode(T.self, from: Data(result.utf8))
        } catch {
            // The decoder's own message may quote what it read.
            throw GlimError(code: GlimError.broken, message: "the engine's answer is malformed")
        }
    }
}

/// A 64-bit number in JSON: decimal digits in quotes.
struct Big<Number: FixedWidthInteger & Sendable>: Codable, Sendable {
    let value: Number

    init(_ value: Number) {
        self.value = value
    }

    init(from decoder: Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let value = Number(text) else {
            throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: "no number"))
        }
        self.value = value
    }

    func encode(to encoder: Encoder) throws {
        var to = encoder.singleValueContainer()
        try to.encode(String(value))
    }
}

/// Any JSON value.
public enum JSONValue: Codable, Hashable, Sendable {
    case null
    case bool(Bool)
    case integer(Int64)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])

    public init(from decoder: Decoder) throws {
        let from = try decoder.singleValueContainer()
        if from.decodeNil() {
            self = .null
        } else if let v = try? from.decode(Bool.self) {
            self = .bool(v)
        } else if let v = try? from.decode(Int64.self) {
            self = .integer(v)
        } else if let v = try? from.decode(Double.self) {
            self = .number(v)
        } else if let v = try? from.decode(String.self) {
            self = .string(v)
        } else if let v = try? from.decode([JSONValue].self) {
            self = .array(v)
        } else {
            self = .object(try from.decode([String: JSONValue].self))
        }
    }

    public func encode(to encoder: Encoder) throws {
        var to = encoder.singleValueContainer()
        switch self {
        case .null: try to.encodeNil()
        case .bool(let v): try to.encode(v)
        case .integer(let v): try to.encode(v)
        case .number(let v): try to.encode(v)
        case .string(let v): try to.encode(v)
        case .array(let v): try to.encode(v)
        case .object(let v): try to.encode(v)
        }
    }
}

/// A value that must not appear in logs: its description leaves out its contents.
public protocol Secretive: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {}

extension Secretive {
    public var description: String { "\(type(of: self))(…)" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
