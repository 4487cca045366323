// swift-tools-version:5.9
import PackageDescription

// GlimCore.xcframework is built by `make xcframework`, beside this file.
let package = Package(
    name: "GlimKit",
    platforms: [.iOS(.v15)],
    products: [.library(name: "GlimKit", targets: ["GlimKit"])],
    targets: [
        .binaryTarget(name: "GlimCore", path: "GlimCore.xcframework"),
        .target(
            name: "GlimKit",
            dependencies: ["GlimCore"],
            linkerSettings: [.linkedLibrary("resolv")] // Go resolves names with it
        ),
        .testTarget(name: "GlimKitTests", dependencies: ["GlimKit"]),
    ]
)
