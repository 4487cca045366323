import BackgroundTasks
import SwiftUI

@main
struct GlimSampleApp: App {
    @StateObject private var model = WalletModel.shared
    @Environment(\.scenePhase) private var phase

    init() {
        BackgroundSync.register()
    }

    var body: some Scene {
        WindowGroup {
            WalletView(model: model)
        }
        .onChange(of: phase) { phase in
            if phase == .background { BackgroundSync.schedule() }
        }
    }
}
