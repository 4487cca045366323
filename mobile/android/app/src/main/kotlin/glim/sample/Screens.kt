package glim.sample

import android.graphics.Bitmap
import androidx.compose.foundation.Image
import androidx.compose.foundation.layout.Arrangement
import androidx.compose.foundation.layout.Column
import androidx.compose.foundation.layout.Row
import androidx.compose.foundation.layout.fillMaxWidth
import androidx.compose.foundation.layout.padding
import androidx.compose.foundation.layout.safeDrawingPadding
import androidx.compose.foundation.layout.size
import androidx.compose.foundation.lazy.LazyColumn
import androidx.compose.foundation.lazy.items
import androidx.compose.foundation.text.selection.SelectionContainer
import androidx.compose.material3.AlertDialog
import androidx.compose.material3.Button
import androidx.compose.material3.LinearProgressIndicator
import androidx.compose.material3.MaterialTheme
import androidx.compose.material3.OutlinedTextField
import androidx.compose.material3.Tab
import androidx.compose.material3.TabRow
import androidx.compose.material3.Text
import androidx.compose.material3.TextButton
import androidx.compose.runtime.Composable
import androidx.compose.runtime.getValue
import androidx.compose.runtime.mutableIntStateOf
import androidx.compose.runtime.mutableStateOf
import androidx.compose.runtime.remember
import androidx.compose.runtime.saveable.rememberSaveable
import androidx.compose.runtime.setValue
import androidx.compose.ui.Modifier
import androidx.compose.ui.graphics.asImageBitmap
import androidx.compose.ui.unit.dp
import com.google.zxing.BarcodeFormat
import com.google.zxing.qrcode.QRCodeWriter
import glim.Transfer
import glim.formatXMR
import java.text.DateFormat

@Composable
fun WalletScreen(shown: Shown, model: WalletModel) {
    Column(Modifier.safeDrawingPadding().padding(16.dp), verticalArrangement = Arrangement.spacedBy(12.dp)) {
        if (shown.busy) LinearProgressIndicator(Modifier.fillMaxWidth())
        when (shown.stage) {
            Stage.NEW -> Beginning(model, shown.busy)
            Stage.LOCKED -> Button(onClick = { model.unlock() }, enabled = !shown.busy) { Text("Unlock") }
            Stage.OPEN -> Home(shown, model)
        }
    }
    if (shown.words.isNotEmpty()) {
        AlertDialog(
            onDismissRequest = {},
            confirmButton = { TextButton(onClick = { model.wordsAreWritten() }) { Text("I have written them down") } },
            title = { Text("Seed words") },
            text = {
                Text(
                    shown.words + "\n\nAnyone who has these words can spend your money. " +
                        "If you lose the phone, only they can restore it."
                )
            }
        )
    }
    shown.preview?.let { p ->
        AlertDialog(
            onDismissRequest = { model.dismiss() },
            confirmButton = { TextButton(onClick = { model.confirm() }, enabled = !shown.busy) { Text("Send") } },
            dismissButton = { TextButton(onClick = { model.dismiss() }) { Text("Cancel") } },
            title = { Text("${formatXMR(p.amount)} XMR") },
            text = { Text("To ${p.destinations.first().address}\n\nThe fee is ${formatXMR(p.fee)} XMR.") }
        )
    }
    if (shown.problem.isNotEmpty()) {
        AlertDialog(
            onDismissRequest = { model.problemIsSeen() },
            confirmButton = { TextButton(onClick = { model.problemIsSeen() }) { Text("OK") } },
            text = { Text(shown.problem) }
        )
    }
}

@Composable
private fun Beginning(model: WalletModel, busy: Boolean) {
    var words by remember { mutableStateOf("") }
    var date by remember { mutableStateOf("") }
    Button(onClick = { model.create() }, enabled = !busy) { Text("Create a wallet") }
    Text("Or restore one", style = MaterialTheme.typography.titleMedium)
    OutlinedTextField(words, { words = it }, Modifier.fillMaxWidth(), label = { Text("Seed words") }, minLines = 4)
    OutlinedTextField(date, { date = it }, label = { Text("Date of the wallet (YYYY-MM-DD)") }, singleLine = true)
    Button(onClick = { model.restore(words, date) }, enabled = !busy && words.isNotBlank()) { Text("Restore") }
}

@Composable
private fun Home(shown: Shown, model: WalletModel) {
    var tab by rememberSaveable { mutableIntStateOf(0) }
    Text("${formatXMR(shown.balance?.total ?: 0uL)} XMR", style = MaterialTheme.typography.headlineLarge)
    val unlocked = formatXMR(shown.balance?.unlocked ?: 0uL)
    Text("$unlocked can be spent · ${shown.progress}", style = MaterialTheme.typography.bodySmall)
    TabRow(tab) {
        listOf("History", "Receive", "Send").forEachIndexed { i, name ->
            Tab(tab == i, onClick = { tab = i }, text = { Text(name) })
        }
    }
    when (tab) {
        0 -> History(shown.history)
        1 -> Receive(shown.address)
        else -> SendForm(model, shown.busy)
    }
}

@Composable
private fun History(all: List<Transfer>) {
    LazyColumn(verticalArrangement = Arrangement.spacedBy(8.dp)) {
        items(all) { t ->
            val out = t.type == Transfer.Type.OUT || t.type == Transfer.Type.PENDING
            Row(Modifier.fillMaxWidth(), Arrangement.SpaceBetween) {
                Column {
                    Text(DateFormat.getDateTimeInstance().format(t.date))
                    val state = if (t.height == 0L) "pending" else "${t.confirmations} confirmations"
                    Text(state, style = MaterialTheme.typography.bodySmall)
                }
                Text((if (out) "−" else "+") + formatXMR(t.amount))
            }
        }
    }
}

@Composable
private fun Receive(address: String) {
    val code = remember(address) { if (address.isEmpty()) null else qr("monero:$address") }
    code?.let { Image(it.asImageBitmap(), contentDescription = "The address as a QR code", Modifier.size(240.dp)) }
    SelectionContainer { Text(address) }
}

@Composable
private fun SendForm(model: WalletModel, busy: Boolean) {
    var to by rememberSaveable { mutableStateOf("") }
    var amount by rememberSaveable { mutableStateOf("") }
    OutlinedTextField(to, { to = it }, Modifier.fillMaxWidth(), label = { Text("Address or payment link") })
    OutlinedTextField(amount, { amount = it }, label = { Text("XMR") }, singleLine = true)
    Button(onClick = { model.prepare(to, amount) }, enabled = !busy && to.isNotBlank()) { Text("Continue") }
}

private fun qr(text: String): Bitmap {
    val size = 480
    val bits = QRCodeWriter().encode(text, BarcodeFormat.QR_CODE, size, size)
    val pixels = IntArray(size * size) {
        if (bits.get(it % size, it / size)) 0xFF000000.toInt() else 0xFFFFFFFF.toInt()
    }
    return Bitmap.createBitmap(pixels, size, size, Bitmap.Config.ARGB_8888)
}
