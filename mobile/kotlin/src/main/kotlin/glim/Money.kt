package glim

/** Atomic units in one XMR: 10^12. */
const val ATOMIC_UNITS = 1_000_000_000_000L

/** Returns an amount of atomic units in XMR: "1.5", "0.000000000001", "0". */
fun formatXMR(atomic: ULong): String {
    val digits = atomic.toString().padStart(13, '0')
    val fraction = digits.takeLast(12).trimEnd('0')
    return digits.dropLast(12) + if (fraction.isEmpty()) "" else ".$fraction"
}

/** Returns the atomic units of an amount in XMR, such as "1.5"; null for what is no such amount, or finer than an atomic unit. */
fun parseXMR(text: String): ULong? {
    val parts = Regex("""(\d{0,8})(?:\.(\d{0,12}))?""").matchEntire(text.trim())?.groupValues ?: return null
    val (whole, fraction) = parts[1] to parts[2]
    if ((whole + fraction).isEmpty()) return null
    return (whole + fraction.padEnd(12, '0')).toULongOrNull()
}
