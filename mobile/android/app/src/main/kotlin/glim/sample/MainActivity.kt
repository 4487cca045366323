package glim.sample

import android.os.Bundle
import android.view.WindowManager
import androidx.activity.compose.setContent
import androidx.activity.viewModels
import androidx.compose.material3.MaterialTheme
import androidx.compose.material3.Surface
import androidx.compose.runtime.collectAsState
import androidx.compose.runtime.getValue
import androidx.fragment.app.FragmentActivity

class MainActivity : FragmentActivity() {
    private val model by viewModels<WalletModel>()

    override fun onCreate(savedInstanceState: Bundle?) {
        super.onCreate(savedInstanceState)
        window.addFlags(WindowManager.LayoutParams.FLAG_SECURE) // keep seed words and balances out of screenshots
        setContent {
            val shown by model.shown.collectAsState()
            MaterialTheme { Surface { WalletScreen(shown, model) } }
        }
    }

    override fun onResume() {
        super.onResume()
        (application as App).vault.activity = this
    }

    override fun onDestroy() {
        val vault = (application as App).vault
        if (vault.activity === this) vault.activity = null
        super.onDestroy()
    }
}
