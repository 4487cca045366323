plugins {
    id("com.android.library")
    id("org.jetbrains.kotlin.android")
}

// The engine is glim.aar, which `make aar` builds. Apps that use this module must add it themselves, as android/app
// does.
val engine = files("../android/libs/glim.aar")

android {
    namespace = "glim"
    compileSdk = 35
    defaultConfig {
        minSdk = 24
        consumerProguardFiles("consumer-rules.pro")
    }
    compileOptions {
        sourceCompatibility = JavaVersion.VERSION_17
        targetCompatibility = JavaVersion.VERSION_17
    }
    sourceSets["main"].java.srcDirs("src/main/kotlin")
}

kotlin { jvmToolchain(17) }

dependencies {
    compileOnly(engine)
    api("org.jetbrains.kotlinx:kotlinx-coroutines-android:1.10.2")
}
