// swift-tools-version:5.9
import PackageDescription

// GlimCore.xcframework is built by `make xcframework`, next to this file.
let package = Package(
    name: "GlimKit",
    platforms: [.iOS(.v15)],
    products: [.library(name: "GlimKit", targets: ["GlimKit"])],
    targets: [
        .binaryTarget(name: "GlimCore", path: "GlimCore.xcframework"),
        .target(
            name: "GlimKit",
            dependencies: ["GlimCore"],
            linkerSettings: [.linkedLibrary("resolv")] // Go's resolver uses it
        ),
        .testTarget(name: "GlimKitTests", dependencies: ["GlimKit"]),
    ]
)
