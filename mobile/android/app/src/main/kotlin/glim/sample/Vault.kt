package glim.sample

import android.content.Context
import android.security.keystore.KeyGenParameterSpec
import android.security.keystore.KeyProperties
import android.util.Base64
import androidx.biometric.BiometricPrompt
import androidx.core.content.ContextCompat
import androidx.core.content.edit
import androidx.fragment.app.FragmentActivity
import glim.PasswordStore
import java.security.KeyStore
import java.security.SecureRandom
import javax.crypto.Cipher
import javax.crypto.KeyGenerator
import javax.crypto.SecretKey
import javax.crypto.spec.GCMParameterSpec
import kotlin.coroutines.resume
import kotlin.coroutines.resumeWithException
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.suspendCancellableCoroutine
import kotlinx.coroutines.withContext

/**
 * Stores two passwords, encrypted with keys of Android's Keystore: that of the wallet, which the user must authorise
 * with a fingerprint or face for each use, and that of the file which scans in the background and cannot spend.
 */
class Vault(context: Context) : PasswordStore {
    private val store = context.getSharedPreferences("vault", Context.MODE_PRIVATE)

    /** The activity to ask in; set while the app is on the screen. */
    @Volatile
    var activity: FragmentActivity? = null

    val isEmpty get() = !store.contains(OWN)

    /** Creates the wallet's password. */
    suspend fun create(): String {
        val password = random()
        val cipher = Cipher.getInstance(AES)
        cipher.init(Cipher.ENCRYPT_MODE, key(OWN, asks = true))
        seal(OWN, password, prompt(cipher, "Protect the wallet"))
        return password
    }

    fun forget() = store.edit(commit = true) { remove(OWN) }

    /** Returns the wallet's password after the user has authorised it. */
    suspend fun open(reason: String): String {
        val (iv, sealed) = sealed(OWN) ?: throw IllegalStateException("there is no wallet")
        val cipher = Cipher.getInstance(AES)
        cipher.init(Cipher.DECRYPT_MODE, key(OWN, asks = true), GCMParameterSpec(128, iv))
        return String(prompt(cipher, reason).doFinal(sealed))
    }

    /** Returns the password of the file that cannot spend, without asking the user. */
    fun background(): String {
        val cipher = Cipher.getInstance(AES)
        sealed(BACKGROUND)?.let { (iv, sealed) ->
            cipher.init(Cipher.DECRYPT_MODE, key(BACKGROUND, asks = false), GCMParameterSpec(128, iv))
            return String(cipher.doFinal(sealed))
        }
        cipher.init(Cipher.ENCRYPT_MODE, key(BACKGROUND, asks = false))
        return random().also { seal(BACKGROUND, it, cipher) }
    }

    /** Called by the engine when a payment needs the spend key. */
    override suspend fun password(wallet: String, operation: String): String? = try {
        open(if (operation.startsWith("transfer")) "Send money" else "Use the spend key")
    } catch (e: Refused) {
        null
    }

    class Refused : Exception("the user did not agree")

    private suspend fun prompt(cipher: Cipher, title: String): Cipher = withContext(Dispatchers.Main) {
        val at = activity ?: throw Refused()
        suspendCancellableCoroutine { c ->
            val executor = ContextCompat.getMainExecutor(at)
            val ask = BiometricPrompt(at, executor, object : BiometricPrompt.AuthenticationCallback() {
                override fun onAuthenticationSucceeded(result: BiometricPrompt.AuthenticationResult) {
                    result.cryptoObject?.cipher?.let { c.resume(it) } ?: c.resumeWithException(Refused())
                }

                override fun onAuthenticationError(code: Int, text: CharSequence) = c.resumeWithException(Refused())
            })
            val info = BiometricPrompt.PromptInfo.Builder().setTitle(title).setNegativeButtonText("Cancel").build()
            ask.authenticate(info, BiometricPrompt.CryptoObject(cipher))
            c.invokeOnCancellation { ContextCompat.getMainExecutor(at).execute { ask.cancelAuthentication() } }
        }
    }

    private fun key(name: String, asks: Boolean): SecretKey {
        val keys = KeyStore.getInstance("AndroidKeyStore").apply { load(null) }
        (keys.getKey(name, null) as? SecretKey)?.let { return it }
        val spec = KeyGenParameterSpec.Builder(name, KeyProperties.PURPOSE_ENCRYPT or KeyProperties.PURPOSE_DECRYPT)
            .setBlockModes(KeyProperties.BLOCK_MODE_GCM)
            .setEncryptionPaddings(KeyProperties.ENCRYPTION_PADDING_NONE)
            .setUserAuthenticationRequired(asks)
            .build()
        val generator = KeyGenerator.getInstance(KeyProperties.KEY_ALGORITHM_AES, "AndroidKeyStore")
        return generator.apply { init(spec) }.generateKey()
    }

    private fun seal(name: String, password: String, cipher: Cipher) {
        val sealed = cipher.doFinal(password.toByteArray())
        store.edit(commit = true) { putString(name, encode(cipher.iv) + " " + encode(sealed)) }
    }

    private fun sealed(name: String): Pair<ByteArray, ByteArray>? {
        val (iv, sealed) = store.getString(name, null)?.split(" ") ?: return null
        return Base64.decode(iv, Base64.NO_WRAP) to Base64.decode(sealed, Base64.NO_WRAP)
    }

    private fun random() = encode(ByteArray(32).also { SecureRandom().nextBytes(it) })

    private fun encode(b: ByteArray): String = Base64.encodeToString(b, Base64.NO_WRAP)

    private companion object {
        const val AES = "AES/GCM/NoPadding"
        const val OWN = "own"
        const val BACKGROUND = "background"
    }
}
