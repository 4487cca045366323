import Foundation
import GlimKit
import UIKit

/// What the views show, and the app's only engine.
@MainActor
final class WalletModel: ObservableObject {
    static let shared = WalletModel()

    enum Stage { case new, locked, open }

    @Published private(set) var stage: Stage
    @Published private(set) var address = ""
    @Published private(set) var balance: Balance?
    @Published private(set) var progress = ""
    @Published private(set) var history: [Transfer] = []
    @Published private(set) var busy = false
    /// The seed words of a new wallet, until the user has written them down.
    @Published var words = ""
    @Published var preview: Preview?
    @Published var problem = ""

    private let name = "main"
    private let vault = Vault()
    private var engine: Glim?
    private var wallet: Wallet?
    private var listening: Task<Void, Never>?

    private init() {
        _stage = Published(initialValue: Vault().isEmpty ? .new : .locked)
        NotificationCenter.default.addObserver(
            forName: UIApplication.didReceiveMemoryWarningNotification, object: nil, queue: nil
        ) { _ in Glim.trim() }
    }

    private func glim() throws -> Glim {
        if let engine { return engine }
        var folder = try FileManager.default.url(
            for: .applicationSupportDirectory, in: .userDomainMask, appropriateFor: nil, create: true)
            .appendingPathComponent("wallets")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true,
            // Background work reads and writes while the phone is locked; wallet files are encrypted anyway.
            attributes: [.protectionKey: FileProtectionType.completeUntilFirstUserAuthentication])
        var values = URLResourceValues()
        values.isExcludedFromBackup = true
        try folder.setResourceValues(values)
        let made = try Glim(
            Config(
                network: .stagenet, folder: folder, daemon: Daemon("localhost:38081"), http: URLSessionStack(),
                passwords: vault,
                memory: 200 << 20, log: { level, line in if level < 2 { NSLog("glim: %@", line) } }))
        engine = made
        return made
    }

    func create() {
        work {
            try await self.made { password in
                let wallet = try await self.glim().create(self.name, password: password)
                self.words = try await wallet.seed()
                return wallet
            }
        }
    }

    /// The date, YYYY-MM-DD, is a day on which the wallet did not exist yet; if it is empty, the whole chain is
    /// scanned.
    func restore(words: String, date: String) {
        work {
            try await self.made { password in
                try await self.glim().restore(
                    self.name, password: password, from: .words(words.trimmingCharacters(in: .whitespacesAndNewlines)),
                    date: date.isEmpty ? nil : date)
            }
        }
    }

    func unlock() {
        work {
            let password = try await self.vault.open(reason: "Open the wallet")
            try await self.begin(try await self.glim().open(self.name, password: password), password: nil)
        }
    }

    func prepare(to: String, amount: String) {
        work {
            let atomic = parseXMR(amount)
            if atomic == nil, !amount.isEmpty { throw GlimKitSampleError.amount }
            self.preview = try await self.wallet?.send(.to(to.trimmingCharacters(in: .whitespaces), amount: atomic))
        }
    }

    func confirm() {
        work {
            try await self.preview?.confirm()
            self.preview = nil
            try await self.show()
        }
    }

    /// Scans the chain, for the background work.
    func syncUnseen() async throws {
        if let wallet {
            try await wallet.sync()
            return
        }
        guard !vault.isEmpty else { return }
        let watch = try await glim().open(name + ".background", password: vault.backgroundPassword())
        do {
            try await watch.sync()
        } catch {
            try? await watch.close()
            throw error
        }
        try await watch.close()
    }

    private func made(_ make: (String) async throws -> Wallet) async throws {
        let password = try vault.create()
        let wallet: Wallet
        do {
            wallet = try await make(password)
        } catch {
            vault.forget() // the wallet it belongs to does not exist
            throw error
        }
        try await begin(wallet, password: password)
    }

    /// Removes the spend key from memory; scanning continues, and payments ask the vault.
    private func begin(_ wallet: Wallet, password: String?) async throws {
        if let password {
            try await wallet.allowBackground(password: password, backgroundPassword: vault.backgroundPassword())
        }
        try await wallet.lock()
        self.wallet = wallet
        stage = .open
        try await show()
        listening?.cancel()
        listening = Task { [weak self] in
            do {
                for try await e in wallet.events() {
                    if e.type == "sync" {
                        self?.progress = "\(e.height ?? 0) of \(e.targetHeight ?? 0)"
                    } else {
                        try await self?.show()
                    }
                }
            } catch {
                self?.problem = error.localizedDescription
            }
        }
    }

    private func show() async throws {
        guard let wallet else { return }
        address = try await wallet.addresses().last?.address ?? ""
        balance = try await wallet.balance()
        history = try await wallet.history()
        progress = "in sync at \(Date().formatted(date: .omitted, time: .shortened))"
    }

    private func work(_ what: @escaping @MainActor () async throws -> Void) {
        busy = true
        problem = ""
        Task {
            defer { busy = false }
            do {
                try await what()
            } catch is CancellationError {
            } catch {
                problem = error.localizedDescription
            }
        }
    }
}

enum GlimKitSampleError: LocalizedError {
    case amount

    var errorDescription: String? { "This is not an amount" }
}
