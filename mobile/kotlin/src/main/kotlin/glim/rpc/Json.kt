package glim.rpc

import glim.GlimException

/** Calls an operation by name, with parameters and result as JSON. */
typealias Ask = suspend (method: String, params: String) -> String

/** The parameters of an operation. */
interface Parameters {
    fun write(to: JsonWriter)
}

/** Writes a JSON object, member by member. 64-bit numbers become decimal strings. */
class JsonWriter internal constructor(private val out: StringBuilder) {
    private var first = true

    private fun member(name: String) {
        separate()
        Json.quote(name, out)
        out.append(':')
    }

    private fun separate() {
        if (!first) out.append(',')
        first = false
    }

    fun bool(name: String, v: Boolean?) {
        if (v != null) { member(name); out.append(v) }
    }

    fun number(name: String, v: Number?) {
        if (v != null) { member(name); out.append(v) }
    }

    fun big(name: String, v: ULong?) {
        if (v != null) { member(name); Json.quote(v.toString(), out) }
    }

    fun big(name: String, v: Long?) {
        if (v != null) { member(name); Json.quote(v.toString(), out) }
    }

    fun text(name: String, v: String?) {
        if (v != null) { member(name); Json.quote(v, out) }
    }

    fun any(name: String, v: Any?) {
        if (v != null) { member(name); Json.any(v, out) }
    }

    fun value(name: String, v: Parameters?) {
        if (v != null) { member(name); element(v, JsonWriter(out)) }
    }

    fun <T> list(name: String, v: List<T>, write: JsonWriter.(T) -> Unit) {
        member(name)
        out.append('[')
        val inside = JsonWriter(out)
        for (x in v) inside.write(x)
        out.append(']')
    }

    fun element(v: Any) {
        separate()
        when (v) {
            is Parameters -> element(v, JsonWriter(out))
            is ULong -> Json.quote(v.toString(), out)
            else -> Json.any(v, out)
        }
    }

    private fun element(v: Parameters, inside: JsonWriter) {
        out.append('{')
        v.write(inside)
        out.append('}')
    }
}

/** An object that was read. A missing member, or one of the wrong type, is an error of the engine. */
class JsonObject internal constructor(internal val members: Map<String, Any?>) {
    fun boolOrNull(name: String): Boolean? = members[name]?.let { Json.asBool(it) }
    fun intOrNull(name: String): Int? = members[name]?.let { Json.asInt(it) }
    fun longOrNull(name: String): Long? = members[name]?.let { Json.asLong(it) }
    fun signedOrNull(name: String): Long? = members[name]?.let { Json.asSigned(it) }
    fun bigOrNull(name: String): ULong? = members[name]?.let { Json.asBig(it) }
    fun doubleOrNull(name: String): Double? = members[name]?.let { Json.asDouble(it) }
    fun textOrNull(name: String): String? = members[name]?.let { Json.asText(it) }
    fun <T> valueOrNull(name: String, read: (JsonObject) -> T): T? = members[name]?.let { read(Json.asObject(it)) }

    fun bool(name: String): Boolean = boolOrNull(name) ?: missing(name)
    fun int(name: String): Int = intOrNull(name) ?: missing(name)
    fun long(name: String): Long = longOrNull(name) ?: missing(name)
    fun signed(name: String): Long = signedOrNull(name) ?: missing(name)
    fun big(name: String): ULong = bigOrNull(name) ?: missing(name)
    fun double(name: String): Double = doubleOrNull(name) ?: missing(name)
    fun text(name: String): String = textOrNull(name) ?: missing(name)
    fun <T> value(name: String, read: (JsonObject) -> T): T = valueOrNull(name, read) ?: missing(name)
    fun any(name: String): Any? = members[name]

    /** Returns a list, empty if the member is missing. */
    fun <T> list(name: String, read: (Any?) -> T): List<T> = members[name]?.let { Json.asList(it, read) } ?: emptyList()

    private fun missing(name: String): Nothing = throw GlimException.malformed("there is no $name")
}

/**
 * JSON as the engine writes it. A value that was read is a Map, List, String, Boolean, null or, for a number, a
 * Json.Number.
 */
object Json {
    /** A number in its original digits. */
    class Number internal constructor(val text: String) {
        override fun equals(other: Any?) = other is Number && other.text == text
        override fun hashCode() = text.hashCode()
        override fun toString() = text
    }

    private const val DEPTH = 64

    fun write(v: Parameters): String {
        val b = StringBuilder("{")
        v.write(JsonWriter(b))
        return b.append('}').toString()
    }

    /** Reads exactly one value. */
    fun read(text: String): Any? {
        val r = Reader(text)
        val v = r.value(0)
        r.end()
        return v
    }

    internal fun quote(s: String, to: StringBuilder) {
        to.append('"')
        for (c in s) {
            when {
                c == '"' || c == '\\' -> to.append('\\').append(c)
                c < ' ' -> to.append(String.format("\\u%04x", c - '\u0000'))
                else -> to.append(c)
            }
        }
        to.append('"')
    }

    internal fun any(v: Any?, to: StringBuilder) {
        when (v) {
            null -> to.append("null")
            is String -> quote(v, to)
            is Boolean, is Int, is Long, is Short, is Byte, is Double, is Number -> to.append(v)
            is List<*> -> {
                to.append('[')
                v.forEachIndexed { i, x -> if (i > 0) to.append(','); any(x, to) }
                to.append(']')
            }
            is Map<*, *> -> {
                to.append('{')
                var i = 0
                for ((k, x) in v) {
                    if (i++ > 0) to.append(',')
                    quote(k.toString(), to)
                    to.append(':')
                    any(x, to)
                }
                to.append('}')
            }
            else -> throw IllegalArgumentException("no JSON is like a ${v.javaClass.name}")
        }
    }

    internal fun asBool(v: Any?): Boolean = v as? Boolean ?: wrong("switch")
    internal fun asText(v: Any?): String = v as? String ?: wrong("text")
    internal fun asInt(v: Any?): Int = (v as? Number)?.text?.toIntOrNull() ?: wrong("number")
    internal fun asLong(v: Any?): Long = (v as? Number)?.text?.toLongOrNull() ?: wrong("number")
    internal fun asSigned(v: Any?): Long = (v as? String)?.toLongOrNull() ?: wrong("number in quotes")
    internal fun asBig(v: Any?): ULong = (v as? String)?.toULongOrNull() ?: wrong("number in quotes")
    internal fun asDouble(v: Any?): Double = (v as? Number)?.text?.toDoubleOrNull() ?: wrong("number")
    internal fun <T> asList(v: Any?, read: (Any?) -> T): List<T> = (v as? List<*> ?: wrong("list")).map(read)

    @Suppress("UNCHECKED_CAST") // the keys that Reader makes are strings
    internal fun asObject(v: Any?): JsonObject = JsonObject(v as? Map<String, Any?> ?: wrong("object"))

    private fun wrong(want: String): Nothing = throw GlimException.malformed("something is no $want")

    private class Reader(private val s: String) {
        private var at = 0

        private fun fail(): Nothing = throw GlimException.malformed("no JSON")

        private fun peek(): Char {
            while (at < s.length && s[at] in " \t\r\n") at++
            return if (at < s.length) s[at] else fail()
        }

        private fun word(text: String) {
            if (!s.startsWith(text, at)) fail()
            at += text.length
        }

        fun end() {
            while (at < s.length) if (s[at++] !in " \t\r\n") fail()
        }

        fun value(depth: Int): Any? {
            if (depth > DEPTH) fail()
            return when (peek()) {
                '{' -> members(depth)
                '[' -> elements(depth)
                '"' -> text()
                't' -> { word("true"); true }
                'f' -> { word("false"); false }
                'n' -> { word("null"); null }
                else -> number()
            }
        }

        private fun members(depth: Int): Map<String, Any?> {
            val m = LinkedHashMap<String, Any?>()
            at++
            if (peek() == '}') { at++; return m }
            while (true) {
                if (peek() != '"') fail()
                val name = text()
                if (peek() != ':') fail()
                at++
                m[name] = value(depth + 1)
                when (peek()) {
                    ',' -> at++
                    '}' -> { at++; return m }
                    else -> fail()
                }
            }
        }

        private fun elements(depth: Int): List<Any?> {
            val l = ArrayList<Any?>()
            at++
            if (peek() == ']') { at++; return l }
            while (true) {
                l.add(value(depth + 1))
                when (peek()) {
                    ',' -> at++
                    ']' -> { at++; return l }
                    else -> fail()
                }
            }
        }

        private fun text(): String {
            val b = StringBuilder()
            at++
            while (true) {
                if (at >= s.length) fail()
                val c = s[at++]
                when {
                    c == '"' -> return b.toString()
                    c < ' ' -> fail()
                    c != '\\' -> b.append(c)
                    at >= s.length -> fail()
                    else -> when (s[at++]) {
                        '"' -> b.append('"')
                        '\\' -> b.append('\\')
                        '/' -> b.append('/')
                        'b' -> b.append('\b')
                        'f' -> b.append('\u000c')
                        'n' -> b.append('\n')
                        'r' -> b.append('\r')
                        't' -> b.append('\t')
                        'u' -> {
                            if (at + 4 > s.length) fail()
                            b.append((s.substring(at, at + 4).toIntOrNull(16) ?: fail()).toChar())
                            at += 4
                        }
                        else -> fail()
                    }
                }
            }
        }

        private fun number(): Number {
            val from = at
            while (at < s.length && s[at] in "+-.0123456789eE") at++
            val text = s.substring(from, at)
            if (text.toDoubleOrNull() == null) fail()
            return Number(text)
        }
    }
}
