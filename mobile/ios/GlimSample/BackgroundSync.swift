import BackgroundTasks
import Foundation
import GlimKit

/// Reads the chain while nobody looks, with a file that cannot spend: the phone may be locked.
enum BackgroundSync {
    static let identifier = "glim.sample.sync" // also in Info.plist

    static func register() {
        BGTaskScheduler.shared.register(forTaskWithIdentifier: identifier, using: nil) { task in
            schedule() // the next one
            let work = Task {
                do {
                    try await WalletModel.shared.syncUnseen()
                    task.setTaskCompleted(success: true)
                } catch {
                    task.setTaskCompleted(success: false) // what was read is kept
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
        try? BGTaskScheduler.shared.submit(request) // in the simulator there is no such thing
    }
}
