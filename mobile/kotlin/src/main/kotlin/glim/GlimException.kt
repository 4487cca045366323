package glim

import glim.bridge.Bridge

/** A failed call. [code] is one of [glim.rpc.Code] or one of those here. */
class GlimException(val code: Int, message: String) : Exception(message) {
    companion object {
        /** The call was cancelled, or the engine is closed. */
        val CANCELLED: Int = Bridge.CodeCancelled

        /** An internal failure of the engine, or a failure of an object that the app provided. */
        val BROKEN: Int = Bridge.CodeBroken

        /** The key store did not give the password. */
        val NO_KEY: Int = Bridge.CodeNoKey

        internal fun malformed(what: String) = GlimException(BROKEN, "the engine's answer is malformed: $what")
    }
}
