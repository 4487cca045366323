package glim.sample

import android.app.Application
import androidx.lifecycle.AndroidViewModel
import androidx.lifecycle.viewModelScope
import glim.Balance
import glim.Preview
import glim.Send
import glim.RestoreSource
import glim.Transfer
import glim.Wallet
import glim.events
import glim.parseXMR
import java.util.Date
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.flow.MutableStateFlow
import kotlinx.coroutines.flow.asStateFlow
import kotlinx.coroutines.flow.update
import kotlinx.coroutines.launch

/** What the screens show. */
data class Shown(
    val stage: Stage,
    val address: String = "",
    val balance: Balance? = null,
    val progress: String = "",
    val history: List<Transfer> = emptyList(),
    /** The seed words of a new wallet, until the user has written them down. */
    val words: String = "",
    val preview: Preview? = null,
    val busy: Boolean = false,
    val problem: String = ""
)

enum class Stage { NEW, LOCKED, OPEN }

class WalletModel(application: Application) : AndroidViewModel(application) {
    private val app get() = getApplication<App>()
    private val state = MutableStateFlow(Shown(if (app.vault.isEmpty) Stage.NEW else Stage.LOCKED))
    val shown = state.asStateFlow()

    fun create() = work {
        made { password ->
            app.glim.create(App.NAME, password).also { wallet ->
                val words = wallet.seed()
                state.update { it.copy(words = words) }
            }
        }
    }

    /**
     * The date, YYYY-MM-DD, is a day on which the wallet did not exist yet; if it is empty, the whole chain is scanned.
     */
    fun restore(words: String, date: String) = work {
        made { password ->
            app.glim.restore(App.NAME, password, RestoreSource.Words(words.trim()), date = date.trim().ifEmpty { null })
        }
    }

    private suspend fun made(make: suspend (password: String) -> Wallet) {
        val password = app.vault.create()
        val wallet = try {
            make(password)
        } catch (e: Exception) {
            app.vault.forget() // the wallet it belongs to does not exist
            throw e
        }
        begin(wallet, password)
    }

    fun unlock() = work {
        val password = app.vault.open("Open the wallet")
        begin(app.glim.open(App.NAME, password), null)
    }

    fun wordsAreWritten() = state.update { it.copy(words = "") }

    fun problemIsSeen() = state.update { it.copy(problem = "") }

    fun prepare(to: String, amount: String) = work {
        val atomic = parseXMR(amount)
        if (atomic == null && amount.isNotBlank()) throw IllegalArgumentException("This is not an amount")
        val preview = app.wallet?.send(Send.To(to.trim(), atomic))
        state.update { it.copy(preview = preview) }
    }

    fun confirm() = work {
        state.value.preview?.confirm()
        state.update { it.copy(preview = null) }
        show()
    }

    fun dismiss() = state.update { it.copy(preview = null) }

    /** Removes the spend key from memory; scanning continues, and payments ask the vault. */
    private suspend fun begin(wallet: Wallet, password: String?) {
        if (password != null) wallet.allowBackground(password, app.vault.background())
        wallet.lock()
        app.wallet = wallet
        SyncWorker.schedule(app)
        state.update { it.copy(stage = Stage.OPEN) }
        show()
        viewModelScope.launch {
            wallet.events().collect { e ->
                when (e.type) {
                    "sync" -> state.update { it.copy(progress = "${e.height} of ${e.targetHeight}") }
                    "height" -> show()
                    "closed", "shutdown" -> app.wallet = null
                    else -> show()
                }
            }
        }
    }

    private suspend fun show() {
        val wallet = app.wallet ?: return
        val address = wallet.addresses().last().address
        val balance = wallet.balance()
        val history = wallet.history()
        state.update {
            it.copy(address = address, balance = balance, history = history, progress = "in sync at ${Date()}")
        }
    }

    private fun work(what: suspend () -> Unit) {
        viewModelScope.launch {
            state.update { it.copy(busy = true, problem = "") }
            try {
                what()
            } catch (e: CancellationException) {
                throw e
            } catch (e: Exception) {
                state.update { it.copy(problem = e.message ?: "Something went wrong") }
            } finally {
                state.update { it.copy(busy = false) }
            }
        }
    }
}
