import BackgroundTasks
import Foundation
import GlimKit

/// Scans the chain in the background with a file that cannot spend; the phone may be locked.
enum BackgroundSync {
    static let identifier = "glim.sample.sync" // the same as in Info.plist

    static func register() {
        BGTaskScheduler.shared.register(forTaskWithIdentifier: identifier, using: nil) { task in
            schedule() // schedule the next run
            let work = Task {
                do {
                    try await WalletModel.shared.syncUnseen()
                    task.setTaskCompleted(success: true)
                } catch {
                    task.setTaskCompleted(success: false) // what was scanned is kept
                }
            }
            task.expirationHandler = { work.cancel() }
        }
    }

    static func schedule() {
        let request = BGProcessingTaskRequest(identifier: identifier)
        request.requiresNetworkConnectivity = true
        request.requiresExternalPower = false
        request.earliestBeginDate = Date(timeIntervalSinceNow: 4 * 3600)
        try? BGTaskScheduler.shared.submit(request) // fails in the simulator, which does not run background tasks
    }
}
