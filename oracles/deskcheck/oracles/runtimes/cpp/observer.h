// Watches the loops of the program that follows, and reads its variables at wanted moments.
//
// It stands before the program's own includes, so it may bring no name of the standard library:
// under `using namespace std` one more name can change what a program means. Types of the library
// are therefore known by how the compiler spells them, and functions of the C library are reached
// under names of ours. Nothing is flushed, and errno stays as it was. One thread is assumed.
#include <asm/unistd.h>

namespace deskcheck_observer {

long system_call(long, ...) __asm__("syscall");
int *error_number() __asm__("__errno_location");
void *resized(void *, unsigned long) __asm__("realloc");
void *copied(void *, const void *, unsigned long) __asm__("memmove");
long stream_position(void *) __asm__("ftello");
unsigned long unwritten(void *) __asm__("__fpending");
int at_fast_exit(void (*)()) __asm__("at_quick_exit");
extern void *standard_input __asm__("stdin");
extern void *standard_output __asm__("stdout");

using size = unsigned long;
using wide = __int128;
using unsigned_wide = unsigned __int128;

// What the streams of C++ hold back; defined after the program, which may not have these streams.
long cin_unread();
long cout_unwritten();

inline constexpr const char *job_name = "@JOB@";
inline constexpr const char *report_name = "@REPORT@";
inline constexpr size real_loop_count = @LOOPS@;
inline constexpr size loop_count = real_loop_count + 1;  // an array has at least one element

// ---------------------------------------------------------------- text that grows

struct text {
    char *data;
    size length, room;

    void reserve(size more) {
        if (length + more <= room) return;
        room = 2 * (length + more) + 256;
        data = static_cast<char *>(resized(data, room));
        if (data == nullptr) system_call(__NR_exit_group, 121);
    }
    void put(char one) {
        reserve(1);
        data[length++] = one;
    }
    void put(const char *many, size count) {
        reserve(count);
        copied(data + length, many, count);
        length += count;
    }
    void put(const char *word) {
        for (; *word != '\0'; ++word) put(*word);
    }
    void number(unsigned_wide value) {
        char digits[40];
        int count = 0;
        do {
            digits[count++] = static_cast<char>('0' + static_cast<int>(value % 10));
            value /= 10;
        } while (value != 0);
        while (count > 0) put(digits[--count]);
    }
    void number(wide value) {
        if (value < 0) put('-');
        number(value < 0 ? -static_cast<unsigned_wide>(value) : static_cast<unsigned_wide>(value));
    }
    void number(size value) { number(static_cast<unsigned_wide>(value)); }
    void number(long value) { number(static_cast<wide>(value)); }
    void hexadecimal(size value, int digits) {
        while (digits-- > 0) put("0123456789abcdef"[value >> (4 * digits) & 15]);
    }
    void quoted(const char *from, size count) {
        put('"');
        for (size at = 0; at < count; ++at) {
            const unsigned char byte = static_cast<unsigned char>(from[at]);
            if (byte >= 0x20 && byte != 0x7f && byte != '"' && byte != '\\') {
                put(static_cast<char>(byte));
            } else {
                put("\\u00");
                hexadecimal(byte, 2);
            }
        }
        put('"');
    }
    void quoted(const char *word) {
        size count = 0;
        while (word[count] != '\0') ++count;
        quoted(word, count);
    }
    void key(const char *word) {
        quoted(word);
        put(": ");
    }
    void item(bool first) {
        if (!first) put(", ");
    }
};

// ---------------------------------------------------------------- types and their names

struct view {
    const char *data;
    size length;
};

template <class T>
constexpr view spelled() {
    view whole{__PRETTY_FUNCTION__, sizeof(__PRETTY_FUNCTION__) - 1};
    size at = 0;
    while (!(whole.data[at] == 'T' && whole.data[at + 1] == ' ' && whole.data[at + 2] == '=')) ++at;
    return view{whole.data + at + 4, whole.length - at - 5};
}

constexpr bool begins(view name, const char *with) {
    size at = 0;
    for (; with[at] != '\0'; ++at)
        if (at >= name.length || name.data[at] != with[at]) return false;
    return true;
}

constexpr size length_of(const char *word) {
    size count = 0;
    while (word[count] != '\0') ++count;
    return count;
}

constexpr view without(view name, size count) {
    return view{name.data + count, name.length - count};
}

// `std::vector<...>`, whichever inline namespaces its library has put between.
constexpr bool is_library(view name, const char *plain) {
    if (!begins(name, "std::")) return false;
    name = without(name, 5);
    while (begins(name, "__")) {
        size at = 0;
        while (at + 1 < name.length && name.data[at] != ':' && name.data[at] != '<') ++at;
        if (name.data[at] != ':') return false;
        name = without(name, at + 2);
    }
    const size count = length_of(plain);
    return begins(name, plain) && name.length > count && name.data[count] == '<';
}

template <size N>
constexpr bool is_any_of(view name, const char *const (&plain)[N]) {
    for (const char *one : plain)
        if (is_library(name, one)) return true;
    return false;
}

// Is it the type of that name at file scope? Namespaces without a name are left out.
constexpr bool is_called(view name, const char *wanted) {
    const char unnamed[] = "(anonymous namespace)::";
    for (; name.length > 0; name = without(name, 1), ++wanted) {
        while (begins(name, unnamed)) name = without(name, sizeof unnamed - 1);
        if (*wanted == '\0' || name.data[0] != *wanted) return false;
    }
    return *wanted == '\0';
}

template <class A, class B>
inline constexpr bool same = false;
template <class A>
inline constexpr bool same<A, A> = true;

template <class T, class... Others>
inline constexpr bool among = (same<T, Others> || ...);

template <class T>
struct steady {
    using type = T;
};
template <class T>
struct steady<volatile T> {
    using type = T;
};

template <class T>
inline constexpr bool is_integer =
    among<T, signed char, unsigned char, short, unsigned short, int, unsigned, long,
          unsigned long, long long, unsigned long long, wide, unsigned_wide>;
template <class T>
inline constexpr bool is_floating = among<T, float, double, long double>;
template <class T>
inline constexpr bool is_scalar =
    is_integer<T> || is_floating<T> || among<T, bool, char>;

template <class T>
inline constexpr bool is_pointer = false;
template <class T>
inline constexpr bool is_pointer<T *> = true;

template <class T>
struct array_of {
    static constexpr bool known = false;
    static constexpr bool of_characters = false;
};
template <class E, size N>
struct array_of<E[N]> {
    static constexpr bool known = true;
    static constexpr bool of_characters = same<E, char>;
    static constexpr size count = N;
};

template <class T>
struct arguments {
    static constexpr size count = 0;
};
template <template <class...> class C, class... A>
struct arguments<C<A...>> {
    static constexpr size count = sizeof...(A);
};

template <size... I>
struct indices {};
template <size N, size... I>
struct counted : counted<N - 1, N - 1, I...> {};
template <size... I>
struct counted<0, I...> {
    using type = indices<I...>;
};

// Makes `get<I>(tuple)` the call of a template, whose overloads are found where `tuple` comes from.
template <size I>
void get();

struct yes {};
struct no {};

template <class T>
auto has_elements(int) -> decltype((void)sizeof(typename T::value_type), yes());
template <class T>
no has_elements(...);

// Can it be copied? Containers promise it whatever they hold.
template <class T>
constexpr bool can_be_copied() {
    if constexpr (!__is_constructible(T, const T &)) {
        return false;
    } else if constexpr (same<decltype(has_elements<T>(0)), yes>) {
        if constexpr (same<typename T::value_type, T>)
            return true;
        else
            return can_be_copied<typename T::value_type>();
    } else {
        return true;
    }
}

// The container inside a queue or a stack, which only classes derived from that may see.
template <class Q>
struct opened : Q {
    static const typename Q::container_type &of(const Q &from) { return from.*(&opened::c); }
};

inline constexpr const char *sequences[] = {"vector", "array", "deque",    "list",
                                            "set",    "map",   "multiset", "multimap"};
inline constexpr const char *hashed[] = {"unordered_map", "unordered_set", "unordered_multimap",
                                         "unordered_multiset"};
template <class T>
inline constexpr bool is_sequence = is_any_of(spelled<T>(), sequences);
template <class T>
inline constexpr bool is_hashed = is_any_of(spelled<T>(), hashed);

template <class T>
struct identity {
    static constexpr char mark = 0;
};

template <class T>
const T &some();

@RECORDS@

// ---------------------------------------------------------------- values as trees

inline constexpr int deepest = 50;
inline constexpr size node_size = 64;

inline bool is_plain(const char *from, size count) {
    for (size at = 0; at < count; ++at) {
        const unsigned char byte = static_cast<unsigned char>(from[at]);
        const bool printable = byte >= 0x20 && byte < 0x7f;
        if (!printable && byte != '\t' && byte != '\n' && byte != '\r') return false;
    }
    return true;
}

constexpr size shown_of_large = 64;

template <class T>
constexpr bool is_atom_of() {
    using plain = typename steady<T>::type;
    if constexpr (is_scalar<plain>) {
        return true;
    } else if constexpr (is_library(spelled<plain>(), "pair")) {
        return is_scalar<typename steady<typename plain::first_type>::type> &&
               is_scalar<typename steady<typename plain::second_type>::type>;
    } else {
        return is_library(spelled<plain>(), "basic_string");
    }
}
template <class T>
struct is_atom;
template <class T>
struct is_atom<const T &> {
    static constexpr bool value = is_atom_of<T>();
};

struct tree_writer {
    text &out;
    long left;
    int depth;

    bool spent() const { return left < 0; }

    template <class T>
    void opaque(const char *why) {
        const view name = spelled<T>();
        out.put("{\"opaque\": {\"type\": ");
        out.quoted(name.data, name.length);
        out.put(", \"why\": ");
        out.quoted(why);
        out.put("}}");
    }

    template <class T>
    void string(const char *from, size count) {
        left -= static_cast<long>(count / node_size);
        if (spent()) return;
        if (is_plain(from, count))
            out.quoted(from, count);
        else
            opaque<T>("text");
    }

    void floating(double value) {
        size bits;
        static_assert(sizeof bits == sizeof value, "doubles have 64 bits");
        __builtin_memcpy(&bits, &value, sizeof bits);
        out.put("{\"float\": \"");
        out.hexadecimal(bits, 16);
        out.put("\"}");
    }

    template <class T>
    void tree(const T &value) {
        using plain = typename steady<T>::type;
        if (--left < 0) return;
        if constexpr (same<plain, bool>) {
            out.put(value ? "true" : "false");
        } else if constexpr (same<plain, char>) {
            const char one = value;
            string<plain>(&one, 1);
        } else if constexpr (same<plain, unsigned_wide>) {
            out.number(static_cast<unsigned_wide>(value));
        } else if constexpr (is_integer<plain>) {
            out.number(static_cast<wide>(value));
        } else if constexpr (is_floating<plain>) {
            floating(static_cast<double>(value));
        } else if constexpr (!same<plain, T>) {
            opaque<T>("unknown");
        } else if constexpr (array_of<T>::of_characters) {
            size count = 0;
            while (count < array_of<T>::count && value[count] != '\0') ++count;
            string<T>(value, count);
        } else if constexpr (is_library(spelled<T>(), "basic_string")) {
            if constexpr (same<typename T::value_type, char>)
                string<T>(value.data(), value.size());
            else
                opaque<T>("text");
        } else if constexpr (is_library(spelled<T>(), "bitset")) {
            bits(value);
        } else if (depth == deepest) {
            opaque<T>("too_deep");
        } else {
            ++depth;
            container(value);
            --depth;
        }
    }

    template <class T>
    void bits(const T &value) {
        const size count = value.size();
        left -= static_cast<long>(count / node_size);
        if (spent()) return;
        out.put('"');
        for (size at = count; at > 0; --at) out.put(value[at - 1] ? '1' : '0');
        out.put('"');
    }

    template <class T>
    void container(const T &value) {
        if constexpr (array_of<T>::known || is_sequence<T>) {
            each(value);
        } else if constexpr (is_library(spelled<T>(), "pair")) {
            out.put("{\"tuple\": [");
            tree(value.first);
            out.put(", ");
            tree(value.second);
            out.put("]}");
        } else if constexpr (is_library(spelled<T>(), "tuple")) {
            out.put("{\"tuple\": [");
            members(value, typename counted<arguments<T>::count>::type());
            out.put("]}");
        } else if constexpr (is_library(spelled<T>(), "queue")) {
            each(opened<T>::of(value));
        } else if constexpr (is_library(spelled<T>(), "stack")) {
            const auto &inner = opened<T>::of(value);
            bool first = true;
            out.put('[');
            for (auto at = inner.rbegin(); at != inner.rend() && !spent(); ++at) {
                out.item(first);
                first = false;
                tree(*at);
            }
            out.put(']');
        } else if constexpr (is_library(spelled<T>(), "priority_queue")) {
            heap(value);
        } else if constexpr (record_of<T>() >= 0) {
            record<record_of<T>()>::write(*this, value);
        } else {
            opaque<T>(is_pointer<T>                 ? "pointer"
                      : is_hashed<T>                ? "unordered"
                      : is_library(spelled<T>(), "function") ? "function"
                                                    : "unknown");
        }
    }

    template <class T>
    void each(const T &value) {
        bool first = true;
        out.put('[');
        for (const auto &element : value) {
            if (spent()) return;
            out.item(first);
            first = false;
            tree(element);
        }
        out.put(']');
    }

    template <class T, size... I>
    void members(const T &value, indices<I...>) {
        ((out.item(I == 0), tree(get<I>(value))), ...);
    }
    template <class T>
    void members(const T &, indices<>) {}

    template <class T>
    void heap(const T &value) {
        if constexpr (can_be_copied<T>()) {
            try {
                T copy(value);
                bool first = true;
                out.put('[');
                for (; !copy.empty() && !spent(); copy.pop()) {
                    out.item(first);
                    first = false;
                    tree(copy.top());
                }
                out.put(']');
            } catch (...) {
                left = -1;
            }
        } else {
            opaque<T>("unknown");
        }
    }

    // The first elements of a sequence that is too large to be written whole; false where it is
    // none, or where an element may itself hold any number of them.
    template <class T>
    bool beginning(const T &value) {
        if constexpr (array_of<T>::known || is_sequence<T>) {
            bool first = true;
            size count = 0;
            out.put('[');
            for (const auto &element : value) {
                if constexpr (!is_atom<decltype(element)>::value) return false;
                if (++count > shown_of_large) break;
                out.item(first);
                first = false;
                tree(element);
            }
            out.put(']');
            return !spent();
        }
        return false;
    }

    void object(const char *name) {
        out.put("{\"object\": {\"type\": ");
        out.quoted(name);
        out.put(", \"slots\": [");
    }
    template <class T>
    void slot(bool first, const char *name, const T &value) {
        out.item(first);
        out.put('[');
        out.quoted(name);
        out.put(", ");
        tree(value);
        out.put(']');
    }
    void object_end() { out.put("], \"dict\": null}}"); }
};

// ---------------------------------------------------------------- what is counted and kept

enum place : unsigned { before, inside, post };

struct wanted {
    unsigned where;
    size activation, iteration;
};

struct counter {  // one name over the iterations of a followed activation
    const char *name;
    bool seen, stepped, broken;
    unsigned_wide last, step;
};

struct followed {
    size activation;
    bool begun;
    counter *names;
    size count;
};

struct ended {  // an activation that ended normally
    size ordinal, iterations, exit_visit;
    bool silent;

    bool is_larger(const ended &other) const {
        if (iterations != other.iterations) return iterations > other.iterations;
        return ordinal < other.ordinal;
    }
};

struct loop_record {
    size offset, visits, exits, entries, most;
    ended *largest;  // at most `keep`, in order
    size kept;
    ended largest_silent;
    wanted *asked;
    size asked_count;
    followed *watched;
    size watched_count;
};

struct aliased {
    const void *object;
    const void *type;
    const char *name;
};

struct observation {
    bool on, busy, silent, written;
    long process, value_budget;
    size keep, boundary_limit, boundaries;
    char path[4352];  // of the report
    text key, snapshots, row;
    aliased *objects;  // those of the snapshot that is being made
    size object_count, object_room;
    bool first_value;
};

inline observation now;
inline loop_record loops[loop_count];

template <class T>
T *array_with_room(T *old, size count) {
    T *fresh = static_cast<T *>(resized(old, count * sizeof(T)));
    if (fresh == nullptr) system_call(__NR_exit_group, 121);
    return fresh;
}

struct kept_errno {
    int value = *error_number();
    ~kept_errno() { *error_number() = value; }
};

inline long printed() {
    const long at = system_call(__NR_lseek, 1, 0L, 1);
    if (at < 0) return 0;
    return at + static_cast<long>(unwritten(standard_output)) + cout_unwritten();
}

inline void put_stdin_position(text &out) {
    const long at = system_call(__NR_lseek, 0, 0L, 1);
    if (at < 0) {
        out.put("\"closed\"");
        return;
    }
    out.put('"');
    out.number(at);
    out.put(' ');
    out.number(stream_position(standard_input));
    out.put(' ');
    out.number(cin_unread());
    out.put('"');
}

// ---------------------------------------------------------------- the report

inline void put_activation(text &out, const ended &one) {
    out.put('[');
    out.number(one.ordinal);
    out.put(", ");
    out.number(one.iterations);
    out.put(", ");
    out.number(one.exit_visit);
    out.put(']');
}

inline void put_loop(text &out, const loop_record &loop) {
    out.put("{\"loop\": ");
    out.number(loop.offset);
    out.put(", \"visits\": ");
    out.number(loop.visits);
    out.put(", \"exits\": ");
    out.number(loop.exits);
    out.put(", \"entries\": ");
    out.number(loop.entries);
    out.put(", \"most\": ");
    out.number(loop.most);
    out.put(", \"activations\": [");
    bool any_silent = false;
    for (size at = 0; at < loop.kept; ++at) {
        out.item(at == 0);
        put_activation(out, loop.largest[at]);
        any_silent = any_silent || loop.largest[at].silent;
    }
    if (!any_silent && loop.largest_silent.ordinal != 0) {
        out.item(loop.kept == 0);
        put_activation(out, loop.largest_silent);
    }
    out.put("], \"strides\": {");
    bool first = true;
    for (size at = 0; at < loop.watched_count; ++at) {
        const followed &watched = loop.watched[at];
        if (!watched.begun) continue;
        out.item(first);
        first = false;
        out.put('"');
        out.number(watched.activation);
        out.put("\": [");
        bool first_name = true;
        for (size name = 0; name < watched.count; ++name) {
            const counter &one = watched.names[name];
            if (!one.stepped || one.broken || one.step == 0) continue;
            out.item(first_name);
            first_name = false;
            out.quoted(one.name);
        }
        out.put(']');
    }
    out.put("}}");
}

inline void write_report(bool too_long) {
    if (!now.on || now.written) return;
    if (system_call(__NR_getpid) != now.process) return;  // a child's loops are its own
    now.written = true;
    text out{};
    out.put(now.key.data, now.key.length);
    out.put("{\"too_long\": ");
    out.put(too_long ? "true" : "false");
    out.put(", \"opcodes\": null, \"state\": null, \"loops\": [");
    for (size at = 0; at < real_loop_count; ++at) {
        out.item(at == 0);
        put_loop(out, loops[at]);
    }
    out.put("], \"snapshots\": [");
    out.put(now.snapshots.data, now.snapshots.length);
    out.put("]}");
    out.put(now.key.data, now.key.length);
    const int create = 0x241;  // to write, anew, and made if it is not there
    const long file = system_call(__NR_openat, -100, now.path, create, 0600);
    if (file < 0) return;
    for (size done = 0; done < out.length;) {
        const long count = system_call(__NR_write, file, out.data + done, out.length - done);
        if (count <= 0) break;
        done += static_cast<size>(count);
    }
    system_call(__NR_close, file);
}

[[noreturn]] inline void leave(int status) {
    for (;;) system_call(__NR_exit_group, status);
}

// ---------------------------------------------------------------- the recorder of one activation

// It has no constructor, as a program may jump into a loop past its declaration.
struct activation {
    size mark;
    const void *self;
    size ordinal, iterations;
    followed *watched;
    bool silent, asked, wanting, following;

    bool begin(unsigned loop) __attribute__((noinline)) {
        if (!now.on || now.busy) return false;
        const kept_errno kept;
        start(loop);
        return boundary(loops[loop], before, loops[loop].entries);
    }

    bool enter(unsigned loop) __attribute__((noinline)) {
        if (!now.on || now.busy) return false;
        const kept_errno kept;
        if (!is_of(loop)) start(loop);
        loop_record &record = loops[loop];
        ++record.visits;
        if (++iterations > record.most) record.most = iterations;
        const bool reads = boundary(record, inside, record.visits);
        following = watched != nullptr;
        return reads || following;
    }

    bool end(unsigned loop) __attribute__((noinline)) {
        if (!now.on || now.busy) return false;
        const kept_errno kept;
        if (!is_of(loop)) start(loop);
        loop_record &record = loops[loop];
        ++record.exits;
        keep(record, ended{ordinal, iterations, record.exits, silent});
        mark = 0;
        return boundary(record, post, record.exits);
    }

    template <class T>
    void value(unsigned index, const char *name, const T &from) __attribute__((noinline)) {
        using plain = typename steady<T>::type;
        const kept_errno kept;
        now.busy = true;
        if (following) {
            if constexpr (is_integer<plain>)
                see(index, name, true, static_cast<unsigned_wide>(from));
            else
                see(index, name, false, 0);
        }
        if (wanting) {
            const void *object = __builtin_addressof(const_cast<const char &>(
                reinterpret_cast<const volatile char &>(from)));
            begin_value(name, object, &identity<T>::mark);
            const size at = now.row.length;
            tree_writer writer{now.row, now.value_budget, 0};
            writer.tree(from);
            if (writer.spent()) {
                now.row.length = at;
                tree_writer again{now.row, now.value_budget, 0};
                if (!again.beginning(from)) {
                    now.row.length = at;
                    again.template opaque<T>("too_large");
                }
            }
            now.row.put('}');
        }
        now.busy = false;
    }

    // For what no template can take, such as an array whose length is not constant.
    void value(unsigned index, const char *name, ...) __attribute__((noinline)) {
        if (following) see(index, name, false, 0);
        if (wanting) {
            begin_value(name, nullptr, nullptr);
            now.row.put("{\"opaque\": {\"type\": \"\", \"why\": \"unknown\"}}}");
        }
    }

    void done() {
        if (wanting) {
            now.row.put("}, \"opcodes\": null, \"state\": null}");
            now.snapshots.item(now.snapshots.length == 0);
            now.snapshots.put(now.row.data, now.row.length);
        }
        wanting = following = false;
    }

private:
    static constexpr size magic = 0x6465736b63686563;

    bool is_of(unsigned loop) const { return mark == magic + loop && self == this; }

    void start(unsigned loop) {
        loop_record &record = loops[loop];
        mark = magic + loop;
        self = this;
        ordinal = ++record.entries;
        iterations = 0;
        if (now.silent && printed() != 0) now.silent = false;
        silent = now.silent;
        asked = wanting = following = false;
        for (size at = 0; at < record.asked_count; ++at)
            asked = asked || record.asked[at].activation == ordinal;
        watched = nullptr;
        for (size at = 0; at < record.watched_count; ++at)
            if (record.watched[at].activation == ordinal) watched = &record.watched[at];
        if (watched != nullptr) watched->begun = true;
    }

    // Is this boundary wanted? Then its row is begun.
    bool boundary(loop_record &record, place where, size visit) {
        if (++now.boundaries > now.boundary_limit) {
            write_report(true);
            leave(0);
        }
        wanting = following = false;
        if (!asked) return false;
        const size iteration = where == inside ? iterations : 0;
        for (size at = 0; at < record.asked_count && !wanting; ++at) {
            const wanted &one = record.asked[at];
            wanting = one.where == where && one.activation == ordinal && one.iteration == iteration;
        }
        if (!wanting) return false;
        text &out = now.row;
        out.length = 0;
        now.object_count = 0;
        now.first_value = true;
        out.put("{\"loop\": ");
        out.number(record.offset);
        out.put(", \"place\": ");
        out.quoted(where == before ? "before" : where == inside ? "inside" : "post");
        out.put(", \"visit\": ");
        out.number(visit);
        out.put(", \"activation\": ");
        out.number(ordinal);
        out.put(", \"iteration\": ");
        out.number(iterations);
        out.put(", \"stdin\": ");
        put_stdin_position(out);
        out.put(", \"printed\": ");
        out.number(printed());
        out.put(", \"variables\": {");
        return true;
    }

    static void keep(loop_record &record, const ended &one) {
        ended &quiet = record.largest_silent;
        if (one.silent && (quiet.ordinal == 0 || one.is_larger(quiet))) quiet = one;
        if (now.keep == 0) return;
        if (record.largest == nullptr)
            record.largest = array_with_room<ended>(nullptr, now.keep);
        size at = record.kept;
        if (at == now.keep) {
            if (!one.is_larger(record.largest[at - 1])) return;
            --at;
        } else {
            ++record.kept;
        }
        for (; at > 0 && one.is_larger(record.largest[at - 1]); --at)
            record.largest[at] = record.largest[at - 1];
        record.largest[at] = one;
    }

    void see(unsigned index, const char *name, bool integer, unsigned_wide value) {
        while (watched->count <= index) {
            watched->names = array_with_room(watched->names, watched->count + 1);
            watched->names[watched->count++] = counter{};
        }
        counter &one = watched->names[index];
        one.name = name;
        if (!integer) {
            one.broken = true;
            return;
        }
        if (one.seen) {
            const unsigned_wide step = value - one.last;
            if (!one.stepped) one.step = step;
            one.stepped = true;
            if (one.step != step) one.broken = true;
        }
        one.seen = true;
        one.last = value;
    }

    static void begin_value(const char *name, const void *object, const void *type) {
        text &out = now.row;
        out.item(now.first_value);
        now.first_value = false;
        const char *first = name;
        if (object != nullptr) {
            size at = 0;
            while (at < now.object_count &&
                   (now.objects[at].object != object || now.objects[at].type != type))
                ++at;
            if (at < now.object_count) {
                first = now.objects[at].name;
            } else {
                if (at == now.object_room) {
                    now.object_room = 2 * at + 16;
                    now.objects = array_with_room(now.objects, now.object_room);
                }
                now.objects[now.object_count++] = aliased{object, type, name};
            }
        }
        out.key(name);
        out.put("{\"same_object_as\": ");
        out.quoted(first);
        out.put(", \"value\": ");
    }
};

// ---------------------------------------------------------------- the job

struct job_reader {
    const char *at, *end;

    view word() {
        while (at < end && (*at == ' ' || *at == '\n')) ++at;
        const char *begin = at;
        while (at < end && *at != ' ' && *at != '\n') ++at;
        return view{begin, static_cast<size>(at - begin)};
    }
    size number() {
        const view digits = word();
        size value = 0;
        for (size i = 0; i < digits.length; ++i)
            value = 10 * value + static_cast<size>(digits.data[i] - '0');
        return value;
    }
};

inline bool read_all(const char *path, text &into) {
    const long file = system_call(__NR_openat, -100, path, 0);
    if (file < 0) return false;
    for (;;) {
        into.reserve(65536);
        const long count = system_call(__NR_read, file, into.data + into.length, 65536L);
        if (count <= 0) break;
        into.length += static_cast<size>(count);
    }
    system_call(__NR_close, file);
    return true;
}

inline void finish() { write_report(false); }

// Before any object of the program is made, and after the last one is gone.
__attribute__((constructor(101), used)) static void begin() {
    const kept_errno kept;
    text job{};
    if (!read_all(job_name, job)) return;
    system_call(__NR_unlinkat, -100, job_name, 0);
    job_reader from{job.data, job.data + job.length};
    const view key = from.word();
    now.key.put(key.data, key.length);
    const long folder = system_call(__NR_getcwd, now.path, 4096L);
    if (folder <= 0) return;
    text path{now.path, static_cast<size>(folder) - 1, sizeof now.path};
    path.put('/');
    path.put(report_name, length_of(report_name) + 1);
    now.keep = from.number();
    now.value_budget = static_cast<long>(from.number());
    now.boundary_limit = from.number();
    if (from.number() != real_loop_count) return;
    for (size at = 0; at < real_loop_count; ++at) loops[at].offset = from.number();
    for (size count = from.number(); count > 0; --count) {
        loop_record &loop = loops[from.number()];
        loop.asked = array_with_room(loop.asked, loop.asked_count + 1);
        wanted &one = loop.asked[loop.asked_count++];
        one.where = static_cast<unsigned>(from.number());
        one.activation = from.number();
        one.iteration = from.number();
    }
    for (size count = from.number(); count > 0; --count) {
        loop_record &loop = loops[from.number()];
        loop.watched = array_with_room(loop.watched, loop.watched_count + 1);
        followed &one = loop.watched[loop.watched_count++];
        one = followed{};
        one.activation = from.number();
    }
    now.process = system_call(__NR_getpid);
    now.silent = true;
    now.on = true;
    at_fast_exit(finish);
}

__attribute__((destructor(101), used)) static void end() { finish(); }

}  // namespace deskcheck_observer
