package glim

/** Atomic units in one XMR: 10^12. */
const val ATOMIC_UNITS = 1_000_000_000_000L

/** Formats an amount of atomic units in XMR: "1.5", "0.000000000001", "0". */
fun formatXMR(atomic: ULong): String {
    val digits = atomic.toString().padStart(13, '0')
    val fraction = digits.takeLast(12).trimEnd('0')
    return digits.dropLast(12) + if (fraction.isEmpty()) "" else ".$fraction"
}

/**
 * Parses an amount in XMR, such as "1.5", into atomic units. Returns null if the text is not an amount or has more than
 * 12 decimal places.
 */
fun parseXMR(text: String): ULong? {
    val parts = Regex("""(\d{0,8})(?:\.(\d{0,12}))?""").matchEntire(text.trim())?.groupValues ?: return null
    val (whole, fraction) = parts[1] to parts[2]
    if ((whole + fraction).isEmpty()) return null
    return (whole + fraction.padEnd(12, '0')).toULongOrNull()
}
